import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ClubId } from "../../identity/ids/ClubId.ts"
import { Sealing } from "../../platform/sql/Sealing.ts"
import { bindingOfSecret, EndpointId } from "../model/EndpointId.ts"

/** Secrets that are sealed anew in one step. */
const batch = 500

/** `number` is 0 for the newest secret of an endpoint, and that of a previous one otherwise. */
const SealedSecret = Schema.Struct({ club_id: ClubId, id: EndpointId, number: Schema.Int, secret: Schema.Uint8Array })
const decodeSealed = Schema.decodeUnknownEffect(Schema.Array(SealedSecret))

const start: Pick<typeof SealedSecret.Type, "id" | "number"> = {
  id: EndpointId.make("00000000-0000-0000-0000-000000000000"),
  number: 0
}

/** Moves signing secrets to the current sealing key, so that the previous key may be deleted. */
export class SecretRenewal extends Context.Service<SecretRenewal, {
  /** Seals anew the secrets that another key has sealed. Leaves those that no key opens. Answers how many were moved. */
  readonly renew: Effect.Effect<number>
}>()("turma/webhooks/SecretRenewal") {
  static readonly layer = Layer.effect(
    SecretRenewal,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const sealing = yield* Sealing
      const header = sealing.currentHeader

      const hasOtherKey = sql`substring(secret from 1 for ${header.length}) <> ${header}`
      const readAfter = ({ id, number }: typeof start) =>
        sql`
          select club_id, id, number, secret from (
            select club_id, id, 0 as number, secret from webhook_endpoints where deleted_at is null and ${hasOtherKey}
            union all
            select club_id, endpoint_id, number, secret from webhook_previous_secrets where ${hasOtherKey}
          ) sealed
          where (id, number) > (${id}::uuid, ${number}::int)
          order by id, number limit ${batch}`.pipe(Effect.flatMap(decodeSealed))

      const replace = ({ club_id, id, number, secret }: typeof SealedSecret.Type, fresh: Uint8Array) =>
        number === 0
          ? sql`
            update webhook_endpoints set secret = ${fresh}
            where club_id = ${club_id} and id = ${id} and secret = ${secret} returning 1`
          : sql`
            update webhook_previous_secrets set secret = ${fresh}
            where club_id = ${club_id} and endpoint_id = ${id} and number = ${number} and secret = ${secret} returning 1`

      // Replaces a secret only while it is as it was read. A rotation in between has made a previous secret of it.
      const move = Effect.fnUntraced(
        function*(sealed: typeof SealedSecret.Type) {
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
        let found = yield* readAfter(start)
        let count = 0
        while (found.length > 0) {
          const moves = yield* Effect.forEach(found, move)
          count += moves.filter((one) => one === "moved").length
          // A secret that was overtaken has another number now, so the search begins again.
          found = yield* readAfter(moves.includes("overtaken") ? start : found.at(-1) ?? start)
        }
        return count
      }).pipe(Effect.orDie, Effect.withSpan("SecretRenewal.renew"))

      return SecretRenewal.of({ renew })
    })
  )
}
