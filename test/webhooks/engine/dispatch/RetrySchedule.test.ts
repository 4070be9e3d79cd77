import { assert, describe, it } from "@effect/vitest"
import { Cause, ConfigProvider, Duration, Effect, Layer, Option, Pull, Random, Schedule, Schema } from "effect"
import {
  type FailedAttempt,
  makeNextWait,
  type RetryRules,
  retrySchedule
} from "../../../../src/webhooks/engine/dispatch/RetrySchedule.ts"
import { WebhookRules } from "../../../../src/webhooks/model/WebhookSettings.ts"

const defaults = WebhookRules
  .pipe(Effect.provide(WebhookRules.layer.pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({}))))))
const contract = Effect.runSync(defaults)

const nominals = [5, 300, 1800, 7200, 18_000, 36_000, 36_000]
const tenHours = 36_000

const Unit = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1, exclusiveMaximum: true }))
const Step = Schema.Literals([1, 2, 3, 4, 5, 6, 7])
const Asked = Schema.OptionFromNullOr(Schema.Union([
  Schema.Literals([0, 1, 60, 35_999, 36_000, 36_001, 2 ** 31 - 1]),
  Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100_000 }))
])).pipe(Schema.toType)

/** The next wait, with the test's random number. */
const waitAfter = (failed: FailedAttempt, random: number, rules: RetryRules) =>
  Effect.runSync(Effect.flatMap(makeNextWait(rules), (nextWait) =>
    nextWait(failed)).pipe(Effect.provideService(Random.Random, {
      nextIntUnsafe: () =>
        0,
      nextDoubleUnsafe: () => random
    })))

const secondsAfter = (
  step: number,
  { asked = Option.none<number>(), random = 0.5, rules = contract }: {
    readonly asked?: Option.Option<number>
    readonly random?: number
    readonly rules?: RetryRules
  } = {}
) => {
  const retryAfter = Option.map(asked, Duration.seconds)
  return Option.getOrNull(Option.map(waitAfter({ step, retryAfter }, random, rules), Duration.toSeconds))
}

/** The contract's wait in milliseconds, computed independently. */
const expectedMillis = (step: number, asked: Option.Option<number>, random: number) => {
  const jittered = Math.round((nominals[step - 1] ?? Number.NaN) * 1000 * (1 + 0.1 * (2 * random - 1)))
  return Math.max(jittered, Math.min(Option.getOrElse(asked, () => 0), tenHours) * 1000)
}

describe("the wait after a failed attempt", () => {
  it("climbs 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h", () => {
    assert.deepStrictEqual([1, 2, 3, 4, 5, 6, 7].map((step) => secondsAfter(step)), nominals)
  })

  it("is none after the eighth, the last of a delivery", () => {
    assert.isNotNull(secondsAfter(7))
    assert.isNull(secondsAfter(8))
    assert.isNull(secondsAfter(8, { asked: Option.some(60) }))
  })

  it("is none beyond the end, where the schedule has been made shorter meanwhile", () => {
    assert.isNull(secondsAfter(3, { rules: { ...contract, retry_schedule: [Duration.seconds(1)] } }))
  })

  it("adds up to about 27 hours from the first to the last attempt, and to 10 % more or less", () => {
    const hours = (random: number) =>
      [1, 2, 3, 4, 5, 6, 7].reduce((sum, step) => sum + (secondsAfter(step, { random }) ?? 0), 0) / 3600
    assert.closeTo(hours(0.5), 27.585, 0.001)
    assert.closeTo(hours(0), 27.585 * 0.9, 0.001)
    assert.closeTo(hours(0.999999999), 27.585 * 1.1, 0.001)
  })

  it("reaches both ends of the 10 %", () => {
    assert.strictEqual(secondsAfter(1, { random: 0 }), 4.5)
    assert.strictEqual(secondsAfter(1, { random: 1 - Number.EPSILON }), 5.5)
  })

  it("is as long as Retry-After asks, and jitter never goes below that", () => {
    assert.strictEqual(secondsAfter(2, { asked: Option.some(299), random: 0 }), 299)
    assert.strictEqual(secondsAfter(2, { asked: Option.some(400), random: 0.9 }), 400)
  })

  it("is not shortened by Retry-After", () => {
    assert.strictEqual(secondsAfter(2, { asked: Option.some(1) }), 300)
  })

  it("honors Retry-After up to 10 hours", () => {
    assert.strictEqual(secondsAfter(1, { asked: Option.some(36_000) }), tenHours)
    assert.strictEqual(secondsAfter(1, { asked: Option.some(36_001) }), tenHours)
  })

  it.prop(
    "stays in its bounds for every step, Retry-After and random number, in whole milliseconds",
    [Step, Asked, Unit],
    ([step, asked, random]) => {
      // Uses whole numbers, since most milliseconds are not exact as a fraction of a second.
      const nominal = (nominals[step - 1] ?? 0) * 1000
      const floor = Math.min(Option.getOrElse(asked, () => 0), tenHours) * 1000
      const retryAfter = Option.map(asked, Duration.seconds)
      const wait = Duration.toMillis(Option.getOrThrow(waitAfter({ step, retryAfter }, random, contract)))
      assert.isAtLeast(wait, Math.max(nominal * 9 / 10, floor))
      assert.isAtMost(wait, Math.max(nominal * 11 / 10, floor))
      assert.isTrue(Number.isInteger(wait))
    }
  )

  it.prop(
    "keeps to the share that an operator sets",
    [Step, Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 0.9 })), Unit],
    ([step, retry_jitter, random]) => {
      const nominal = nominals[step - 1] ?? 0
      const wait = secondsAfter(step, { random, rules: { ...contract, retry_jitter } }) ?? -1
      assert.isAtMost(Math.abs(wait - nominal), nominal * retry_jitter + 0.001)
    }
  )
})

