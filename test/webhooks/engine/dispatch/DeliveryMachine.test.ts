import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration, Option, Schema } from "effect"
import { afterAttempt } from "../../../../src/webhooks/engine/dispatch/AfterAttempt.ts"
import { CancelReason, type Trigger } from "../../../../src/webhooks/model/DeliveryStatus.ts"
import { attempted, cancel, created, type DeliveryState, recover, resend } from "./DeliveryMachine.ts"
import { Pair, Steps } from "./DeliveryStory.ts"

const at = (seconds: number) => DateTime.makeUnsafe(seconds * 1000)
const wait = Option.some(Duration.seconds(100))
const noWait = Option.none<Duration.Duration>()

const fresh = created(at(0))

/** Makes and ends the attempt that is due, with no change between. */
const attempt = (
  state: DeliveryState,
  accepted: boolean,
  { seconds = 10, trigger = state.trigger, waits = wait }: {
    readonly seconds?: number
    readonly trigger?: Trigger
    readonly waits?: Option.Option<Duration.Duration>
  } = {}
) => attempted(state, { trigger, accepted, at: at(seconds), wait: waits })

const failedForGood = attempt(fresh, false, { waits: noWait })
const delivered = attempt(fresh, true)
const canceledBy = (reason: typeof CancelReason.Type, state = fresh) => cancel(state, reason, at(5))

describe("a delivery", () => {
  it("is pending and due at once", () => {
    assert.deepInclude(fresh, { status: "pending", next_attempt_at: at(0), step: 0, finished_at: null })
  })

  it("has succeeded when an attempt is accepted", () => {
    assert.deepInclude(delivered, {
      status: "succeeded",
      attempts_count: 1,
      step: 1,
      next_attempt_at: null,
      finished_at: at(10)
    })
  })

  it("waits for the next attempt after a failed one", () => {
    assert.deepInclude(attempt(fresh, false), {
      status: "pending",
      attempts_count: 1,
      step: 1,
      next_attempt_at: at(110),
      finished_at: null
    })
  })

  it("has failed when no wait follows", () => {
    assert.deepInclude(failedForGood, { status: "failed", next_attempt_at: null, finished_at: at(10) })
  })

  it("is on the schedule after its test attempt has failed", () => {
    assert.deepInclude(attempt(created(at(0), "test"), false), { status: "pending", trigger: "schedule", step: 1 })
  })

  it.each(CancelReason.literals)("is canceled with its reason: %s", (reason) => {
    assert.deepInclude(canceledBy(reason), {
      status: "canceled",
      cancel_reason: reason,
      next_attempt_at: null,
      finished_at: at(5)
    })
  })
})

describe("a manual resend", () => {
  const waiting = attempt(fresh, false)

  it("brings a pending delivery's attempt forward and keeps it on the schedule", () => {
    const asked = resend(waiting, at(20))
    assert.deepInclude(asked, { status: "pending", trigger: "manual", once: false, next_attempt_at: at(20) })
    assert.deepInclude(attempt(asked, false, { seconds: 30 }), {
      status: "pending",
      trigger: "schedule",
      step: 2,
      next_attempt_at: at(130)
    })
  })

  it("does not put off an attempt that is due already", () => {
    assert.deepStrictEqual(resend(waiting, at(500)).next_attempt_at, waiting.next_attempt_at)
  })

  it.each([["succeeded", delivered], ["failed", failedForGood], [
    "canceled",
    canceledBy("endpoint_disabled")
  ]] as const)(
    "gives a %s delivery exactly one attempt and keeps its status until then",
    (status, finished) => {
      const asked = resend(finished, at(20))
      assert.deepInclude(asked, { status, once: true, next_attempt_at: at(20), finished_at: finished.finished_at })
      const failed = attempt(asked, false, { seconds: 30 })
      assert.deepInclude(failed, { status: "failed", cancel_reason: null, next_attempt_at: null, step: finished.step })
      assert.deepInclude(attempt(asked, true), { status: "succeeded", cancel_reason: null, next_attempt_at: null })
    }
  )

  it("changes nothing once the body is erased", () => {
    const erased = canceledBy("student_removed")
    assert.isTrue(erased.body_erased)
    assert.strictEqual(resend(erased, at(20)), erased)
  })

  it("stays owed when it was asked for during an attempt that failed", () => {
    const overtaken = attempt(resend(waiting, at(20)), false, { trigger: "schedule", seconds: 30 })
    assert.deepInclude(overtaken, {
      status: "pending",
      trigger: "manual",
      step: 2,
      next_attempt_at: at(20),
      once: false
    })
  })

  it("is the only one left when it was asked for during the last attempt of the schedule", () => {
    const overtaken = attempt(resend(waiting, at(20)), false, { trigger: "schedule", seconds: 30, waits: noWait })
    assert.deepInclude(overtaken, { status: "failed", once: true, next_attempt_at: at(20), finished_at: at(30) })
    assert.deepInclude(attempt(overtaken, false), { status: "failed", next_attempt_at: null, step: overtaken.step })
  })

  it("is done with when it was asked for during an attempt that was accepted", () => {
    const ended = attempt(resend(waiting, at(20)), true, { trigger: "schedule" })
    assert.deepInclude(ended, { status: "succeeded", next_attempt_at: null })
  })
})

