import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Exit, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Communities } from "../../../src/conversation/community/Communities.ts"
import { CommunityPatch, CreateSpace, SpaceId } from "../../../src/conversation/community/Community.ts"
import type { ClubId } from "../../../src/identity/ids/ClubId.ts"
import { makeClub } from "../../harness/Makers.ts"
import { warmPool } from "../../harness/Pool.ts"
import { PostgresLayer } from "../../harness/Postgres.ts"

const TestLayer = Layer.provideMerge(Communities.layer, PostgresLayer)
const openCommunity = Effect.fnUntraced(function*(locale: "en" | "pt-BR" = "en") {
  const communities = yield* Communities
  const club = yield* makeClub({ locale })
  yield* communities.open(club.id, club)
  return { club_id: club.id, communities, name: club.name }
})

const spaceOf = (name: string) => Schema.decodeSync(CreateSpace)({ name })
const decodePatch = Schema.decodeUnknownSync(CommunityPatch)
const published = DateTime.makeUnsafe("2026-01-31T12:00:00.123Z")

const liveIds = Effect.fnUntraced(function*(club_id: ClubId) {
  const { spaces } = yield* Effect.flatMap(Communities, (communities) => communities.read(club_id))
  return spaces.filter(({ archived }) => !archived).map(({ id }) => id)
})

layer(TestLayer)("A new community", (it) => {
  it.effect("has the club's name, is not published and begins with spaces for announcements and for everybody", () =>
    Effect.gen(function*() {
      const { club_id, communities, name } = yield* openCommunity()
      const community = yield* communities.read(club_id)
      assert.deepStrictEqual([community.name, community.description, community.published_at], [name, "", null])
      assert.deepStrictEqual(
        community.spaces.map(({ access, archived, description, name, position, posting, visibility }) => {
          return [name, posting, position, access, visibility, archived, description]
        }),
        [
          ["Announcements", "staff", 1, "community", "members", false, ""],
          ["General", "members", 2, "community", "members", false, ""]
        ]
      )
      for (const space of community.spaces) assert.deepStrictEqual(space.created_at, community.created_at)
    }))

  it.effect("names its first spaces in the club's language", () =>
    Effect.gen(function*() {
      const { club_id, communities } = yield* openCommunity("pt-BR")
      const { spaces } = yield* communities.read(club_id)
      assert.deepStrictEqual(spaces.map(({ name }) => name), ["Avisos", "Geral"])
    }))

  it.effect("does not exist if the caller's transaction fails", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const communities = yield* Communities
      const club = yield* makeClub()
      yield* Effect.flip(sql.withTransaction(Effect.andThen(communities.open(club.id, club), Effect.fail("rest"))))
      assert.deepStrictEqual(yield* sql`select 1 from communities where club_id = ${club.id}`, [])
      assert.deepStrictEqual(yield* sql`select 1 from spaces where club_id = ${club.id}`, [])
    }))

  it.effect("is the club's only one", () =>
    Effect.gen(function*() {
      const { club_id, communities } = yield* openCommunity()
      assert.isTrue(Exit.isFailure(yield* Effect.exit(communities.open(club_id, { name: "Again", locale: "en" }))))
      assert.strictEqual((yield* liveIds(club_id)).length, 2)
    }))
})

layer(TestLayer)("Changing a community", (it) => {
  it.effect("publishes with a timestamp, to the millisecond, and unpublishes with null", () =>
    Effect.gen(function*() {
      const { club_id, communities } = yield* openCommunity()
      const before = yield* communities.read(club_id)
      const open = yield* communities.patch(club_id, { published_at: published })
      assert.deepStrictEqual({ ...open }, { ...before, published_at: published })
      assert.deepStrictEqual(yield* communities.read(club_id), open)
      assert.deepStrictEqual(yield* communities.patch(club_id, { published_at: null }), before)
      assert.deepStrictEqual(yield* communities.read(club_id), before)
    }))

  it.effect("leaves alone what is absent", () =>
    Effect.gen(function*() {
      const { club_id, communities } = yield* openCommunity()
      yield* communities.patch(club_id, { name: "Roda", description: "Toda terça", published_at: published })
      const before = yield* communities.read(club_id)
      assert.deepStrictEqual(yield* communities.patch(club_id, {}), before)
      const renamed = yield* communities.patch(club_id, { name: "Choro" })
      assert.deepStrictEqual({ ...renamed }, { ...before, name: "Choro" })
      const cleared = yield* communities.patch(club_id, { description: "" })
      assert.deepStrictEqual({ ...cleared }, { ...renamed, description: "" })
    }))

  it.effect("changes no other club's", () =>
    Effect.gen(function*() {
      const { club_id, communities } = yield* openCommunity()
      const other = yield* openCommunity()
      const before = yield* communities.read(other.club_id)
      yield* communities.patch(club_id, { name: "Mine", description: "Mine", published_at: published })
      assert.deepStrictEqual(yield* communities.read(other.club_id), before)
    }))

  it.effect("stores the longest name and description that a request may hold", () =>
    Effect.gen(function*() {
      const { club_id, communities } = yield* openCommunity()
      const longest = decodePatch({ name: "𝄞".repeat(120), description: "𝄞".repeat(2000) })
      const { description, name } = yield* communities.patch(club_id, longest)
      assert.deepStrictEqual({ description, name }, longest)
      assert.throws(() => decodePatch({ name: "𝄞".repeat(121) }))
      assert.throws(() => decodePatch({ name: "" }))
      assert.throws(() => decodePatch({ description: "𝄞".repeat(2001) }))
    }))
})

