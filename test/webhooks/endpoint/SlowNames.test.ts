import { assert, layer } from "@effect/vitest"
import { Context, Effect, Fiber, Latch, Layer, Queue } from "effect"
import { Dns, NetAddress } from "effect/net"
import { SqlClient } from "effect/sql"
import { Partitions } from "../../../src/platform/sql/Partitions.ts"
import { appLayer, at, outcome, send } from "../../harness/App.ts"
import { routesOnNames } from "../../harness/RoutesOnNames.ts"
import { create, foundOnSaturday, idsIn, patch, register } from "../Registering.ts"

/**
 * A name server that waits until `answer` is open. Then every name has the same address, except that names with the
 * prefix `lost` do not exist. `asked` holds the requested names.
 */
class NameServer extends Context.Service<NameServer, {
  readonly asked: Queue.Queue<string>
  readonly answer: Latch.Latch
}>()("test/NameServer") {
  static readonly layer = Layer.effect(
    NameServer,
    Effect.all({ asked: Queue.unbounded<string>(), answer: Latch.make() })
  )
}

const address = NetAddress.ipFromStringUnsafe("9.9.9.9")
const unknown = new Dns.DnsError({ reason: "NotFound", method: "resolve", hostname: "" })

const SlowDns = Layer.effect(
  Dns.Dns,
  Effect.map(NameServer, ({ answer, asked }) =>
    Dns.make({
      lookup: () => Effect.die("Names are asked of the DNS alone"),
      resolve: Effect.fnUntraced(function*(name, type) {
        if (type === "AAAA" || !NetAddress.isIpv4Address(address)) return []
        yield* Queue.offer(asked, name)
        yield* answer.await
        return name.startsWith("lost") ? yield* unknown : [Dns.makeRecordUnsafe("A", { address })]
      })
    }))
).pipe(Layer.provide(NameServer.layer))

const TestLayer = Partitions.layer.pipe(
  Layer.provideMerge(appLayer({}, { routes: routesOnNames(SlowDns) })),
  Layer.provideMerge(NameServer.layer)
)

const key = (name: string) => ({ "idempotency-key": name })
const url = (name: string) => ({ url: `https://${name}.example/` })

const openTransactions = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql`
    select 1 from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state like 'idle in transaction%'`)

/** Waits for this many more requests and returns their names. */
const untilAsked = (count: number) => Effect.flatMap(NameServer, ({ asked }) => Queue.takeN(asked, count))

layer(TestLayer)("While a name server keeps a keyed registration waiting", (it) => {
  it.effect("no transaction is open; its answer is kept, and a repetition asks nobody", () =>
    Effect.gen(function*() {
      const { answer, asked } = yield* NameServer
      const club = yield* foundOnSaturday
      const registration = create(club, url("hooks"), key("crm"))
      const first = yield* Effect.forkChild(registration)
      assert.deepStrictEqual(yield* untilAsked(1), ["hooks.example"])
      assert.lengthOf(yield* openTransactions, 0)
      yield* answer.open
      const made = yield* Fiber.join(first)
      assert.deepStrictEqual([made.status, at(made.json, "data", "url")], [201, "https://hooks.example/"])
      const again = yield* registration
      assert.deepStrictEqual([again.text, again.headers["idempotency-replayed"]], [made.text, "true"])
      assert.strictEqual(yield* Queue.size(asked), 0)
      assert.lengthOf(idsIn(yield* send("GET", `${club.path}/webhook-endpoints`, club)), 1)
    }))
})

layer(TestLayer)("While a name server keeps more registrations waiting than there are connections", (it) => {
  it.effect("everybody else is served, and each waits only for itself", () =>
    Effect.gen(function*() {
      const { answer } = yield* NameServer
      const club = yield* foundOnSaturday
      const endpoint = yield* register(club)
      const waiting = yield* Effect.forEach(
        Array.from({ length: 12 }, (_, n) => n),
        (n) => Effect.forkChild(create(club, url(`hooks-${n}`), key(`crm-${n}`)))
      )
      yield* untilAsked(12)
      assert.strictEqual((yield* patch(endpoint, { description: "served" })).status, 200)
      yield* answer.open
      const statuses = (yield* Fiber.joinAll(waiting)).map(({ status }) => status)
      assert.deepStrictEqual([...new Set(statuses)], [201])
    }))
})

layer(TestLayer)("A registration and its repetition that wait for a name server at once", (it) => {
  it.effect("make one endpoint", () =>
    Effect.gen(function*() {
      const { answer } = yield* NameServer
      const club = yield* foundOnSaturday
      const registration = create(club, url("hooks"), key("crm"))
      const first = yield* Effect.forkChild(registration)
      yield* untilAsked(1)
      const second = yield* Effect.forkChild(registration)
      yield* untilAsked(1)
      yield* answer.open
      const answers = yield* Fiber.joinAll([first, second])
      const others = answers.filter(({ status }) => status !== 201)
      assert.isBelow(others.length, 2)
      for (const other of others) assert.deepStrictEqual(outcome(other), [409, "idempotency_in_progress"])
      assert.lengthOf(idsIn(yield* send("GET", `${club.path}/webhook-endpoints`, club)), 1)
    }))
})

layer(TestLayer)("A keyed registration whose name leads nowhere", (it) => {
  it.effect("is refused as one without a key, and its key can be used again", () =>
    Effect.gen(function*() {
      yield* Effect.flatMap(NameServer, ({ answer }) => answer.open)
      const club = yield* foundOnSaturday
      const [keyed, bare] = [yield* create(club, url("lost"), key("crm")), yield* create(club, url("lost"))]
      assert.deepStrictEqual(outcome(keyed), [422, "url_not_public"])
      assert.strictEqual(keyed.text, bare.text)
      assert.strictEqual((yield* create(club, url("hooks"), key("crm"))).status, 201)
    }))
})

layer(TestLayer)("While a name server keeps a new address of an endpoint waiting", (it) => {
  it.effect("no transaction is open", () =>
    Effect.gen(function*() {
      const { answer } = yield* NameServer
      const endpoint = yield* register(yield* foundOnSaturday)
      const change = yield* Effect.forkChild(patch(endpoint, url("hooks")))
      yield* untilAsked(1)
      assert.lengthOf(yield* openTransactions, 0)
      yield* answer.open
      assert.strictEqual((yield* Fiber.join(change)).status, 200)
    }))
})
