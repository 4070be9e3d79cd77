import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../../src/identity/ids/ClubId.ts"
import type { CourseId } from "../../../../src/learning/content/Course.ts"
import type { LessonId } from "../../../../src/learning/content/Lesson.ts"
import { makeClub, makeEnrollment, makeLiveLesson, makeStudent } from "../../../harness/Makers.ts"
import { MaterialLayer, searchIn } from "../MaterialLayer.ts"

const clubs = 20
const chunksOfClub = 1000

/** Chunks of one lesson. All contain one of the words, and one in a hundred contains the other. */
const fill = Effect.fnUntraced(function*(
  club: { readonly id: ClubId },
  lesson: { readonly id: LessonId; readonly course_id: CourseId }
) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    insert into material_chunks (
      club_id, id, course_id, lesson_id, source_kind, source_id, source_title, position, body
    )
    select ${club.id}::uuid, gen_random_uuid(), ${lesson.course_id}::uuid, ${lesson.id}::uuid, 'lesson',
      ${lesson.id}::uuid, 'Title', n, 'A string is tuned, says ' || chr(97 + n / 10 % 10) || chr(97 + n % 10) || 'word.'
    from generate_series(1, ${chunksOfClub}::int) n`
})

const Reads = Schema.Tuple([Schema.Struct({ scanned: Schema.Int, fetched: Schema.Int })])

// Counts the rows that this connection has read but not reported yet. The test compares two readings.
const reads = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    select seq_tup_read::int as scanned, coalesce(idx_tup_fetch, 0)::int as fetched
    from pg_stat_xact_user_tables where relname = 'material_chunks'`
  const [counts] = yield* Schema.decodeUnknownEffect(Reads)(rows)
  return counts
})

/** The number of chunks that this work read by a scan of the table, and by an index. */
const readBy = Effect.fnUntraced(function*<A, E, R>(work: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql.withTransaction(Effect.gen(function*() {
    const before = yield* reads
    const found = yield* work
    const after = yield* reads
    return { found, scanned: after.scanned - before.scanned, fetched: after.fetched - before.fetched }
  }))
})

layer(MaterialLayer)("Among the chunks of many clubs", (it) => {
  it.effect("a search reads those of the course that have a word of the question, by the index", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const made = yield* Effect.forEach(Array.from({ length: clubs }), () =>
        Effect.gen(function*() {
          const club = yield* makeClub()
          const live = yield* makeLiveLesson(club)
          yield* fill(club, live.lesson)
          return { club, ...live }
        }))
      yield* sql`vacuum analyze`
      const { club, delivery, lesson } = made[clubs / 2] ?? assert.fail("No clubs")
      const student = yield* makeStudent(club)
      yield* makeEnrollment(club, student, delivery)
      const rare = yield* readBy(searchIn(club, lesson, "What is ccword?", { student_id: student.id }))
      assert.lengthOf(rare.found, 5)
      assert.strictEqual(rare.scanned, 0)
      assert.isAtMost(rare.fetched, chunksOfClub / 10)
      const common = yield* readBy(searchIn(club, lesson, "Is a string ccword?"))
      assert.lengthOf(common.found, 5)
      assert.isAtMost(common.scanned + common.fetched, 2 * chunksOfClub)
      // The measure detects a scan.
      const scan = yield* readBy(sql`select count(*) from material_chunks where body like '%x%'`)
      assert.strictEqual(scan.scanned, clubs * chunksOfClub)
    }))
})
