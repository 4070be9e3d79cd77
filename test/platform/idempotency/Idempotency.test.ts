import { NodeHttpServer } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { ByteSize, Duration, Effect, Fiber, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpClient, HttpClientRequest, HttpIncomingMessage, HttpRouter } from "effect/http"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { randomUUID } from "node:crypto"
import { IdempotencyLayer } from "../../../src/platform/idempotency/IdempotencyHttp.ts"
import { IdempotencyKeys, sweepIdempotencyKeys } from "../../../src/platform/idempotency/IdempotencyKeys.ts"
import { uuids } from "../../../src/platform/sql/Arrays.ts"
import { Sealing } from "../../../src/platform/sql/Sealing.ts"
import { warmPool } from "../../harness/Pool.ts"
import { PostgresLayer } from "../../harness/Postgres.ts"
import { Gate, ThingsLayer, ThingsTable } from "./IdempotentThings.ts"

const SealingLayer = Sealing.layerKeys(Redacted.make(new Uint8Array(32).fill(7)))
  .pipe(Layer.provide(SecureRandom.layerWebCrypto))

const TestLayer = HttpRouter.serve(ThingsLayer.pipe(Layer.provide(IdempotencyLayer)), {
  disableLogger: true,
  disableListenLog: true
}).pipe(
  Layer.provide(Layer.succeed(HttpIncomingMessage.MaxBodySize, ByteSize.kibibytes(4))),
  Layer.provideMerge(NodeHttpServer.layerTest),
  Layer.provide(ThingsTable),
  Layer.provideMerge(IdempotencyKeys.layer),
  Layer.provideMerge(Layer.mergeAll(PostgresLayer, SealingLayer, Gate.layer))
)
interface Post {
  readonly path?: string
  readonly name?: string
  readonly body?: string
  readonly key?: string
  readonly owner?: string
}

const post = Effect.fnUntraced(function*({ body, key, name = "thing", owner = "ann", path = "/a/things" }: Post) {
  const request = HttpClientRequest.post(path, {
    headers: { "x-owner": owner, ...(key === undefined ? {} : { "idempotency-key": key }) }
  }).pipe(HttpClientRequest.bodyText(body ?? JSON.stringify({ name }), "application/json"))
  const response = yield* HttpClient.execute(request)
  return {
    status: response.status,
    type: response.headers["content-type"],
    replayed: response.headers["idempotency-replayed"] === "true",
    body: yield* response.text
  }
})

const codeOf = ({ body, status }: { readonly body: string; readonly status: number }) =>
  [status, JSON.parse(body).error?.code] as const

const stored = Effect.fnUntraced(function*(name: string) {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql`select id from things where name = ${name}`).length
})

const keptRows = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => Effect.map(sql`select id from idempotency_keys`, (rows) => rows.length)
)

