import { assert, describe, it } from "@effect/vitest"
import { DateTime, Result, Schema } from "effect"
import {
  type AccessChange,
  type AccessState,
  endedAt,
  memberExtends,
  memberMoves,
  memberRestores,
  memberRevokes,
  memberShortens,
  moved,
  restored,
  revoked
} from "../../../src/membership/access/AccessChange.ts"
import { isLater, statusAt } from "../../../src/membership/access/Period.ts"
import { CohortId } from "../../../src/membership/catalog/Delivery.ts"

const day = (days: number) => DateTime.makeUnsafe(days * 86_400_000)
const now = day(100)
const cohortA = CohortId.make("0190a000-0000-7000-8000-00000000000a")
const cohortB = CohortId.make("0190a000-0000-7000-8000-00000000000b")

const active: AccessState = {
  starts_at: day(90),
  expires_at: day(110),
  revoked_at: null,
  revoke_reason: null,
  cohort_id: cohortA,
  lapse_noted: false
}
const states = {
  active,
  endless: { ...active, expires_at: null },
  scheduled: { ...active, starts_at: day(105) },
  expired: { ...active, expires_at: day(100), lapse_noted: true },
  revoked: { ...active, revoked_at: day(95), revoke_reason: "refund" as const }
}

type Judge = (state: AccessState) => Result.Result<AccessChange | null, { readonly error: { readonly code: string } }>

const changes: Record<string, Judge> = {
  "is revoked": (state: AccessState) => memberRevokes(state, now),
  "is restored": (state: AccessState) => memberRestores(state, now),
  "is extended to a later end": (state: AccessState) => memberExtends(state, day(120), now),
  "is extended for ever": (state: AccessState) => memberExtends(state, null, now),
  "is extended to an earlier end": (state: AccessState) => memberExtends(state, day(109), now),
  "is extended to its end": (state: AccessState) => memberExtends(state, state.expires_at, now),
  "is extended to an end that is over": (state: AccessState) =>
    memberExtends({ ...state, expires_at: state.expires_at && day(91) }, day(100), now),
  "is shortened to an earlier end": (state: AccessState) => memberShortens(state, day(106), now),
  "is shortened to a time in the past": (state: AccessState) => memberShortens(state, day(95), now),
  "is shortened to its end": (state: AccessState) => memberShortens(state, state.expires_at ?? day(999), now),
  "is shortened to its start": (state: AccessState) => memberShortens(state, state.starts_at, now),
  "is shortened to a later end": (state: AccessState) => memberShortens(state, day(120), now),
  "is moved to another cohort": (state: AccessState) => memberMoves(state, cohortB, now),
  "is moved to no cohort": (state: AccessState) => memberMoves(state, null, now),
  "is moved to its cohort": (state: AccessState) => memberMoves(state, cohortA, now)
}

const [inactive, late, early] = ["enrollment_not_active", "expires_at_not_later", "expires_at_not_earlier"]

