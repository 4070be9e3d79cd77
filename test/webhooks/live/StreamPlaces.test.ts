import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ClubId, OrganizationId } from "../../../src/identity/ids/ClubId.ts"
import { ClubKeyId } from "../../../src/identity/ids/ClubKeyId.ts"
import {
  mostOfClub,
  mostOfCredential,
  mostOfProcess,
  mostWaits,
  StreamPlaces
} from "../../../src/webhooks/live/StreamPlaces.ts"

const uuid = (kind: string, n: number) => `0190a000-0000-7000-${kind}-${String(n).padStart(12, "0")}`

/** A key of a club; both have numbers. */
const holder = (club: number, key = club) => ({
  club: {
    id: ClubId.make(uuid("8000", club)),
    organization_id: OrganizationId.make(uuid("8001", club)),
    name: "",
    locale: "en" as const,
    time_zone: "UTC",
    day_zone: "UTC"
  },
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
    })).pipe(Effect.provide(StreamPlaces.layer)))

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
    }).pipe(Effect.provide(StreamPlaces.layer)))
})
