import { assert, layer } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { InboundQueue } from "../../../src/commerce/sales/queue/InboundQueue.ts"
import { FreeDeliveries } from "../../../src/membership/access/FreeDeliveries.ts"
import { Lapses } from "../../../src/membership/access/Lapses.ts"
import { ImportQueue } from "../../../src/membership/students/import/ImportQueue.ts"
import { StudentAccounts } from "../../../src/membership/students/StudentAccounts.ts"
import { AppLayer, at, send } from "../../harness/App.ts"
import { onEveryConnection, warmPool } from "../../harness/Pool.ts"
import { Dice } from "../../simulation/Dice.ts"
import { contradictions } from "./Contradictions.ts"
import { finish, happen, openWorld, ticks, type World } from "./World.ts"

/** The log lines of failures in workers and requests. */
const failures: Array<string> = []

const TestLayer = Layer.mergeAll(
  InboundQueue.layer({ concurrency: 4 }),
  ImportQueue.layer,
  FreeDeliveries.layer,
  Lapses.layer,
  StudentAccounts.layer
).pipe(
  Layer.provideMerge(AppLayer),
  Layer.provideMerge(Logger.layer([
    Logger.make(({ cause, message }) => {
      if (cause.reasons.length > 0) failures.push(`${JSON.stringify(message)}: ${Cause.pretty(cause)}`)
    })
  ]))
)

const seed = 4

/** Ten fibers at once, each with sixty changes. */
const [hands, times] = [10, 60]

/** The faults, and the count of registrations over the link. */
class Journal {
  readonly faults: Array<string> = []
  registered = 0
}

const live = (world: World, journal: Journal, again = times) =>
  Effect.gen(function*() {
    const { deed, name } = happen(world)
    const exit = yield* Effect.exit<unknown, unknown, Effect.Services<typeof deed>>(deed)
    if (Exit.isFailure(exit)) return void journal.faults.push(`${name}: ${Cause.pretty(exit.cause)}`)
    const status = at(exit.value, "status")
    if (Number(status) >= 500) journal.faults.push(`${name}: ${status}`)
    if (name === "register" && status === 201) journal.registered += 1
  }).pipe(Effect.repeat({ times: again }))

/** The count of deadlocks so far. Sessions keep their own counts until a flush. */
const deadlocks = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* onEveryConnection(sql`select pg_stat_force_next_flush()`)
  const rows = yield* sql`select deadlocks::int from pg_stat_database where datname = current_database()`
  return at(rows, 0, "deadlocks")
})

layer(TestLayer, { excludeTestServices: true })("All at once", (it) => {
  it.effect(
    "nobody waits for each other in a circle, and what is stored agrees with its history and its events",
    () =>
      Effect.gen(function*() {
        yield* warmPool
        const world = yield* openWorld(new Dice(seed))
        const journal = new Journal()
        yield* Effect.all(Array.from({ length: hands }, () => live(world, journal)), { concurrency: "unbounded" })
        yield* finish(world)
        assert.deepStrictEqual([...journal.faults, ...failures], [])
        for (const [what, where] of Object.entries(yield* contradictions(world))) {
          assert.deepStrictEqual(where, [], what)
        }
        const link = yield* send("GET", world.link, { token: world.token })
        assert.strictEqual(at(link.json, "data", "uses"), journal.registered)
        assert.strictEqual(yield* deadlocks, 0)
      })
  )

  it.effect("workers that are cut off at any point lose nothing and do nothing twice", () =>
    Effect.gen(function*() {
      yield* warmPool
      const dice = new Dice(seed)
      const world = yield* openWorld(dice)
      const journal = new Journal()
      let cut = 0
      for (let round = 0; round < 80; round++) {
        yield* Effect.all(Array.from({ length: 4 }, () => live(world, journal, 0)), { concurrency: "unbounded" })
        const workers = yield* Effect.forEach(ticks, (tick) => Effect.forkChild(tick))
        yield* Effect.sleep(`${dice.between(0, 12)} millis`)
        const exits = yield* Effect.forEach(workers, (worker) =>
          Effect.andThen(Fiber.interrupt(worker), Fiber.await(worker)))
        cut += exits.filter(Exit.hasInterrupts).length
      }
      yield* finish(world)
      assert.isAbove(cut, 0)
      assert.deepStrictEqual([...journal.faults, ...failures], [])
      for (const [what, where] of Object.entries(yield* contradictions(world))) {
        assert.deepStrictEqual(where, [], what)
      }
    }))
})
