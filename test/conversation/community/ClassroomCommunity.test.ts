import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { AppLayer, at, enrolledStudent, foundClub, listAt, outcome, send } from "../../harness/App.ts"
import { makeCatalogDelivery, makeEnrollment, makeItem } from "../../harness/Makers.ts"
import { openCommunity } from "./OpenCommunity.ts"

const namesIn = ({ json }: { readonly json: unknown }) =>
  listAt(json, "data", "spaces").map((space) => at(space, "name"))

layer(AppLayer)("A student in the community", (it) => {
  it.effect("sees it as the contract shows it, with its spaces in their order", () =>
    Effect.gen(function*() {
      const { ana, community, general, seen } = yield* openCommunity
      const { json, status } = yield* seen(ana)
      assert.strictEqual(status, 200)
      assert.strictEqual(at(json, "data", "id"), community)
      assert.hasAllKeys(at(json, "data"), ["id", "name", "description", "spaces", "created_at", "published_at"])
      assert.deepStrictEqual(namesIn({ json }), ["Announcements", "General"])
      const { created_at, ...space } = Object(at(json, "data", "spaces", 1))
      assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      assert.deepStrictEqual(space, {
        id: general,
        name: "General",
        access: "community",
        visibility: "members",
        posting: "members",
        position: 2,
        archived: false,
        description: ""
      })
    }))

  it.effect("finds none while it is not published", () =>
    Effect.gen(function*() {
      const { ana, general, posts, seen, unpublish } = yield* openCommunity
      yield* unpublish
      assert.deepStrictEqual(outcome(yield* seen(ana)), [404, "not_found"])
      assert.deepStrictEqual(outcome(yield* posts(ana, general)), [404, "not_found"])
    }))

  it.effect("sees no hidden and no archived space, nor its posts", () =>
    Effect.gen(function*() {
      const { addSpace, ana, archive, posts, post, read, seen, ...club } = yield* openCommunity
      const [hidden, archived] = [yield* addSpace({ name: "H" }), yield* addSpace({ name: "A" })]
      const inside = yield* Effect.forEach([hidden, archived], (space) => post(club, space, "x"))
      yield* club.change(hidden, { visibility: "hidden" })
      yield* archive(archived)
      assert.deepStrictEqual(namesIn(yield* seen(ana)), ["Announcements", "General"])
      for (const space of [hidden, archived]) {
        assert.deepStrictEqual(outcome(yield* posts(ana, space)), [404, "not_found"])
        assert.deepStrictEqual(outcome(yield* post(ana, space, "x")), [404, "not_found"])
      }
      for (const { json } of inside) {
        assert.deepStrictEqual(outcome(yield* read(ana, String(at(json, "data", "id")))), [404, "not_found"])
      }
    }))

  it.effect("sees a public space as any other", () =>
    Effect.gen(function*() {
      const { addSpace, ana, seen } = yield* openCommunity
      yield* addSpace({ name: "P", visibility: "public" })
      assert.deepStrictEqual(namesIn(yield* seen(ana)), ["Announcements", "General", "P"])
    }))

  it.effect("sees a space of deliveries with one that contains the community, while they have it", () =>
    Effect.gen(function*() {
      const club = yield* openCommunity
      const { addSpace, ana, bia, community, posts, seen } = club
      const space = yield* addSpace({ name: "D", access: "delivery" })
      const delivery = yield* makeCatalogDelivery(club)
      yield* makeItem(club, delivery, { kind: "community", id: community })
      yield* makeEnrollment(club, ana, delivery)
      const now = yield* DateTime.now
      yield* makeEnrollment(club, bia, delivery, { revoked_at: now, revoke_reason: "manual" })
      assert.include(namesIn(yield* seen(ana)), "D")
      assert.strictEqual((yield* posts(ana, space)).status, 200)
      assert.notInclude(namesIn(yield* seen(bia)), "D")
      assert.deepStrictEqual(outcome(yield* posts(bia, space)), [404, "not_found"])
    }))

  it.effect("is nobody of another club", () =>
    Effect.gen(function*() {
      const { ana } = yield* openCommunity
      const foreign = yield* foundClub()
      const path = `${foreign.path}/classroom/community`
      assert.deepStrictEqual(outcome(yield* send("GET", path, ana)), [403, "forbidden"])
      const theirs = yield* enrolledStudent(foreign)
      assert.deepStrictEqual(outcome(yield* send("GET", path, theirs)), [404, "not_found"])
    }))
})
