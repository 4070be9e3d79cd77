import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { StudentId } from "../../../src/identity/ids/StudentId.ts"
import { triedBlocks } from "../../../src/learning/classroom/TriedBlocks.ts"
import { Instant } from "../../../src/platform/schema/Instant.ts"
import { uuids } from "../../../src/platform/sql/Arrays.ts"
import { makeStudent } from "../../harness/Makers.ts"
import { readingMuch } from "../../harness/RowsRead.ts"
import { vacuumed } from "../../harness/Vacuumed.ts"
import { ClassroomLayer, makeAssignment, makeQuiz, openClassroom } from "./OpenClassroom.ts"

type Room = Effect.Success<ReturnType<typeof openClassroom>>

const Tried = Schema.Array(Schema.Struct({ block_id: Schema.String, at: Instant }))
const Plan = Schema.Array(Schema.Struct({ "QUERY PLAN": Schema.String }))

const triedBy = (sql: SqlClient.SqlClient, { club, student }: Room) =>
  sql`${triedBlocks(sql, { club_id: club.id, student_id: student.id, now: new Date(0) })}`

const taughtLesson = ({ lessons: [lesson] }: Room) => lesson ?? assert.fail("There is a lesson")

/** A try of one of two students at one of three quizzes or three assignments. */
const Try = Schema.Struct({
  student: Schema.Literals([0, 0, 0, 1]),
  kind: Schema.Literals(["quiz", "assignment"]),
  block: Schema.Literals([0, 1, 2]),
  isGood: Schema.Literals([false, false, true])
})
type Try = typeof Try.Type

const placeOf = ({ block, kind, student }: Try) => `${student} ${kind} ${block}`

/** The tries that the service takes, each with its number: nobody submits again while a submission is not rejected. */
const takenOf = (tries: ReadonlyArray<Try>) =>
  tries.map((one, n) => ({ ...one, n })).filter((one) =>
    one.kind === "quiz" ||
    !tries.slice(0, one.n).some((before) => before.isGood && placeOf(before) === placeOf(one))
  )

/** Without success as one would say it: the last try of each place that no try of the place has fulfilled. */
const lastFailed = (tries: ReturnType<typeof takenOf>) =>
  [...Map.groupBy(tries.filter(({ student }) => student === 0), placeOf).values()]
    .flatMap((all) => all.some(({ isGood }) => isGood) ? [] : all.slice(-1))

const moment = (n: number) => new Date(n * 1000)

const write = Effect.fnUntraced(function*(
  { club }: Room,
  { isGood, kind, n }: Try & { readonly n: number },
  student: { readonly id: StudentId },
  block: { readonly id: string }
) {
  const sql = yield* SqlClient.SqlClient
  const id = `00000000-0000-7000-8000-${String(n).padStart(12, "0")}`
  const row = { club_id: club.id, id, student_id: student.id, block_id: block.id, created_at: moment(n) }
  yield* kind === "quiz"
    ? sql`insert into quiz_attempts ${sql.insert({ ...row, answers: "[]", percent: 0, passed: isGood })}`
    : sql`
      insert into submissions ${
      sql.insert({ ...row, body: "", status: isGood ? "approved" : "rejected", reviewed_at: moment(n) })
    }`
})

layer(ClassroomLayer)("The blocks that a student has tried without success", (it) => {
  it.effect.prop(
    "are those whose last try failed and that no try has fulfilled, at the time of that try",
    { tries: Schema.Array(Try).check(Schema.isMaxLength(30)) },
    ({ tries }) =>
      Effect.gen(function*() {
        const room = yield* openClassroom(1)
        const lesson = taughtLesson(room)
        const blocks = {
          quiz: yield* Effect.replicateEffect(makeQuiz(room.club, lesson), 3),
          assignment: yield* Effect.replicateEffect(makeAssignment(room.club, lesson), 3)
        }
        const idOf = ({ block, kind }: Try) => ({ id: blocks[kind][block]?.id ?? assert.fail("There is a block") })
        const students = [room.student, yield* makeStudent(room.club)] as const
        const taken = takenOf(tries)
        yield* Effect.forEach(taken, (one) => write(room, one, students[one.student], idOf(one)))
        const sql = yield* SqlClient.SqlClient
        const found = yield* triedBy(sql, room).pipe(Effect.flatMap(Schema.decodeUnknownEffect(Tried)))
        assert.sameDeepMembers(
          found.map(({ at, block_id }) => [block_id, DateTime.toEpochMillis(at)]),
          lastFailed(taken).map((one) => [idOf(one).id, moment(one.n).getTime()])
        )
      })
  )

  it.effect("are found by a few rows of each, however many attempts there are", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const room = yield* openClassroom(1)
      const { club, student } = room
      const quizzes = yield* Effect.replicateEffect(makeQuiz(club, taughtLesson(room)), 6)
      const assignments = yield* Effect.replicateEffect(makeAssignment(club, taughtLesson(room)), 6)
      const idsOf = (blocks: ReadonlyArray<{ readonly id: string }>) => uuids(blocks.map(({ id }) => id))
      const fill = Effect.fnUntraced(function*(students: ReadonlyArray<{ readonly id: StudentId }>, each: number) {
        yield* sql`
          insert into quiz_attempts (club_id, id, student_id, block_id, answers, percent, passed, created_at)
          select ${club.id}::uuid, gen_random_uuid(), student, id, '[]', 0, n > 3, ${moment(0)}::timestamptz
          from unnest(${idsOf(quizzes)}) with ordinality quizzes (id, n), unnest(${idsOf(students)}) student,
            generate_series(1, ${each}::int)`
        yield* sql`
          insert into submissions (club_id, id, student_id, block_id, body, status, reviewed_at, created_at)
          select ${club.id}::uuid, gen_random_uuid(), student, id, '', 'rejected', ${moment(0)}, ${moment(0)}
          from unnest(${idsOf(assignments)}) id, unnest(${idsOf(students)}) student, generate_series(1, ${each}::int)`
      })
      yield* fill([student], 1000)
      // Most students have few attempts, and PostgreSQL plans for these.
      yield* fill(yield* Effect.replicateEffect(makeStudent(club), 1500), 1)
      yield* vacuumed("quiz_attempts", "submissions")
      const tried = triedBy(sql, room)
      assert.lengthOf(yield* tried, 3 + 6)
      for (const mode of ["force_custom_plan", "force_generic_plan"]) {
        const planned = sql`select set_config('plan_cache_mode', ${mode}, true)`
        assert.deepStrictEqual(yield* readingMuch(Effect.andThen(planned, tried), 60), [], mode)
        const plan = yield* sql.withTransaction(Effect.andThen(planned, sql`explain ${tried}`))
          .pipe(Effect.flatMap(Schema.decodeUnknownEffect(Plan)))
        const text = plan.map((line) => line["QUERY PLAN"]).join("\n")
        for (const index of ["quiz_attempts_student_idx", "quiz_attempts_passed_idx", "submissions_student_idx"]) {
          assert.include(text, `using ${index}`, mode)
        }
        assert.notMatch(text, /Seq Scan|Sort|Hash|Aggregate/, mode)
      }
      // Proves that the measure detects more.
      assert.deepStrictEqual(
        yield* readingMuch(sql`select max(created_at) from quiz_attempts where student_id = ${student.id}`, 60),
        ["quiz_attempts"]
      )
    }))
})