/** The result of each change in each state: the line of history, nothing, or the refusal. */
const table: Record<string, Record<keyof typeof states, string | undefined>> = {
  "is revoked": {
    active: "revoked",
    endless: "revoked",
    scheduled: "revoked",
    expired: inactive,
    revoked: inactive
  },
  "is restored": {
    active: "enrollment_not_revoked",
    endless: "enrollment_not_revoked",
    scheduled: "enrollment_not_revoked",
    expired: "enrollment_not_revoked",
    revoked: "restored"
  },
  "is extended to a later end": {
    active: "extended",
    endless: late,
    scheduled: "extended",
    expired: "extended",
    revoked: inactive
  },
  "is extended for ever": {
    active: "extended",
    endless: late,
    scheduled: "extended",
    expired: "extended",
    revoked: inactive
  },
  "is extended to an earlier end": {
    active: late,
    endless: late,
    scheduled: late,
    expired: "extended",
    revoked: inactive
  },
  "is extended to its end": { active: late, endless: late, scheduled: late, expired: late, revoked: inactive },
  "is extended to an end that is over": {
    active: late,
    endless: late,
    scheduled: late,
    expired: late,
    revoked: inactive
  },
  "is shortened to an earlier end": {
    active: "shortened",
    endless: "shortened",
    scheduled: "shortened",
    expired: inactive,
    revoked: inactive
  },
  "is shortened to a time in the past": {
    active: "shortened",
    endless: "shortened",
    scheduled: early,
    expired: inactive,
    revoked: inactive
  },
  "is shortened to its end": {
    active: early,
    endless: "shortened",
    scheduled: early,
    expired: inactive,
    revoked: inactive
  },
  "is shortened to its start": {
    active: early,
    endless: early,
    scheduled: early,
    expired: inactive,
    revoked: inactive
  },
  "is shortened to a later end": {
    active: early,
    endless: "shortened",
    scheduled: early,
    expired: inactive,
    revoked: inactive
  },
  "is moved to another cohort": {
    active: "moved",
    endless: "moved",
    scheduled: "moved",
    expired: inactive,
    revoked: inactive
  },
  "is moved to no cohort": {
    active: "moved",
    endless: "moved",
    scheduled: "moved",
    expired: inactive,
    revoked: inactive
  },
  "is moved to its cohort": {
    active: undefined,
    endless: undefined,
    scheduled: undefined,
    expired: inactive,
    revoked: inactive
  }
}

describe("an enrollment", () => {
  it.each(Object.entries(changes))("%s by a member, or not, as the state allows", (name, change) => {
    const outcomes = Object.entries(states).map(([state, access]) => {
      const judged = change(access)
      return [state, Result.isFailure(judged) ? judged.failure.error.code : judged.success?.kind]
    })
    assert.deepStrictEqual(Object.fromEntries(outcomes), Object(table)[name])
  })
})

const Day = Schema.Literals([90, 99, 100, 101, 110])
const AnyState = Schema.Struct({
  starts: Schema.Literals([80, 95, 105]),
  lasts: Schema.NullOr(Schema.Literals([1, 10, 20])),
  revoked: Schema.Boolean,
  lapse_noted: Schema.Boolean
})

const stateOf = ({ lapse_noted, lasts, revoked, starts }: typeof AnyState.Type): AccessState => ({
  starts_at: day(starts),
  expires_at: lasts === null ? null : day(starts + lasts),
  revoked_at: revoked ? day(98) : null,
  revoke_reason: revoked ? "chargeback" : null,
  cohort_id: cohortA,
  lapse_noted
})

describe("a change", () => {
  it.prop("that is undone leaves what there was", [AnyState], ([generated]) => {
    const state = stateOf({ ...generated, revoked: false })
    const step = revoked(state, "refund", now)
    assert.strictEqual(step === null ? "" : statusAt(step.state, now), "revoked")
    assert.deepStrictEqual(step && restored(step.state)?.state, state)
  })

  it.prop("made twice is made once", [AnyState, Schema.NullOr(Day)], ([generated, end]) => {
    const state = stateOf(generated)
    const expires_at = end === null ? null : day(end)
    for (
      const change of [
        (state: AccessState) => revoked(state, "refund", now),
        restored,
        (state: AccessState) => endedAt(state, expires_at),
        (state: AccessState) => moved(state, cohortB)
      ]
    ) {
      const step = change(state)
      if (step !== null) assert.isNull(change(step.state))
    }
  })

  it.prop("of the end is called what it is, and a later end is yet to be noted", [AnyState, Schema.NullOr(Day)], (
    [generated, end]
  ) => {
    const state = stateOf(generated)
    const step = endedAt(state, end === null ? null : day(end))
    if (step === null) return
    const later = isLater(step.state.expires_at, state.expires_at)
    assert.strictEqual(step.kind, later ? "extended" : "shortened")
    assert.strictEqual(step.state.lapse_noted, later ? false : state.lapse_noted)
    assert.isTrue(isLater(step.state.expires_at, state.starts_at))
    assert.deepStrictEqual({ ...step.state, expires_at: 0, lapse_noted: 0 }, {
      ...state,
      expires_at: 0,
      lapse_noted: 0
    })
  })
})
