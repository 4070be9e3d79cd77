import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { StudentLocks } from "../../../src/identity/students/StudentLocks.ts"
import { Awards } from "../../../src/learning/gamification/Awards.ts"
import { dailyCaps, RuleAction } from "../../../src/learning/gamification/Gamification.ts"
import { Gamifications } from "../../../src/learning/gamification/Gamifications.ts"
import { Points } from "../../../src/learning/gamification/Points.ts"
import { makeStudent } from "../../harness/Makers.ts"
import { warmPool } from "../../harness/Pool.ts"
import { PostgresLayer } from "../../harness/Postgres.ts"
import { award, momentOf, newOrigin, openClassroom } from "./Classroom.ts"
import { localDay } from "./RankingModel.ts"

const TestLayer = Layer.mergeAll(Awards.layer, Gamifications.layer, Points.layer, StudentLocks.layer)
  .pipe(Layer.provideMerge(PostgresLayer))
type Classroom = Effect.Success<ReturnType<typeof openClassroom>>

/** Awards this many times, with a new origin each time. */
const repeatedly = (times: number, { club, student }: Pick<Classroom, "club" | "student">, action: RuleAction) =>
  Effect.replicateEffect(
    Effect.flatMap(newOrigin, (origin_id) => award(club, student, { action, origin_id })),
    times
  )

const totalOf = ({ club, student }: Classroom) =>
  Effect.flatMap(Points, (points) => Effect.map(points.standing(club.id, student.id), ({ points }) => points))

