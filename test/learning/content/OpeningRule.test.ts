import { assert, describe, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import { openAtOnce, type Opening } from "../../../src/learning/content/Opening.ts"
import { lessonOpenings } from "../../../src/learning/content/OpeningRule.ts"
import { AnyOpening, Moment, Zone } from "./AnyOpening.ts"

const at = (text: string) => DateTime.makeUnsafe(text)
const after = (days: number): Opening => ({ opens_after_days: days, opens_at: null })
const on = (moment: string): Opening => ({ opens_after_days: null, opens_at: at(moment) })

/** When a lesson alone opens, written in UTC. */
const opens = (began: string, zone: string, lesson: Opening, module = openAtOnce) => {
  const opening = lessonOpenings(at(began), zone)(module, lesson)
  return opening === null ? null : DateTime.formatIso(opening)
}

describe("the opening of a lesson", () => {
  it.each([
    ["UTC", "2026-03-01T23:59:59.999Z", 1, "2026-03-02T00:00:00.000Z"],
    ["UTC", "2026-03-02T00:00:00.000Z", 1, "2026-03-03T00:00:00.000Z"],
    ["UTC", "2024-02-28T12:00:00.000Z", 2, "2024-03-01T00:00:00.000Z"],
    ["America/Sao_Paulo", "2026-03-02T01:00:00.000Z", 1, "2026-03-02T03:00:00.000Z"],
    ["America/Sao_Paulo", "2026-03-02T03:00:00.000Z", 7, "2026-03-09T03:00:00.000Z"],
    ["Pacific/Kiritimati", "2026-03-01T10:00:00.000Z", 1, "2026-03-02T10:00:00.000Z"],
    ["Pacific/Pago_Pago", "2026-03-01T10:59:00.000Z", 1, "2026-03-01T11:00:00.000Z"],
    // The clocks went forward at midnight, and the day began at 01:00.
    ["America/Sao_Paulo", "2018-11-03T12:00:00.000Z", 1, "2018-11-04T03:00:00.000Z"],
    // The clocks went back at midnight, and the hour before came twice.
    ["America/Sao_Paulo", "2018-02-17T12:00:00.000Z", 1, "2018-02-18T03:00:00.000Z"],
    // The clocks went back at 01:00, and midnight came twice.
    ["America/Havana", "2025-11-01T16:00:00.000Z", 1, "2025-11-02T05:00:00.000Z"]
  ] as const)("in %s, after access began at %s, is after %d days at %s", (zone, began, days, expected) => {
    assert.strictEqual(opens(began, zone, after(days)), expected)
  })

  it("after no days is the midnight before the access began", () => {
    assert.strictEqual(opens("2026-03-01T15:00:00Z", "UTC", after(0)), "2026-03-01T00:00:00.000Z")
  })

  it("is at once without one, and at its moment with one", () => {
    assert.isNull(opens("2026-03-01T15:00:00Z", "UTC", openAtOnce))
    assert.strictEqual(opens("2026-03-01T15:00:00Z", "UTC", on("2026-01-01T00:00:00Z")), "2026-01-01T00:00:00.000Z")
  })

  it.each([
    [after(3), after(5), "2026-03-06T00:00:00.000Z"],
    [after(5), after(3), "2026-03-06T00:00:00.000Z"],
    [on("2026-03-20T10:00:00Z"), after(5), "2026-03-20T10:00:00.000Z"],
    [on("2026-03-02T10:00:00Z"), after(5), "2026-03-06T00:00:00.000Z"],
    [openAtOnce, after(5), "2026-03-06T00:00:00.000Z"],
    [after(5), openAtOnce, "2026-03-06T00:00:00.000Z"]
  ])("is the later of its module's and its own", (module, lesson, expected) => {
    assert.strictEqual(opens("2026-03-01T15:00:00Z", "UTC", lesson, module), expected)
  })

  it.prop(
    "is not earlier for an access that began later, so of several accesses the earliest counts",
    { one: Moment, other: Moment, module: AnyOpening, lesson: AnyOpening, zone: Zone },
    ({ lesson, module, one, other, zone }) => {
      const [first, second] = [one, other].map((began) => lessonOpenings(began, zone)(module, lesson))
      const earliest = lessonOpenings(DateTime.min(one, other), zone)(module, lesson)
      if (first === null || second === null || first === undefined || second === undefined) {
        assert.deepStrictEqual([first, second, earliest], [null, null, null])
      } else assert.deepStrictEqual(earliest, DateTime.min(first, second))
    }
  )

  it.prop(
    "after days is on their date in the time zone, at its first moment or at midnight",
    { began: Moment, days: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3650 })), zone: Zone },
    ({ began, days, zone }) => {
      const opening = lessonOpenings(began, zone)(openAtOnce, after(days)) ?? assert.fail()
      const dateOf = (moment: DateTime.Utc) => DateTime.formatIsoDate(DateTime.setZoneNamedUnsafe(moment, zone))
      const day = DateTime.add(DateTime.makeUnsafe(`${dateOf(began)}T00:00:00Z`), { days })
      assert.strictEqual(dateOf(opening), DateTime.formatIsoDateUtc(day))
      const before = DateTime.subtract(opening, { milliseconds: 1 })
      const { hour, minute } = DateTime.toParts(DateTime.setZoneNamedUnsafe(opening, zone))
      assert.isTrue(dateOf(before) !== dateOf(opening) || (hour === 0 && minute === 0))
    }
  )
})
