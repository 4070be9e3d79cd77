import { assert, describe, it } from "@effect/vitest"
import { endOfDayIn, localIn, momentAt, offsetAt, zoneName } from "../../../src/browser/client/Zoned.ts"

const zones = ["America/Sao_Paulo", "America/New_York", "Europe/Lisbon", "Asia/Kathmandu", "Pacific/Apia", "UTC"]
const hour = 3_600_000

describe("Times of another zone", () => {
  it("are told and read back to the same minute, through every change of the clocks of two years", () => {
    for (const zone of zones) {
      for (let at = Date.UTC(2026, 0, 1, 0, 7); at < Date.UTC(2028, 0, 1); at += 5 * hour) {
        const local = localIn(new Date(at).toISOString(), zone)
        const found = momentAt(local, zone) ?? ""
        assert.strictEqual(localIn(found, zone), local, zone)
        // If the clocks show an hour twice, it is the first of them.
        assert.include([0, hour], at - Date.parse(found), `${zone} ${local}`)
      }
    }
  })

  it("are an hour later where the clocks skip them, and the first of two where they go back", () => {
    assert.strictEqual(momentAt("2026-03-08T02:30", "America/New_York"), "2026-03-08T07:30:00.000Z")
    assert.strictEqual(momentAt("2026-11-01T01:30", "America/New_York"), "2026-11-01T05:30:00.000Z")
  })

  it("end a day with its last millisecond where the club is", () => {
    assert.strictEqual(endOfDayIn("2026-12-31", "America/Sao_Paulo"), "2027-01-01T02:59:59.999Z")
    assert.strictEqual(endOfDayIn("2026-12-31", "Asia/Tokyo"), "2026-12-31T14:59:59.999Z")
    assert.isUndefined(endOfDayIn("", "Asia/Tokyo"))
  })

  it("are named shortly", () => {
    const at = Date.UTC(2026, 0, 1)
    assert.strictEqual(zoneName(at, "America/Sao_Paulo", "en"), "GMT-3")
    assert.strictEqual(offsetAt(at, "Asia/Kathmandu"), 5.75 * hour)
  })
})
