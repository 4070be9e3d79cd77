import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ClubId } from "../../clubs/Club.ts"
import { Sealing } from "../../sql/Sealing.ts"
import { bindingOfSecret, EndpointId } from "./EndpointId.ts"

/** Endpoints whose secrets are sealed anew in one step. */
const batch = 500

const Sealed = Schema.Struct({
  club_id: ClubId,
  id: EndpointId,
  secret: Schema.Uint8Array,
  previous_secret: Schema.NullOr(Schema.Uint8Array)
})
const decodeSealed = Schema.decodeUnknownEffect(Schema.Array(Sealed))

/** Moves signing secrets to the sealing key of today, so that the key before may be forgotten. */
export class SecretRenewal extends Context.Service<SecretRenewal, {
  /** Seals anew what another key has sealed; leaves what no key opens. Says how many endpoints were moved. */
  readonly renew: Effect.Effect<number>
}>()("turma/webhooks/SecretRenewal") {
  static readonly layer = Layer.effect(
    SecretRenewal,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const sealing = yield* Sealing
      const header = sealing.currentHeader

      const other = (after: string) =>
        sql`
          select club_id, id, secret, previous_secret from webhook_endpoints
          where deleted_at is null and id > ${after}::uuid and (
            substring(secret from 1 for ${header.length}) <> ${header}
            or substring(previous_secret from 1 for ${header.length}) <> ${header}
          )
          order by id limit ${batch}`.pipe(Effect.flatMap(decodeSealed))

      const moved = Effect.fnUntraced(function*(sealed: Uint8Array, binding: string) {
        return yield* sealing.seal(yield* sealing.open(sealed, binding), binding)
      })

      // Only what is still as it was read is replaced: a rotation may have come in between.
      const move = Effect.fnUntraced(
        function*({ club_id, id, previous_secret, secret }: typeof Sealed.Type) {
          const binding = bindingOfSecret(id)
          const newest = yield* moved(secret, binding)
          const previous = previous_secret === null ? null : yield* moved(previous_secret, binding)
          const rows = yield* sql`
            update webhook_endpoints set secret = ${newest}, previous_secret = ${previous}::bytea
            where club_id = ${club_id} and id = ${id} and secret = ${secret}
              and previous_secret is not distinct from ${previous_secret}::bytea
            returning 1`
          return rows.length
        },
        (effect, { id }) =>
          Effect.catchTag(
            effect,
            "SealBroken",
            () => Effect.as(Effect.logError("No key opens a webhook secret", { endpoint_id: id }), 0)
          )
      )

      const renew = Effect.gen(function*() {
        let found = yield* other("00000000-0000-0000-0000-000000000000")
        let count = 0
        while (found.length > 0) {
          for (const endpoint of found) count += yield* move(endpoint)
          found = yield* other(found.at(-1)?.id ?? "")
        }
        return count
      }).pipe(Effect.orDie, Effect.withSpan("SecretRenewal.renew"))

      return SecretRenewal.of({ renew })
    })
  )
}
