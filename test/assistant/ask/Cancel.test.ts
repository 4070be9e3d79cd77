import { assert, layer } from "@effect/vitest"
import { Clock, Context, Deferred, Effect, Fiber, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import { AnswerEndings } from "../../../src/assistant/ask/answers/AnswerEndings.ts"
import { Answers } from "../../../src/assistant/ask/answers/Answers.ts"
import { AnswersRepo } from "../../../src/assistant/ask/answers/AnswersRepo.ts"
import { MaterialChanges } from "../../../src/assistant/material/changes/MaterialChanges.ts"
import { Assistant } from "../../../src/assistant/providers/Assistant.ts"
import { at, enrolledStudent, foundClub, outcome } from "../../harness/App.ts"
import { eventually } from "../../harness/Eventually.ts"
import {
  ask,
  cancel,
  claimAll,
  claimOf,
  classroom,
  generate,
  makeLearner,
  patchAgent,
  replyTo,
  say,
  seen,
  text,
  untilEnded,
  used,
  work,
  WorldLayer
} from "../World.ts"

layer(WorldLayer)("A canceled answer", (it) => {
  it.effect("that nobody has begun costs nothing, once, however often it is canceled", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      yield* ask(place)
      const id = yield* replyTo(place)
      const answers = yield* Effect.all(Array.from({ length: 20 }, () => cancel(place, id)), {
        concurrency: "unbounded"
      })
      for (const { json, status } of answers) {
        assert.deepStrictEqual([status, at(json, "data", "status"), at(json, "data", "id")], [200, "canceled", id])
      }
      assert.deepStrictEqual(yield* used(place), [1, 1])
      yield* work
      assert.deepStrictEqual(yield* seen(place, id), ["canceled", "", null])
    }))

  it.effect("that a worker has begun costs its question, also without a word, and is not generated any more", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      yield* say("begun", Stream.never)
      const id = yield* replyTo(place, "begun")
      const working = yield* Effect.forkChild(generate(yield* claimOf(id)))
      assert.strictEqual(at((yield* cancel(place, id)).json, "data", "status"), "canceled")
      yield* untilEnded(working, "250 millis")
      assert.deepStrictEqual(yield* seen(place, id), ["canceled", "", null])
      assert.deepStrictEqual(yield* used(place), [1, 1])
    }))

  it.effect("is given back exactly if no worker was first, whoever comes first", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      yield* patchAgent(place.club, { daily_limit: 100 })
      let begun = 0
      for (let n = 0; n < 40; n++) {
        const id = yield* replyTo(place)
        const [claimed] = yield* Effect.all([claimAll, cancel(place, id)], { concurrency: "unbounded" })
        begun += claimed.filter((one) => one.id === id).length
        assert.deepStrictEqual(yield* seen(place, id), ["canceled", "", null])
      }
      assert.deepStrictEqual(yield* used(place), [begun, begun])
    }))

  it.effect("keeps what was said, and its price, and the worker stops", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      yield* say("long", Stream.concat(Stream.make(text("Com ")), Stream.never))
      const id = yield* replyTo(place, "long")
      const working = yield* Effect.forkChild(work)
      yield* eventually(seen(place, id), ([, content]) => content === "Com ")
      assert.strictEqual(at((yield* cancel(place, id)).json, "data", "content"), "Com ")
      yield* untilEnded(working, "5 seconds")
      assert.deepStrictEqual(yield* seen(place, id), ["canceled", "Com ", null])
      assert.deepStrictEqual(yield* used(place), [1, 1])
    }))

  it.effect("lets the next question of its conversation be asked", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const first = yield* ask(place)
      yield* cancel(place, at(first.json, "data", "reply", "id"))
      const conversation_id = at(first.json, "data", "conversation", "id")
      assert.strictEqual((yield* ask(place, "De novo", { conversation_id })).status, 202)
    }))

  it.effect("was not completed: what has ended stays as it is", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const id = yield* replyTo(place)
      yield* work
      const answer = yield* cancel(place, id)
      assert.deepStrictEqual([answer.status, at(answer.json, "data", "status")], [200, "completed"])
      assert.deepStrictEqual(yield* used(place), [1, 1])
    }))

  it.effect("is one's own", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const id = yield* replyTo(place)
      const others = [
        yield* makeLearner(place.club, place.delivery),
        yield* enrolledStudent(yield* foundClub())
      ] as const
      assert.deepStrictEqual(outcome(yield* cancel({ ...place, student: others[0] }, id)), [404, "not_found"])
      assert.deepStrictEqual(outcome(yield* cancel({ ...place, student: others[1] }, id)), [403, "forbidden"])
      assert.deepStrictEqual(yield* seen(place, id), ["generating", "", null])
    }))
})

/** Answers of a silent model. Shows when the call began and ended, and if the worker is reading the row. */
const silentModel = Effect.gen(function*() {
  const [called, closed] = [yield* Deferred.make<void>(), yield* Deferred.make<number>()]
  let isLooking = false
  const calls = Stream.callback<never>(() =>
    Effect.acquireRelease(
      Deferred.succeed(called, undefined),
      () => Effect.flatMap(Clock.currentTimeMillis, (now) => Deferred.succeed(closed, now))
    )
  )
  const WatchedRepo = Layer.effect(
    AnswersRepo,
    Effect.map(AnswersRepo, (repo) =>
      AnswersRepo.of({
        ...repo,
        isLeased: (claimed) =>
          Effect.suspend(() => {
            isLooking = true
            return Effect.ensuring(repo.isLeased(claimed), Effect.sync(() => (isLooking = false)))
          })
      }))
  ).pipe(Layer.provide(AnswersRepo.layer))
  const context = yield* Layer.build(Layer.fresh(Answers.layerNoDeps).pipe(Layer.provide([
    WatchedRepo,
    AnswerEndings.layer,
    Layer.mock(MaterialChanges, { settled: () => Effect.void }),
    Layer.mock(Assistant, { answer: () => calls })
  ])))
  return { called, closed, isLooking: () => isLooking, answers: Context.get(context, Answers) }
})

layer(WorldLayer)("A call to a model that says nothing", (it) => {
  it.effect("is given up within a second of being canceled, by the clock, and before anything is saved", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const { answers, called, closed, isLooking } = yield* silentModel
      const id = yield* replyTo(place)
      const working = yield* Effect.forkChild(answers.generate(yield* claimOf(id)))
      yield* Deferred.await(called)
      const canceled = yield* Clock.currentTimeMillis
      assert.strictEqual((yield* cancel(place, id)).status, 200)
      // The clock stands still while the database works, however long that takes in real time.
      const move = Effect.suspend(() => isLooking() ? Effect.void : TestClock.adjust("10 millis"))
      yield* eventually(Effect.andThen(move, Deferred.isDone(closed)), (isClosed) => isClosed)
      assert.isBelow((yield* Deferred.await(closed)) - canceled, 1000)
      yield* Fiber.join(working)
    }))
})
