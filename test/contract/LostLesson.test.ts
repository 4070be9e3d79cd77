import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { AppLayer, send } from "../harness/App.ts"
import { clubOperations, type Listed, pathWith } from "../harness/Document.ts"
import { makeBlock } from "../harness/Makers.ts"
import { type Furnished, furnished } from "./ForeignThings.ts"

// Driven by the contract: a new route for students to read needs no entry here.

const secret = "Segredo da aula"

/** A club whose lesson says a secret in everything that students see of it beside titles. */
const secretive = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const club = yield* furnished
  const { lessonId, libraryId } = club.shared
  yield* makeBlock(club, { id: lessonId }, { kind: "text", body: secret })
  yield* makeBlock(club, { id: lessonId }, { kind: "file", media_id: libraryId })
  const ofLesson = sql`club_id = ${club.id} and lesson_id = ${lessonId}`
  const options = JSON.stringify([{ id: libraryId, text: secret, options: [] }])
  yield* sql`update blocks set title = ${secret} where ${ofLesson}`
  yield* sql`update blocks set body = ${secret} where ${ofLesson} and kind = 'assignment'`
  yield* sql`update blocks set questions = ${options}::jsonb where ${ofLesson} and kind = 'quiz'`
  yield* sql`update media set title = ${secret} where club_id = ${club.id} and id = ${libraryId}`
  yield* sql`update comments set body = ${secret} where ${ofLesson}`
  yield* sql`insert into comment_saves (club_id, student_id, comment_id, created_at)
    select club_id, ${club.ana.id}::uuid, id, created_at from comments where ${ofLesson}`
  yield* sql`
    update messages set content = ${secret}, status = 'completed', completed_at = created_at
    where club_id = ${club.id} and role = 'assistant'`
  return club
})

const readOf = clubOperations.filter(({ method, schemes }) => method === "GET" && schemes.includes("studentSession"))

const pathOf = (operation: Listed, { anas, organization_id, shared }: Furnished) => {
  const { path } = operation
  const ids = { ...shared, ...anas, clubId: organization_id, messageId: anas.replyId, blockId: shared.assignmentId }
  const publicId = path.includes("/courses/")
    ? shared.coursePublicId
    : path.includes("/repositories/")
    ? shared.repositoryPublicId
    : shared.publicId
  return pathWith(operation, { ...ids, publicId }, shared.lessonId)
}

/** The routes whose answers say the secret to the student. */
const saying = (club: Furnished) =>
  Effect.map(
    Effect.forEach(readOf, (operation) =>
      Effect.map(send("GET", pathOf(operation, club), club.ana), ({ text }) => ({ name: operation.name, text }))),
    (answers) =>
      answers.filter(({ text }) =>
        text.includes(secret)
      ).map(({ name }) => name)
  )

const losses = [
  [
    "opens later",
    (sql: SqlClient.SqlClient, id: string) => sql`update lessons set opens_at = '2100-01-01' where id = ${id}`
  ],
  [
    "has a module that opens later",
    (sql: SqlClient.SqlClient, id: string) =>
      sql`update modules set opens_after_days = 30 where id = (select module_id from lessons where id = ${id})`
  ],
  [
    "is a draft again",
    (sql: SqlClient.SqlClient, id: string) => sql`update lessons set published_at = null where id = ${id}`
  ]
] as const

layer(AppLayer)("A lesson", (it) => {
  it.effect.each(losses)(
    "that %s says only its title in any route, to a student who learned in it",
    ([, lose]) =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const club = yield* secretive
        assert.isAtLeast((yield* saying(club)).length, 7)
        yield* lose(sql, club.shared.lessonId)
        assert.deepStrictEqual(yield* saying(club), [])
      })
  )

  it.effect("of a course that a student had says only its title in any route, and so does the course", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* secretive
      const now = DateTime.toDateUtc(yield* DateTime.now)
      yield* sql`update courses set description = ${secret}, listed = true where club_id = ${club.id}`
      yield* sql`
        update enrollments set starts_at = ${now}::timestamptz - interval '1 day', expires_at = ${now}
        where club_id = ${club.id}`
      assert.deepStrictEqual(yield* saying(club), [])
    }))
})