layer(TestLayer)("Idempotency-Key", (it) => {
  it.effect("creates once and answers a repetition with the same bytes", () =>
    Effect.gen(function*() {
      const key = randomUUID()
      const first = yield* post({ key, name: key })
      const second = yield* post({ key, name: key })
      assert.deepStrictEqual([first.status, first.replayed], [201, false])
      assert.deepStrictEqual(second, { ...first, replayed: true })
      assert.strictEqual(yield* stored(key), 1)
    }))

  it.effect("repeats an answer without a body", () =>
    Effect.gen(function*() {
      const key = randomUUID()
      yield* post({ key, name: key, path: "/quiet" })
      const { body, replayed, status } = yield* post({ key, name: key, path: "/quiet" })
      assert.deepStrictEqual({ body, replayed, status }, { body: "", replayed: true, status: 204 })
      assert.strictEqual(yield* stored(key), 1)
    }))

  it.effect("creates exactly once for 20 simultaneous posts; the others get the same answer or 409", () =>
    Effect.gen(function*() {
      yield* warmPool
      const key = randomUUID()
      const answers = yield* Effect.all(Array.from({ length: 20 }, () => post({ key, name: key })), {
        concurrency: "unbounded"
      })
      const successes = answers.filter(({ status }) => status === 201)
      const others = answers.filter(({ status }) => status !== 201)
      assert.strictEqual(yield* stored(key), 1)
      assert.strictEqual(successes.filter(({ replayed }) => !replayed).length, 1)
      assert.strictEqual(new Set(successes.map(({ body }) => body)).size, 1)
      for (const other of others) assert.deepStrictEqual(codeOf(other), [409, "idempotency_in_progress"])
    }))

  it.effect("answers 409 while the first request is running, and its answer afterwards", () =>
    Effect.gen(function*() {
      const { entered, leave } = yield* Gate
      const key = randomUUID()
      const request = post({ key, name: key, path: "/slow" })
      const first = yield* Effect.forkChild(request)
      yield* entered.await
      assert.deepStrictEqual(codeOf(yield* request), [409, "idempotency_in_progress"])
      yield* leave.open
      const answer = yield* Fiber.join(first)
      assert.strictEqual(answer.status, 201)
      assert.deepStrictEqual(yield* request, { ...answer, replayed: true })
    }))

  it.effect("refuses another body with the same key", () =>
    Effect.gen(function*() {
      const key = randomUUID()
      yield* post({ key })
      assert.deepStrictEqual(codeOf(yield* post({ key, name: "another" })), [422, "idempotency_key_reused"])
    }))

  it.effect("refuses another path of the same route with the same key", () =>
    Effect.gen(function*() {
      const key = randomUUID()
      yield* post({ key, path: "/a/things" })
      assert.deepStrictEqual(codeOf(yield* post({ key, path: "/b/things" })), [422, "idempotency_key_reused"])
      assert.deepStrictEqual(codeOf(yield* post({ key, path: "/a/things?x=1" })), [422, "idempotency_key_reused"])
    }))

  it.effect("keeps the keys of two sessions and of two routes apart", () =>
    Effect.gen(function*() {
      const key = randomUUID()
      const answers = [
        yield* post({ key, name: key }),
        yield* post({ key, name: key, owner: "ben" }),
        yield* post({ key, name: key, path: "/quiet" })
      ]
      assert.deepStrictEqual(answers.map(({ replayed, status }) => [status, replayed]), [
        [201, false],
        [201, false],
        [204, false]
      ])
      assert.strictEqual(yield* stored(key), 3)
    }))

  it.effect("does nothing without the header", () =>
    Effect.gen(function*() {
      const before = yield* keptRows
      const name = randomUUID()
      const first = yield* post({ name })
      const second = yield* post({ name })
      assert.notStrictEqual(first.body, second.body)
      assert.strictEqual(yield* stored(name), 2)
      assert.strictEqual(yield* keptRows, before)
    }))

  it.effect("passes a failure on, undoes what it did and keeps nothing of it", () =>
    Effect.gen(function*() {
      const key = randomUUID()
      assert.deepStrictEqual(codeOf(yield* post({ key, name: "unlucky" })), [409, "unlucky"])
      assert.deepStrictEqual(codeOf(yield* post({ key, name: "unlucky" })), [409, "unlucky"])
      assert.strictEqual(yield* stored("unlucky"), 0)
      assert.strictEqual((yield* post({ key })).status, 201)
    }))

  it.effect("undoes what a crashing handler did", () =>
    Effect.gen(function*() {
      const key = randomUUID()
      assert.strictEqual((yield* post({ key, name: "broken" })).status, 500)
      assert.strictEqual(yield* stored("broken"), 0)
      assert.strictEqual((yield* post({ key })).status, 201)
    }))

  it.effect("keeps nothing of a body that was refused", () =>
    Effect.gen(function*() {
      const key = randomUUID()
      assert.deepStrictEqual(codeOf(yield* post({ key, body: "{\"name\":" })), [400, "malformed_request"])
      assert.deepStrictEqual(codeOf(yield* post({ key, name: "" })), [422, "validation_failed"])
      assert.strictEqual((yield* post({ key, body: JSON.stringify("a".repeat(5000)) })).status, 413)
      assert.strictEqual((yield* post({ key })).status, 201)
    }))

  it.effect
    .each([["an empty one", ""], ["one of 256 characters", "a".repeat(256)], ["an accented letter", "é"]] as const)(
      "refuses a key that is not 1 to 255 printable ASCII characters: %s",
      ([, key]) =>
        Effect.gen(function*() {
          const answer = yield* post({ key })
          assert.deepStrictEqual(codeOf(answer), [422, "validation_failed"])
          assert.match(answer.body, /Idempotency-Key/)
        })
    )

  it.effect("takes a key of 255 characters", () =>
    Effect.gen(function*() {
      const key = "~".repeat(255)
      assert.strictEqual((yield* post({ key })).status, 201)
      assert.isTrue((yield* post({ key })).replayed)
    }))

  it.effect("keeps neither key nor request nor answer readable", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const key = randomUUID()
      const { body } = yield* post({ key, name: "whsec_once" })
      const rows = yield* sql<{ readonly row: string }>`
        select encode(id || request_hash || answer, 'escape') as row from idempotency_keys`
      for (const { row } of rows) {
        for (const secret of [key, "whsec_once", JSON.parse(body).data.id]) assert.notInclude(row, secret)
      }
    }))
})

