import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Layer, Option, Schema } from "effect"
import { TestClock } from "effect/testing"
import { readFromProcess, readFromSupervisor } from "../../../src/cli/processes/Messages.ts"
import { type Answer, makeQuestions, type Question, together } from "../../../src/cli/processes/Questions.ts"
import { RateLimiter } from "../../../src/identity/limits/RateLimiter.ts"
import { answerForWindows } from "../../../src/identity/limits/SupervisedWindows.ts"
import { Asking, expected, type Outcome, outcomeOf, Wait } from "../../identity/limits/Model.ts"

const patience = "5 seconds"

/** A message after its way through a channel. */
const sent = (message: unknown): unknown => JSON.parse(JSON.stringify(message))

/** A process whose questions the test answers by hand. */
const makeProcess = () => {
  const messages: Array<ReadonlyArray<Question>> = []
  const { answered, ask } = makeQuestions((questions) => void messages.push(questions))
  return { messages, answered, ask }
}

const turn = Effect.promise(() => new Promise<void>((done) => setImmediate(done)))

describe("what is said in one turn of the event loop", () => {
  it.effect("goes together, in its order, and what is said in the next one goes by itself", () =>
    Effect.gen(function*() {
      const messages: Array<ReadonlyArray<number>> = []
      const say = together<number>((all) => void messages.push(all))
      for (const one of [1, 2, 3]) say(one)
      assert.isEmpty(messages)
      yield* turn
      say(4)
      yield* turn
      yield* turn
      assert.deepStrictEqual(messages, [[1, 2, 3], [4]])
    }))
})

describe("The questions of a process", () => {
  it.live("go together, and each has its own answer, in whatever order they come", () =>
    Effect.gen(function*() {
      const { answered, ask, messages } = makeProcess()
      const asking = yield* Effect
        .forkChild(Effect.forEach(["a", "b", "c"], (question) => ask("letters", question, patience), {
          concurrency: "unbounded"
        }))
      yield* Effect.repeat(turn, { until: () => messages.length > 0 })
      assert.deepStrictEqual(messages, [[[1, "letters", "a"], [2, "letters", "b"], [3, "letters", "c"]]])
      answered([[3, "C"], [1, "A"]])
      answered([[2, "B"]])
      assert.deepStrictEqual(yield* Fiber.join(asking), ["A", "B", "C"])
    }))

  it.live("end when nobody answers in time, and an answer that comes later is nobody's", () =>
    Effect.gen(function*() {
      const { answered, ask } = makeProcess()
      assert.strictEqual((yield* Effect.flip(ask("letters", "a", "20 millis")))._tag, "SupervisorSilent")
      const asking = yield* Effect.forkChild(ask("letters", "b", patience))
      yield* turn
      answered([[1, "late"], [2, "B"]])
      assert.strictEqual(yield* Fiber.join(asking), "B")
    }))
})

/** Processes with one supervisor, which counts for all of them. */
const makeProcesses = (clock: Clock.Clock) => {
  const answerWindows = answerForWindows(clock)
  const messages = { asked: 0, answered: 0 }
  const makeLimiter = () => {
    const { answered, ask } = makeQuestions((questions) => {
      messages.asked += 1
      const message = readFromProcess(sent({ type: "ask", questions }))
      assert(message?.type === "ask")
      for (const [number, , question] of message.questions) answer([number, Option.getOrThrow(answerWindows(question))])
    })
    const answer = together<Answer>((answers) => {
      messages.answered += 1
      const message = readFromSupervisor(sent({ type: "answer", answers }))
      assert(message?.type === "answer")
      answered(message.answers)
    })
    return Layer
      .build(RateLimiter.layerSupervised({ isFirst: true, ready: Effect.void, onLeave: () => Effect.void, ask }))
  }
  return { messages, build: Effect.all({ one: makeLimiter(), two: makeLimiter(), three: makeLimiter() }) }
}

const Which = Schema.Literals(["one", "two", "three"])
/** The questions of processes in one turn of their event loops, and the wait until the next turn. */
const Turns = Schema.Array(Schema.Struct({
  asked: Schema.Array(Schema.Struct({ process: Which, step: Asking })).check(Schema.isMaxLength(12)),
  wait: Wait
})).check(Schema.isMaxLength(8))

/** Questions in the order of their arrival: those of one process come together, and the first process comes first. */
const asItComes = <A extends { readonly process: string }>(asked: ReadonlyArray<A>) =>
  [...Map.groupBy(asked, ({ process }) => process).values()].flat()

describe("Requests that several processes count together", () => {
  it.effect.prop(
    "are counted as one after the other, in a message each way for each turn",
    { turns: Turns },
    ({ turns }) =>
      Effect.gen(function*() {
        const { build, messages } = makeProcesses(yield* Clock.Clock)
        const limiters = yield* build
        const outcomes: Array<Outcome> = []
        for (const { asked, wait } of turns) {
          const answered = yield* Effect.forEach(asked, ({ process, step }) =>
            Effect.map(
              Effect.provide(outcomeOf(step, "model"), limiters[process]),
              (outcome) => ({ process, outcome })
            ), { concurrency: "unbounded" })
          outcomes.push(...asItComes(answered).flatMap(({ outcome }) => outcome === undefined ? [] : [outcome]))
          yield* TestClock.adjust(wait.seconds * 1000)
        }
        const steps = turns.flatMap(({ asked, wait }) => [...asItComes(asked).map(({ step }) => step), wait])
        assert.deepStrictEqual(outcomes, expected(steps))
        const each = turns.map(({ asked }) => new Set(asked.map(({ process }) => process)).size)
        const most = each.reduce((sum, count) => sum + count, 0)
        assert.deepStrictEqual(messages, { asked: most, answered: most })
      }).pipe(Effect.scoped)
  )
})
