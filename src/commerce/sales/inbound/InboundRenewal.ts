import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ClubId } from "../../../identity/ids/ClubId.ts"
import { makeResealing, type Reseal } from "../../../platform/sql/Resealing.ts"
import { rows } from "../../../platform/sql/Rows.ts"
import { bindingOfSecret, bindingOfToken, InboundWebhookId } from "./InboundWebhook.ts"

const Sealed = Schema.Struct({
  club_id: ClubId,
  id: InboundWebhookId,
  token: Schema.Uint8Array,
  secret: Schema.NullOr(Schema.Uint8Array)
})
type Sealed = typeof Sealed.Type
const decodeSealed = rows(Sealed)

/** Before every address. */
const lowest = { id: InboundWebhookId.make("00000000-0000-0000-0000-000000000000") }

/** Reseals secrets and tokens of inbound webhooks with the current sealing key, so that older keys can be removed. */
export class InboundRenewal extends Context.Service<InboundRenewal, {
  /** Reseals values of another key, except those that no key opens. Returns the number of resealed addresses. */
  readonly renew: Effect.Effect<number>
}>()("turma/commerce/sales/inbound/InboundRenewal") {
  static readonly layer = Layer.effect(
    InboundRenewal,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const resealing = yield* makeResealing

      const after = ({ id }: Pick<Sealed, "id"> = lowest, limit: number) =>
        sql`
          select club_id, id, token, secret from inbound_webhooks
          where deleted_at is null and id > ${id}::uuid
            and (${resealing.isOfOther("token")} or ${resealing.isOfOther("secret")})
          order by id limit ${limit}`.pipe(decodeSealed)

      // Replaces only unchanged values: a rotation may have come since the read.
      const replace = Effect.fnUntraced(function*({ club_id, id, secret, token }: Sealed, reseal: Reseal) {
        const newToken = yield* reseal(token, bindingOfToken(id))
        const newSecret = secret === null ? null : yield* reseal(secret, bindingOfSecret(id))
        const rows = yield* sql`
          update inbound_webhooks set token = ${newToken}, secret = ${newSecret}::bytea
          where club_id = ${club_id} and id = ${id} and token = ${token} and secret is not distinct from ${secret}::bytea
          returning 1`
        return rows.length > 0
      })

      const onBroken = ({ id }: Sealed) =>
        Effect.logError("No key opens an inbound webhook", { inbound_webhook_id: id })

      const renew = resealing.all({ after, replace, onBroken }).pipe(Effect.withSpan("InboundRenewal.renew"))

      return InboundRenewal.of({ renew })
    })
  )
}
