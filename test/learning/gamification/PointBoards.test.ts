import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { StudentLocks } from "../../../src/identity/students/StudentLocks.ts"
import { PointBoards } from "../../../src/learning/gamification/PointBoards.ts"
import { Points } from "../../../src/learning/gamification/Points.ts"
import { pointsEraser } from "../../../src/learning/gamification/PointsEraser.ts"
import { makeStudent } from "../../harness/Makers.ts"
import { untilBlocked, whileHeld } from "../../harness/Waiting.ts"
import { layBoards, momentOf, openClassroom, RankingsLayer, wholeRanking } from "./Classroom.ts"

type Classroom = Effect.Success<ReturnType<typeof openClassroom>>

const give = ({ club, owner }: Classroom, { id }: Pick<Classroom["student"], "id">, points: number) =>
  Points.use((all) => all.adjust(club.id, id, owner.id, { points, reason: "a" }))

const boardsOf = ({ club }: Classroom) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql`
      select day::text, laid_at is not null as laid, closed_at is not null as closed from point_boards
      where club_id = ${club.id} order by day`)

const pointsIn = ({ club }: Classroom, period: "7d" | "30d") =>
  Effect.map(wholeRanking(club, period), (entries) => entries.map(({ points }) => points))

layer(RankingsLayer)("Boards", (it) => {
  it.effect("are there for today and tomorrow, of the club's days, once somebody has points", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(momentOf("2026-05-10T02:00:00Z"))
      const [here, there] = [yield* openClassroom(), yield* openClassroom({ time_zone: "America/Sao_Paulo" })]
      const empty = yield* openClassroom()
      for (const classroom of [here, there]) yield* give(classroom, classroom.student, 5)
      yield* layBoards
      const laid = { laid: true, closed: false }
      assert.deepStrictEqual(yield* boardsOf(here), [{ day: "2026-05-10", ...laid }, { day: "2026-05-11", ...laid }])
      assert.deepStrictEqual(yield* boardsOf(there), [{ day: "2026-05-09", ...laid }, { day: "2026-05-10", ...laid }])
      assert.deepStrictEqual(yield* boardsOf(empty), [])
    }))

  it.effect("go with their rows after their day, and days of points go when they count no more", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* TestClock.setTime(momentOf("2026-06-01T12:00:00Z"))
      const classroom = yield* openClassroom()
      const { club, student } = classroom
      yield* give(classroom, student, 5)
      yield* layBoards
      yield* TestClock.setTime(momentOf("2026-08-01T12:00:00Z"))
      yield* give(classroom, student, 7)
      yield* layBoards
      const days = (yield* boardsOf(classroom)).map(({ day }) => day)
      assert.deepStrictEqual(days, ["2026-08-01", "2026-08-02"])
      const rows = yield* sql`select distinct day::text from point_board_rows where club_id = ${club.id} order by 1`
      assert.deepStrictEqual(rows, [{ day: "2026-08-01" }, { day: "2026-08-02" }])
      const kept = yield* sql`select day::text, points::int from point_days where club_id = ${club.id}`
      assert.deepStrictEqual(kept, [{ day: "2026-08-01", points: 7 }])
    }))

  it.effect("are what a ranking is read from as soon as they are laid", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* TestClock.setTime(momentOf("2026-09-01T12:00:00Z"))
      const classroom = yield* openClassroom()
      yield* give(classroom, classroom.student, 5)
      yield* layBoards
      yield* sql`update point_board_rows set points_7d = 42, points_30d = 43 where club_id = ${classroom.club.id}`
      assert.deepStrictEqual([yield* pointsIn(classroom, "7d"), yield* pointsIn(classroom, "30d")], [[42], [43]])
      yield* sql`update point_boards set laid_at = null where club_id = ${classroom.club.id}`
      assert.deepStrictEqual([yield* pointsIn(classroom, "7d"), yield* pointsIn(classroom, "30d")], [[5], [5]])
    }))

  it.effect("are laid in several batches, each student once", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* TestClock.setTime(momentOf("2026-10-01T12:00:00Z"))
      const classroom = yield* openClassroom()
      const { club } = classroom
      yield* sql`
        insert into students (club_id, id, email, name, created_at)
        select ${club.id}, gen_random_uuid(), 's' || n || '@many.example', 'Many', ${new Date(0)}
        from generate_series(1, 2500) n`
      yield* sql`
        insert into point_entries (club_id, id, student_id, action, origin_id, points, created_at)
        select club_id, gen_random_uuid(), id, 'quiz_passed', gen_random_uuid(), 20, ${new Date("2026-10-01T11:00:00Z")}
        from students where club_id = ${club.id} and name = 'Many'`
      yield* layBoards
      const rows = yield* sql`
        select day::text, count(*)::int, sum(points_7d)::int as points from point_board_rows
        where club_id = ${club.id} group by 1 order by 1`
      assert.deepStrictEqual(rows, [
        { day: "2026-10-01", count: 2500, points: 50_000 },
        { day: "2026-10-02", count: 2500, points: 50_000 }
      ])
    }))
})