layer(TestLayer)("A request with an Idempotency-Key whose connection dies", (it) => {
  it.effect("leaves neither the thing nor an answer, and can be repeated", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { entered, leave } = yield* Gate
      const request = post({ key: "key", name: "torn", path: "/slow" })
      const first = yield* Effect.forkChild(request)
      yield* entered.await
      yield* sql`
        select pg_terminate_backend(l.pid) from pg_locks l join pg_database d on d.oid = l.database
        where l.locktype = 'advisory' and d.datname = current_database()`
      yield* leave.open
      assert.strictEqual((yield* Fiber.join(first)).status, 500)
      assert.deepStrictEqual([yield* stored("torn"), yield* keptRows], [0, 0])
      assert.strictEqual((yield* request).status, 201)
      assert.strictEqual(yield* stored("torn"), 1)
    }))
})

layer(TestLayer)("A kept answer", (it) => {
  it.effect("lasts 24 hours, then the key is new", () =>
    Effect.gen(function*() {
      const key = "morning"
      const first = yield* post({ key })
      yield* TestClock.adjust(Duration.subtract(Duration.hours(24), Duration.millis(1)))
      yield* sweepIdempotencyKeys
      assert.deepStrictEqual(yield* post({ key }), { ...first, replayed: true })
      yield* TestClock.adjust(Duration.millis(1))
      const later = yield* post({ key, name: "another" })
      assert.deepStrictEqual([later.status, later.replayed], [201, false])
      assert.strictEqual(yield* keptRows, 1)
      assert.deepStrictEqual(yield* post({ key, name: "another" }), { ...later, replayed: true })
      yield* TestClock.adjust(IdempotencyKeys.lifetime)
      yield* sweepIdempotencyKeys
      assert.strictEqual(yield* keptRows, 0)
    }))
})

/** The stored answers about this id. */
const keptAbout = (id: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`select answer, request_hash = id as hidden from idempotency_keys where about @> ${uuids([id])}`
  )

layer(TestLayer)("An answer about somebody", (it) => {
  it.effect("is not given again once it was erased, and nothing is done again", () =>
    Effect.gen(function*() {
      const { eraseAbout } = yield* IdempotencyKeys
      const [key, about] = [randomUUID(), randomUUID()]
      const request = { key, body: JSON.stringify({ name: key, about }) }
      const other = { key: randomUUID(), body: JSON.stringify({ name: "other", about: randomUUID() }) }
      assert.strictEqual((yield* post(request)).status, 201)
      assert.isTrue((yield* post(request)).replayed)
      yield* post(other)
      assert.strictEqual(yield* eraseAbout(about), 1)
      assert.deepStrictEqual(yield* keptAbout(about), [{ answer: null, hidden: true }])
      assert.deepStrictEqual(codeOf(yield* post(request)), [409, "idempotency_answer_erased"])
      assert.deepStrictEqual(codeOf(yield* post({ key, name: "another" })), [409, "idempotency_answer_erased"])
      assert.strictEqual(yield* stored(key), 1)
      assert.strictEqual(yield* eraseAbout(about), 0)
      assert.isTrue((yield* post(other)).replayed)
    }))

  it.effect("leaves its key to another request when it would have expired", () =>
    Effect.gen(function*() {
      const { eraseAbout } = yield* IdempotencyKeys
      const [key, about] = [randomUUID(), randomUUID()]
      yield* post({ key, body: JSON.stringify({ name: key, about }) })
      yield* eraseAbout(about)
      yield* TestClock.adjust(IdempotencyKeys.lifetime)
      assert.strictEqual((yield* post({ key, name: key })).status, 201)
      assert.isTrue((yield* post({ key, name: key })).replayed)
      assert.deepStrictEqual(yield* keptAbout(about), [])
    }))

  it.effect("is not kept about the one of the request before", () =>
    Effect.gen(function*() {
      const about = randomUUID()
      yield* post({ key: randomUUID(), body: JSON.stringify({ name: "one", about }) })
      yield* post({ key: randomUUID(), name: "two" })
      yield* post({ body: JSON.stringify({ name: "three", about }) })
      assert.lengthOf(yield* keptAbout(about), 1)
    }))
})
