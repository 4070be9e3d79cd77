import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Fiber, Layer, Queue } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { ClubId } from "../../../src/identity/ids/ClubId.ts"
import { Notifications } from "../../../src/platform/sql/Connections.ts"
import { ListenersRepo, type SeenLane } from "../../../src/webhooks/listener/ListenersRepo.ts"
import { mostWaiting, PollWaits } from "../../../src/webhooks/listener/PollWaits.ts"
import { EndpointId } from "../../../src/webhooks/model/EndpointId.ts"

let looks = 0
let changed: ReadonlyArray<EndpointId> = []
const announced: Array<EndpointId> = []

/** Counts how often lanes are looked at, of which none changes but those that a test says; nothing is heard. */
const TestLayer = PollWaits.layerNoDeps.pipe(
  Layer.provide([
    Layer.mock(ListenersRepo, {
      changed: () =>
        Effect.sync(() => {
          looks += 1
          return changed
        }),
      announcePoll: ({ endpoint_id }) => Effect.sync(() => void announced.push(endpoint_id))
    }),
    Layer.succeed(Notifications, { listen: () => Queue.unbounded() }),
    SecureRandom.layerWebCrypto
  ])
)

const laneOf = (number: number): SeenLane => ({
  club_id: ClubId.make("019d4860-0000-7000-8000-000000000000"),
  endpoint_id: EndpointId.make(`019d4860-0000-7000-8000-${String(number).padStart(12, "0")}`),
  wakes: "1"
})

layer(TestLayer)("Polls that wait", (it) => {
  it.effect("are a thousand in one process at most, and are looked at together, every two seconds", () =>
    Effect.gen(function*() {
      const { wait } = yield* PollWaits
      const fibers = yield* Effect.forEach(
        Array.from({ length: mostWaiting }, (_, number) => laneOf(number)),
        (lane) => Effect.forkChild(wait(lane, Duration.seconds(25)))
      )
      yield* TestClock.adjust("1 second")
      const refused = yield* Effect.flip(wait(laneOf(mostWaiting), Duration.seconds(25)))
      assert.strictEqual(refused._tag, "TooManyPolls")
      // Another poll of one that waits takes its place.
      const again = yield* Effect.forkChild(wait(laneOf(7), Duration.seconds(1)))
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(again)
      looks = 0
      yield* TestClock.adjust("20 seconds")
      assert.isAtMost(looks, 11)
      assert.isAtLeast(looks, 9)
      yield* TestClock.adjust("5 seconds")
      yield* Effect.forEach(fibers.filter((_, number) => number !== 7), Fiber.join, { discard: true })
      const room = yield* Effect.forkChild(wait(laneOf(mostWaiting), Duration.seconds(1)))
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(room)
      looks = 0
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual(looks, 0, "Nobody waits, and nothing is looked at")
    }))

  it.effect("are told to other processes, and end at once where the lane changed before they began", () =>
    Effect.gen(function*() {
      const { wait } = yield* PollWaits
      const lane = laneOf(2000)
      changed = [lane.endpoint_id]
      const fiber = yield* Effect.forkChild(wait(lane, Duration.seconds(25)))
      yield* TestClock.adjust("200 millis")
      assert.isDefined(fiber.pollUnsafe())
      assert.strictEqual(announced.at(-1), lane.endpoint_id)
    }))
})
