import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { LaneChanges } from "../../../../src/webhooks/engine/lane/LaneChanges.ts"
import { type JobName, JobsRepo } from "../../../../src/webhooks/history/recovery/JobsRepo.ts"
import { MovesRepo } from "../../../../src/webhooks/history/recovery/MovesRepo.ts"
import { RecoveryWork } from "../../../../src/webhooks/history/recovery/RecoveryWork.ts"
import { warmPool } from "../../../harness/Pool.ts"
import { ago, ended, makeDelivery } from "../../engine/retention/Rows.ts"
import type { Registered } from "../../Registering.ts"
import { create, makeFailed, now, RecoveringLayer, registered, settle, tick } from "./Recovering.ts"

/** A worker that dies after the step with this number, counted from the start of the worker. */
const workerThatDies = Effect.fnUntraced(function*(at: number) {
  let steps = 0
  const step = <A, E, R>(work: Effect.Effect<A, E, R>) =>
    Effect.tap(work, () => ++steps === at ? Effect.die("killed") : Effect.void)
  const jobs = yield* JobsRepo
  const lanes = yield* LaneChanges
  const moves = yield* MovesRepo
  const deadly = Layer.mergeAll(
    Layer.succeed(
      JobsRepo,
      JobsRepo.of({
        due: jobs.due,
        lock: (job) => step(jobs.lock(job)),
        saveCount: (job, preview, cursor) => step(jobs.saveCount(job, preview, cursor)),
        endCount: (job, preview, starts) => step(jobs.endCount(job, preview, starts)),
        saveProgress: (job, progress) => step(jobs.saveProgress(job, progress)),
        pace: (job, rate) => step(jobs.pace(job, rate)),
        complete: (job) => step(jobs.complete(job)),
        cancel: (job, reason) => step(jobs.cancel(job, reason))
      })
    ),
    Layer.succeed(
      LaneChanges,
      LaneChanges.of({ ...lanes, wake: (named, options) => step(lanes.wake(named, options)) })
    ),
    Layer.succeed(
      MovesRepo,
      MovesRepo.of({
        lockEndpoint: (lane) => step(moves.lockEndpoint(lane)),
        count: (looking) => step(moves.count(looking)),
        move: (looking, options) => step(moves.move(looking, options)),
        reckon: (looking) => step(moves.reckon(looking))
      })
    )
  )
  const work = Effect.flatMap(RecoveryWork, ({ look }) => Effect.succeed(look))
    .pipe(Effect.provide(Layer.fresh(RecoveryWork.layerNoDeps).pipe(Layer.provide(deadly))))
  return yield* work
})

const KillingLayer = Layer.mergeAll(JobsRepo.layer, LaneChanges.layer, MovesRepo.layer)
  .pipe(Layer.provideMerge(RecoveringLayer))

/** The attempts of each delivery: each is a request that the receiver got. */
const attemptsOf = Effect.fnUntraced(function*({ club_id, endpoint_id }: Registered) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ attempts_count: number }>`
    select attempts_count from webhook_deliveries
    where club_id = ${club_id} and endpoint_id = ${endpoint_id} order by id`
  return rows.map(({ attempts_count }) => attempts_count)
})

const ticksUntilDone = Effect.fnUntraced(function*(endpoint: Registered, id: string) {
  for (let ticks = 0; ticks < 60; ticks++) {
    yield* tick
    yield* settle(endpoint, ticks % 2 === 0 ? "succeeded" : "failed", 9)
    if ((yield* now(endpoint, id)).status === "completed") return
  }
  assert.fail("It is never completed")
})

/** The steps after which looks die. */
const Kills = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 7 }))).check(Schema.isMaxLength(8))

