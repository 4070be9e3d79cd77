import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Events } from "../../../src/events/Events.ts"
import { EventSources } from "../../../src/events/EventSources.ts"
import { Outbox } from "../../../src/events/Outbox.ts"
import { created, eventsLayer, outboxOf, updated } from "../../events/EventsLayer.ts"
import { makeClub, makeStudent } from "../../harness/Makers.ts"
import { SpansLayer, statements } from "../../harness/Statements.ts"

/** The recorded facts of these clubs, as an assembly gets them. */
const storedOf = Effect.fnUntraced(function*(...clubs: ReadonlyArray<Parameters<typeof outboxOf>[0]>) {
  const outbox = yield* Outbox
  const rows = yield* Effect.forEach(clubs, outboxOf)
  return yield* outbox.claimByKey(rows.flat())
})

const sourceOf = (type: string) => Effect.flatMap(EventSources, (sources) => sources.find(type))

const TestLayer = eventsLayer().pipe(Layer.provideMerge(SpansLayer))

layer(TestLayer)("The events about students", (it) => {
  it.effect("show the student as of now, and what only the fact knew", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const events = yield* Events
      const club = yield* makeClub()
      const student = yield* makeStudent(club)
      yield* events.record(club.id, updated(student))
      yield* sql`update students set name = 'Bia Costa', verified_at = null where id = ${student.id}`
      const source = yield* sourceOf("student.updated")
      const data = yield* source.dataOf(yield* storedOf(club))
      assert.deepStrictEqual([...data.values()], [{
        student: {
          id: student.id,
          name: "Bia Costa",
          email: student.email,
          verified: false,
          created_at: "1970-01-01T00:00:00.000Z"
        },
        changed: ["name"]
      }])
    }))

  it.effect("are read for many clubs in one statement, each from its own", () =>
    Effect.gen(function*() {
      const events = yield* Events
      const clubs = [yield* makeClub(), yield* makeClub()]
      const made = yield* Effect.forEach(clubs, (club) =>
        makeStudent(club, { email: "same@example.com", name: club.slug }))
      for (const [n, club] of clubs.entries()) {
        yield* events.record(club.id, created(made[n] ?? assert.fail()))
      }
      const source = yield* sourceOf("student.created")
      const stored = yield* storedOf(...clubs)
      assert.strictEqual((yield* statements(source.dataOf(stored))).length, 1)
      const data = yield* source.dataOf(stored)
      const names = stored.map(({ club_id, id }) => [club_id, Object(data.get(id)).student.name])
      assert.sameDeepMembers(names, clubs.map((club) => [club.id, club.slug]))
    }))

  it.effect("tell of a removal without asking the database", () =>
    Effect.gen(function*() {
      const events = yield* Events
      const club = yield* makeClub()
      const student = yield* makeStudent(club)
      yield* events.eraseStudent(club.id, student.id)
      const source = yield* sourceOf("student.removed")
      const stored = yield* storedOf(club)
      assert.deepStrictEqual(yield* statements(source.dataOf(stored)), [])
      assert.deepStrictEqual([...(yield* source.dataOf(stored)).values()], [{ student: { id: student.id } }])
    }))

  it.effect("have no data where there is no such student", () =>
    Effect.gen(function*() {
      const events = yield* Events
      const [club, other] = [yield* makeClub(), yield* makeClub()]
      yield* events.record(club.id, created(yield* makeStudent(club)))
      const source = yield* sourceOf("student.created")
      const stored = (yield* storedOf(club)).map((fact) => ({ ...fact, club_id: other.id }))
      assert.strictEqual((yield* source.dataOf(stored)).size, 0)
    }))
})
