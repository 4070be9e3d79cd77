import { assert, describe, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import {
  endingAfterStart,
  isLater,
  isLive,
  isPeriod,
  periodOf,
  type PeriodTerms,
  statusAt
} from "../../../src/membership/access/Period.ts"

const day = (days: number) => DateTime.makeUnsafe(days * 86_400_000)
const now = day(100)
const none: PeriodTerms = { default_access_days: null, cohort_starts_at: null, cohort_ends_at: null }
const cohort = { cohort_starts_at: day(110), cohort_ends_at: day(200) }
const over = { cohort_starts_at: day(1), cohort_ends_at: day(2) }

describe("a new access starts", () => {
  it.each([
    ["now", {}, none, now],
    ["with the cohort, if that is later", {}, { ...none, ...cohort }, day(110)],
    ["now, where the cohort has started", {}, { ...none, ...over }, now],
    ["when it is asked for", { starts_at: day(5) }, { ...none, ...cohort }, day(5)],
    ["when it is asked for, later than the cohort too", { starts_at: day(150) }, { ...none, ...cohort }, day(150)]
  ])("%s", (_, asked, terms, expected) => {
    assert.deepStrictEqual(periodOf(asked, terms, now).starts_at, expected)
  })
})

describe("a new access ends", () => {
  const all = { ...cohort, default_access_days: 30 }

  it.each([
    ["never", {}, none, null],
    ["with the cohort", {}, { ...none, ...cohort }, day(200)],
    ["after the delivery's days, which count from the start", {}, all, day(140)],
    ["after the days that were sold", { access_days: 7 }, all, day(117)],
    ["after the delivery's days where none were sold", { access_days: null }, all, day(140)],
    ["when it is asked for", { access_days: 7, expires_at: day(300) }, all, day(300)],
    ["never, where that is asked for", { access_days: 7, expires_at: null }, all, null],
    ["after days from the start that was asked for", { starts_at: day(50), access_days: 7 }, all, day(57)],
    ["before it starts, where the cohort is over", {}, { ...none, ...over }, day(2)]
  ])("%s", (_, asked, terms, expected) => {
    assert.deepStrictEqual(periodOf(asked, terms, now).expires_at, expected)
  })

  it("in the year 9999 at the latest", () => {
    const starts_at = DateTime.makeUnsafe("9999-12-01T00:00:00Z")
    const { expires_at } = periodOf({ starts_at, access_days: 36_500 }, none, now)
    assert.deepStrictEqual(expires_at, DateTime.makeUnsafe("9999-12-31T23:59:59.999Z"))
  })
})

const Day = Schema.Literals([90, 99, 100, 101, 110])
const Period = Schema.Struct({
  starts: Day,
  expires: Schema.NullOr(Day),
  revoked: Schema.NullOr(Day)
})
type Generated = typeof Period.Type

const heldOf = ({ expires, revoked, starts }: Generated) => ({
  starts_at: day(starts),
  expires_at: expires === null ? null : day(expires),
  revoked_at: revoked === null ? null : day(revoked)
})

describe("an access", () => {
  it.prop("is one of four things, the end excluded and the start included", [Period], ([generated]) => {
    const { expires, revoked, starts } = generated
    const expected = revoked !== null
      ? "revoked"
      : expires !== null && expires <= 100
      ? "expired"
      : starts > 100
      ? "scheduled"
      : "active"
    assert.strictEqual(statusAt(heldOf(generated), now), expected)
    assert.strictEqual(isLive(heldOf(generated), now), expected === "active" || expected === "scheduled")
  })

  it.prop("can be ended right after its start, and not before", [Period], ([generated]) => {
    const held = heldOf(generated)
    const end = endingAfterStart(held)
    assert.isTrue(isPeriod({ ...held, expires_at: end }))
    if (isPeriod(held)) assert.deepStrictEqual(end, held.expires_at)
    else assert.deepStrictEqual(end, DateTime.add(held.starts_at, { milliseconds: 1 }))
  })

  it.prop("has an end that is later than another, earlier, or the same", [Period, Period], ([a, b]) => {
    const [one, other] = [heldOf(a).expires_at, heldOf(b).expires_at]
    const same = a.expires === b.expires
    assert.strictEqual(isLater(one, other) || isLater(other, one), !same)
    assert.isFalse(isLater(one, other) && isLater(other, one))
    assert.strictEqual(isLater(one, other), (a.expires ?? Infinity) > (b.expires ?? Infinity))
  })
})
