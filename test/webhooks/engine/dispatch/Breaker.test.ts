import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration, Schema } from "effect"
import {
  afterFailure,
  afterSuccess,
  allowance,
  type Breaker,
  type BreakerRules,
  isHeld,
  normalBreaker,
  shouldDisable
} from "../../../../src/webhooks/engine/dispatch/Breaker.ts"

const contract: BreakerRules = {
  hold_after: 5,
  hold_base: Duration.minutes(1),
  hold_max: Duration.hours(1),
  disable_after: Duration.days(5)
}

const at = (seconds: number) => DateTime.makeUnsafe(seconds * 1000)
const secondsOf = (moment: DateTime.Utc | null) => moment === null ? null : DateTime.toEpochMillis(moment) / 1000

interface Failure {
  readonly seconds: number
  readonly startedHeld: boolean
}

const afterAll = (failures: ReadonlyArray<Failure>, from = normalBreaker, rules = contract) =>
  failures.reduce(
    (breaker, { seconds, startedHeld }) => afterFailure(breaker, { at: at(seconds), startedHeld }, rules),
    from
  )

/** This many failures in a row, a second apart. All attempts began before any hold. */
const inARow = (count: number) => Array.from({ length: count }, (_, n) => ({ seconds: n + 1, startedHeld: false }))

/** The endpoint is held from second 5 to second 65. */
const held = afterAll(inARow(5))

describe("the circuit breaker", () => {
  it("holds with the fifth failure in a row, for a minute, and not before", () => {
    assert.isFalse(isHeld(afterAll(inARow(4))))
    assert.isTrue(isHeld(held))
    assert.strictEqual(secondsOf(held.hold_until), 65)
  })

  it("counts failures in a row only", () => {
    const interrupted = afterSuccess(afterAll(inARow(4)))
    assert.isFalse(isHeld(afterAll(inARow(4), interrupted)))
    assert.isTrue(isHeld(afterAll(inARow(5), interrupted)))
  })

  it("doubles the hold with every failed probe, up to an hour", () => {
    const holds = [1, 2, 4, 8, 16, 32, 60, 60, 60]
    let breaker = held
    for (const [index, minutes] of holds.entries()) {
      assert.strictEqual(secondsOf(breaker.hold_until), (index === 0 ? 5 : index * 10_000) + minutes * 60)
      breaker = afterFailure(breaker, { at: at((index + 1) * 10_000), startedHeld: true }, contract)
    }
  })

  it("keeps to the longest hold however many there were", () => {
    const breaker = afterFailure({ ...held, holds: 100_000 }, { at: at(0), startedHeld: true }, contract)
    assert.strictEqual(secondsOf(breaker.hold_until), 3600)
  })

  it("only counts failures of attempts that began before the hold", () => {
    const late = afterAll([{ seconds: 6, startedHeld: false }, { seconds: 7, startedHeld: false }], held)
    assert.deepStrictEqual(late, { ...held, consecutive_failures: 7 })
  })

  it("is normal after any 2xx", () => {
    assert.deepStrictEqual(afterSuccess(held), normalBreaker)
    assert.isFalse(isHeld(normalBreaker))
  })

  it("begins again with a hold of a minute after a success", () => {
    const again = afterAll(inARow(5), afterSuccess(afterFailure(held, { at: at(100), startedHeld: true }, contract)))
    assert.deepStrictEqual(again, held)
  })
})

describe("the attempts that may start", () => {
  const mayStart = (breaker: Breaker, seconds: number, inFlight = 0) =>
    allowance(breaker, at(seconds), { inFlight, laneConcurrency: 16 })

  it("are as many as the lane takes while the breaker is normal", () => {
    assert.deepStrictEqual(mayStart(normalBreaker, 0), { requestedOnly: false, slots: 16 })
    assert.deepStrictEqual(mayStart(normalBreaker, 0, 10), { requestedOnly: false, slots: 6 })
    assert.deepStrictEqual(mayStart(normalBreaker, 0, 20), { requestedOnly: false, slots: 0 })
  })

  it("are one that a person requested until the hold has passed", () => {
    assert.deepStrictEqual(mayStart(held, 64.999), { requestedOnly: true, slots: 1 })
  })

  it("are one of any kind from the end of the hold", () => {
    assert.deepStrictEqual(mayStart(held, 65), { requestedOnly: false, slots: 1 })
  })

  it("are none while one is in flight and the endpoint is held", () => {
    assert.strictEqual(mayStart(held, 10, 1).slots, 0)
    assert.strictEqual(mayStart(held, 1000, 3).slots, 0)
  })
})

