import { assert, describe, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import { dayOf, monthOf, secondsUntil } from "../../../src/assistant/budget/ClubPeriod.ts"
import { timeZones } from "../../../src/membership/clubs/Club.ts"

const at = (text: string) => DateTime.makeUnsafe(text)
const iso = ({ begins, ends }: { readonly begins: string; readonly ends: DateTime.Utc }) => [
  begins,
  DateTime.formatIso(ends)
]

const Zone = Schema.Literals([...timeZones])
const moments = { minimum: Date.UTC(2015, 0, 1), maximum: Date.UTC(2040, 0, 1) }
const Moment = Schema.Int.check(Schema.isBetween(moments))

const dateIn = (zone: string, moment: DateTime.Utc) =>
  new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short" }).format(DateTime.toEpochMillis(moment))

describe("A club's day", () => {
  it.each([
    ["UTC", "2026-03-01T12:00:00Z", "2026-03-01", "2026-03-02T00:00:00.000Z"],
    ["UTC", "2026-03-01T00:00:00Z", "2026-03-01", "2026-03-02T00:00:00.000Z"],
    ["America/Sao_Paulo", "2026-03-01T02:59:59.999Z", "2026-02-28", "2026-03-01T03:00:00.000Z"],
    ["America/Sao_Paulo", "2026-03-01T03:00:00Z", "2026-03-01", "2026-03-02T03:00:00.000Z"],
    // Days of 25 and 23 hours.
    ["Europe/Lisbon", "2026-10-25T00:00:00Z", "2026-10-25", "2026-10-26T00:00:00.000Z"],
    ["Europe/Lisbon", "2026-03-29T00:00:00Z", "2026-03-29", "2026-03-29T23:00:00.000Z"],
    // The clocks go from 24:00 to 01:00, so there is no midnight.
    ["America/Santiago", "2026-09-05T12:00:00Z", "2026-09-05", "2026-09-06T04:00:00.000Z"],
    // The clocks go from 01:00 to 00:00, so there are two midnights.
    ["America/Havana", "2026-10-31T12:00:00Z", "2026-10-31", "2026-11-01T04:00:00.000Z"]
  ])("in %s at %s is %s and ends at %s", (zone, now, begins, ends) => {
    assert.deepStrictEqual(iso(dayOf(zone, at(now))), [begins, ends])
  })

  it.prop("ends with the last moment of its date, whatever the clocks do", [Zone, Moment], ([zone, millis]) => {
    const now = DateTime.makeUnsafe(millis)
    const { begins, ends } = dayOf(zone, now)
    assert.strictEqual(begins, dateIn(zone, now))
    assert.isTrue(DateTime.isGreaterThan(ends, now))
    assert.strictEqual(dateIn(zone, DateTime.subtract(ends, { milliseconds: 1 })), begins)
    assert.isAbove(Date.parse(dateIn(zone, ends)), Date.parse(begins))
  }, { arbitrary: { runs: 2000 } })
})

describe("What is remembered of a time zone", () => {
  const Apart = Schema.Int.check(Schema.isBetween({ minimum: -90_000, maximum: 90_000 }))

  it.prop("is not taken for another moment's", [Zone, Moment, Apart], ([zone, millis, apart]) => {
    for (const moment of [millis, millis + apart, millis].map((at) => DateTime.makeUnsafe(at))) {
      const date = dateIn(zone, moment)
      assert.strictEqual(dayOf(zone, moment).begins, date)
      assert.strictEqual(monthOf(zone, moment).begins, `${date.slice(0, 7)}-01`)
    }
  }, { arbitrary: { runs: 1000 } })

  it("ends with the day, however near the moments are", () => {
    for (const zone of timeZones) {
      const { begins, ends } = dayOf(zone, at("2026-11-20T12:00:00Z"))
      const last = dayOf(zone, DateTime.subtract(ends, { milliseconds: 1 }))
      assert.deepStrictEqual(last, { begins, ends })
      assert.strictEqual(dayOf(zone, ends).begins, dateIn(zone, ends))
      assert.notStrictEqual(dayOf(zone, ends).begins, begins)
    }
  })
})

describe("A club's month", () => {
  it.each([
    ["UTC", "2026-12-31T23:59:59Z", "2026-12-01", "2027-01-01T00:00:00.000Z"],
    ["America/Sao_Paulo", "2026-03-01T02:00:00Z", "2026-02-01", "2026-03-01T03:00:00.000Z"],
    ["Asia/Tokyo", "2026-02-28T15:00:00Z", "2026-03-01", "2026-03-31T15:00:00.000Z"]
  ])("in %s at %s begins on %s and ends at %s", (zone, now, begins, ends) => {
    assert.deepStrictEqual(iso(monthOf(zone, at(now))), [begins, ends])
  })

  it.prop("has the club's day in it", [Zone, Moment], ([zone, millis]) => {
    const now = DateTime.makeUnsafe(millis)
    const [day, month] = [dayOf(zone, now), monthOf(zone, now)]
    assert.strictEqual(month.begins, `${day.begins.slice(0, 7)}-01`)
    assert.isFalse(DateTime.isLessThan(month.ends, day.ends))
    assert.strictEqual(
      dateIn(zone, DateTime.subtract(month.ends, { milliseconds: 1 })).slice(0, 7),
      month.begins.slice(0, 7)
    )
    assert.strictEqual(dateIn(zone, month.ends).slice(8), "01")
  }, { arbitrary: { runs: 1000 } })
})

describe("Retry-After", () => {
  it.each([[0, 1], [1, 1], [1000, 1], [1001, 2], [86_400_000, 86_400]])("of %d ms is %d s", (millis, seconds) => {
    assert.strictEqual(
      secondsUntil(at("2026-01-01T00:00:00Z"), DateTime.add(at("2026-01-01T00:00:00Z"), { milliseconds: millis })),
      seconds
    )
  })
})
