import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { randomUUID } from "node:crypto"
import { floorOf } from "../../../src/platform/sql/Uuid7.ts"
import { AppLayer, at, foundClub, listAt, outcome, send } from "../../harness/App.ts"
import { idOf, openCommunity, unknownId } from "./OpenCommunity.ts"

const room = Effect.map(openCommunity, (club) => ({
  ...club,
  spaces: ({ token }: { readonly token: string }) => send("GET", `${club.path}/classroom/spaces`, { token }),
  see: ({ token }: { readonly token: string }, space: string) =>
    send("PUT", `${club.path}/classroom/spaces/${space}/seen`, { token })
}))

const countsIn = ({ json }: { readonly json: unknown }) =>
  listAt(json, "data").map((space) => at(space, "unread_count"))

layer(AppLayer)("The spaces of a student", (it) => {
  it.effect("are those of the community that they see, in its order", () =>
    Effect.gen(function*() {
      const { addSpace, ana, announcements, change, general, spaces } = yield* room
      yield* change(yield* addSpace({ name: "H" }), { visibility: "hidden" })
      const { json, status } = yield* spaces(ana)
      assert.strictEqual(status, 200)
      const space = { description: "", access: "community", unread_count: 0 }
      assert.deepStrictEqual<unknown>(json, {
        data: [
          { ...space, id: announcements, name: "Announcements", posting: "staff" },
          { ...space, id: general, name: "General", posting: "members" }
        ],
        next_cursor: null
      })
    }))

  it.effect("are empty while the community is not published, and none can be seen", () =>
    Effect.gen(function*() {
      const { ana, general, see, spaces, unpublish } = yield* room
      yield* unpublish
      assert.deepStrictEqual<unknown>((yield* spaces(ana)).json, { data: [], next_cursor: null })
      assert.deepStrictEqual(outcome(yield* see(ana, general)), [404, "not_found"])
    }))

  it.effect("count the posts of others until the student has seen the space", () =>
    Effect.gen(function*() {
      const { ana, bia, general, post, see, spaces, ...club } = yield* room
      for (const person of [club, bia, ana]) yield* post(person, general, "Oi")
      assert.deepStrictEqual(countsIn(yield* spaces(ana)), [0, 2])
      assert.strictEqual((yield* see(ana, general)).status, 204)
      assert.deepStrictEqual(countsIn(yield* spaces(ana)), [0, 0])
      assert.deepStrictEqual(countsIn(yield* spaces(bia)), [0, 2])
      yield* post(bia, general, "E agora?")
      assert.deepStrictEqual(countsIn(yield* spaces(ana)), [0, 1])
    }))

  it.effect("count neither hidden nor deleted posts", () =>
    Effect.gen(function*() {
      const { ana, bia, general, patch, post, remove, spaces, ...club } = yield* room
      const [hidden, deleted] = [idOf(yield* post(bia, general, "a")), idOf(yield* post(bia, general, "b"))]
      yield* patch(club, hidden, { hidden: true })
      yield* remove(bia, deleted)
      assert.deepStrictEqual(countsIn(yield* spaces(ana)), [0, 0])
    }))

  it.effect("count 100 at most", () =>
    Effect.gen(function*() {
      const { ana, bia, general, id, spaces } = yield* room
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        insert into posts (club_id, id, space_id, student_id, body, created_at)
        select ${id}, gen_random_uuid(), ${general}, ${bia.id}, 'a', now() from generate_series(1, 130)`
      assert.deepStrictEqual(countsIn(yield* spaces(ana)), [0, 100])
    }))

  it.effect("keep a mark that is further than a later one", () =>
    Effect.gen(function*() {
      const { ana, bia, general, id, post, see, spaces } = yield* room
      const sql = yield* SqlClient.SqlClient
      yield* post(bia, general, "Oi")
      yield* see(ana, general)
      const further = floorOf(DateTime.addDuration(yield* DateTime.now, Duration.days(1)))
      yield* sql`update space_marks set seen_post_id = ${further} where club_id = ${id}`
      yield* post(bia, general, "Oi de novo")
      yield* see(ana, general)
      const [mark] = yield* sql`select seen_post_id from space_marks where club_id = ${id}`
      assert.strictEqual(at(mark, "seen_post_id"), further)
      assert.deepStrictEqual(countsIn(yield* spaces(ana)), [0, 0])
    }))

  it.effect("can be seen before anybody has posted", () =>
    Effect.gen(function*() {
      const { ana, general, see } = yield* room
      assert.strictEqual((yield* see(ana, general)).status, 204)
    }))

  it.effect("are neither unknown ones nor those of another club", () =>
    Effect.gen(function*() {
      const { ana, see } = yield* room
      const other = yield* foundClub()
      const { json } = yield* send("GET", `${other.path}/community`, other)
      for (const space of [unknownId, randomUUID(), String(at(json, "data", "spaces", 0, "id"))]) {
        assert.deepStrictEqual(outcome(yield* see(ana, space)), [404, "not_found"])
      }
    }))

  it.effect("lose the student's marks when the student is removed", () =>
    Effect.gen(function*() {
      const { ana, bia, general, id, path, post, see, token } = yield* room
      const sql = yield* SqlClient.SqlClient
      yield* post(bia, general, "Oi")
      yield* see(ana, general)
      yield* send("DELETE", `${path}/students/${ana.id}`, { token })
      assert.deepStrictEqual(yield* sql`select 1 from space_marks where club_id = ${id}`, [])
    }))
})

layer(AppLayer)("A space without a mark", (it) => {
  it.effect("has only posts of the last 14 days unread", () =>
    Effect.gen(function*() {
      yield* TestClock.adjust(Duration.days(20))
      const { ana, bia, general, post, spaces } = yield* room
      yield* post(bia, general, "a")
      yield* TestClock.adjust(Duration.days(13))
      yield* post(bia, general, "b")
      assert.deepStrictEqual(countsIn(yield* spaces(ana)), [0, 2])
      yield* TestClock.adjust(Duration.days(2))
      assert.deepStrictEqual(countsIn(yield* spaces(ana)), [0, 1])
    }))
})
