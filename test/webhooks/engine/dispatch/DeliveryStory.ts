import { assert } from "@effect/vitest"
import { DateTime, Duration, Option, Schema } from "effect"
import { CancelReason, type Trigger } from "../../../../src/webhooks/model/DeliveryStatus.ts"
import { attempted, cancel, created, type DeliveryState, recover, resend } from "./DeliveryMachine.ts"

const at = (seconds: number) => DateTime.makeUnsafe(seconds * 1000)

/** A delivery as a story: its event, its endpoint and its result. */
class Story {
  fate: string = "pending"
  attempts = 0
  climbed = 0
  erased = false
  finished: number | null = null
  owed: { readonly asker: Trigger; readonly single: boolean; readonly seconds: number } | null
  flying: Trigger | null = null

  constructor(asker: "schedule" | "test") {
    this.owed = { asker, single: false, seconds: 0 }
  }

  end(accepted: boolean, now: number, waits: number | null) {
    const owed = this.owed
    const asker = this.flying
    this.flying = null
    this.attempts += 1
    if (owed === null) {
      if (accepted && (this.fate === "endpoint_disabled" || this.fate === "endpoint_deleted")) this.fate = "succeeded"
      return
    }
    if (!accepted && owed.asker !== asker) {
      if (owed.single) return
      this.climbed += 1
      if (waits === null) this.close("failed", now, { ...owed, single: true })
      return
    }
    if (!owed.single) this.climbed += 1
    if (accepted) this.close("succeeded", now, null)
    else if (owed.single || waits === null) this.close("failed", now, null)
    else this.owed = { asker: "schedule", single: false, seconds: now + waits }
  }

  close(fate: string, now: number, owed: Story["owed"]) {
    this.fate = fate
    this.finished = now
    this.owed = owed
  }

  resend(now: number) {
    if (this.erased) return
    const seconds = Math.min(this.owed?.seconds ?? now, now)
    this.owed = { asker: "manual", single: this.fate !== "pending" || this.owed?.single === true, seconds }
  }

  recover(now: number) {
    if (this.erased || !["failed", "endpoint_disabled"].includes(this.fate)) return
    this.fate = "pending"
    this.finished = null
    this.owed = { asker: "recover", single: true, seconds: now }
  }

  cancel(reason: string, now: number) {
    if (reason === "student_removed") this.erased = true
    if (this.fate === "pending") this.close(reason, now, null)
    this.owed = null
  }
}

const Step = Schema.Union([
  Schema.Struct({ do: Schema.Literals(["take", "resend", "recover"]) }),
  Schema.Struct({ do: Schema.Literals(["end", "run"]), accepted: Schema.Literals([true, false, false, false]) }),
  Schema.Struct({ do: Schema.Literals(["cancel"]), reason: CancelReason })
])
export const Steps = Schema.Array(Step).check(Schema.isMinLength(12), Schema.isMaxLength(60))

/** The machine and the story of one delivery, with the same steps. The schedule has 3 attempts. */
export class Pair {
  now = 0
  state: DeliveryState
  readonly story: Story

  constructor(trigger: "schedule" | "test") {
    this.state = created(at(0), trigger)
    this.story = new Story(trigger)
  }

  take() {
    assert.strictEqual(this.state.next_attempt_at !== null, this.story.owed !== null)
    if (this.story.flying === null && this.story.owed !== null) this.story.flying = this.story.owed.asker
  }

  end(accepted: boolean) {
    const trigger = this.story.flying
    if (trigger === null) return
    const waits = this.story.climbed + 1 < 3 ? 60 : null
    const after = Option.map(Option.fromNullOr(waits), Duration.seconds)
    this.state = attempted(this.state, { trigger, accepted, at: at(this.now), wait: after })
    this.story.end(accepted, this.now, waits)
  }

  play(step: typeof Step.Type) {
    this.now += 10
    if (step.do === "take" || step.do === "run") this.take()
    if (step.do === "end" || step.do === "run") this.end(step.accepted)
    if (step.do === "resend") {
      this.state = resend(this.state, at(this.now))
      this.story.resend(this.now)
    }
    if (step.do === "recover") {
      this.state = recover(this.state, at(this.now))
      this.story.recover(this.now)
    }
    if (step.do === "cancel") {
      this.state = cancel(this.state, step.reason, at(this.now))
      this.story.cancel(step.reason, this.now)
    }
  }

  /** Compares both, without the fields that only matter while an attempt is due. */
  compare() {
    const { attempts, climbed, erased, fate, finished, owed } = this.story
    const { body_erased, cancel_reason, finished_at, next_attempt_at, once, status, trigger } = this.state
    assert.deepStrictEqual(
      {
        fate: cancel_reason ?? status,
        attempts: this.state.attempts_count,
        climbed: this.state.step,
        erased: body_erased,
        finished: finished_at,
        owed: next_attempt_at === null ? null : { asker: trigger, single: once, at: next_attempt_at }
      },
      {
        fate,
        attempts,
        climbed,
        erased,
        finished: finished === null ? null : at(finished),
        owed: owed === null ? null : { asker: owed.asker, single: owed.single, at: at(owed.seconds) }
      }
    )
  }
}
