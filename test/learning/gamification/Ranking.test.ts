import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { StudentLocks } from "../../../src/identity/students/StudentLocks.ts"
import { Gamifications } from "../../../src/learning/gamification/Gamifications.ts"
import { PointBoards } from "../../../src/learning/gamification/PointBoards.ts"
import { Points } from "../../../src/learning/gamification/Points.ts"
import { pointsEraser } from "../../../src/learning/gamification/PointsEraser.ts"
import { RankingPeriod } from "../../../src/learning/gamification/Ranking.ts"
import type { MadeStudent } from "../../harness/Makers.ts"
import { warmPool } from "../../harness/Pool.ts"
import {
  award,
  layBoards,
  modelled,
  newOrigin,
  openClassroom,
  ownRankingPage,
  RankingsLayer,
  wholeRanking
} from "./Classroom.ts"
import { ladderOf } from "./OpenClub.ts"
import { type Line, localDay, ownRankIn, rankedBy, scoredIn } from "./RankingModel.ts"

const minPoints = [0, 40, 90]
const Who = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3 }))
const Step = Schema.Union([
  Schema.Struct({
    kind: Schema.Literal("adjust"),
    who: Who,
    points: Schema.Literals([-60, -15, -1, 1, 15, 15, 30, 60])
  }),
  Schema.Struct({ kind: Schema.Literal("award"), who: Who, origin: Who }),
  Schema.Struct({ kind: Schema.Literal("wait"), hours: Schema.Literals([1, 7, 24, 71, 160, 400]) }),
  Schema.Struct({
    kind: Schema.Literal("move"),
    time_zone: Schema.Literals(["UTC", "America/Sao_Paulo", "Pacific/Kiritimati", "Pacific/Pago_Pago"])
  }),
  Schema.Struct({ kind: Schema.Literal("remove"), who: Who }),
  Schema.Struct({ kind: Schema.Literal("tick"), times: Schema.Literals([1, 2, 3]) }),
  Schema.Struct({ kind: Schema.Literal("lay") })
])

/** Four students of one club, and every change of their points, in the club and in the model. */
const world = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const points = yield* Points
  const eraser = yield* pointsEraser
  const rows = yield* StudentLocks
  const { tick } = yield* PointBoards
  // Otherwise boards of earlier worlds would come first.
  for (const table of ["point_board_rows", "point_boards", "point_days", "point_totals"]) {
    yield* sql`delete from ${sql(table)}`
  }
  const { club, owner, students } = yield* openClassroom({ students: 4 })
  yield* Gamifications.use((all) => all.replaceLevels(club.id, ladderOf(...minPoints)))
  const origins = yield* Effect.replicateEffect(newOrigin, 4)
  const lines: Array<Line> = []
  const removed = new Set<string>()
  let time_zone = "UTC"
  const today = Effect.map(DateTime.now, (now) => localDay(now, time_zone))

  const noted = (student_id: string, paid: number) =>
    Effect.map(today, (day) => {
      if (paid !== 0) lines.push({ student_id, points: paid, day })
    })

  const remove = Effect.fnUntraced(function*({ email, id }: MadeStudent) {
    yield* rows.lock(club.id, id)
    yield* eraser.erase({ club_id: club.id, student_id: id, email })
    yield* sql`update students set removed_at = ${new Date(0)} where club_id = ${club.id} and id = ${id}`
  }, sql.withTransaction)

  const take = Effect.fnUntraced(function*(step: typeof Step.Type) {
    const student = "who" in step ? students[step.who] ?? students[0] : students[0]
    switch (step.kind) {
      case "wait":
        return yield* TestClock.adjust(Duration.hours(step.hours))
      case "tick":
        return yield* Effect.replicateEffect(tick, step.times, { discard: true })
      case "lay":
        return yield* layBoards
      case "move":
        time_zone = step.time_zone
        return yield* sql`update clubs set time_zone = ${time_zone} where id = ${club.id}`
      case "remove":
        if (!removed.has(student.id)) yield* remove(student)
        removed.add(student.id)
        return
    }
    if (removed.has(student.id)) return
    if (step.kind === "adjust") {
      yield* points.adjust(club.id, student.id, owner.id, { points: step.points, reason: "a" })
      return yield* noted(student.id, step.points)
    }
    const origin_id = origins[step.origin] ?? ""
    yield* noted(student.id, yield* award(club, student, { action: "lesson_completed", origin_id }))
  })

  /** Checks each ranking against the model, for the staff and for a student, and each total against the ledger. */
  const check = Effect.gen(function*() {
    const asking = students.find(({ id }) => !removed.has(id))
    for (const period of RankingPeriod.literals) {
      const entries = yield* wholeRanking({ ...club, time_zone }, period)
      const scored = scoredIn(lines, { period, removed, today: yield* today })
      assert.deepStrictEqual<unknown>(entries.map(modelled), rankedBy(scored, minPoints), period)
      if (asking === undefined) continue
      const { me } = yield* ownRankingPage({ ...club, time_zone }, asking.id, { period, limit: 1 })
      const own = { ...me, level: me.level.min_points }
      assert.deepStrictEqual<unknown>(own, ownRankIn(scored, minPoints, asking.id), period)
    }
    const totals = yield* sql`
      select p.student_id from (
        select student_id, sum(points) as total from point_entries where club_id = ${club.id} group by 1
      ) p full join (select * from point_totals where club_id = ${club.id}) t using (student_id)
      where p.total is distinct from t.total`
    assert.deepStrictEqual(totals, [])
  })

  return { take, check, club }
})

