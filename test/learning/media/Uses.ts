import { DateTime, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../src/identity/ids/ClubId.ts"
import type { StudentId } from "../../../src/identity/ids/StudentId.ts"
import { makeBlock, makeLiveLesson } from "../../harness/Makers.ts"

interface Club {
  readonly id: ClubId
}

interface Person {
  readonly id: StudentId
}

const fresh = Effect.flatMap(SecureRandom.SecureRandom, (random) => random.uuidV7())
  .pipe(Effect.provide(SecureRandom.layerWebCrypto))
const now = Effect.map(DateTime.now, DateTime.toDateUtc)

const asComment = Effect.fnUntraced(function*(club: Club, student: Person, media_id: string) {
  const sql = yield* SqlClient.SqlClient
  const { lesson } = yield* makeLiveLesson(club)
  const comment_id = yield* fresh
  const comment = { id: comment_id, lesson_id: lesson.id, author: "student", student_id: student.id, body: "?" }
  yield* sql`insert into comments ${sql.insert({ ...comment, club_id: club.id, created_at: yield* now })}`
  yield* sql`insert into comment_images ${sql.insert({ club_id: club.id, comment_id, media_id, position: 1 })}`
})

const asSubmission = Effect.fnUntraced(function*(club: Club, student: Person, media_id: string) {
  const sql = yield* SqlClient.SqlClient
  const { lesson } = yield* makeLiveLesson(club)
  const block = yield* makeBlock(club, lesson, { kind: "assignment", body: "Grave" })
  const submission_id = yield* fresh
  const submission = { id: submission_id, student_id: student.id, block_id: block.id, body: "", status: "pending" }
  yield* sql`insert into submissions ${sql.insert({ ...submission, club_id: club.id, created_at: yield* now })}`
  yield* sql`insert into submission_media ${sql.insert({ club_id: club.id, submission_id, media_id, position: 1 })}`
})

const asQuestion = Effect.fnUntraced(function*(club: Club, student: Person, media_id: string) {
  const sql = yield* SqlClient.SqlClient
  const { lesson } = yield* makeLiveLesson(club)
  const [conversation_id, message_id, created_at] = [yield* fresh, yield* fresh, yield* now]
  const common = { club_id: club.id, student_id: student.id, created_at }
  yield* sql`
    insert into conversations ${
    sql.insert({ ...common, id: conversation_id, lesson_id: lesson.id, title: "?", last_message_at: created_at })
  }`
  yield* sql`
    insert into messages ${
    sql.insert({
      ...common,
      id: message_id,
      conversation_id,
      role: "user",
      content: "?",
      status: "completed",
      completed_at: created_at
    })
  }`
  yield* sql`insert into message_images ${sql.insert({ club_id: club.id, message_id, media_id, position: 1 })}`
})

/** The features that can use a student's upload. */
export const uses = { comment: asComment, submission: asSubmission, ask: asQuestion }
