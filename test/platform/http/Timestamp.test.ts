import { assert, describe, it } from "@effect/vitest"
import { DateTime, Option, Schema } from "effect"
import { Timestamp } from "../../../src/platform/http/Timestamp.ts"

const decode = Schema.decodeUnknownOption(Timestamp)
const iso = (input: unknown) => Option.getOrUndefined(Option.map(decode(input), DateTime.formatIso))

describe("a timestamp in a request", () => {
  it.each([
    ["2026-01-31T12:00:00Z", "2026-01-31T12:00:00.000Z"],
    ["2026-01-31T12:00:00.123Z", "2026-01-31T12:00:00.123Z"],
    ["2026-01-31T12:00:00.123987Z", "2026-01-31T12:00:00.123Z"],
    ["2026-01-31T23:30:00-03:00", "2026-02-01T02:30:00.000Z"],
    ["2024-02-29T00:00:00+05:45", "2024-02-28T18:15:00.000Z"],
    ["1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"]
  ])("%s is %s", (input, expected) => {
    assert.strictEqual(iso(input), expected)
  })

  it.each([
    "",
    "now",
    "2026",
    "2026-01-31",
    "2026-01-31T12:00:00",
    "2026-01-31 12:00:00Z",
    "2026-02-29T12:00:00Z",
    "2026-04-31T12:00:00Z",
    "2026-13-01T12:00:00Z",
    "2026-01-00T12:00:00Z",
    "2026-01-31T24:00:00Z",
    "2026-01-31T12:60:00Z",
    "2026-01-31T12:00:60Z",
    "2026-01-31T12:00:00+24:00",
    "2026-01-31T12:00:00Z ",
    "Sat, 31 Jan 2026 12:00:00 GMT",
    "1969-12-31T23:59:59.999Z",
    "1970-01-01T00:00:00+00:01",
    "9999-12-31T23:59:59-00:01",
    "+010000-01-01T00:00:00Z",
    1769860800000,
    null
  ])("is not %s", (input) => {
    assert.isUndefined(iso(input))
  })

  it.prop(
    "is read back as it was written",
    { millis: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 253_402_300_799_999 })) },
    ({ millis }) => {
      const text = DateTime.formatIso(DateTime.makeUnsafe(millis))
      assert.strictEqual(iso(text), text)
    }
  )
})
