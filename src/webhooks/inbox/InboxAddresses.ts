import { Context, Effect, Layer, Option } from "effect"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { PublicUrls } from "../../platform/http/ServerSettings.ts"
import { InboxesRepo } from "./InboxesRepo.ts"
import { playPrefix, tokenIn } from "./PlayUrl.ts"

/** Which addresses of our own an endpoint may have, beside the address rules, which refuse all of them. */
export class InboxAddresses extends Context.Service<InboxAddresses, {
  /** Whether this is the URL, to the letter, of an inbox of this club that lives. Asks nothing where it cannot be. */
  isOwn(club_id: ClubId, raw: string): Effect.Effect<boolean>
}>()("turma/webhooks/inbox/InboxAddresses") {
  static readonly layer = Layer.effect(
    InboxAddresses,
    Effect.gen(function*() {
      const { api } = yield* PublicUrls
      const repo = yield* InboxesRepo
      const prefix = playPrefix(api)
      return InboxAddresses.of({
        isOwn: (club_id, raw) =>
          Option.match(tokenIn(raw, prefix), {
            onNone: () => Effect.succeed(false),
            onSome: (token) => repo.exists(club_id, token)
          })
      })
    })
  ).pipe(Layer.provide([InboxesRepo.layer, PublicUrls.layer]))
}
