import { assert, describe, it } from "@effect/vitest"
import { Clock, ConfigProvider, Duration, Effect, Fiber, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { type Consumption, RateLimiter } from "../../../src/identity/limits/RateLimiter.ts"
import { answerForWindows } from "../../../src/identity/limits/SupervisedWindows.ts"
import { type Supervised, Supervisor, SupervisorSilent } from "../../../src/platform/processes/Supervisor.ts"
import { expected, observed, Steps } from "./Model.ts"

const ann: Consumption = { scope: "ip-writes", key: "ann", limit: 3, window: Duration.minutes(1) }

const supervisorWith = (ask: Supervised["ask"]): Supervised => ({
  isFirst: true,
  ready: Effect.void,
  onLeave: () => Effect.void,
  ask
})

/** A supervisor that keeps windows for any number of processes. */
const supervisor = Effect.map(Clock.Clock, (clock) => {
  const answer = answerForWindows(clock)
  return supervisorWith((_subject, question) =>
    Effect.sync(() => Option.getOrThrow(answer(JSON.parse(JSON.stringify(question)))))
  )
})

const SupervisedLayer = Layer.unwrap(Effect.map(supervisor, RateLimiter.layerSupervised))

const NoVariables = ConfigProvider.layer(ConfigProvider.fromUnknown({}))

describe("RateLimiter of several processes", () => {
  it.effect("lets the limit pass once, whichever process is asked", () =>
    Effect.gen(function*() {
      const shared = yield* supervisor
      const consume = Effect.flatMap(RateLimiter, (limiter) => limiter.consume(ann)).pipe(
        // Each call as another process.
        Effect.provide(Layer.fresh(RateLimiter.layer)),
        Effect.provideService(Supervisor, shared),
        Effect.provide(NoVariables)
      )
      for (const remaining of [2, 1, 0]) assert.strictEqual((yield* consume).remaining, remaining)
      assert.strictEqual((yield* Effect.flip(consume))._tag, "RateLimitExceeded")
    }))

  it.effect.prop(
    "answers every sequence as a fixed window does",
    { steps: Steps },
    ({ steps }) =>
      Effect.gen(function*() {
        assert.deepStrictEqual(
          yield* observed(steps, "model", (seconds) => TestClock.adjust(seconds * 1000)),
          expected(steps)
        )
      }).pipe(Effect.provide(SupervisedLayer, { local: true }))
  )

  it.effect("are asked what they can read, and answer nothing else", () =>
    Effect.gen(function*() {
      const answer = answerForWindows(yield* Clock.Clock)
      const take = { type: "take", id: "ann", limit: 3, length: 1000 }
      for (const asked of [{ ...take, length: null }, { ...take, type: "peek" }, { type: "take" }, [], null, "take"]) {
        assert.isTrue(Option.isNone(answer(asked)))
      }
      assert.deepInclude(Option.getOrThrow(answer(take)), { accepted: true, used: 1 })
    }))

  it.effect("cannot count while the supervisor is silent", () =>
    Effect.gen(function*() {
      const silent = supervisorWith((_subject, _question, patience) =>
        Effect.andThen(Effect.sleep(patience), Effect.fail(new SupervisorSilent()))
      )
      const consume = Effect.flatMap(RateLimiter, (limiter) => limiter.consume(ann))
        .pipe(Effect.provide(RateLimiter.layerSupervised(silent)))
      const fiber = yield* Effect.forkChild(Effect.flip(consume))
      yield* TestClock.adjust("1999 millis")
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust("1 millis")
      assert.strictEqual((yield* Fiber.join(fiber))._tag, "CounterUnavailable")
    }))
})
