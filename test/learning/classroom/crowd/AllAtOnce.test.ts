import { assert, layer } from "@effect/vitest"
import { Cause, Effect, Exit, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { Answers } from "../../../../src/assistant/ask/answers/Answers.ts"
import { AnswerSignal } from "../../../../src/assistant/ask/answers/AnswerSignal.ts"
import { MaterialIndex } from "../../../../src/assistant/material/MaterialIndex.ts"
import { PointBoards } from "../../../../src/learning/gamification/PointBoards.ts"
import { MediaCleanup } from "../../../../src/learning/media/MediaCleanup.ts"
import { FreeDeliveries } from "../../../../src/membership/access/FreeDeliveries.ts"
import { ImportQueue } from "../../../../src/membership/students/import/ImportQueue.ts"
import { appLayer, at } from "../../../harness/App.ts"
import { onEveryConnection, warmPool } from "../../../harness/Pool.ts"
import { Dice } from "../../../simulation/Dice.ts"
import { contradictions } from "./Contradictions.ts"
import { happen, settle } from "./Crowd.ts"
import { countedRoutes, ReplyCounter } from "./ReplyCounter.ts"
import { type Crowd, openCrowd } from "./World.ts"

/** The log lines of failures in workers and requests. */
const failures: Array<string> = []

const TestLayer = Layer.mergeAll(
  Answers.layer,
  FreeDeliveries.layer,
  ImportQueue.layer,
  MaterialIndex.layer,
  MediaCleanup.layer,
  PointBoards.layer
).pipe(
  Layer.provide(AnswerSignal.layer),
  Layer.provideMerge(appLayer({}, { routes: countedRoutes })),
  Layer.provideMerge(ReplyCounter.layer),
  Layer.provideMerge(Logger.layer([
    Logger.make(({ cause, message }) => {
      if (cause.reasons.length > 0) failures.push(`${JSON.stringify(message)}: ${Cause.pretty(cause)}`)
    })
  ]))
)

const seed = 7

/** Ten fibers at once, each with seventy actions. */
const [hands, times] = [10, 70]

const live = (world: Crowd, faults: Array<string>) =>
  Effect.gen(function*() {
    const { deed, name } = happen(world)
    const exit = yield* Effect.exit<unknown, unknown, Effect.Services<typeof deed>>(deed)
    if (Exit.isFailure(exit)) return void faults.push(`${name}: ${Cause.pretty(exit.cause)}`)
    const status = at(exit.value, "status")
    if (Number(status) >= 500) faults.push(`${name}: ${status}`)
  }).pipe(Effect.repeat({ times }))

/** The count of deadlocks so far. Sessions keep their own counts until a flush. */
const deadlocks = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* onEveryConnection(sql`select pg_stat_force_next_flush()`)
  const rows = yield* sql`select deadlocks::int from pg_stat_database where datname = current_database()`
  return at(rows, 0, "deadlocks")
})

layer(TestLayer, { excludeTestServices: true })("A whole classroom at once", (it) => {
  it.effect("nobody waits for each other in a circle, and all that is stored agrees", () =>
    Effect.gen(function*() {
      yield* warmPool
      const world = yield* openCrowd(new Dice(seed))
      const faults: Array<string> = []
      yield* Effect.all(Array.from({ length: hands }, () => live(world, faults)), { concurrency: "unbounded" })
      yield* settle
      assert.deepStrictEqual([...faults, ...failures], [])
      for (const [what, where] of Object.entries(yield* contradictions(world))) {
        assert.deepStrictEqual(where, [], what)
      }
      assert.isNotEmpty((yield* ReplyCounter).replies)
      assert.strictEqual(yield* deadlocks, 0)
    }))
})
