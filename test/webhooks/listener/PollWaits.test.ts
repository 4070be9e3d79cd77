import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Fiber, Layer, Option, Queue } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { ClubId } from "../../../src/identity/ids/ClubId.ts"
import { UserId } from "../../../src/identity/ids/UserId.ts"
import { Founders } from "../../../src/identity/people/Founders.ts"
import { Notifications } from "../../../src/platform/sql/Connections.ts"
import { ListenersRepo, type SeenLane } from "../../../src/webhooks/listener/ListenersRepo.ts"
import { mostWaiting, PollWaits } from "../../../src/webhooks/listener/PollWaits.ts"
import { EndpointId } from "../../../src/webhooks/model/EndpointId.ts"

let looks = 0
let changed: ReadonlyArray<EndpointId> = []
const announced: Array<EndpointId> = []
const founders = new Map<ClubId, Option.Option<UserId>>()

/** Counts the looks at lanes. Only the lanes that a test names change, and no notification arrives. */
const TestLayer = PollWaits.layerNoDeps.pipe(Layer.provide([
  Layer.mock(ListenersRepo, {
    changed: () =>
      Effect.sync(() => {
        looks += 1
        return changed
      }),
    announcePoll: ({ endpoint_id }) => Effect.sync(() => void announced.push(endpoint_id))
  }),
  Layer.mock(Founders, { of: (club) => Effect.succeed(founders.get(club) ?? Option.none()) }),
  Layer.succeed(Notifications, { listen: () => Queue.unbounded() }),
  SecureRandom.layerWebCrypto
]))

const clubOf = (number: number) => ClubId.make(`019d4860-0000-7000-8001-${String(number).padStart(12, "0")}`)

const userOf = (number: number) => UserId.make(`019d4860-0000-7000-8002-${String(number).padStart(12, "0")}`)

const laneOf = (number: number, club = 0): SeenLane => ({
  club_id: clubOf(club),
  endpoint_id: EndpointId.make(`019d4860-0000-7000-8000-${String(number).padStart(12, "0")}`),
  wakes: "1"
})

layer(TestLayer)("Polls that wait", (it) => {
  it.effect("are a thousand in one process at most, and are looked at together, every two seconds", () =>
    Effect.gen(function*() {
      const { wait } = yield* PollWaits
      const fibers = yield* Effect.forEach(
        Array.from({ length: mostWaiting }, (_, number) => laneOf(number)),
        (lane) => Effect.forkChild(wait(lane, userOf(0), Duration.seconds(25)))
      )
      yield* TestClock.adjust("1 second")
      const refused = yield* Effect.flip(wait(laneOf(mostWaiting), userOf(0), Duration.seconds(25)))
      assert.strictEqual(refused._tag, "TooManyPolls")
      // Another poll of a listener that waits takes its place.
      const again = yield* Effect.forkChild(wait(laneOf(7), userOf(0), Duration.seconds(1)))
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(again)
      looks = 0
      yield* TestClock.adjust("20 seconds")
      assert.isAtMost(looks, 11)
      assert.isAtLeast(looks, 9)
      yield* TestClock.adjust("5 seconds")
      yield* Effect.forEach(fibers.filter((_, number) => number !== 7), Fiber.join, { discard: true })
      const room = yield* Effect.forkChild(wait(laneOf(mostWaiting), userOf(0), Duration.seconds(1)))
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(room)
      looks = 0
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual(looks, 0, "Nobody waits, and nothing is looked at")
    }))

  it.effect.each(["founder", "account"])(
    "are shared fairly: the %s that has most gives up the newest",
    (who) =>
      Effect.gen(function*() {
        const { wait } = yield* PollWaits
        const founder = who === "founder" ? Option.some(userOf(0)) : Option.none()
        const begin = (number: number, club: number) => {
          const account = who === "account" && number < mostWaiting ? userOf(0) : userOf(club)
          return Effect.forkChild(wait(laneOf(number, club), account, Duration.seconds(25)))
        }
        const greedy: Array<Fiber.Fiber<void, unknown>> = []
        for (let number = 0; number < mostWaiting; number++) {
          founders.set(clubOf(number), founder)
          greedy.push(yield* begin(number, number))
        }
        yield* TestClock.adjust("1 second")
        const [last, lastButOne] = [greedy.at(-1), greedy.at(-2)]
        const others = [yield* begin(mostWaiting, mostWaiting), yield* begin(mostWaiting + 1, mostWaiting + 1)]
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(
          [last, lastButOne, greedy.at(-3), ...others].map((fiber) => fiber?.pollUnsafe() !== undefined),
          [true, true, false, false, false]
        )
        // A founder or account that gave up a place does not get it back.
        const refused = yield* Effect.flip(wait(laneOf(mostWaiting + 2, 0), userOf(0), Duration.seconds(25)))
        assert.strictEqual(refused._tag, "TooManyPolls")
        yield* TestClock.adjust("25 seconds")
        yield* Effect.forEach([...greedy, ...others], Fiber.join, { discard: true })
      })
  )

  it.effect("are told to other processes, and end at once where the lane changed before they began", () =>
    Effect.gen(function*() {
      const { wait } = yield* PollWaits
      const lane = laneOf(2000)
      changed = [lane.endpoint_id]
      const fiber = yield* Effect.forkChild(wait(lane, userOf(0), Duration.seconds(25)))
      yield* TestClock.adjust("200 millis")
      assert.isDefined(fiber.pollUnsafe())
      assert.strictEqual(announced.at(-1), lane.endpoint_id)
    }))
})
