import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ClubId } from "../../identity/ids/ClubId.ts"
import { makeResealing, type Reseal } from "../../platform/sql/Resealing.ts"
import { rows } from "../../platform/sql/Rows.ts"
import { bindingOfSecret, bindingOfSigningKey, EndpointId } from "../model/EndpointId.ts"
import { bindingOfHeaders } from "../send/SealedHeaders.ts"

/** The columns that are sealed, and what each is bound to. */
const bindings = { headers: bindingOfHeaders, secret: bindingOfSecret, signing_key: bindingOfSigningKey }

const Column = Schema.Literals(["headers", "secret", "signing_key"])

/** `number` is 0 for the headers and the newest secret and key of an endpoint, and that of previous ones otherwise. */
const SealedSecret = Schema.Struct({
  club_id: ClubId,
  id: EndpointId,
  number: Schema.Int,
  column: Column,
  sealed: Schema.Uint8Array
})
type SealedSecret = typeof SealedSecret.Type
const decodeSealed = rows(SealedSecret)

/** Before every secret. */
const lowest: Pick<SealedSecret, "id" | "number" | "column"> = {
  id: EndpointId.make("00000000-0000-0000-0000-000000000000"),
  number: 0,
  column: "headers"
}

/** Moves headers, signing secrets and private keys to the current sealing key, so that the previous key may be deleted. */
export class SecretRenewal extends Context.Service<SecretRenewal, {
  /** Seals anew the secrets that another key has sealed. Leaves those that no key opens. Answers how many were moved. */
  readonly renew: Effect.Effect<number>
}>()("turma/webhooks/endpoint/SecretRenewal") {
  static readonly layer = Layer.effect(
    SecretRenewal,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const resealing = yield* makeResealing

      const ofEndpoints = (column: SealedSecret["column"]) =>
        sql`
          select club_id, id, 0 as number, ${column}::text as "column", ${sql(column)} as sealed
          from webhook_endpoints where deleted_at is null and ${resealing.isOfOther(column)}`

      const ofColumn = (column: "secret" | "signing_key") =>
        sql`
          ${ofEndpoints(column)}
          union all
          select club_id, endpoint_id, number, ${column}::text, ${sql(column)}
          from webhook_previous_secrets where ${resealing.isOfOther(column)}`

      const after = (
        { column, id, number }: Pick<SealedSecret, "id" | "number" | "column"> = lowest,
        limit: number
      ) =>
        sql`
          select club_id, id, number, "column", sealed from (
            ${ofEndpoints("headers")} union all ${ofColumn("secret")} union all ${ofColumn("signing_key")}
          ) found
          where (id, number, "column") > (${id}::uuid, ${number}::int, ${column}::text)
          order by id, number, "column" limit ${limit}`.pipe(decodeSealed)

      const update = ({ club_id, column, id, number, sealed }: SealedSecret, resealed: Uint8Array) =>
        number === 0
          ? sql`
            update webhook_endpoints set ${sql(column)} = ${resealed}
            where club_id = ${club_id} and id = ${id} and ${sql(column)} = ${sealed} returning 1`
          : sql`
            update webhook_previous_secrets set ${sql(column)} = ${resealed}
            where club_id = ${club_id} and endpoint_id = ${id} and number = ${number} and ${sql(column)} = ${sealed}
            returning 1`

      const replace = Effect.fnUntraced(function*(found: SealedSecret, reseal: Reseal) {
        const rows = yield* update(found, yield* reseal(found.sealed, bindings[found.column](found.id)))
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
