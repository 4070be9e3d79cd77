import { Context, Effect, Layer } from "effect"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { InboxId } from "./Inbox.ts"
import { InboxesRepo } from "./InboxesRepo.ts"

/** Which inboxes an endpoint may name. */
export class OwnInboxes extends Context.Service<OwnInboxes, {
  /** Whether this is an inbox of this club that lives. */
  exists(club_id: ClubId, id: InboxId): Effect.Effect<boolean>
}>()("turma/webhooks/inbox/OwnInboxes") {
  static readonly layer = Layer.effect(
    OwnInboxes,
    Effect.map(InboxesRepo, ({ exists }) => OwnInboxes.of({ exists }))
  ).pipe(Layer.provide(InboxesRepo.layer))
}
