import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration, Option, Result, Schema } from "effect"
import { recoverFrom, RecoverSince } from "../../../../src/webhooks/history/delivery/RecoverSince.ts"

// Contract, Delivery behavior 8: since a given date up to 30 days back.

const reach = (since: string, now: string, time_zone: string) =>
  Result.match(
    recoverFrom(Schema.decodeUnknownSync(RecoverSince)(since), {
      now: DateTime.makeUnsafe(now),
      time_zone,
      window: Duration.days(30)
    }),
    { onSuccess: DateTime.formatIso, onFailure: ({ _tag }) => _tag }
  )

describe("since a date", () => {
  it.each([
    // São Paulo is three hours behind: there it is still the 20th.
    ["2026-11-20", "2026-11-21T02:59:59.999Z", "America/Sao_Paulo", "2026-11-20T03:00:00.000Z"],
    ["2026-11-21", "2026-11-21T02:59:59.999Z", "America/Sao_Paulo", "SinceInFuture"],
    ["2026-11-21", "2026-11-21T03:00:00.000Z", "America/Sao_Paulo", "2026-11-21T03:00:00.000Z"],
    ["2026-11-21", "2026-11-20T11:00:00.000Z", "Pacific/Auckland", "2026-11-20T11:00:00.000Z"],
    // The day begins up to a day before the limit.
    ["2026-10-22", "2026-11-21T10:00:00.000Z", "UTC", "2026-10-22T10:00:00.000Z"],
    ["2026-10-22", "2026-11-21T23:59:59.999Z", "UTC", "2026-10-22T23:59:59.999Z"],
    ["2026-10-21", "2026-11-21T10:00:00.000Z", "UTC", "SinceTooOld"],
    ["2026-10-21", "2026-11-21T02:00:00.000Z", "America/Sao_Paulo", "2026-10-22T02:00:00.000Z"],
    ["2026-10-21", "2026-11-21T03:05:00.000Z", "America/Sao_Paulo", "SinceTooOld"],
    // A time computed a moment before midnight is still valid after it.
    ["2026-10-21", "2026-11-21T00:04:59.999Z", "UTC", "2026-10-22T00:04:59.999Z"],
    ["2026-10-21", "2026-11-21T00:05:00.000Z", "UTC", "SinceTooOld"],
    // A day without a midnight begins when the clocks move forward. A day with two midnights begins with the first.
    ["2018-11-04", "2018-11-10T00:00:00.000Z", "America/Sao_Paulo", "2018-11-04T03:00:00.000Z"],
    ["2026-10-25", "2026-11-01T00:00:00.000Z", "Atlantic/Azores", "2026-10-25T00:00:00.000Z"]
  ])("%s, asked at %s in a club in %s, is %s", (since, now, zone, expected) => {
    assert.strictEqual(reach(since, now, zone), expected)
  })
})

describe("since a timestamp", () => {
  it.each([
    ["2026-10-22T10:00:00Z", "2026-11-21T10:00:00.000Z", "2026-10-22T10:00:00.000Z"],
    ["2026-10-22T10:00:00Z", "2026-11-21T10:00:02.000Z", "2026-10-22T10:00:02.000Z"],
    ["2026-10-22T10:00:00Z", "2026-11-21T10:05:00.000Z", "2026-10-22T10:05:00.000Z"],
    ["2026-10-22T10:00:00Z", "2026-11-21T10:05:00.001Z", "SinceTooOld"],
    ["2026-11-21T10:00:00.001Z", "2026-11-21T10:00:00.000Z", "SinceInFuture"]
  ])("%s, asked at %s, is %s", (since, now, expected) => {
    assert.strictEqual(reach(since, now, "America/Sao_Paulo"), expected)
  })
})

describe("since neither", () => {
  it.each(["2026-02-30", "2026-13-01", "26-01-01", "2026-1-1", "1969-12-31", "yesterday", "2026-11-21 ", 20_261_121])(
    "%s is refused",
    (since) => {
      assert.isTrue(Option.isNone(Schema.decodeUnknownOption(RecoverSince)(since)))
    }
  )
})
