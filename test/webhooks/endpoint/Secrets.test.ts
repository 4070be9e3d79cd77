import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Sealing } from "../../../src/sql/Sealing.ts"
import { bindingOfSecret } from "../../../src/webhooks/endpoint/EndpointId.ts"
import { at, send } from "../../support/App.ts"
import { fieldsOf, foundOnSaturday, read, register, type Registered, WebhooksLayer } from "../Registering.ts"

const Secrets = Schema.Struct({
  secret: Schema.Uint8Array,
  previous_secret: Schema.NullOr(Schema.Uint8Array)
})

/** The stored secrets as `whsec_…`, newest first. */
const stored = Effect.fnUntraced(function*({ endpoint_id }: Registered) {
  const sql = yield* SqlClient.SqlClient
  const sealing = yield* Sealing
  const rows = yield* sql`select secret, previous_secret from webhook_endpoints where id = ${endpoint_id}`
  const { previous_secret, secret } = yield* Schema.decodeUnknownEffect(Secrets)(rows[0])
  const sealed = previous_secret === null ? [secret] : [secret, previous_secret]
  const plain = yield* Effect.forEach(sealed, (one) => sealing.open(one, bindingOfSecret(endpoint_id)))
  return plain.map((bytes) => `whsec_${Buffer.from(bytes).toString("base64")}`)
})

const rotate = ({ path, token }: Registered, headers = {}) => send("POST", `${path}/rotate-secret`, { token, headers })

const secretOf = (answer: { readonly json: unknown }) => String(at(answer.json, "data", "secret"))

layer(WebhooksLayer, { timeout: "60 seconds" })("Rotating a secret", (it) => {
  it.effect("answers the endpoint with another secret, and keeps the one before for 24 hours", () =>
    Effect.gen(function*() {
      const endpoint = yield* register(yield* foundOnSaturday)
      const answer = yield* rotate(endpoint)
      assert.strictEqual(answer.status, 200)
      assert.match(secretOf(answer), /^whsec_[A-Za-z0-9+/]{43}=$/)
      assert.notStrictEqual(secretOf(answer), endpoint.secret)
      assert.deepStrictEqual(fieldsOf(answer, "id", "previous_secret_expires_at"), {
        id: endpoint.endpoint_id,
        previous_secret_expires_at: "2026-11-22T10:00:00.000Z"
      })
      assert.deepStrictEqual(yield* stored(endpoint), [secretOf(answer), endpoint.secret])
    }))

  it.effect("keeps never more than two", () =>
    Effect.gen(function*() {
      const endpoint = yield* register(yield* foundOnSaturday)
      const [second, third] = [yield* rotate(endpoint), yield* rotate(endpoint)]
      assert.deepStrictEqual(yield* stored(endpoint), [secretOf(third), secretOf(second)])
    }))

  it.effect("happens once for a request that is repeated with its Idempotency-Key", () =>
    Effect.gen(function*() {
      const endpoint = yield* register(yield* foundOnSaturday)
      const once = { "idempotency-key": "rotate" }
      const [first, second] = [yield* rotate(endpoint, once), yield* rotate(endpoint, once)]
      assert.strictEqual(second.text, first.text)
      assert.deepStrictEqual(yield* stored(endpoint), [secretOf(first), endpoint.secret])
    }))

  it.effect("leaves a newest and a previous secret when many do it at once", () =>
    Effect.gen(function*() {
      const endpoint = yield* register(yield* foundOnSaturday)
      const answers = yield* Effect.all(Array.from({ length: 8 }, () => rotate(endpoint)), { concurrency: "unbounded" })
      const secrets = yield* stored(endpoint)
      assert.lengthOf(new Set(secrets), 2)
      assert.includeMembers(answers.map(secretOf), secrets)
    }))
})

layer(WebhooksLayer, { timeout: "60 seconds" })("A previous secret", (it) => {
  it.effect("is no longer shown once it has expired", () =>
    Effect.gen(function*() {
      const endpoint = yield* register(yield* foundOnSaturday)
      yield* rotate(endpoint)
      yield* TestClock.adjust(Duration.millis(24 * 3_600_000 - 1))
      assert.isNotNull(at((yield* read(endpoint)).json, "data", "previous_secret_expires_at"))
      yield* TestClock.adjust(Duration.millis(1))
      assert.isNull(at((yield* read(endpoint)).json, "data", "previous_secret_expires_at"))
    }))
})