layer(RankingsLayer)("Points of an earlier day that come when boards are laid", (it) => {
  it.effect.each([6, 7, 29, 30])(
    "count where their day counts: %d days ago",
    (days) =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        yield* TestClock.setTime(momentOf("2026-05-10T12:00:00Z"))
        const classroom = yield* openClassroom()
        const { club, student } = classroom
        yield* give(classroom, yield* makeStudent(club), -1)
        yield* layBoards
        const made = DateTime.subtract(yield* DateTime.now, { days })
        yield* sql`
          insert into point_entries (club_id, id, student_id, action, origin_id, points, created_at)
          values (${club.id}, gen_random_uuid(), ${student.id}, 'quiz_passed', gen_random_uuid(), 9,
            ${DateTime.toDateUtc(made)})`
        const counted = { "7d": days < 7 ? [9] : [], "30d": days < 30 ? [9] : [] }
        assert.deepStrictEqual(
          { "7d": yield* pointsIn(classroom, "7d"), "30d": yield* pointsIn(classroom, "30d") },
          counted
        )
      })
  )
})

layer(RankingsLayer)("A student's first points", (it) => {
  it.effect("are on a board that is opened while they are being given", () =>
    Effect.gen(function*() {
      const { tick } = yield* PointBoards
      const classroom = yield* openClassroom({ students: 2 })
      const [one, other = one] = classroom.students
      yield* give(classroom, one, 5)
      const opening = yield* whileHeld(
        give(classroom, other, 9),
        Effect.gen(function*() {
          const fiber = yield* Effect.forkChild(tick)
          yield* untilBlocked()
          return fiber
        })
      )
      yield* Fiber.join(opening)
      yield* layBoards
      assert.deepStrictEqual(yield* pointsIn(classroom, "7d"), [9, 5])
    }))
})

layer(RankingsLayer)("A student who is removed", (it) => {
  it.effect("leaves the boards that are laid", () =>
    Effect.gen(function*() {
      const eraser = yield* pointsEraser
      const classroom = yield* openClassroom({ students: 2 })
      const { club, students: [one, other = one] } = classroom
      yield* give(classroom, one, 5)
      yield* give(classroom, other, 9)
      yield* layBoards
      yield* eraser.erase({ club_id: club.id, student_id: other.id, email: other.email })
      assert.deepStrictEqual([yield* pointsIn(classroom, "7d"), yield* pointsIn(classroom, "30d")], [[5], [5]])
      yield* TestClock.adjust("24 hours")
      assert.deepStrictEqual([yield* pointsIn(classroom, "7d"), yield* pointsIn(classroom, "30d")], [[5], [5]])
    }))

  it.effect("is on no board that is laid meanwhile", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const eraser = yield* pointsEraser
      const students = yield* StudentLocks
      const { tick } = yield* PointBoards
      const classroom = yield* openClassroom()
      const { club, student } = classroom
      const other = yield* makeStudent(club)
      yield* give(classroom, student, 5)
      yield* give(classroom, other, 9)
      // Opens the board without computing it.
      yield* tick
      const laying = yield* whileHeld(
        Effect.andThen(
          students.lock(club.id, student.id),
          eraser.erase({ club_id: club.id, student_id: student.id, email: student.email })
        ),
        Effect.gen(function*() {
          const fiber = yield* Effect.forkChild(tick)
          yield* untilBlocked()
          return fiber
        })
      )
      yield* Fiber.join(laying)
      yield* layBoards
      const rows = yield* sql`select distinct student_id from point_board_rows where club_id = ${club.id}`
      assert.deepStrictEqual(rows, [{ student_id: other.id }])
    }))
})
