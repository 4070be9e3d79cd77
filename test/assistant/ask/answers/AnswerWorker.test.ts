import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Exit, Layer, Scope, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { AnswerSignal } from "../../../../src/assistant/ask/answers/AnswerSignal.ts"
import { answerWorkerLayer } from "../../../../src/assistant/ask/answers/AnswerWorker.ts"
import { sweepAssistantDays } from "../../../../src/assistant/ask/AskEraser.ts"
import { at } from "../../../harness/App.ts"
import { eventually } from "../../../harness/Eventually.ts"
import { ask, classroom, message, replyTo, sayNothing, Script, text, untilEnded, WorldLayer } from "../../World.ts"

const statusOf = (place: Parameters<typeof message>[0], id: string) =>
  Effect.map(message(place, id), ({ json }) => at(json, "data", "status"))

/** A worker that ends with the test's scope. It polls only if the test moves the clock. */
const employ = (concurrency: number) => Layer.build(answerWorkerLayer({ concurrency, pollEvery: "1 second" }))

const TestLayer = WorldLayer.pipe(Layer.provideMerge(AnswerSignal.layer))

layer(TestLayer)("The worker", (it) => {
  it.effect("answers what is asked in its process, without a poll", () =>
    Effect.scoped(Effect.gen(function*() {
      const place = yield* classroom
      yield* employ(4)
      const id = yield* replyTo(place)
      yield* eventually(statusOf(place, id), (status) => status === "completed")
    })))

  it.effect("is not held up by an answer that takes long", () =>
    Effect.scoped(Effect.gen(function*() {
      const place = yield* classroom
      const { answers } = yield* Script
      const go = yield* Deferred.make<void>()
      answers.set("slow", Stream.fromEffect(Effect.as(Deferred.await(go), text("Enfim."))))
      yield* employ(2)
      const slow = yield* replyTo(place, "slow")
      for (let n = 0; n < 3; n++) {
        const id = yield* replyTo(place)
        yield* eventually(statusOf(place, id), (status) => status === "completed")
      }
      assert.strictEqual(yield* statusOf(place, slow), "generating")
      yield* Deferred.succeed(go, undefined)
    })))

  it.effect("generates no more at once than it may", () =>
    Effect.scoped(Effect.gen(function*() {
      const place = yield* classroom
      const { answers } = yield* Script
      const go = yield* Deferred.make<void>()
      let [now, most] = [0, 0]
      const counted = Stream.unwrap(Effect.gen(function*() {
        most = Math.max(most, ++now)
        yield* Deferred.await(go)
        now--
        return Stream.make(text("Sim."))
      }))
      answers.set("counted", counted)
      yield* employ(3)
      const ids = yield* Effect.forEach(Array.from({ length: 8 }), () => replyTo(place, "counted"))
      yield* eventually(Effect.sync(() => now), (running) => running === 3)
      yield* Deferred.succeed(go, undefined)
      for (const id of ids) yield* eventually(statusOf(place, id), (status) => status === "completed")
      assert.strictEqual(most, 3)
    })))

  it.effect("that ends finishes the answer in hand", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const { answers } = yield* Script
      const [begun, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      answers.set(
        "in hand",
        Stream.fromEffect(Deferred.succeed(begun, undefined).pipe(
          Effect.andThen(Deferred.await(go)),
          Effect.as(text("Sim."))
        ))
      )
      const scope = yield* Scope.make()
      yield* Scope.provide(employ(1), scope)
      const id = yield* replyTo(place, "in hand")
      yield* Deferred.await(begun)
      yield* Effect.all([Scope.close(scope, Exit.void), Deferred.succeed(go, undefined)], {
        concurrency: "unbounded"
      })
      assert.strictEqual(yield* statusOf(place, id), "completed")
    }))
})

layer(TestLayer)("A worker that ends", (it) => {
  it.effect("leaves what takes too long to others, at once", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const sql = yield* SqlClient.SqlClient
      const untilBegun = yield* sayNothing("too long")
      const scope = yield* Scope.make()
      yield* Scope.provide(employ(1), scope)
      const id = yield* replyTo(place, "too long")
      yield* untilBegun
      yield* untilEnded(yield* Effect.forkChild(Scope.close(scope, Exit.void)), "1 second")
      const free = yield* sql`
        select 1 from messages where id = ${id} and status = 'generating' and leased_until <= ${new Date(yield* Effect
        .clockWith((clock) => clock.currentTimeMillis))}`
      assert.lengthOf(free, 1)
    }))
})

layer(WorldLayer)("The counts of questions", (it) => {
  it.effect("are kept for 7 days, and conversations for as long as the student", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const sql = yield* SqlClient.SqlClient
      const days = sql`select 1 from assistant_days where student_id = ${place.student.id}`
      yield* ask(place)
      yield* TestClock.adjust("7 days")
      yield* sweepAssistantDays
      assert.lengthOf(yield* days, 1)
      yield* TestClock.adjust("1 day")
      yield* sweepAssistantDays
      assert.lengthOf(yield* days, 0)
      assert.lengthOf(yield* sql`select 1 from messages where student_id = ${place.student.id}`, 2)
    }))
})
