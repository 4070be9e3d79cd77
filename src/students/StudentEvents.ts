import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../clubs/Club.ts"
import { eventSource } from "../events/EventSources.ts"
import { EventId } from "../events/EventType.ts"
import { uuids } from "../sql/Arrays.ts"
import { StudentId } from "./Student.ts"

/** An event about a student. */
interface About {
  readonly club_id: ClubId
  readonly id: EventId
  readonly fact: { readonly student_id: StudentId }
}

const Row = Schema.Struct({
  event_id: EventId,
  id: StudentId,
  name: Schema.String,
  email: Schema.String,
  verified: Schema.Boolean,
  created_at: Schema.DateTimeUtcFromDate
})
const decodeRows = Schema.decodeUnknownEffect(Schema.Array(Row))

/** Reads `student` of events as it is now, for sources of any feature: one statement for all of them. */
const readStudents = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  return Effect.fnUntraced(function*(events: ReadonlyArray<About>) {
    const rows = yield* sql`
      select about.event_id, s.id, s.name, s.email, s.verified_at is not null as verified, s.created_at
      from unnest(
        ${uuids(events.map(({ id }) => id))}, ${uuids(events.map(({ club_id }) => club_id))},
        ${uuids(events.map(({ fact }) => fact.student_id))}
      ) as about (event_id, club_id, student_id)
      join students s on s.club_id = about.club_id and s.id = about.student_id`
    return new Map((yield* decodeRows(rows)).map(({ event_id, ...student }) => [event_id, student]))
  }, Effect.orDie)
})

/** The events about students themselves. */
export const studentEvents = Effect.gen(function*() {
  const studentsOf = yield* readStudents

  /** A body for each event whose student there is. */
  const withStudent = Effect.fnUntraced(function*<Event extends About, Body>(
    events: ReadonlyArray<Event>,
    bodyOf: (student: Omit<typeof Row.Type, "event_id">, event: Event) => Body
  ) {
    const students = yield* studentsOf(events)
    const bodies = new Map<EventId, Body>()
    for (const event of events) {
      const student = students.get(event.id)
      if (student !== undefined) bodies.set(event.id, bodyOf(student, event))
    }
    return bodies
  })

  return [
    eventSource(
      "student.created",
      (events) => withStudent(events, (student, { fact: { origin } }) => ({ student, origin }))
    ),
    eventSource(
      "student.updated",
      (events) => withStudent(events, (student, { fact: { changed } }) => ({ student, changed }))
    ),
    eventSource(
      "student.removed",
      (events) =>
        Effect.succeed(new Map(events.map(({ fact: { student_id }, id }) => [id, { student: { id: student_id } }])))
    )
  ]
})
