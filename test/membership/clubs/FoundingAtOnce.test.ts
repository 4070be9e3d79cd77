import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Deferred, Effect, Fiber, Layer } from "effect"
import { ClubOpenings } from "../../../src/membership/clubs/ClubOpenings.ts"
import { Clubs } from "../../../src/membership/clubs/Clubs.ts"
import { FaceImages } from "../../../src/membership/clubs/FaceImages.ts"
import { makeUser } from "../../harness/Makers.ts"
import { PostgresLayer } from "../../harness/Postgres.ts"

const reached = Deferred.makeUnsafe<void>()
const released = Deferred.makeUnsafe<void>()
let opened = 0

/** The opening of the first club waits for the test. */
const openings = Layer.succeed(ClubOpenings, [
  () =>
    Effect.suspend(() => {
      opened += 1
      if (opened > 1) return Effect.void
      Deferred.doneUnsafe(reached, Effect.void)
      return Deferred.await(released)
    })
])

const TestLayer = Clubs.layer.pipe(
  Layer.provide([openings, FaceImages.layer([])]),
  Layer.provideMerge(PostgresLayer),
  Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ CLUBS_PER_ACCOUNT: "2" })))
)

layer(TestLayer)("Clubs of one account and one name", (it) => {
  it.effect("are founded while another is being founded, and no more than the account may", () =>
    Effect.gen(function*() {
      const user = yield* makeUser()
      const { create } = yield* Clubs
      const found = create({ user }, { name: "Roda de Choro" })
      const slow = yield* Effect.forkChild(found)
      yield* Deferred.await(reached)
      assert.strictEqual((yield* found).slug, "roda-de-choro")
      yield* Deferred.succeed(released, undefined)
      assert.match((yield* Fiber.join(slow)).slug, /^roda-de-choro-[0-9a-f]{8}$/)
      assert.strictEqual((yield* Effect.flip(found))._tag, "ClubLimitReached")
    }))
})