describe("disabling after 5 days without an accepted delivery", () => {
  const day = 86_400
  const gaveUp = (breaker: Breaker, seconds: number) => shouldDisable(breaker, at(seconds), contract)
  const failAt = (seconds: number, from = normalBreaker) =>
    afterFailure(from, { at: at(seconds), startedHeld: false }, contract)

  it("never happens to an endpoint that is idle", () => {
    assert.isFalse(gaveUp(normalBreaker, 1000 * day))
    assert.isFalse(gaveUp(afterSuccess(failAt(0)), 1000 * day))
  })

  it("counts from the first failure, however long the endpoint was idle before it", () => {
    const first = failAt(100 * day)
    assert.isFalse(gaveUp(first, 100 * day))
    const last = failAt(105 * day, first)
    assert.strictEqual(secondsOf(last.failing_since), 100 * day)
    assert.isFalse(gaveUp(last, 105 * day - 0.001))
    assert.isTrue(gaveUp(last, 105 * day))
  })

  it("counts anew after a success", () => {
    const again = failAt(4 * day, afterSuccess(failAt(0)))
    assert.isFalse(gaveUp(again, 6 * day))
    assert.isTrue(gaveUp(failAt(9 * day, again), 9 * day))
  })
})

const rules: BreakerRules = {
  ...contract,
  hold_after: 3,
  hold_max: Duration.minutes(7),
  disable_after: Duration.minutes(30)
}

/** The expected breaker, from all failures since the last accepted attempt, without a state. */
const told = (failures: ReadonlyArray<Failure>): Breaker => {
  const [first] = failures
  const holding = [...failures.slice(2, 3), ...failures.slice(3).filter(({ startedHeld }) => startedHeld)]
  const last = holding.at(-1)
  const minutes = [1, 2, 4][holding.length - 1] ?? 7
  return {
    consecutive_failures: failures.length,
    holds: holding.length,
    hold_until: last === undefined ? null : at(last.seconds + minutes * 60),
    failing_since: first === undefined ? null : at(first.seconds)
  }
}

const Seconds = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 300 }))
const Step = Schema.Union([
  Schema.Struct({ do: Schema.Literals(["wait", "wait longer"]), seconds: Seconds }),
  Schema.Struct({
    do: Schema.Literal("start"),
    requested: Schema.Boolean,
    outcome: Schema.Literals([true, false, false, false])
  }),
  Schema.Struct({ do: Schema.Literals(["end", "end"]) }),
  Schema.Struct({ do: Schema.Literals(["enable"]) })
])
const Steps = Schema.Array(Step).check(Schema.isMinLength(30), Schema.isMaxLength(80))

/** A lane with its breaker, and the list of its failures. */
class Lane {
  breaker = normalBreaker
  story: ReadonlyArray<Failure> = []
  now = 0
  readonly flying: Array<{ readonly startedHeld: boolean; readonly accepted: boolean }> = []

  start(requested: boolean, accepted: boolean) {
    const { requestedOnly, slots } = allowance(this.breaker, at(this.now), {
      inFlight: this.flying.length,
      laneConcurrency: 4
    })
    if (slots === 0 || (requestedOnly && !requested)) return
    const startedHeld = isHeld(this.breaker)
    if (startedHeld) {
      assert.strictEqual(this.flying.length, 0)
      if (!requested) assert.isAtMost(secondsOf(told(this.story).hold_until) ?? 0, this.now)
    }
    this.flying.push({ startedHeld, accepted })
    assert.isAtMost(this.flying.length, 4)
  }

  end() {
    const ended = this.flying.shift()
    if (ended === undefined) return
    const failure = { seconds: this.now, startedHeld: ended.startedHeld }
    this.breaker = ended.accepted
      ? afterSuccess(this.breaker)
      : afterFailure(this.breaker, { ...failure, at: at(this.now) }, rules)
    this.story = ended.accepted ? [] : [...this.story, failure]
  }

  enable() {
    this.breaker = normalBreaker
    this.story = []
  }
}

describe("any sequence of attempts", () => {
  it.prop(
    "leaves the breaker as the story since the last success tells, one attempt at a time while held",
    [Steps],
    ([steps]) => {
      const lane = new Lane()
      for (const step of steps) {
        if (step.do === "wait") lane.now += step.seconds
        if (step.do === "wait longer") lane.now += step.seconds * 10
        if (step.do === "start") lane.start(step.requested, step.outcome)
        if (step.do === "end") lane.end()
        if (step.do === "enable") lane.enable()
        assert.deepStrictEqual(lane.breaker, told(lane.story))
        const [first] = lane.story
        assert.strictEqual(
          shouldDisable(lane.breaker, at(lane.now), rules),
          first !== undefined && lane.now - first.seconds >= 1800
        )
      }
    }
  )

  const Failures = Schema.Array(Schema.Struct({ seconds: Seconds, startedHeld: Schema.Boolean }))

  it.prop("holds as the story tells for failures that come in any order", [Failures], ([failures]) => {
    assert.deepStrictEqual(afterAll(failures, normalBreaker, rules), told(failures))
  })
})
