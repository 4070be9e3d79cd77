import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { Sealing } from "../../../src/platform/sql/Sealing.ts"
import { SecretRenewal } from "../../../src/webhooks/endpoint/SecretRenewal.ts"
import { bindingOfSecret, bindingOfSigningKey } from "../../../src/webhooks/model/EndpointId.ts"
import { bindingOfHeaders } from "../../../src/webhooks/send/SealedHeaders.ts"
import { makeClub } from "../../harness/Makers.ts"
import { PostgresLayer } from "../../harness/Postgres.ts"
import { insertPreviousSecret, makeEndpoint } from "../../harness/Webhooks.ts"

const [first, second, third] = [1, 2, 3].map((n) => Redacted.make(new Uint8Array(32).fill(n)))
if (first === undefined || second === undefined || third === undefined) throw new Error("Three keys")

const decodeSecrets = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ secret: Schema.Uint8Array })))

const decodeKeys = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ signing_key: Schema.Uint8Array })))

/** The sealed secrets: the newest one and every previous one. */
const secretsOf = Effect.fnUntraced(function*(id: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* decodeSecrets(yield* sql`
      select secret, 0 as number from webhook_endpoints where id = ${id}
      union all select secret, number from webhook_previous_secrets where endpoint_id = ${id} order by number`)
  return rows.map(({ secret }) => secret)
})

const sealedWith = (key: typeof first, secret: Uint8Array, binding: string) =>
  Effect.flatMap(Sealing, ({ seal }) => seal(secret, binding)).pipe(Effect.provide(Sealing.layerKeys(key)))

const renewed = (...[current, ...previous]: Parameters<typeof Sealing.layerKeys>) =>
  Effect.flatMap(SecretRenewal, ({ renew }) => renew)
    .pipe(Effect.provide(SecretRenewal.layer.pipe(Layer.provide(Sealing.layerKeys(current, ...previous)))))

layer(Layer.merge(PostgresLayer, SecureRandom.layerWebCrypto))("a webhook secret", (it) => {
  it.effect("moves to each new sealing key, so that the one before may be forgotten", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const secret = new Uint8Array(32).fill(9)
      const endpoint = yield* makeEndpoint(yield* makeClub(), { secret }).pipe(Effect.provide(Sealing.layerKeys(first)))
      const binding = bindingOfSecret(endpoint.id)
      for (const number of [1, 2, 3, 4, 5]) {
        const sealed = yield* sealedWith(first, new Uint8Array(32).fill(number), binding)
        yield* insertPreviousSecret(endpoint, number, sealed, yield* DateTime.now)
      }
      const headers = new Uint8Array(3).fill(8)
      const sealedHeaders = yield* sealedWith(first, headers, bindingOfHeaders(endpoint.id))
      yield* sql`
        update webhook_endpoints set headers = ${sealedHeaders}, header_names = '{a}' where id = ${endpoint.id}`
      assert.strictEqual(yield* renewed(second, first), 7)
      assert.strictEqual(yield* renewed(second, first), 0)
      assert.strictEqual(yield* renewed(third, second), 7)
      const [kept] =
        yield* decodeSecrets(yield* sql`select headers as secret from webhook_endpoints where id = ${endpoint.id}`)
      const openedHeaders = yield* Effect.flatMap(
        Sealing,
        ({ open }) => open(kept?.secret ?? headers, bindingOfHeaders(endpoint.id))
      ).pipe(Effect.provide(Sealing.layerKeys(third)))
      assert.deepStrictEqual(openedHeaders, headers)
      const opened = yield* Effect.forEach(
        yield* secretsOf(endpoint.id),
        (one) => Effect.flatMap(Sealing, ({ open }) => open(one, binding))
      ).pipe(Effect.provide(Sealing.layerKeys(third)))
      assert.deepStrictEqual(opened, [9, 1, 2, 3, 4, 5].map((number) => new Uint8Array(32).fill(number)))
      yield* sql`delete from webhook_previous_secrets where endpoint_id = ${endpoint.id}`
      yield* sql`update webhook_endpoints set deleted_at = created_at, secret = null, headers = null
        where id = ${endpoint.id}`
    }))

  it.effect("moves with its private key, the newest and a previous one", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const endpoint = yield* makeEndpoint(yield* makeClub()).pipe(Effect.provide(Sealing.layerKeys(first)))
      const binding = bindingOfSigningKey(endpoint.id)
      const seed = (number: number) => new Uint8Array(32).fill(number)
      yield* insertPreviousSecret(
        endpoint,
        1,
        yield* sealedWith(first, seed(1), bindingOfSecret(endpoint.id)),
        yield* DateTime.now
      )
      const [newest, previous] = [
        yield* sealedWith(first, seed(2), binding),
        yield* sealedWith(first, seed(3), binding)
      ]
      yield* sql`
        update webhook_endpoints set signing_key = ${newest}, public_key = ${seed(0)} where id = ${endpoint.id}`
      yield* sql`
        update webhook_previous_secrets set signing_key = ${previous}, public_key = ${seed(0)}
        where endpoint_id = ${endpoint.id}`
      assert.strictEqual(yield* renewed(second, first), 4)
      assert.strictEqual(yield* renewed(second, first), 0)
      const rows = yield* decodeKeys(yield* sql`
          select signing_key, 0 as number from webhook_endpoints where id = ${endpoint.id}
          union all select signing_key, number from webhook_previous_secrets where endpoint_id = ${endpoint.id}
          order by number`)
      const opened = yield* Effect.forEach(
        rows,
        ({ signing_key }) => Effect.flatMap(Sealing, ({ open }) => open(signing_key, binding))
      ).pipe(Effect.provide(Sealing.layerKeys(second)))
      assert.deepStrictEqual(opened, [seed(2), seed(3)])
      yield* sql`delete from webhook_previous_secrets where endpoint_id = ${endpoint.id}`
      yield* sql`
        update webhook_endpoints set deleted_at = created_at, secret = null, signing_key = null, public_key = null
        where id = ${endpoint.id}`
    }))

  it.effect("that no key opens stays as it is and holds up no other", () =>
    Effect.gen(function*() {
      const club = yield* makeClub()
      const lost = yield* makeEndpoint(club).pipe(Effect.provide(Sealing.layerKeys(first)))
      yield* makeEndpoint(club).pipe(Effect.provide(Sealing.layerKeys(second)))
      const before = yield* secretsOf(lost.id)
      assert.strictEqual(yield* renewed(third, second), 1)
      assert.deepStrictEqual(yield* secretsOf(lost.id), before)
    }))
})
