import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ClubId } from "../../identity/ids/ClubId.ts"
import { Sealing } from "../../platform/sql/Sealing.ts"
import { bindingOfSecret, EndpointId } from "./EndpointId.ts"

/** Secrets that are sealed anew in one step. */
const batch = 500

/** `number` is 0 for the newest secret of an endpoint, and that of a previous one otherwise. */
const Sealed = Schema.Struct({ club_id: ClubId, id: EndpointId, number: Schema.Int, secret: Schema.Uint8Array })
const decodeSealed = Schema.decodeUnknownEffect(Schema.Array(Sealed))

const start: Pick<typeof Sealed.Type, "id" | "number"> = {
  id: EndpointId.make("00000000-0000-0000-0000-000000000000"),
  number: 0
}

/** Moves signing secrets to the sealing key of today, so that the key before may be forgotten. */
export class SecretRenewal extends Context.Service<SecretRenewal, {
  /** Seals anew what another key has sealed; leaves what no key opens. Says how many secrets were moved. */
  readonly renew: Effect.Effect<number>
}>()("turma/webhooks/SecretRenewal") {
  static readonly layer = Layer.effect(
    SecretRenewal,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const sealing = yield* Sealing
      const header = sealing.currentHeader

      const isOther = sql`substring(secret from 1 for ${header.length}) <> ${header}`
      const other = ({ id, number }: typeof start) =>
        sql`
          select club_id, id, number, secret from (
            select club_id, id, 0 as number, secret from webhook_endpoints where deleted_at is null and ${isOther}
            union all
            select club_id, endpoint_id, number, secret from webhook_previous_secrets where ${isOther}
          ) sealed
          where (id, number) > (${id}::uuid, ${number}::int)
          order by id, number limit ${batch}`.pipe(Effect.flatMap(decodeSealed))

      const replace = ({ club_id, id, number, secret }: typeof Sealed.Type, fresh: Uint8Array) =>
        number === 0
          ? sql`
            update webhook_endpoints set secret = ${fresh}
            where club_id = ${club_id} and id = ${id} and secret = ${secret} returning 1`
          : sql`
            update webhook_previous_secrets set secret = ${fresh}
            where club_id = ${club_id} and endpoint_id = ${id} and number = ${number} and secret = ${secret} returning 1`

      // Only what is still as it was read is replaced. A rotation that came in between has made a previous one of it.
      const move = Effect.fnUntraced(
        function*(sealed: typeof Sealed.Type) {
          const binding = bindingOfSecret(sealed.id)
          const fresh = yield* sealing.seal(yield* sealing.open(sealed.secret, binding), binding)
          return (yield* replace(sealed, fresh)).length > 0 ? "moved" : "overtaken"
        },
        (effect, { id }) =>
          Effect.catchTag(
            effect,
            "SealBroken",
            () => Effect.as(Effect.logError("No key opens a webhook secret", { endpoint_id: id }), "lost" as const)
          )
      )

      const renew = Effect.gen(function*() {
        let found = yield* other(start)
        let count = 0
        while (found.length > 0) {
          const moves = yield* Effect.forEach(found, move)
          count += moves.filter((one) => one === "moved").length
          // Where one was overtaken, it is to be found from the start.
          found = yield* other(moves.includes("overtaken") ? start : found.at(-1) ?? start)
        }
        return count
      }).pipe(Effect.orDie, Effect.withSpan("SecretRenewal.renew"))

      return SecretRenewal.of({ renew })
    })
  )
}
