import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { ReadingBudget } from "../../../../src/assistant/material/documents/ReadingBudget.ts"
import { AppLayer, foundClub, send } from "../../../harness/App.ts"

/** Takes from the club's budget until it is empty. Answers how often that worked. */
const useUp = Effect.fnUntraced(function*(club: Effect.Success<ReturnType<typeof foundClub>>) {
  const budget = yield* ReadingBudget
  let taken = 0
  while (yield* Effect.match(budget.take(club.id), { onFailure: () => false, onSuccess: () => true })) taken += 1
  return taken
})

layer(ReadingBudget.layer.pipe(Layer.provideMerge(AppLayer)))("Reading documents", (it) => {
  it.effect("gets no new day by another time zone, east or west of the one before", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(Date.parse("2026-05-05T12:00:00Z"))
      const club = yield* foundClub()
      const choose = (time_zone: string) => send("PATCH", club.path, { token: club.token, body: { time_zone } })
      const all = yield* useUp(club)
      assert.isAbove(all, 1)
      for (const zone of ["Pacific/Kiritimati", "Pacific/Niue", "UTC", "Pacific/Kiritimati"]) {
        assert.strictEqual((yield* choose(zone)).status, 200)
        assert.strictEqual(yield* useUp(club), 0, zone)
      }
      yield* TestClock.setTime(Date.parse("2026-05-06T00:00:00Z"))
      // In Kiritimati it is 6 May. The budget was last used on 5 May.
      assert.strictEqual(yield* useUp(club), all)
      yield* choose("Pacific/Niue")
      // At 10:00 UTC the day ends in Kiritimati. In Niue it is 5 May again.
      yield* TestClock.setTime(Date.parse("2026-05-06T10:00:00Z"))
      assert.strictEqual(yield* useUp(club), 0)
      yield* TestClock.setTime(Date.parse("2026-05-07T12:00:00Z"))
      assert.strictEqual(yield* useUp(club), all)
    }))
})
