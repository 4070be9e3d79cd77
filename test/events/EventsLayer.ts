import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Events } from "../../src/events/Events.ts"
import { type EventSource, EventSources } from "../../src/events/EventSources.ts"
import { EventId } from "../../src/events/EventType.ts"
import type { FactOf } from "../../src/events/Fact.ts"
import { Outbox } from "../../src/events/Outbox.ts"
import { ClubId } from "../../src/identity/ids/ClubId.ts"
import { StudentId } from "../../src/identity/ids/StudentId.ts"
import { studentEvents } from "../../src/membership/students/StudentEvents.ts"
import { WebhookErasureLayer } from "../../src/webhooks/engine/retention/WebhookErasure.ts"
import { PostgresLayer } from "../harness/Postgres.ts"

/** The service and the outbox on a separate database, with the sources of students and the given ones. */
export const eventsLayer = (...more: ReadonlyArray<EventSource>) =>
  Layer.merge(Events.layer, Outbox.layer).pipe(
    Layer.provideMerge(EventSources.layer([studentEvents, Effect.succeed(more)])),
    Layer.provideMerge(WebhookErasureLayer),
    Layer.provideMerge(PostgresLayer)
  )

const OutboxRow = Schema.Struct({
  club_id: ClubId,
  id: EventId,
  type: Schema.String,
  student_id: StudentId,
  subject: Schema.Unknown,
  failures: Schema.Int,
  occurred_at: Schema.DateTimeUtcFromDate,
  due_at: Schema.DateTimeUtcFromDate
})

/** The rows of the outbox about this club, oldest first. */
export const outboxOf = Effect.fnUntraced(function*(club: { readonly id: ClubId }) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`select * from event_outbox where club_id = ${club.id} order by id`
  return yield* Schema.decodeUnknownEffect(Schema.Array(OutboxRow))(rows)
})

export const typesOf = (facts: ReadonlyArray<{ readonly type: string }>) => facts.map(({ type }) => type)

/** The fact that a student signed up. */
export const created = ({ id }: { readonly id: StudentId }): FactOf<"student.created"> => ({
  type: "student.created",
  student_id: id,
  origin: "sign_up"
})

/** The fact that an administrator corrected a name. */
export const updated = ({ id }: { readonly id: StudentId }): FactOf<"student.updated"> => ({
  type: "student.updated",
  student_id: id,
  changed: ["name"]
})