layer(TestLayer)("Spaces", (it) => {
  it.effect("come last when they are created", () =>
    Effect.gen(function*() {
      const { club_id, communities } = yield* openCommunity()
      const asked = { ...spaceOf("Help"), access: "delivery", visibility: "hidden", description: "Ask" } as const
      const space = yield* communities.createSpace(club_id, asked)
      assert.deepStrictEqual({ ...space }, {
        ...asked,
        posting: "members",
        id: space.id,
        created_at: space.created_at,
        position: 3,
        archived: false
      })
      assert.deepStrictEqual((yield* communities.read(club_id)).spaces.at(-1), space)
    }))

  it.effect("take what a patch holds and nothing else", () =>
    Effect.gen(function*() {
      const { club_id, communities } = yield* openCommunity()
      const space = yield* communities.createSpace(club_id, spaceOf("Help"))
      const patch = {
        name: "Aid",
        description: "d",
        access: "delivery",
        visibility: "public",
        posting: "staff"
      } as const
      const changed = yield* communities.patchSpace(club_id, space.id, patch)
      assert.deepStrictEqual({ ...changed }, { ...space, ...patch })
      assert.deepStrictEqual(yield* communities.patchSpace(club_id, space.id, {}), changed)
      assert.deepStrictEqual((yield* communities.read(club_id)).spaces.at(-1), changed)
    }))

  it.effect("are archived, once and for all, and read after those that are not", () =>
    Effect.gen(function*() {
      const { club_id, communities } = yield* openCommunity()
      const [first = SpaceId.make(""), second] = yield* liveIds(club_id)
      yield* communities.archiveSpace(club_id, first)
      const { spaces } = yield* communities.read(club_id)
      assert.deepStrictEqual(spaces.map(({ archived, id }) => [id, archived]), [[second, false], [first, true]])
      yield* communities.archiveSpace(club_id, first)
      assert.deepStrictEqual((yield* communities.read(club_id)).spaces, spaces)
    }))

  it.effect("of another club are not found", () =>
    Effect.gen(function*() {
      const { club_id, communities } = yield* openCommunity()
      const other = yield* openCommunity()
      const before = yield* communities.read(other.club_id)
      const [foreign = SpaceId.make("")] = yield* liveIds(other.club_id)
      const patched = yield* Effect.flip(communities.patchSpace(club_id, foreign, { name: "Mine" }))
      const archived = yield* Effect.flip(communities.archiveSpace(club_id, foreign))
      assert.deepStrictEqual([patched._tag, archived._tag], ["NotFound", "NotFound"])
      assert.deepStrictEqual(yield* communities.read(other.club_id), before)
    }))

  it.effect("get distinct consecutive positions when 20 are created at once", () =>
    Effect.gen(function*() {
      yield* warmPool
      const { club_id, communities } = yield* openCommunity()
      const create = communities.createSpace(club_id, spaceOf("New"))
      const created = yield* Effect.all(Array.from({ length: 20 }, () => create), { concurrency: "unbounded" })
      const positions = created.map(({ position }) => position).toSorted((a, b) => a - b)
      assert.deepStrictEqual(positions, Array.from({ length: 20 }, (_, n) => n + 3))
    }))

  it.effect("are never more than 100, however many are created at once, and archived ones do not count", () =>
    Effect.gen(function*() {
      yield* warmPool
      const { club_id, communities } = yield* openCommunity()
      const create = communities.createSpace(club_id, spaceOf("New"))
      yield* Effect.replicateEffect(create, 93, { discard: true })
      const tags = yield* Effect.all(
        Array.from({ length: 20 }, () => Effect.match(create, { onFailure: ({ _tag }) => _tag, onSuccess: () => "" })),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(tags.toSorted(), [...Array(5).fill(""), ...Array(15).fill("SpaceLimitReached")])
      const live = yield* liveIds(club_id)
      assert.strictEqual(live.length, 100)
      yield* communities.archiveSpace(club_id, live[0] ?? SpaceId.make(""))
      assert.strictEqual((yield* create).position, 101)
    }))

  it.effect("that were archived are listed up to 100, those archived last", () =>
    Effect.gen(function*() {
      const { club_id, communities } = yield* openCommunity()
      const [first = SpaceId.make("")] = yield* liveIds(club_id)
      yield* communities.archiveSpace(club_id, first)
      for (let n = 0; n < 100; n += 1) {
        const { id } = yield* communities.createSpace(club_id, spaceOf("Short-lived"))
        yield* communities.archiveSpace(club_id, id)
      }
      const archived = (yield* communities.read(club_id)).spaces.filter(({ archived }) => archived)
      assert.strictEqual(archived.length, 100)
      assert.notInclude(archived.map(({ id }) => id), first)
    }))
})

layer(TestLayer)("The order of spaces", (it) => {
  it.effect.prop(
    "is whatever permutation was sent",
    { ranks: Schema.Tuple([Schema.Int, Schema.Int, Schema.Int, Schema.Int, Schema.Int, Schema.Int]) },
    Effect.fnUntraced(function*({ ranks }) {
      const { club_id, communities } = yield* openCommunity()
      yield* Effect.replicateEffect(communities.createSpace(club_id, spaceOf("New")), 4, { discard: true })
      const rank = new Map((yield* liveIds(club_id)).map((id, index) => [id, ranks[index] ?? 0]))
      const ids = [...rank.keys()].toSorted((a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0))
      const { spaces } = yield* communities.orderSpaces(club_id, ids)
      assert.deepStrictEqual(spaces.map(({ id, position }) => [id, position]), ids.map((id, index) => [id, index + 1]))
      assert.deepStrictEqual((yield* communities.read(club_id)).spaces, spaces)
    }),
    { arbitrary: { runs: 25 } }
  )

  it.effect("is refused, and stays, unless every space that is not archived is named once", () =>
    Effect.gen(function*() {
      const { club_id, communities } = yield* openCommunity()
      const other = yield* openCommunity()
      const { id: archived } = yield* communities.createSpace(club_id, spaceOf("Old"))
      yield* communities.archiveSpace(club_id, archived)
      const [a = archived, b = archived] = yield* liveIds(club_id)
      const [foreign = archived] = yield* liveIds(other.club_id)
      const before = yield* communities.read(club_id)
      for (const ids of [[], [b], [b, b], [b, a, a], [b, a, archived], [b, archived], [b, a, foreign], [b, foreign]]) {
        const error = yield* Effect.flip(communities.orderSpaces(club_id, ids))
        assert.strictEqual(error._tag, "OrderInvalid")
        assert.deepStrictEqual(yield* communities.read(club_id), before)
      }
    }))

  it.effect("may be empty when every space is archived", () =>
    Effect.gen(function*() {
      const { club_id, communities } = yield* openCommunity()
      for (const id of yield* liveIds(club_id)) yield* communities.archiveSpace(club_id, id)
      const { spaces } = yield* communities.orderSpaces(club_id, [])
      assert.strictEqual(spaces.filter(({ archived }) => archived).length, 2)
    }))

  it.effect("is one of those sent when several are sent at once", () =>
    Effect.gen(function*() {
      yield* warmPool
      const { club_id, communities } = yield* openCommunity()
      yield* Effect.replicateEffect(communities.createSpace(club_id, spaceOf("New")), 6, { discard: true })
      const ids = yield* liveIds(club_id)
      const orders = ids.map((_, n) => [...ids.slice(n), ...ids.slice(0, n)])
      yield* Effect.all(orders.map((order) => communities.orderSpaces(club_id, order)), { concurrency: "unbounded" })
      const { spaces } = yield* communities.read(club_id)
      assert.deepInclude(orders, spaces.map(({ id }) => id))
      assert.deepStrictEqual(spaces.map(({ position }) => position), ids.map((_, index) => index + 1))
    }))
})
