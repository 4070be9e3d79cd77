import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../identity/ids/ClubId.ts"
import { StudentId } from "../identity/ids/StudentId.ts"
import { Instant } from "../platform/schema/Instant.ts"
import { uuids } from "../platform/sql/Arrays.ts"
import { rows } from "../platform/sql/Rows.ts"
import { EventId } from "./EventType.ts"

/** An event about a student. */
interface StudentEvent {
  readonly club_id: ClubId
  readonly id: EventId
  readonly fact: { readonly student_id: StudentId }
}

const fields = {
  id: StudentId,
  name: Schema.String,
  email: Schema.String,
  verified: Schema.Boolean,
  created_at: Instant
}
const EventStudent = Schema.Struct(fields)
/** `student` of an event. */
export type EventStudent = typeof EventStudent.Type

const decodeRows = rows(Schema.Struct({ ...fields, event_id: EventId }))

/**
 * For event sources of any feature: makes `data` with `student` as it is now, for many events with one statement.
 * Leaves out events of removed students.
 */
export const makeDataWithStudent = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  const studentsOf = Effect.fnUntraced(function*(events: ReadonlyArray<StudentEvent>) {
    const rows = yield* sql`
      select about.event_id, s.id, s.name, s.email, s.verified_at is not null as verified, s.created_at
      from unnest(
        ${uuids(events.map(({ id }) => id))}, ${uuids(events.map(({ club_id }) => club_id))},
        ${uuids(events.map(({ fact }) => fact.student_id))}
      ) as about (event_id, club_id, student_id)
      join students s on s.club_id = about.club_id and s.id = about.student_id`.pipe(decodeRows)
    return new Map(rows.map(({ event_id, ...student }) => [event_id, student]))
  })

  return Effect.fnUntraced(function*<Event extends StudentEvent, Data>(
    events: ReadonlyArray<Event>,
    dataOf: (student: EventStudent, event: Event) => Data
  ) {
    const students = yield* studentsOf(events)
    const data = new Map<EventId, Data>()
    for (const event of events) {
      const student = students.get(event.id)
      if (student !== undefined) data.set(event.id, dataOf(student, event))
    }
    return data
  })
})
