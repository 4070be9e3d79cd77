import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Partitions } from "../../../src/platform/sql/Partitions.ts"
import { Sealing } from "../../../src/platform/sql/Sealing.ts"
import { bindingOfSecret } from "../../../src/webhooks/model/EndpointId.ts"
import { appLayer, at, outcome, send } from "../../harness/App.ts"
import { StayingTimeLayer, whileAhead } from "../../harness/MovedTime.ts"
import { warmPool } from "../../harness/Pool.ts"
import { PostgresLayer } from "../../harness/Postgres.ts"
import { fieldsOf, foundOnSaturday, read, register, type Registered, WebhooksLayer } from "../Registering.ts"

const Secrets = Schema.Array(Schema.Struct({ secret: Schema.Uint8Array }))

/** The stored secrets as `whsec_…`, newest first. */
const stored = Effect.fnUntraced(function*({ endpoint_id }: Registered) {
  const sql = yield* SqlClient.SqlClient
  const sealing = yield* Sealing
  const rows = yield* sql`
    select secret, null::int as number from webhook_endpoints where id = ${endpoint_id}
    union all select secret, number from webhook_previous_secrets where endpoint_id = ${endpoint_id}
    order by number desc nulls first`
  const sealed = yield* Schema.decodeUnknownEffect(Secrets)(rows)
  const plain = yield* Effect.forEach(sealed, ({ secret }) => sealing.open(secret, bindingOfSecret(endpoint_id)))
  return plain.map((bytes) => `whsec_${Buffer.from(bytes).toString("base64")}`)
})

const rotate = ({ path, token }: Registered, headers = {}) => send("POST", `${path}/rotate-secret`, { token, headers })

const secretOf = (answer: { readonly json: unknown }) => String(at(answer.json, "data", "secret"))

layer(WebhooksLayer)("Rotating a secret", (it) => {
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

  it.effect("takes nothing from the 24 hours of the secrets before, and tells when the last of them ends", () =>
    Effect.gen(function*() {
      const endpoint = yield* register(yield* foundOnSaturday)
      const second = yield* rotate(endpoint)
      yield* TestClock.adjust("1 hour")
      const third = yield* rotate(endpoint)
      assert.deepStrictEqual(yield* stored(endpoint), [secretOf(third), secretOf(second), endpoint.secret])
      assert.deepStrictEqual(fieldsOf(third, "previous_secret_expires_at"), {
        previous_secret_expires_at: "2026-11-22T11:00:00.000Z"
      })
    }))

  it.effect("is 409 rotation_limit_reached for the sixth time within 24 hours, until the oldest has had its own", () =>
    Effect.gen(function*() {
      const endpoint = yield* register(yield* foundOnSaturday)
      const secrets = [endpoint.secret]
      for (const _ of Array.from({ length: 5 })) {
        secrets.unshift(secretOf(yield* rotate(endpoint)))
        yield* TestClock.adjust("1 hour")
      }
      assert.deepStrictEqual(outcome(yield* rotate(endpoint)), [409, "rotation_limit_reached"])
      assert.deepStrictEqual(yield* stored(endpoint), secrets)
      yield* TestClock.adjust(Duration.millis(19 * 3_600_000 - 1))
      assert.deepStrictEqual(outcome(yield* rotate(endpoint)), [409, "rotation_limit_reached"])
      yield* TestClock.adjust(Duration.millis(1))
      const sixth = yield* rotate(endpoint)
      assert.strictEqual(sixth.status, 200)
      assert.deepStrictEqual((yield* stored(endpoint)).slice(0, 6), [secretOf(sixth), ...secrets.slice(0, 5)])
    }))

  it.effect("happens once for a request that is repeated with its Idempotency-Key", () =>
    Effect.gen(function*() {
      const endpoint = yield* register(yield* foundOnSaturday)
      const once = { "idempotency-key": "rotate" }
      const [first, second] = [yield* rotate(endpoint, once), yield* rotate(endpoint, once)]
      assert.strictEqual(second.text, first.text)
      assert.deepStrictEqual(yield* stored(endpoint), [secretOf(first), endpoint.secret])
    }))

  it.effect("happens five times when many do it at once, and every secret that was shown signs", () =>
    Effect.gen(function*() {
      yield* warmPool
      const endpoint = yield* register(yield* foundOnSaturday)
      const answers = yield* Effect.all(Array.from({ length: 8 }, () => rotate(endpoint)), { concurrency: "unbounded" })
      const [done, refused] = [200, 409].map((status) => answers.filter((answer) => answer.status === status))
      assert.deepStrictEqual([done?.length, refused?.length], [5, 3])
      const shown = [endpoint.secret, ...(done ?? []).map(secretOf)]
      assert.deepStrictEqual((yield* stored(endpoint)).toSorted(), shown.toSorted())
    }))
})

layer(WebhooksLayer)("A previous secret", (it) => {
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

const DoubtfulLayer = Partitions.layer
  .pipe(Layer.provideMerge(appLayer({ ADMIN_SESSION_IDLE: "3000 days", ADMIN_SESSION_MAX: "3000 days" }, {
    database: StayingTimeLayer.pipe(Layer.provideMerge(PostgresLayer))
  })))

layer(DoubtfulLayer)("By a clock that is 40 days behind", (it) => {
  it.effect("no secret is replaced, whose 24 hours would be over at once, until it is right again", () =>
    Effect.gen(function*() {
      const endpoint = yield* register(yield* foundOnSaturday)
      const answer = yield* whileAhead("-40 days", rotate(endpoint))
      assert.deepStrictEqual(outcome(answer), [503, "temporarily_unavailable"])
      assert.deepStrictEqual(yield* stored(endpoint), [endpoint.secret])
      assert.strictEqual((yield* rotate(endpoint)).status, 200)
    }))
})