describe("the schedule over failed attempts", () => {
  const none = Option.none<Duration.Duration>()

  it.effect.prop(
    "resumes at any step with the wait of that step, whatever came before",
    { steps: Schema.Array(Step), seed: Schema.Int, asked: Asked },
    Effect.fnUntraced(function*({ asked, seed, steps }) {
      const take = yield* Schedule.toStep(retrySchedule(contract))
      const retryAfter = Option.map(asked, Duration.seconds)
      const randoms = yield* Effect.forEach(steps, () => Random.next).pipe(Random.withSeed(seed))
      const taken = yield* Effect.forEach(steps, (step) => take(0, { step, retryAfter })).pipe(Random.withSeed(seed))
      assert.deepStrictEqual(
        taken.map(([output, delay]) => [output, delay].map(Duration.toMillis)),
        steps.map((step, index) => {
          const wait = expectedMillis(step, asked, randoms[index] ?? -1)
          return [wait, wait]
        })
      )
    })
  )

  it.effect("ends after the eighth attempt", () =>
    Effect.gen(function*() {
      const take = yield* Schedule.toStep(retrySchedule(contract))
      const cause = yield* Effect.flip(Effect.sandbox(take(0, { step: 8, retryAfter: none })))
      assert.isTrue(Pull.isDoneCause(cause), Cause.pretty(cause))
    }))

  it.effect.prop(
    "says the next wait, the same for the same seed",
    { step: Schema.Literals([1, 2, 7, 8, 9]), seed: Schema.Int, asked: Asked },
    Effect.fnUntraced(function*({ asked, seed, step }) {
      const nextWait = yield* makeNextWait(contract)
      const random = yield* Random.next.pipe(Random.withSeed(seed))
      const failed = { step, retryAfter: Option.map(asked, Duration.seconds) }
      const wait = yield* nextWait(failed).pipe(Random.withSeed(seed))
      assert.deepStrictEqual(
        Option.getOrNull(Option.map(wait, Duration.toMillis)),
        step > 7 ? null : expectedMillis(step, asked, random)
      )
    })
  )

  it.effect("keeps the rules of several schedules apart", () =>
    Effect.gen(function*() {
      const short = yield* makeNextWait({ ...contract, retry_jitter: 0, retry_schedule: [Duration.seconds(1)] })
      const exact = yield* makeNextWait({ ...contract, retry_jitter: 0 })
      for (const [nextWait, seconds] of [[short, 1], [exact, 5], [short, 1]] as const) {
        assert.deepStrictEqual(yield* nextWait({ step: 1, retryAfter: none }), Option.some(Duration.seconds(seconds)))
      }
      assert.isTrue(Option.isNone(yield* short({ step: 2, retryAfter: none })))
    }))
})
