import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { ClubId } from "../../../src/identity/ids/ClubId.ts"
import { StudentId } from "../../../src/identity/ids/StudentId.ts"
import type { RuleAction } from "../../../src/learning/gamification/Gamification.ts"
import { Gamifications } from "../../../src/learning/gamification/Gamifications.ts"
import type { PointEntry } from "../../../src/learning/gamification/PointEntry.ts"
import { Points } from "../../../src/learning/gamification/Points.ts"
import { makeClub, makeMember, makeStudent } from "../../harness/Makers.ts"
import { PostgresLayer } from "../../harness/Postgres.ts"

const TestLayer = Layer.mergeAll(Gamifications.layer, Points.layer, SecureRandom.layerWebCrypto)
  .pipe(Layer.provideMerge(PostgresLayer))

/** A club with levels from 0, 100 and 300 points, its owner and a student. */
const makeClassroom = Effect.gen(function*() {
  const gamifications = yield* Gamifications
  const club = yield* makeClub()
  yield* gamifications.open(club.id, "en")
  yield* gamifications.replaceLevels(club.id, [
    { name: "Bronze", min_points: 0 },
    { name: "Silver", min_points: 100 },
    { name: "Gold", min_points: 300 }
  ])
  return { club, owner: yield* makeMember(club, "owner"), student: yield* makeStudent(club) }
})

/** Writes a ledger entry as the platform does when a rule pays. */
const pay = Effect.fnUntraced(function*(
  club_id: ClubId,
  student_id: StudentId,
  given: { readonly action?: RuleAction; readonly points?: number; readonly origin_id?: string } = {}
) {
  const sql = yield* SqlClient.SqlClient
  const random = yield* SecureRandom.SecureRandom
  const [id, origin_id] = [yield* random.uuidV7(), yield* random.uuidV7()]
  const created_at = DateTime.toDateUtc(yield* DateTime.now)
  const entry = { action: "lesson_completed", points: 10, origin_id, ...given, club_id, student_id, id, created_at }
  yield* sql`insert into point_entries ${sql.insert(entry)}`
  return id
})

const firstPage = { limit: 25 }
const unknownStudent = StudentId.make("0190a000-0000-7000-8000-000000000000")

layer(TestLayer)("a student's points", (it) => {
  it.effect("are 0 at first, at the first level", () =>
    Effect.gen(function*() {
      const points = yield* Points
      const { club, student } = yield* makeClassroom
      const { data, next_cursor } = yield* points.statement(club.id, student.id, firstPage)
      assert.strictEqual(data.total, 0)
      assert.strictEqual(data.level.name, "Bronze")
      assert.deepStrictEqual(data.entries, [])
      assert.isNull(next_cursor)
    }))

  it.effect("add up, whatever they were given for", () =>
    Effect.gen(function*() {
      const points = yield* Points
      const { club, owner, student } = yield* makeClassroom
      yield* pay(club.id, student.id, { points: 80 })
      yield* pay(club.id, student.id, { action: "quiz_passed", points: 40 })
      yield* points.adjust(club.id, student.id, owner.id, { points: -20, reason: "Counted twice" })
      const { data } = yield* points.statement(club.id, student.id, firstPage)
      assert.strictEqual(data.total, 100)
      assert.strictEqual(data.level.name, "Silver")
    }))

  it.effect("are the student's alone", () =>
    Effect.gen(function*() {
      const points = yield* Points
      const { club, student } = yield* makeClassroom
      const other = yield* makeStudent(club)
      yield* pay(club.id, other.id)
      assert.strictEqual((yield* points.standing(club.id, student.id)).points, 0)
    }))

  it.effect("below 0 are at the first level", () =>
    Effect.gen(function*() {
      const points = yield* Points
      const { club, owner, student } = yield* makeClassroom
      yield* points.adjust(club.id, student.id, owner.id, { points: -5, reason: "Spam" })
      const { level, next_level, points: total } = yield* points.standing(club.id, student.id)
      assert.deepStrictEqual([total, level.name, next_level?.name], [-5, "Bronze", "Silver"])
    }))

  it.effect("are at another level as soon as the ladder is another", () =>
    Effect.gen(function*() {
      const points = yield* Points
      const gamifications = yield* Gamifications
      const { club, student } = yield* makeClassroom
      yield* pay(club.id, student.id, { points: 150 })
      const before = yield* points.standing(club.id, student.id)
      yield* gamifications.replaceLevels(club.id, [{ name: "A", min_points: 0 }, { name: "B", min_points: 150 }])
      const after = yield* points.standing(club.id, student.id)
      assert.deepStrictEqual([before.level.name, before.next_level?.name], ["Silver", "Gold"])
      assert.deepStrictEqual([after.level.name, after.next_level], ["B", null])
    }))

  it.effect("may be more than a PostgreSQL integer holds", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const points = yield* Points
      const { club, owner, student } = yield* makeClassroom
      yield* sql`
        insert into point_entries
          (club_id, id, student_id, action, origin_id, points, reason, actor_user_id, created_at)
        select ${club.id}::uuid, gen_random_uuid(), ${student.id}::uuid, 'adjustment', gen_random_uuid(), 1000000, 'Fair',
          ${owner.id}::uuid, ${DateTime.toDateUtc(yield* DateTime.now)}::timestamptz
        from generate_series(1, 3000)`
      assert.strictEqual((yield* points.standing(club.id, student.id)).points, 3_000_000_000)
    }))

  it.effect("are paid once for an action and origin", () =>
    Effect.gen(function*() {
      const points = yield* Points
      const { club, student } = yield* makeClassroom
      const origin_id = yield* pay(club.id, student.id)
      yield* pay(club.id, student.id, { origin_id })
      const error = yield* Effect.flip(pay(club.id, student.id, { origin_id, points: 11 }))
      assert(error._tag === "SqlError" && error.reason._tag === "UniqueViolation")
      assert.strictEqual(error.reason.constraint, "point_entries_origin_key")
      yield* pay(club.id, student.id, { origin_id, action: "course_completed" })
      assert.strictEqual((yield* points.standing(club.id, student.id)).points, 30)
    }))

  it.effect("are not those of a student of another club", () =>
    Effect.gen(function*() {
      const points = yield* Points
      const [{ club, owner }, { student }] = [yield* makeClassroom, yield* makeClassroom]
      const adjustment = { points: 5, reason: "Not ours" }
      const errors = [
        yield* Effect.flip(points.standing(club.id, student.id)),
        yield* Effect.flip(points.statement(club.id, student.id, firstPage)),
        yield* Effect.flip(points.adjust(club.id, student.id, owner.id, adjustment)),
        yield* Effect.flip(points.statement(club.id, unknownStudent, firstPage)),
        yield* Effect.flip(points.adjust(club.id, unknownStudent, owner.id, adjustment))
      ]
      assert.deepStrictEqual(errors.map(({ error }) => error.code), Array(5).fill("not_found"))
      const sql = yield* SqlClient.SqlClient
      const written = yield* sql`
        select id from point_entries where club_id = ${club.id} or student_id in (${student.id}, ${unknownStudent})`
      assert.deepStrictEqual(written, [])
    }))

  it.effect("say whether gamification is on", () =>
    Effect.gen(function*() {
      const points = yield* Points
      const gamifications = yield* Gamifications
      const { club, student } = yield* makeClassroom
      yield* pay(club.id, student.id)
      assert.isTrue((yield* points.standing(club.id, student.id)).enabled)
      yield* gamifications.patch(club.id, { enabled: false })
      const { enabled, points: total } = yield* points.standing(club.id, student.id)
      assert.deepStrictEqual([enabled, total], [false, 10])
    }))
})

