import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { one } from "../../platform/sql/Rows.ts"
import type { InboxId } from "../model/InboxId.ts"

const decodeExists = one(Schema.Struct({ exists: Schema.Boolean }))

/** The inboxes that an endpoint may name. */
export class OwnInboxes extends Context.Service<OwnInboxes, {
  /** True if this is an open inbox of this club. */
  exists(club_id: ClubId, id: InboxId): Effect.Effect<boolean>
}>()("turma/webhooks/endpoint/OwnInboxes") {
  static readonly layer = Layer.effect(
    OwnInboxes,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const exists = Effect.fn("OwnInboxes.exists")(function*(club_id: ClubId, id: InboxId) {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        const found = yield* sql`
          select exists (
            select from webhook_inboxes
            where club_id = ${club_id} and id = ${id} and expires_at > ${now}
          ) as exists`.pipe(decodeExists)
        return found.exists
      })

      return OwnInboxes.of({ exists })
    })
  )
}
