import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { AppLayer, enrolledStudent, listAt, send } from "../harness/App.ts"
import { makeEnrollment } from "../harness/Makers.ts"
import {
  type Asked,
  byStaff,
  type Furnished,
  furnished,
  inClassroom,
  unknownOf,
  withAnothers
} from "./ForeignThings.ts"

// Requests of students and members that name an id of another in the classroom, the community and the content.

/** Asserts that the answers to both are alike, and that no write succeeds. */
const areAlike = Effect.fnUntraced(function*(
  { path }: Furnished,
  { token }: { readonly token: string },
  theirs: ReadonlyArray<Asked>,
  unknown: ReadonlyArray<Asked>
) {
  for (const [index, [method, route, body]] of theirs.entries()) {
    const other = unknown[index] ?? assert.fail(route)
    const sent = (given: unknown) => ({ token, ...(given === undefined ? {} : { body: given }) })
    const [one, two] = [
      yield* send(method, `${path}${route}`, sent(body)),
      yield* send(other[0], `${path}${other[1]}`, sent(other[2]))
    ]
    assert.deepStrictEqual([one.status, one.text], [two.status, two.text], `${method} ${route}`)
    if (one.status === 200) assert.deepStrictEqual([method, listAt(one.json, "data")], ["GET", []], route)
    else assert.include([404, 422], one.status, `${method} ${route}`)
  }
})

const rowsOf = Effect.fnUntraced(function*({ id }: Furnished) {
  const sql = yield* SqlClient.SqlClient
  const tables = [
    "comments",
    "comment_mentions",
    "comment_images",
    "comment_reactions",
    "comment_saves",
    "comment_reports"
  ]
  const more = [
    "posts",
    "post_mentions",
    "media",
    "messages",
    "submissions",
    "lesson_completions",
    "lesson_positions",
    "live_attendances",
    "media_texts",
    "blocks",
    "block_images",
    "courses",
    "club_faces",
    "notifications",
    "space_marks",
    "support_conversations",
    "support_messages",
    "support_marks"
  ]
  return yield* Effect.forEach(
    [...tables, ...more],
    (table) => sql`select to_jsonb(t)::text as row from ${sql(table)} t where club_id = ${id} order by 1`
  )
})

/** True for paths of the community. Any student may use the community while it is published. */
const isOfCommunity = (path: string) => /^(?:\/classroom)?\/(?:community|spaces)\//.test(path)

/** A student's requests at such paths, with the things of their own club and with unknown ids. */
const below = ({ anas, shared }: Furnished, isBelow: (path: string) => boolean) => {
  const ids = { ...shared, ...anas }
  const there = inClassroom(ids, ids).flatMap(([, path], index) => isBelow(path) ? [index] : [])
  const chosen = (all: ReadonlyArray<Asked>) => there.flatMap((index) => all.slice(index, index + 1))
  return [chosen(inClassroom(ids, ids)), chosen(inClassroom(ids, unknownOf(ids)))] as const
}

layer(AppLayer)("What is another's", (it) => {
  it.effect("answers a student of the club as what there is not", () =>
    Effect.gen(function*() {
      const club = yield* furnished
      const before = yield* rowsOf(club)
      yield* areAlike(club, club.ana, withAnothers(club, club.bias), withAnothers(club, unknownOf(club.bias)))
      assert.deepStrictEqual(yield* rowsOf(club), before)
    }))

  it.effect("answers whoever is of another club as what there is not", () =>
    Effect.gen(function*() {
      const [club, foreign] = [yield* furnished, yield* furnished]
      const [own, theirs] = [{ ...club.shared, ...club.anas }, { ...foreign.shared, ...foreign.anas }]
      const before = [yield* rowsOf(club), yield* rowsOf(foreign)]
      yield* areAlike(club, club.ana, withAnothers(club, foreign.anas), withAnothers(club, unknownOf(foreign.anas)))
      yield* areAlike(club, club.ana, inClassroom(own, theirs), inClassroom(own, unknownOf(theirs)))
      yield* areAlike(club, club, byStaff(own, theirs), byStaff(own, unknownOf(theirs)))
      assert.deepStrictEqual([yield* rowsOf(club), yield* rowsOf(foreign)], before)
    }))

  it.effect("answers a student of the club who has it never, no more or not yet as what there is not", () =>
    Effect.gen(function*() {
      const club = yield* furnished
      const now = yield* DateTime.now
      const ended = { starts_at: DateTime.subtract(now, { days: 1 }), expires_at: now }
      const accesses = [
        undefined,
        ended,
        { starts_at: DateTime.add(now, { days: 1 }) },
        { revoked_at: now, revoke_reason: "manual" } as const
      ]
      const before = yield* rowsOf(club)
      for (const access of accesses) {
        const student = yield* enrolledStudent(club)
        if (access !== undefined) yield* makeEnrollment(club, student, club.delivery, access)
        // A course that the student had shows its titles.
        const isOpen = (path: string) => access === ended && path.startsWith("/classroom/courses/")
        yield* areAlike(club, student, ...below(club, (path) => !isOfCommunity(path) && !isOpen(path)))
      }
      assert.deepStrictEqual(yield* rowsOf(club), before)
    }))

  it.effect("answers students as what there is not while the community is not published", () =>
    Effect.gen(function*() {
      const club = yield* furnished
      const { path, token } = club
      yield* send("PATCH", `${path}/community`, { token, body: { published_at: null } })
      yield* areAlike(club, club.ana, ...below(club, isOfCommunity))
    }))
})
