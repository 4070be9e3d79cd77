import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { ClubId } from "../../../../src/identity/ids/ClubId.ts"
import { ClubKeyId } from "../../../../src/identity/ids/ClubKeyId.ts"
import { UserId } from "../../../../src/identity/ids/UserId.ts"
import { Founders } from "../../../../src/identity/people/Founders.ts"
import type { Place } from "../../../../src/webhooks/history/live/FairPlaces.ts"
import {
  mostOfClub,
  mostOfCredential,
  mostOfProcess,
  mostWaits,
  StreamPlaces
} from "../../../../src/webhooks/history/live/StreamPlaces.ts"

const uuid = (kind: string, n: number) => `0190a000-0000-7000-${kind}-${String(n).padStart(12, "0")}`

/** Clubs of one founder, by their numbers. */
const founded = new Map<ClubId, UserId>()

const TestLayer = Layer.provide(
  StreamPlaces.layerNoDeps,
  Layer.mock(Founders, { of: (club) => Effect.succeed(Option.fromUndefinedOr(founded.get(club))) })
)

/** A key of a club that acts for an account. Each has a number. */
const holder = (club: number, key = club, account = key) => ({
  user: { id: UserId.make(uuid("8003", account)) },
  club: { id: ClubId.make(uuid("8000", club)) },
  credential: { kind: "key" as const, key: { id: ClubKeyId.make(uuid("8002", key)), scopes: null } }
})

describe("The places of a process", () => {
  it.effect("are apart for streams and for requests that wait", () =>
    Effect.scoped(Effect.gen(function*() {
      const { take } = yield* StreamPlaces
      for (let n = 0; n < mostOfProcess; n++) yield* take(holder(n))
      assert.strictEqual((yield* Effect.flip(take(holder(mostWaits))))._tag, "ProcessFull")
      for (let n = 0; n < mostWaits; n++) yield* take(holder(n), "wait")
      assert.strictEqual((yield* Effect.flip(take(holder(mostWaits), "wait")))._tag, "ProcessFull")
    })).pipe(Effect.provide(TestLayer)))

  it.effect("are shared by both within a key and within a club, and free again at the end", () =>
    Effect.gen(function*() {
      const { take } = yield* StreamPlaces
      yield* Effect.scoped(Effect.gen(function*() {
        for (let n = 0; n < mostOfCredential; n++) yield* take(holder(1), n % 2 === 0 ? "wait" : "stream")
        assert.strictEqual((yield* Effect.flip(take(holder(1))))._tag, "NoPlace")
        for (let n = mostOfCredential; n < mostOfClub; n++) yield* take(holder(1, n))
        assert.strictEqual((yield* Effect.flip(take(holder(1, 99), "wait")))._tag, "NoPlace")
      }))
      yield* Effect.scoped(take(holder(1)))
    }).pipe(Effect.provide(TestLayer)))

  const kinds = [["stream", mostOfProcess], ["wait", mostWaits]] as const

  it.effect.each(kinds)(
    "of a full process are given up by the founder who has most, newest first: %s",
    ([by, most]) =>
      Effect.scoped(Effect.gen(function*() {
        const { take } = yield* StreamPlaces
        const founder = UserId.make(uuid("8004", 1))
        const greedy: Array<Place> = []
        for (let n = 0; n < most; n++) {
          const one = holder(n)
          founded.set(one.club.id, founder)
          greedy.push(yield* take(one, by))
        }
        const lost = () => greedy.filter(({ isLost }) => isLost()).map((place) => greedy.indexOf(place))
        const others = [yield* take(holder(most), by), yield* take(holder(most + 1), by)]
        assert.deepStrictEqual(lost(), [most - 2, most - 1])
        yield* greedy.at(-1)?.lost ?? Effect.void
        assert.deepStrictEqual(others.map(({ isLost }) => isLost()), [false, false])
        // A club of the same founder gets no place now, and neither does one that has as many places as the others.
        const another = holder(most + 2)
        founded.set(another.club.id, founder)
        assert.strictEqual((yield* Effect.flip(take(another, by)))._tag, "ProcessFull")
        assert.deepStrictEqual(lost(), [most - 2, most - 1])
      })).pipe(Effect.ensuring(Effect.sync(() => founded.clear())), Effect.provide(TestLayer))
  )

  it.effect("of a full process are given up by the account that has most, whoever founded its clubs", () =>
    Effect.scoped(Effect.gen(function*() {
      const { take } = yield* StreamPlaces
      const greedy: Array<Place> = []
      for (let n = 0; n < mostOfProcess; n++) greedy.push(yield* take(holder(n, n, 0)))
      yield* take(holder(mostOfProcess))
      assert.deepStrictEqual(greedy.filter(({ isLost }) => isLost()), greedy.slice(-1))
    })).pipe(Effect.provide(TestLayer)))

  it.effect("of a full process stay where nobody has more than one more than the newcomer", () =>
    Effect.scoped(Effect.gen(function*() {
      const { take } = yield* StreamPlaces
      for (let n = 0; n < mostOfProcess; n++) yield* take(holder(n))
      assert.strictEqual((yield* Effect.flip(take(holder(0))))._tag, "ProcessFull")
      assert.strictEqual((yield* Effect.flip(take(holder(mostOfProcess))))._tag, "ProcessFull")
    })).pipe(Effect.provide(TestLayer)))
})
