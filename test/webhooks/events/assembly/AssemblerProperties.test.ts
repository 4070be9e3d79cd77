import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Logger, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Events } from "../../../../src/events/Events.ts"
import { Assembler } from "../../../../src/webhooks/events/assembly/Assembler.ts"
import { created, outboxOf, updated } from "../../../events/EventsLayer.ts"
import { type MadeClub, type MadeStudent, makeClub, makeStudent } from "../../../harness/Makers.ts"
import { warmPool } from "../../../harness/Pool.ts"
import { assemblyLayer, completed, deliveriesOf, makeEndpoint, messagesOf } from "./Assembly.ts"

const Type = Schema.Literals(["student.created", "student.updated", "course.completed"])

const Endpoint = Schema.Struct({
  club: Schema.Literals([0, 1, 2]),
  status: Schema.Literals(["enabled", "paused", "disabled"]),
  deleted: Schema.Boolean,
  listed: Schema.Tuple([Schema.Boolean, Schema.Boolean, Schema.Boolean])
})

const Recording = Schema.Struct({
  club: Schema.Literals([0, 1, 2]),
  type: Type,
  /** The fate of the transaction that records the fact, or of the read of its subject. */
  fate: Schema.Literals(["told", "told", "told", "told", "rolled back", "unreadable"])
})

const listOf = <S extends Schema.Constraint>(item: S, length: number) =>
  Schema.Array(item).check(Schema.isMinLength(length), Schema.isMaxLength(length))

type Made = { readonly club: MadeClub; readonly student: MadeStudent }

const typesOf = ({ listed }: typeof Endpoint.Type) => Type.literals.filter((_, n) => listed[n])

/** Records one fact. Returns its id, if the transaction commits. */
const record = Effect.fnUntraced(function*({ club, student }: Made, { fate, type }: typeof Recording.Type) {
  const sql = yield* SqlClient.SqlClient
  const events = yield* Events
  const read = fate === "unreadable" ? Effect.die("unreadable") : Effect.succeed(true)
  const fact = fate === "unreadable" || type === "course.completed"
    ? yield* completed(student, read)
    : type === "student.created"
    ? created(student)
    : updated(student)
  const end = fate === "rolled back" ? Effect.fail("changed my mind") : Effect.void
  const exit = yield* events.record(club.id, fact).pipe(Effect.tap(() => end), sql.withTransaction, Effect.exit)
  return { id: Exit.isSuccess(exit) ? exit.value : undefined, type: fact.type, fate }
})

layer(assemblyLayer)("Every recorded event", (it) => {
  it.effect.prop(
    "has exactly one delivery per endpoint of its club that was enabled or paused and listed its type",
    { endpoints: listOf(Endpoint, 7), recordings: listOf(Recording, 15) },
    ({ endpoints, recordings }) =>
      Effect.gen(function*() {
        const { assemble } = yield* Assembler
        yield* warmPool
        const clubs = yield* Effect.forEach([0, 1, 2], () =>
          Effect.gen(function*() {
            const club = yield* makeClub()
            return { club, student: yield* makeStudent(club) }
          }))
        const at = (n: number): Made => clubs[n] ?? assert.fail()
        const made = yield* Effect.forEach(endpoints, (endpoint) =>
          Effect.map(
            makeEndpoint(at(endpoint.club).club, { ...endpoint, event_types: typesOf(endpoint) }),
            (id) => ({ ...endpoint, id })
          ))
        const recorded = yield* Effect.forEach(recordings, (one) =>
          Effect.map(record(at(one.club), one), (fact) => ({ ...fact, club: one.club })))
        yield* TestClock.adjust("2 seconds")
        const worker = Effect.gen(function*() {
          while ((yield* assemble(4)) > 0);
        }).pipe(Effect.provide(Logger.layer([])))
        yield* Effect.replicateEffect(worker, 4, { concurrency: "unbounded", discard: true })
        yield* worker

        const expected = (club: number) => {
          const pairs: Array<string> = []
          for (const fact of recorded) {
            if (fact.club !== club || fact.id === undefined || fact.fate === "unreadable") {
              continue
            }
            for (const endpoint of made) {
              const open = endpoint.status !== "disabled" && !endpoint.deleted && endpoint.club === club
              if (open && typesOf(endpoint).includes(fact.type)) {
                pairs.push(`${fact.id} ${endpoint.id}`)
              }
            }
          }
          return pairs
        }
        for (const n of [0, 1, 2]) {
          const { club } = at(n)
          const pairs = expected(n)
          const deliveries = yield* deliveriesOf(club)
          assert.sameMembers(
            deliveries.map(({ endpoint_id, event_id }) =>
              `${event_id} ${endpoint_id}`
            ),
            pairs
          )
          const ofClub = recorded.filter((one) => one.club === n && one.id !== undefined)
          const told = ofClub.filter(({ fate }) => fate !== "unreadable")
          assert.sameMembers((yield* messagesOf(club)).map(({ id }) => id), told.flatMap(({ id }) => id ?? []))
          const waiting = (yield* outboxOf(club)).map(({ id }) => id)
          const unreadable = ofClub.filter(({ fate }) => fate === "unreadable")
          assert.sameMembers(waiting, unreadable.flatMap(({ id }) => id ?? []))
        }
        yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql`delete from event_outbox`)
      }),
    { arbitrary: { runs: 25 } }
  )
})