layer(TestLayer)("the statement", (it) => {
  it.effect("goes through every entry once, newest first, while new ones arrive", () =>
    Effect.gen(function*() {
      const points = yield* Points
      const { club, student } = yield* makeClassroom
      const ids = yield* Effect.forEach(Array.from({ length: 7 }), () => pay(club.id, student.id))
      const seen: Array<PointEntry> = []
      const sizes: Array<number> = []
      let cursor = Option.none<string>()
      do {
        const page = Option.isSome(cursor) ? { limit: 3, cursor: cursor.value } : { limit: 3 }
        const { data, next_cursor } = yield* points.statement(club.id, student.id, page)
        seen.push(...data.entries)
        sizes.push(data.entries.length)
        cursor = Option.fromNullishOr(next_cursor)
        yield* pay(club.id, student.id, { action: "live_attended" })
      } while (Option.isSome(cursor))
      assert.deepStrictEqual(sizes, [3, 3, 1])
      assert.deepStrictEqual(seen.map(({ id }) => String(id)), ids.toReversed())
    }))

  it.effect("has the same total and level on every page", () =>
    Effect.gen(function*() {
      const points = yield* Points
      const { club, student } = yield* makeClassroom
      yield* pay(club.id, student.id, { points: 90 })
      yield* pay(club.id, student.id, { points: 20 })
      const first = yield* points.statement(club.id, student.id, { limit: 1 })
      assert(first.next_cursor !== null)
      const second = yield* points.statement(club.id, student.id, { limit: 1, cursor: first.next_cursor })
      for (const { data } of [first, second]) assert.deepStrictEqual([data.total, data.level.name], [110, "Silver"])
    }))

  it.effect("refuses a cursor that is none", () =>
    Effect.gen(function*() {
      const points = yield* Points
      const { club, student } = yield* makeClassroom
      const error = yield* Effect.flip(points.statement(club.id, student.id, { limit: 3, cursor: "?" }))
      assert.strictEqual(error.error.code, "invalid_cursor")
    }))
})

layer(TestLayer)("an adjustment", (it) => {
  it.effect("is in the statement with its reason, who made it and when", () =>
    Effect.gen(function*() {
      const points = yield* Points
      const { club, owner, student } = yield* makeClassroom
      yield* TestClock.setTime(Date.parse("2025-03-01T12:00:00.123Z"))
      const made = yield* points.adjust(club.id, student.id, owner.id, { points: 250, reason: "Helped at the fair" })
      const { data } = yield* points.statement(club.id, student.id, firstPage)
      assert.deepStrictEqual(data.entries, [made])
      assert.deepInclude(made, {
        action: "adjustment",
        points: 250,
        reason: "Helped at the fair",
        actor_user_id: owner.id
      })
      assert.strictEqual(DateTime.formatIso(made.created_at), "2025-03-01T12:00:00.123Z")
    }))

  it.effect("may be made twice for the same reason", () =>
    Effect.gen(function*() {
      const points = yield* Points
      const { club, owner, student } = yield* makeClassroom
      const adjustment = { points: 1_000_000, reason: "Prize" }
      yield* points.adjust(club.id, student.id, owner.id, adjustment)
      yield* points.adjust(club.id, student.id, owner.id, adjustment)
      assert.strictEqual((yield* points.standing(club.id, student.id)).points, 2_000_000)
    }))
})
