import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Exit, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Events } from "../../../src/events/Events.ts"
import { Enrollments } from "../../../src/membership/access/Enrollments.ts"
import { StudentAccounts } from "../../../src/membership/students/StudentAccounts.ts"
import { eventsLayer, outboxOf } from "../../events/EventsLayer.ts"
import { makeClub, makeStudent } from "../../harness/Makers.ts"
import { PostgresLayer } from "../../harness/Postgres.ts"

// test/membership/registration/SignUp.test.ts covers the accesses of a new student.
const WithoutAccessLayer = StudentAccounts.layer
  .pipe(Layer.provide(Layer.mock(Enrollments, { grantFree: () => Effect.void })))

const TestLayer = WithoutAccessLayer.pipe(Layer.provideMerge(eventsLayer()))

const newcomer = (email: string) => ({
  email,
  name: "Caio Reis",
  password_hash: "hash",
  verified_at: DateTime.makeUnsafe(0)
})

layer(TestLayer)("A student who signs up", (it) => {
  it.effect("is a student.created with the origin sign_up", () =>
    Effect.gen(function*() {
      const students = yield* StudentAccounts
      const club = yield* makeClub()
      const registered = yield* students.register(club.id, newcomer("caio@example.com"))
      const [fact, ...others] = yield* outboxOf(club)
      assert.deepStrictEqual(others, [])
      assert.deepStrictEqual([fact?.type, fact?.subject], ["student.created", { origin: "sign_up" }])
      assert.deepStrictEqual(
        registered,
        Option.map(Option.fromUndefinedOr(fact?.student_id), (student_id) => ({ student_id, created: true }))
      )
    }))

  it.effect("is no new student where they only choose their first password", () =>
    Effect.gen(function*() {
      const students = yield* StudentAccounts
      const club = yield* makeClub()
      const { email, id } = yield* makeStudent(club)
      const registered = yield* students.register(club.id, newcomer(email))
      assert.deepStrictEqual(registered, Option.some({ student_id: id, created: false }))
      assert.deepStrictEqual(yield* outboxOf(club), [])
    }))

  it.effect("is no new student where the address has a password", () =>
    Effect.gen(function*() {
      const students = yield* StudentAccounts
      const club = yield* makeClub()
      const { email } = yield* makeStudent(club, { password_hash: "hash" })
      assert.deepStrictEqual(yield* students.register(club.id, newcomer(email)), Option.none())
      assert.deepStrictEqual(yield* outboxOf(club), [])
    }))

  it.effect("is neither a student nor an event where the transaction fails", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const students = yield* StudentAccounts
      const club = yield* makeClub()
      yield* students.register(club.id, newcomer("caio@example.com")).pipe(
        Effect.andThen(Effect.fail("changed my mind")),
        sql.withTransaction,
        Effect.flip
      )
      assert.deepStrictEqual(yield* outboxOf(club), [])
      assert.deepStrictEqual(yield* sql`select 1 from students where club_id = ${club.id}`, [])
    }))
})

const WithoutEventsLayer = WithoutAccessLayer.pipe(
  Layer.provide(Layer.mock(Events, { record: () => Effect.die("no events today") })),
  Layer.provideMerge(PostgresLayer)
)

layer(WithoutEventsLayer)("A student whose event is not recorded", (it) => {
  it.effect("is not created", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const students = yield* StudentAccounts
      const club = yield* makeClub()
      assert.isTrue(Exit.isFailure(yield* Effect.exit(students.register(club.id, newcomer("caio@example.com")))))
      assert.deepStrictEqual(yield* sql`select 1 from students where club_id = ${club.id}`, [])
    }))
})
