import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../identity/ids/ClubId.ts"
import { StudentId } from "../identity/ids/StudentId.ts"
import { uuids } from "../platform/sql/Arrays.ts"
import { EventId } from "./EventType.ts"

/** An event about a student. */
interface About {
  readonly club_id: ClubId
  readonly id: EventId
  readonly fact: { readonly student_id: StudentId }
}

const fields = {
  id: StudentId,
  name: Schema.String,
  email: Schema.String,
  verified: Schema.Boolean,
  created_at: Schema.DateTimeUtcFromDate
}
const EventStudent = Schema.Struct(fields)
/** `student` of an event. */
export type EventStudent = typeof EventStudent.Type

const decodeRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ ...fields, event_id: EventId })))

/**
 * For event sources of any feature: a body for each event whose student there is, made with `student` as it is now. One
 * statement for all of them.
 */
export const makeWithStudent = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  const studentsOf = Effect.fnUntraced(function*(events: ReadonlyArray<About>) {
    const rows = yield* sql`
      select about.event_id, s.id, s.name, s.email, s.verified_at is not null as verified, s.created_at
      from unnest(
        ${uuids(events.map(({ id }) => id))}, ${uuids(events.map(({ club_id }) => club_id))},
        ${uuids(events.map(({ fact }) => fact.student_id))}
      ) as about (event_id, club_id, student_id)
      join students s on s.club_id = about.club_id and s.id = about.student_id`
    return new Map((yield* decodeRows(rows)).map(({ event_id, ...student }) => [event_id, student]))
  }, Effect.orDie)

  return Effect.fnUntraced(function*<Event extends About, Body>(
    events: ReadonlyArray<Event>,
    bodyOf: (student: EventStudent, event: Event) => Body
  ) {
    const students = yield* studentsOf(events)
    const bodies = new Map<EventId, Body>()
    for (const event of events) {
      const student = students.get(event.id)
      if (student !== undefined) bodies.set(event.id, bodyOf(student, event))
    }
    return bodies
  })
})
