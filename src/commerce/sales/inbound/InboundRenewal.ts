import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ClubId } from "../../../identity/ids/ClubId.ts"
import { Sealing } from "../../../platform/sql/Sealing.ts"
import { bindingOfSecret, bindingOfToken, InboundWebhookId } from "./InboundWebhook.ts"

/** Addresses whose secrets are sealed anew in one step. */
const batch = 500

const Sealed = Schema.Struct({
  club_id: ClubId,
  id: InboundWebhookId,
  token: Schema.Uint8Array,
  secret: Schema.NullOr(Schema.Uint8Array)
})
const decodeSealed = Schema.decodeUnknownEffect(Schema.Array(Sealed))

/** Moves secrets and tokens of inbound webhooks to the sealing key of today, so that the key before may be forgotten. */
export class InboundRenewal extends Context.Service<InboundRenewal, {
  /** Seals anew what another key has sealed; leaves what no key opens. Says how many addresses were moved. */
  readonly renew: Effect.Effect<number>
}>()("turma/sales/InboundRenewal") {
  static readonly layer = Layer.effect(
    InboundRenewal,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const sealing = yield* Sealing
      const header = sealing.currentHeader

      const other = (after: string) =>
        sql`
          select club_id, id, token, secret from inbound_webhooks
          where deleted_at is null and id > ${after}::uuid and (
            substring(token from 1 for ${header.length}) <> ${header}
            or substring(secret from 1 for ${header.length}) <> ${header}
          )
          order by id limit ${batch}`.pipe(Effect.flatMap(decodeSealed))

      const moved = Effect.fnUntraced(function*(sealed: Uint8Array, binding: string) {
        return yield* sealing.seal(yield* sealing.open(sealed, binding), binding)
      })

      // Only what is still as it was read is replaced: a rotation may have come in between.
      const move = Effect.fnUntraced(
        function*({ club_id, id, secret, token }: typeof Sealed.Type) {
          const newToken = yield* moved(token, bindingOfToken(id))
          const newSecret = secret === null ? null : yield* moved(secret, bindingOfSecret(id))
          const rows = yield* sql`
            update inbound_webhooks set token = ${newToken}, secret = ${newSecret}::bytea
            where club_id = ${club_id} and id = ${id} and token = ${token}
              and secret is not distinct from ${secret}::bytea
            returning 1`
          return rows.length
        },
        (effect, { id }) =>
          Effect.catchTag(
            effect,
            "SealBroken",
            () => Effect.as(Effect.logError("No key opens an inbound webhook", { inbound_webhook_id: id }), 0)
          )
      )

      const renew = Effect.gen(function*() {
        let found = yield* other("00000000-0000-0000-0000-000000000000")
        let count = 0
        while (found.length > 0) {
          for (const hook of found) count += yield* move(hook)
          found = yield* other(found.at(-1)?.id ?? "")
        }
        return count
      }).pipe(Effect.orDie, Effect.withSpan("InboundRenewal.renew"))

      return InboundRenewal.of({ renew })
    })
  )
}