describe("recovering", () => {
  it.each([["failed", failedForGood], [
    "canceled because its endpoint was disabled",
    canceledBy("endpoint_disabled")
  ]] as const)(
    "gives a delivery that is %s one attempt",
    (_, dead) => {
      const recovered = recover(dead, at(20))
      assert.deepInclude(recovered, {
        status: "pending",
        cancel_reason: null,
        trigger: "recover",
        once: true,
        next_attempt_at: at(20),
        finished_at: null
      })
      assert.deepInclude(attempt(recovered, false), { status: "failed", step: dead.step, next_attempt_at: null })
      assert.deepInclude(attempt(recovered, true), { status: "succeeded", step: dead.step, next_attempt_at: null })
    }
  )

  it("happens once, even when it is asked for twice", () => {
    const once = recover(failedForGood, at(20))
    assert.strictEqual(recover(once, at(21)), once)
  })

  it("leaves all others alone", () => {
    const others = [
      fresh,
      delivered,
      canceledBy("student_removed"),
      canceledBy("expired"),
      canceledBy("endpoint_deleted"),
      { ...failedForGood, body_erased: true }
    ]
    for (const other of others) assert.strictEqual(recover(other, at(20)), other)
  })

  it("stays owed when an attempt from before the cancellation fails late", () => {
    const late = attempt(recover(canceledBy("endpoint_disabled"), at(20)), false, { trigger: "schedule" })
    assert.deepInclude(late, { status: "pending", trigger: "recover", once: true, next_attempt_at: at(20) })
  })
})

describe("a cancellation during an attempt", () => {
  it.each(["endpoint_disabled", "endpoint_deleted"] as const)("gives way to a success: %s", (reason) => {
    assert.deepInclude(attempt(canceledBy(reason), true), {
      status: "succeeded",
      cancel_reason: null,
      attempts_count: 1,
      next_attempt_at: null
    })
  })

  it.each(["student_removed", "expired"] as const)("stands against a success: %s", (reason) => {
    assert.deepStrictEqual(attempt(canceledBy(reason), true), { ...canceledBy(reason), attempts_count: 1 })
  })

  it.each(CancelReason.literals)("stands against a failure: %s", (reason) => {
    assert.deepStrictEqual(attempt(canceledBy(reason), false), { ...canceledBy(reason), attempts_count: 1 })
  })

  it("takes only the owed attempt from a delivery that has finished", () => {
    const asked = resend(delivered, at(20))
    assert.deepStrictEqual(cancel(asked, "endpoint_disabled", at(30)), { ...asked, next_attempt_at: null })
  })
})

describe("any sequence of commands", () => {
  it.prop(
    "leaves a delivery as its story tells, with a valid row and no more attempts on the schedule than it has",
    [Steps, Schema.Literals(["schedule", "test"])],
    ([steps, trigger]) => {
      const pair = new Pair(trigger)
      for (const step of steps) {
        const before = pair.state
        pair.play(step)
        pair.compare()
        const { cancel_reason, finished_at, next_attempt_at, status, step: reached } = pair.state
        assert.strictEqual(status === "canceled", cancel_reason !== null)
        assert.strictEqual(status === "pending", finished_at === null)
        assert.isTrue(status !== "pending" || next_attempt_at !== null)
        assert.isAtMost(reached, 3)
        if (before.status !== "pending" && status === "pending") assert.strictEqual(step.do, "recover")
      }
    }
  )

  const Taken = Schema.Struct({
    status: Schema.Literals(["pending", "succeeded", "failed", "canceled"]),
    step: Schema.Literals([0, 3, 7]),
    trigger: Schema.Literals(["schedule", "manual", "test", "recover"]),
    accepted: Schema.Boolean,
    waits: Schema.Boolean
  })

  it.prop("ends an attempt that nothing came between as the whole machine does", [Taken], ([taken]) => {
    const once = taken.status !== "pending" || taken.trigger === "recover"
    const state: DeliveryState = {
      ...fresh,
      ...taken,
      once,
      cancel_reason: taken.status === "canceled" ? "endpoint_disabled" : null,
      finished_at: taken.status === "pending" ? null : at(1)
    }
    const waits = taken.waits ? wait : noWait
    const after = afterAttempt({ ...taken, once }, taken.accepted, at(10), waits)
    assert.deepInclude(attempt(state, taken.accepted, { waits }), after)
  })
})
