import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { ClubId } from "../../../../src/identity/ids/ClubId.ts"
import { type Awaited, FeedRepo } from "../../../../src/webhooks/events/feed/FeedRepo.ts"
import { FeedWaits } from "../../../../src/webhooks/events/feed/FeedWaits.ts"

const looks: Array<number> = []
let further: ReadonlyArray<ClubId> = []

/** Counts the readers of each look at the feeds. Only the feeds that a test names go further. */
const TestLayer = FeedWaits.layerNoDeps.pipe(Layer.provide(Layer.mock(FeedRepo, {
  further: (waiting) =>
    Effect.sync(() => {
      looks.push(waiting.length)
      return further
    })
})))

const clubOf = (number: number) => ClubId.make(`019d4860-0000-7000-8000-${String(number).padStart(12, "0")}`)
const awaited = (number: number): Awaited => ({
  club_id: clubOf(number),
  position: "00000000-0000-7000-8000-000000000000"
})

layer(TestLayer)("Readers that wait for a feed", (it) => {
  it.effect("are looked at together once a second, and not at all once nobody waits", () =>
    Effect.gen(function*() {
      const { wait } = yield* FeedWaits
      const readers = yield* Effect.forEach(
        Array.from({ length: 2000 }, (_, number) => awaited(number)),
        (one) => Effect.forkChild(wait(one, Duration.seconds(30)))
      )
      yield* TestClock.adjust("10 seconds")
      assert.isAtLeast(looks.length, 9)
      assert.isAtMost(looks.length, 11)
      assert.deepStrictEqual(new Set(looks), new Set([2000]))
      further = [clubOf(7)]
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(readers.flatMap((reader, number) => reader.pollUnsafe() === undefined ? [] : number), [7])
      further = []
      yield* TestClock.adjust("20 seconds")
      yield* Effect.forEach(readers, Fiber.join, { discard: true })
      looks.length = 0
      yield* TestClock.adjust("10 minutes")
      assert.deepStrictEqual(looks, [])
    }))
})