layer(RankingsLayer)("A ranking", (it) => {
  it.effect.prop(
    "is what the whole ledger says, after whatever happened, wherever the club is",
    { steps: Schema.Array(Step).check(Schema.isBetweenLength(5, 20)) },
    Effect.fnUntraced(function*({ steps }) {
      const { check, take } = yield* world
      for (const step of steps) {
        yield* take(step)
        yield* check
      }
    }),
    { arbitrary: { runs: 40 } }
  )

  it.effect(
    "is read from boards as it is added up without them, day by day, for 40 days",
    () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { check, club, take } = yield* world
        for (let day = 0; day < 40; day++) {
          yield* take({ kind: "adjust", who: day % 4, points: day % 7 === 0 ? -15 : 15 })
          yield* take({ kind: "award", who: (day + 1) % 4, origin: day % 4 })
          yield* check
          yield* layBoards
          yield* check
          const boards = yield* sql`
          select day from point_boards where club_id = ${club.id} and (laid_at is null or closed_at is not null)`
          assert.deepStrictEqual(boards, [])
          yield* TestClock.adjust("24 hours")
        }
      })
  )
})

layer(RankingsLayer)("Totals", (it) => {
  it.effect("and rankings equal the ledger after many changes at once, while boards are laid", () =>
    Effect.gen(function*() {
      yield* warmPool
      const sql = yield* SqlClient.SqlClient
      const points = yield* Points
      const { tick } = yield* PointBoards
      const { club, owner, students } = yield* openClassroom({ students: 3 })
      const changes = students.flatMap((student) =>
        Array.from({ length: 15 }, (_, n) => [
          points.adjust(club.id, student.id, owner.id, { points: n % 3 === 0 ? -4 : 9, reason: "a" }),
          Effect.flatMap(newOrigin, (origin_id) => award(club, student, { action: "quiz_passed", origin_id })),
          tick
        ]).flat()
      )
      yield* Effect.all(changes, { concurrency: "unbounded", discard: true })
      yield* layBoards
      const expected = yield* sql`
        select student_id as id, sum(points)::int as points from point_entries where club_id = ${club.id}
        group by 1 order by 2 desc, 1 desc`
      assert.lengthOf(expected, 3)
      for (const period of RankingPeriod.literals) {
        const entries = yield* wholeRanking(club, period)
        assert.deepStrictEqual<unknown>(
          entries.map(({ points, student: { id } }) => ({ id, points })),
          expected,
          period
        )
      }
      for (
        const { id, points: total } of (yield* wholeRanking(club, "all")).map(({ student, points }) => ({
          ...student,
          points
        }))
      ) {
        assert.strictEqual((yield* points.standing(club.id, id)).points, total)
      }
    }))
})
