import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration, Schema } from "effect"
import {
  burstOf,
  firstRoom,
  mostMoved,
  nextLook,
  type Pace,
  paceAfter,
  probesFor,
  roomFor,
  spent
} from "../../../../src/webhooks/history/recovery/Pace.ts"

const begin = DateTime.makeUnsafe("2026-11-21T10:00:00Z")
const after = (millis: number) => DateTime.addDuration(begin, Duration.millis(millis))
const fresh: Pace = { room: firstRoom, tokens: 0, tokens_at: begin }

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

/** Looks by processes with different clocks: each `passed` ms after the one before, by a clock `ahead` ms fast. */
const Looks = Schema.Array(Schema.Struct({ passed: between(0, 3000), ahead: between(0, 20_000) })).check(
  Schema.isMinLength(1),
  Schema.isMaxLength(60)
)

describe("The pace of a recovery", () => {
  it.prop(
    "never exceeds its rate, in whatever time, by whichever processes and however their clocks differ",
    [between(1, 1000), Looks],
    ([rate, looks]) => {
      let pace = fresh
      let real = 0
      let newest = 0
      const moves: Array<{ readonly at: number; readonly moved: number }> = []
      for (const { ahead, passed } of looks) {
        real += passed
        // The furthest time that any clock has shown: each millisecond gives tokens only once.
        newest = Math.max(newest, real + ahead)
        pace = paceAfter(pace, { ended: 0, waiting: 0, now: after(real + ahead) }, rate)
        const moved = roomFor(pace, 0, rate)
        pace = spent(pace, moved, rate)
        moves.push({ at: newest, moved })
      }
      for (const [first, { at: from }] of moves.entries()) {
        let sum = 0
        for (const { at, moved } of moves.slice(first)) {
          sum += moved
          assert.isAtMost(sum, burstOf(rate) + rate * (at - from) / 1000 + 1e-6)
        }
      }
    }
  )

  it.prop(
    "keeps the lane between a few and 2,000, and moves a slice at a time",
    [Schema.Array(Schema.Struct({ passed: between(0, 5000), ended: between(0, 5000), waiting: between(0, 2000) }))],
    ([looks]) => {
      let pace = fresh
      let now = 0
      for (const { ended, passed, waiting } of looks) {
        now += passed
        pace = paceAfter(pace, { ended, waiting, now: after(now) }, null)
        assert.isAtLeast(pace.room, 16)
        assert.isAtMost(pace.room, 2000)
        const moved = roomFor(pace, waiting, null)
        assert.isAtMost(moved, mostMoved)
        assert.isTrue(moved === 0 || waiting + moved <= pace.room)
      }
    }
  )

  it("follows what the receiver takes: half a second of it is in the lane", () => {
    const { room } = paceAfter({ ...fresh, room: 2000 }, { ended: 40, waiting: 300, now: after(100) }, null)
    assert.strictEqual(room, 200)
  })

  it("doubles while the receiver has taken all of it", () => {
    const { room } = paceAfter(fresh, { ended: 64, waiting: 0, now: after(1000) }, null)
    assert.strictEqual(room, 2 * firstRoom)
  })

  it("stays while nothing has ended, as while the endpoint is held", () => {
    assert.strictEqual(paceAfter(fresh, { ended: 0, waiting: 64, now: after(60_000) }, null).room, firstRoom)
  })

  it("gives a held endpoint one to probe with once the hold is over, and none while something waits", () => {
    const held = { holds: 1, hold_until: after(1000) }
    assert.deepStrictEqual(
      [probesFor(held, 0, after(999)), probesFor(held, 0, after(1000)), probesFor(held, 1, after(1000))],
      [0, 1, 0]
    )
  })

  it.prop("looks again when there is a token, in a tenth of a second at the earliest", [between(1, 1000)], ([rate]) => {
    const pace = paceAfter({ ...fresh, tokens: 0 }, { ended: 0, waiting: 0, now: begin }, rate)
    const look = nextLook(begin, { isBlocked: false, rate, tokens: pace.tokens })
    assert.isAtLeast(DateTime.toEpochMillis(look), DateTime.toEpochMillis(after(100)))
    assert.isAtLeast(roomFor(paceAfter(pace, { ended: 0, waiting: 0, now: look }, rate), 0, rate), 1)
  })
})
