import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { Sealing } from "../../../src/sql/Sealing.ts"
import { bindingOfSecret } from "../../../src/webhooks/endpoint/EndpointId.ts"
import { SecretRenewal } from "../../../src/webhooks/endpoint/SecretRenewal.ts"
import { makeClub } from "../../support/Makers.ts"
import { PostgresLayer } from "../../support/Postgres.ts"
import { makeEndpoint } from "../../support/Webhooks.ts"

const [first, second, third] = [1, 2, 3].map((n) => Redacted.make(new Uint8Array(32).fill(n)))
if (first === undefined || second === undefined || third === undefined) throw new Error("Three keys")

const secretOf = Effect.fnUntraced(function*(id: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql`select secret, previous_secret from webhook_endpoints where id = ${id}`
  return { secret: row?.["secret"], previous: row?.["previous_secret"] }
})

const renewed = (...[current, ...previous]: Parameters<typeof Sealing.layerKeys>) =>
  Effect.flatMap(SecretRenewal, ({ renew }) => renew).pipe(
    Effect.provide(SecretRenewal.layer.pipe(Layer.provide(Sealing.layerKeys(current, ...previous))))
  )

layer(Layer.merge(PostgresLayer, SecureRandom.layerWebCrypto), { timeout: "60 seconds" })("a webhook secret", (it) => {
  it.effect("moves to each new sealing key, so that the one before may be forgotten", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const secret = new Uint8Array(32).fill(9)
      const endpoint = yield* makeEndpoint(yield* makeClub(), { secret }).pipe(Effect.provide(Sealing.layerKeys(first)))
      yield* sql`
        update webhook_endpoints set previous_secret = secret, previous_secret_expires_at = created_at
        where id = ${endpoint.id}`
      assert.strictEqual(yield* renewed(second, first), 1)
      assert.strictEqual(yield* renewed(second, first), 0)
      assert.strictEqual(yield* renewed(third, second), 1)
      const sealed = yield* secretOf(endpoint.id)
      for (const one of [sealed.secret, sealed.previous]) {
        if (!(one instanceof Uint8Array)) return assert.fail("It is gone")
        const opened = yield* Effect.flatMap(Sealing, ({ open }) => open(one, bindingOfSecret(endpoint.id))).pipe(
          Effect.provide(Sealing.layerKeys(third))
        )
        assert.deepStrictEqual(opened, secret)
      }
      yield* sql`update webhook_endpoints set deleted_at = created_at, secret = null, previous_secret = null,
        previous_secret_expires_at = null where id = ${endpoint.id}`
    }))

  it.effect("that no key opens stays as it is and holds up no other", () =>
    Effect.gen(function*() {
      const club = yield* makeClub()
      const lost = yield* makeEndpoint(club).pipe(Effect.provide(Sealing.layerKeys(first)))
      yield* makeEndpoint(club).pipe(Effect.provide(Sealing.layerKeys(second)))
      const before = yield* secretOf(lost.id)
      assert.strictEqual(yield* renewed(third, second), 1)
      assert.deepStrictEqual(yield* secretOf(lost.id), before)
    }))
})