layer(KillingLayer)("A recovery whose workers are killed", (it) => {
  it.effect.prop(
    "makes one attempt of each delivery, and its counts are exact",
    [Kills],
    ([kills]) =>
      Effect.gen(function*() {
        const endpoint = yield* registered
        yield* makeFailed(endpoint, 30)
        const { id } = yield* create(endpoint, { start: true })
        const job: JobName = { club_id: endpoint.club_id, endpoint_id: endpoint.endpoint_id, recovery_id: id }
        for (const at of kills) {
          yield* TestClock.adjust("100 millis")
          const look = yield* workerThatDies(at)
          yield* Effect.exit(look(job))
          yield* settle(endpoint, "succeeded", 4)
          const { moved, waiting } = (yield* now(endpoint, id)).progress
          assert.isAtMost(waiting, moved)
        }
        yield* ticksUntilDone(endpoint, id)
        assert.deepStrictEqual(yield* attemptsOf(endpoint), Array.from({ length: 30 }, () => 1))
        const { progress } = yield* now(endpoint, id)
        assert.deepStrictEqual(
          [
            progress.moved,
            progress.succeeded + progress.failed,
            progress.waiting,
            progress.remaining,
            progress.skipped
          ],
          [30, 30, 0, 0, 0]
        )
      }),
    { arbitrary: { runs: 12 } }
  )

  it.effect("counts each delivery once, whichever step of the counting was the last", () =>
    Effect.gen(function*() {
      for (const at of [1, 2, 3, 4]) {
        const endpoint = yield* registered
        yield* makeFailed(endpoint, 3)
        const { id } = yield* create(endpoint)
        const sql = yield* SqlClient.SqlClient
        // The state in which a worker continues a long count.
        yield* sql`update webhook_recoveries set status = 'counting', due_at = created_at, preview = ${
          JSON.stringify({ ...(yield* now(endpoint, id)).preview, total: 0, failed: 0, by_type: [], by_day: [] })
        }::jsonb where id = ${id}`
        const look = yield* workerThatDies(at)
        yield* Effect.exit(look({ club_id: endpoint.club_id, endpoint_id: endpoint.endpoint_id, recovery_id: id }))
        yield* tick
        const { preview, status } = yield* now(endpoint, id)
        assert.deepStrictEqual([status, preview.total], ["previewed", 3])
      }
    }))

  it.effect("is worked on by one at a time, however many try", () =>
    Effect.gen(function*() {
      yield* warmPool
      const endpoint = yield* registered
      yield* makeFailed(endpoint, 40)
      const { id } = yield* create(endpoint, { rate: 100, start: true })
      const { tick: work } = yield* RecoveryWork
      for (let rounds = 0; rounds < 8; rounds++) {
        yield* TestClock.adjust("100 millis")
        yield* Effect.all([work, work, work, work], { concurrency: "unbounded" })
        const { moved } = (yield* now(endpoint, id)).progress
        assert.isAtMost(moved, 10 * (rounds + 1))
        yield* settle(endpoint, "succeeded")
      }
      assert.deepStrictEqual(yield* attemptsOf(endpoint), Array.from({ length: 40 }, () => 1))
      assert.strictEqual((yield* now(endpoint, id)).progress.moved, 40)
    }))

  it.effect("looks at rare types in pieces, and finds all of them", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const first = yield* makeDelivery(endpoint, ago("60 hours"), { ...ended("failed"), event_type: "purchase.paid" })
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        insert into webhook_deliveries (
          club_id, endpoint_id, id, event_id, event_type, status, trigger, created_at, finished_at
        )
        select club_id, endpoint_id, (substr(id::text, 1, 24) || lpad(to_hex(n), 12, '0'))::uuid, event_id,
          'lesson.completed', 'failed', 'schedule', created_at, finished_at
        from webhook_deliveries, generate_series(1, 12000) n where id = ${first.id}`
      yield* makeDelivery(endpoint, ago("2 hours"), { ...ended("failed"), event_type: "purchase.paid" })
      const made = yield* create(endpoint, { event_types: ["purchase.paid"], order: "newest", start: true })
      assert.strictEqual(made.status, "counting")
      yield* tick
      const counted = yield* now(endpoint, made.id)
      assert.deepStrictEqual([counted.status, counted.preview.total], ["running", 2])
      for (let ticks = 0; ticks < 5; ticks++) yield* tick
      yield* settle(endpoint, "succeeded")
      yield* tick
      const { progress, status } = yield* now(endpoint, made.id)
      assert.deepStrictEqual([status, progress.moved, progress.succeeded], ["completed", 2, 2])
    }))
})
