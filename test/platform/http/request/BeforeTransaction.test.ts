import { assert, layer } from "@effect/vitest"
import { Context, Effect, type Exit, Fiber, Latch, Layer, Option, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpServerResponse } from "effect/http"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { beforeTransaction } from "../../../../src/platform/http/request/BeforeTransaction.ts"
import { IdempotencyKeys } from "../../../../src/platform/idempotency/IdempotencyKeys.ts"
import { Sealing } from "../../../../src/platform/sql/Sealing.ts"
import { PostgresLayer } from "../../../harness/Postgres.ts"
import { ThingsTable } from "../../idempotency/IdempotentThings.ts"

class Refusal extends Schema.TaggedError<Refusal>()("Refusal", {}) {}
class Answer extends Context.Service<Answer, Exit.Exit<string, Refusal>>()("test/Answer") {}
class Second extends Context.Service<Second, Exit.Exit<string>>()("test/Second") {}

const TestLayer = Layer.mergeAll(IdempotencyKeys.layer, ThingsTable).pipe(
  Layer.provide(Sealing.layerKeys(Redacted.make(new Uint8Array(32).fill(7)))),
  Layer.provide(SecureRandom.layerWebCrypto),
  Layer.provideMerge(PostgresLayer)
)

const bytes = (text: string) => new TextEncoder().encode(text)

/** One request. Its answer is a text. */
const once = Effect.fnUntraced(function*<E, R>(key: string, handler: Effect.Effect<string, E, R>) {
  const keys = yield* IdempotencyKeys
  const response = yield* keys.once(
    { owner: "ann", route: "POST /things", key, url: "/things", body: bytes("{}") },
    Effect.map(handler, (text) => HttpServerResponse.uint8Array(bytes(text)))
  )
  const { body, headers } = response
  return {
    text: body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : "",
    replayed: headers["idempotency-replayed"] === "true"
  }
})

const store = Effect.fnUntraced(function*(name: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`insert into things ${sql.insert({ id: randomUUID(), name })}`
})

const stored = Effect.fnUntraced(function*(name: string) {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql`select 1 from things where name = ${name}`).length
})

/** The count of open transactions of keyed requests: each holds the lock of its key. */
const openTransactions = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const held = yield* sql`
    select 1 from pg_locks l join pg_database d on d.oid = l.database
    where l.locktype = 'advisory' and d.datname = current_database()`
  return held.length
})

/** Work that counts its runs, and during each run counts the open transactions. */
const counted = (sql: SqlClient.SqlClient) => {
  const seen: Array<number> = []
  const work = Effect.gen(function*() {
    seen.push(yield* openTransactions)
    return `answer ${seen.length}`
  }).pipe(Effect.orDie, Effect.provideService(SqlClient.SqlClient, sql))
  return { seen, work }
}

layer(TestLayer)("What a keyed request does beforehand", (it) => {
  it.effect("is done once, in no transaction, and what it gives is there in the transaction", () =>
    Effect.gen(function*() {
      const { seen, work } = counted(yield* SqlClient.SqlClient)
      const key = randomUUID()
      const handler = Effect.gen(function*() {
        const answer = yield* beforeTransaction(Answer, work)
        yield* store(key)
        return `${answer} in ${yield* openTransactions}`
      })
      assert.deepStrictEqual(yield* once(key, handler), { text: "answer 1 in 1", replayed: false })
      assert.deepStrictEqual([seen, yield* stored(key)], [[0], 1])
    }))

  it.effect("is not done for a repetition", () =>
    Effect.gen(function*() {
      const { seen, work } = counted(yield* SqlClient.SqlClient)
      const key = randomUUID()
      const request = once(key, beforeTransaction(Answer, work))
      assert.deepStrictEqual([yield* request, yield* request], [
        { text: "answer 1", replayed: false },
        { text: "answer 1", replayed: true }
      ])
      assert.deepStrictEqual(seen, [0])
    }))

  it.effect("may fail as it would in the transaction, of which nothing is kept", () =>
    Effect.gen(function*() {
      const key = randomUUID()
      const request = (work: Effect.Effect<string, Refusal>) => once(key, beforeTransaction(Answer, work))
      assert.strictEqual((yield* Effect.flip(request(new Refusal())))._tag, "Refusal")
      const caught = Effect.catchTag(beforeTransaction(Answer, Effect.fail(new Refusal())), "Refusal", () =>
        Effect.succeed("caught"))
      assert.deepStrictEqual(yield* once(key, caught), { text: "caught", replayed: false })
    }))

  it.effect("may die as it would in the transaction", () =>
    Effect.gen(function*() {
      const request = once(randomUUID(), beforeTransaction(Answer, Effect.die("broken")))
      assert.strictEqual(yield* Effect.catchDefect(request, Effect.succeed), "broken")
    }))

  it.effect("may be several things, each done once", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [first, second] = [counted(sql), counted(sql)]
      const handler = Effect.gen(function*() {
        const one = yield* beforeTransaction(Answer, first.work)
        return `${one}, ${yield* beforeTransaction(Second, second.work)}`
      })
      assert.strictEqual((yield* once(randomUUID(), handler)).text, "answer 1, answer 1")
      assert.deepStrictEqual([first.seen, second.seen], [[0], [0]])
    }))

  it.effect("undoes what was done before it, which is then done again", () =>
    Effect.gen(function*() {
      const { work } = counted(yield* SqlClient.SqlClient)
      const key = randomUUID()
      yield* once(key, Effect.andThen(store(key), beforeTransaction(Answer, work)))
      assert.strictEqual(yield* stored(key), 1)
    }))

  it.effect("ends with the request", () =>
    Effect.gen(function*() {
      const [begun, ended] = [yield* Latch.make(), yield* Latch.make()]
      const key = randomUUID()
      const work = Effect.onInterrupt(Effect.andThen(begun.open, Effect.never), () => ended.open)
      const request = yield* Effect
        .forkChild(once(key, Effect.andThen(beforeTransaction(Answer, work), Effect.as(store(key), ""))))
      yield* begun.await
      yield* Fiber.interrupt(request)
      yield* ended.await
      assert.strictEqual(yield* stored(key), 0)
    }))
})

layer(TestLayer)("Without a key", (it) => {
  it.effect("it is done where it stands", () =>
    Effect.gen(function*() {
      const { seen, work } = counted(yield* SqlClient.SqlClient)
      assert.strictEqual(yield* beforeTransaction(Answer, work), "answer 1")
      assert.deepStrictEqual([seen, Option.isNone(yield* Effect.serviceOption(Answer))], [[0], true])
    }))
})