layer(TestLayer)("What a student does", (it) => {
  it.effect.each(RuleAction.literals)(
    "pays what the rule says, in the statement: %s",
    (action) =>
      Effect.gen(function*() {
        const classroom = yield* openClassroom()
        const { club, student } = classroom
        yield* Gamifications.use((all) => all.patch(club.id, { rules: [{ action, points: 7 }] }))
        const origin_id = yield* newOrigin
        assert.strictEqual(yield* award(club, student, { action, origin_id }), 7)
        const { data } = yield* Points.use((points) => points.statement(club.id, student.id, { limit: 25 }))
        const entries = data.entries.map(({ action, origin_id, points }) => ({ action, origin_id, points }))
        assert.deepStrictEqual<unknown>([data.total, entries], [7, [{ action, origin_id, points: 7 }]])
      })
  )

  it.effect("pays once for each student, action and origin", () =>
    Effect.gen(function*() {
      const classroom = yield* openClassroom({ students: 2 })
      const { club, students: [one, other = one] } = classroom
      const origin_id = yield* newOrigin
      const deed = { action: "lesson_completed", origin_id } as const
      assert.deepStrictEqual(
        [
          yield* award(club, one, deed),
          yield* award(club, one, deed),
          yield* award(club, one, { ...deed, action: "course_completed" }),
          yield* award(club, other, deed)
        ],
        [10, 0, 100, 10]
      )
    }))

  it.effect("pays once where it is told many times at once", () =>
    Effect.gen(function*() {
      yield* warmPool
      const classroom = yield* openClassroom()
      const { club, student } = classroom
      const deed = { action: "quiz_passed", origin_id: yield* newOrigin } as const
      const paid = yield* Effect.all(Array.from({ length: 20 }, () => award(club, student, deed)), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(paid.toSorted((a, b) => b - a), [20, ...Array<number>(19).fill(0)])
      assert.strictEqual(yield* totalOf(classroom), 20)
    }))

  it.effect("pays once where nobody locks the student", () =>
    Effect.gen(function*() {
      yield* warmPool
      const awards = yield* Awards
      const classroom = yield* openClassroom()
      const { club, student } = classroom
      const deed = { action: "quiz_passed", origin_id: yield* newOrigin } as const
      yield* Effect.all(Array.from({ length: 20 }, () => awards.award(club.id, student.id, deed)), {
        concurrency: "unbounded"
      })
      assert.strictEqual(yield* totalOf(classroom), 20)
    }))

  it.effect("pays nothing while its rule has 0 points", () =>
    Effect.gen(function*() {
      const classroom = yield* openClassroom()
      yield* Gamifications.use((all) => all.patch(classroom.club.id, { rules: [{ action: "quiz_passed", points: 0 }] }))
      assert.deepStrictEqual(yield* repeatedly(1, classroom, "quiz_passed"), [0])
      assert.strictEqual(yield* totalOf(classroom), 0)
    }))

  it.effect("pays nothing while gamification is off", () =>
    Effect.gen(function*() {
      const classroom = yield* openClassroom()
      const { club } = classroom
      const switched = (enabled: boolean) => Gamifications.use((all) => all.patch(club.id, { enabled }))
      yield* switched(false)
      assert.deepStrictEqual(yield* repeatedly(1, classroom, "quiz_passed"), [0])
      yield* switched(true)
      assert.deepStrictEqual(yield* repeatedly(1, classroom, "quiz_passed"), [20])
    }))

  it.effect("is not paid by another club's rules", () =>
    Effect.gen(function*() {
      const awards = yield* Awards
      const [mine, foreign] = [yield* openClassroom(), yield* openClassroom()]
      const deed = { action: "quiz_passed", origin_id: yield* newOrigin } as const
      const sql = yield* SqlClient.SqlClient
      yield* Effect.exit(awards.award(mine.club.id, foreign.student.id, deed))
      assert.deepStrictEqual(yield* sql`select 1 from point_entries where origin_id = ${deed.origin_id}`, [])
    }))
})

layer(TestLayer)("A day's cap", (it) => {
  it.effect.each(["comment_posted", "post_published"] as const)(
    "is 5 for %s, and of each action alone",
    (action) =>
      Effect.gen(function*() {
        const classroom = yield* openClassroom()
        assert.deepStrictEqual(yield* repeatedly(7, classroom, action), [5, 5, 5, 5, 5, 0, 0])
        const other = action === "comment_posted" ? "post_published" : "comment_posted"
        assert.deepStrictEqual(yield* repeatedly(1, classroom, other), [5])
      })
  )

  it.effect("is there for no other action", () =>
    Effect.gen(function*() {
      const uncapped = RuleAction.literals.filter((action) => dailyCaps[action] === undefined)
      assert.lengthOf(uncapped, 5)
      for (const action of uncapped) {
        const paid = yield* repeatedly(7, yield* openClassroom(), action)
        assert.isTrue(paid.every((points) => points > 0), action)
      }
    }))

  it.effect("is each student's own", () =>
    Effect.gen(function*() {
      const { club, students: [one, other = one] } = yield* openClassroom({ students: 2 })
      yield* repeatedly(6, { club, student: one }, "comment_posted")
      assert.deepStrictEqual(yield* repeatedly(1, { club, student: other }, "comment_posted"), [5])
    }))

  it.effect("holds where many come at once", () =>
    Effect.gen(function*() {
      yield* warmPool
      const classroom = yield* openClassroom()
      const { club, student } = classroom
      const once = Effect.flatMap(
        newOrigin,
        (origin_id) => award(club, student, { action: "comment_posted", origin_id })
      )
      yield* Effect.all(Array.from({ length: 30 }, () => once), { concurrency: "unbounded" })
      assert.strictEqual(yield* totalOf(classroom), 25)
    }))
})

layer(TestLayer)("The day of a cap", (it) => {
  it.effect.each([
    ["America/Sao_Paulo", "2026-05-10T02:59:59.999Z", "2026-05-10T03:00:00.000Z"],
    ["Asia/Kolkata", "2026-05-10T18:29:59.999Z", "2026-05-10T18:30:00.000Z"],
    ["UTC", "2026-05-10T23:59:59.999Z", "2026-05-11T00:00:00.000Z"],
    // Clocks went back at midnight, so the hour before it came twice, on the same day.
    ["America/Sao_Paulo", "2018-02-18T02:59:59.999Z", "2018-02-18T03:00:00.000Z"],
    // There was no midnight, so the day began at one.
    ["America/Sao_Paulo", "2018-11-04T02:59:59.999Z", "2018-11-04T03:00:00.000Z"],
    // The hour after midnight comes twice.
    ["America/Havana", "2026-11-01T03:59:59.999Z", "2026-11-01T04:00:00.000Z"]
  ] as const)(
    "begins at midnight in %s, at %s's next millisecond",
    ([time_zone, last, first]) =>
      Effect.gen(function*() {
        const classroom = yield* openClassroom({ time_zone })
        yield* TestClock.setTime(momentOf(last))
        assert.deepStrictEqual(yield* repeatedly(6, classroom, "comment_posted"), [5, 5, 5, 5, 5, 0])
        yield* TestClock.setTime(momentOf(first))
        assert.deepStrictEqual(yield* repeatedly(6, classroom, "comment_posted"), [5, 5, 5, 5, 5, 0])
      })
  )

  it.effect("is one day though an hour of it comes twice", () =>
    Effect.gen(function*() {
      const classroom = yield* openClassroom({ time_zone: "America/Havana" })
      const paid: Array<number> = []
      for (const at of ["2026-11-01T04:10:00Z", "2026-11-01T05:10:00Z", "2026-11-02T04:59:59Z"]) {
        yield* TestClock.setTime(momentOf(at))
        paid.push(...yield* repeatedly(3, classroom, "comment_posted"))
      }
      assert.deepStrictEqual(paid, [5, 5, 5, 5, 5, 0, 0, 0, 0])
    }))

  const Zone = Schema.Literals(["UTC", "America/Sao_Paulo", "America/New_York", "Europe/Lisbon", "Pacific/Apia"])
  const Step = Schema.Struct({
    action: Schema.Literals(["comment_posted", "post_published"]),
    minutes: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 600 }))
  })

  it.effect.prop(
    "pays as often as a count by local days says, in any time zone, across changes of the clock",
    {
      time_zone: Zone,
      start: Schema.Literals([
        "2026-03-07T20:00:00Z",
        "2026-03-28T20:00:00Z",
        "2026-10-24T20:00:00Z",
        "2026-10-31T20:00:00Z"
      ]),
      steps: Schema.Array(Step).check(Schema.isBetweenLength(8, 25))
    },
    Effect.fnUntraced(function*({ start, steps, time_zone }) {
      const { club } = yield* openClassroom({ time_zone })
      const student = yield* makeStudent(club)
      yield* TestClock.setTime(momentOf(start))
      const paid = new Map<string, number>()
      for (const { action, minutes } of steps) {
        yield* TestClock.adjust(Duration.minutes(minutes))
        const key = `${action} ${localDay(yield* DateTime.now, time_zone)}`
        const before = paid.get(key) ?? 0
        const expected = before < 5 ? 5 : 0
        paid.set(key, before + 1)
        assert.deepStrictEqual(yield* repeatedly(1, { club, student }, action), [expected])
      }
    }),
    { arbitrary: { runs: 25 } }
  )
})
