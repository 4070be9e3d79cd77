import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ClubId } from "../../identity/ids/ClubId.ts"
import { makeResealing, type Reseal } from "../../platform/sql/Resealing.ts"
import { rows } from "../../platform/sql/Rows.ts"
import { bindingOfHeaders } from "../headers/SealedHeaders.ts"
import { bindingOfSecret, EndpointId } from "../model/EndpointId.ts"

/** `number` is 0 for the newest secret of an endpoint, -1 for its headers, and that of a previous secret otherwise. */
const SealedSecret = Schema.Struct({ club_id: ClubId, id: EndpointId, number: Schema.Int, secret: Schema.Uint8Array })
type SealedSecret = typeof SealedSecret.Type
const decodeSealed = rows(SealedSecret)

const headersNumber = -1

/** Before every secret. */
const lowest: Pick<SealedSecret, "id" | "number"> = {
  id: EndpointId.make("00000000-0000-0000-0000-000000000000"),
  number: -2
}

/** Moves signing secrets to the current sealing key, so that the previous key may be deleted. */
export class SecretRenewal extends Context.Service<SecretRenewal, {
  /** Seals anew the secrets that another key has sealed. Leaves those that no key opens. Answers how many were moved. */
  readonly renew: Effect.Effect<number>
}>()("turma/webhooks/endpoint/SecretRenewal") {
  static readonly layer = Layer.effect(
    SecretRenewal,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const resealing = yield* makeResealing

      const hasOtherKey = resealing.isOfOther("secret")
      const after = ({ id, number }: Pick<SealedSecret, "id" | "number"> = lowest, limit: number) =>
        sql`
          select club_id, id, number, secret from (
            select club_id, id, 0 as number, secret from webhook_endpoints where deleted_at is null and ${hasOtherKey}
            union all
            select club_id, id, -1, headers from webhook_endpoints
            where deleted_at is null and ${resealing.isOfOther("headers")}
            union all
            select club_id, endpoint_id, number, secret from webhook_previous_secrets where ${hasOtherKey}
          ) sealed
          where (id, number) > (${id}::uuid, ${number}::int)
          order by id, number limit ${limit}`.pipe(decodeSealed)

      const update = ({ club_id, id, number, secret }: SealedSecret, resealed: Uint8Array) => {
        if (number > 0) {
          return sql`
            update webhook_previous_secrets set secret = ${resealed}
            where club_id = ${club_id} and endpoint_id = ${id} and number = ${number} and secret = ${secret} returning 1`
        }
        const column = sql(number === 0 ? "secret" : "headers")
        return sql`
          update webhook_endpoints set ${column} = ${resealed}
          where club_id = ${club_id} and id = ${id} and ${column} = ${secret} returning 1`
      }

      const replace = Effect.fnUntraced(function*(sealed: SealedSecret, reseal: Reseal) {
        const { id, number, secret } = sealed
        const binding = number === headersNumber ? bindingOfHeaders(id) : bindingOfSecret(id)
        const rows = yield* update(sealed, yield* reseal(secret, binding))
        return rows.length > 0
      })

      const onBroken = ({ id }: SealedSecret) => Effect.logError("No key opens a webhook secret", { endpoint_id: id })

      const renew = resealing.all({
        after,
        replace,
        // A rotation meanwhile makes a previous secret of the newest one. That row may come before those already read, so
        // all are read again.
        movesBack: true,
        onBroken
      }).pipe(Effect.withSpan("SecretRenewal.renew"))

      return SecretRenewal.of({ renew })
    })
  )
}
