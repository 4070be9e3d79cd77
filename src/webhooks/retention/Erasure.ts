import { DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { EventErasure } from "../../events/EventErasure.ts"
import { EventId } from "../../events/EventType.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import { uuids } from "../../platform/sql/Arrays.ts"
import { DeliveryId, DeliveryStatus } from "../delivery/DeliveryId.ts"

/** A delivery about the student. */
const Held = Schema.Struct({ id: DeliveryId, event_id: EventId, status: DeliveryStatus })

const decodeHeld = Schema.decodeUnknownEffect(Schema.Array(Held))

/**
 * Erasure of a student from what was sent and what waits to be sent (contract, Delivery behavior 9). The history stays,
 * without bodies and responses; `student.removed` is left alone. A result that comes later finds `body_erased` and
 * stores no response.
 */
export const ErasureLayer = Layer.effect(
  EventErasure,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    // Results are recorded with the lane held, and so are they kept out here: who records some of these deliveries and
    // who erases them would otherwise wait for each other.
    const holdLanes = (club_id: ClubId, student_id: StudentId) =>
      sql`
        select 1 from webhook_lanes
        where club_id = ${club_id} and endpoint_id in (
          select endpoint_id from webhook_deliveries where club_id = ${club_id} and student_id = ${student_id}
        )
        order by club_id, endpoint_id for update`

    const holdDeliveries = (club_id: ClubId, student_id: StudentId) =>
      sql`
        select id, event_id, status from webhook_deliveries
        where club_id = ${club_id} and student_id = ${student_id} and event_type <> 'student.removed'
        order by endpoint_id, id for update`.pipe(Effect.flatMap(decodeHeld))

    const cancel = Effect.fnUntraced(function*(club_id: ClubId, student_id: StudentId) {
      yield* sql`
        update webhook_deliveries
        set body_erased = true,
          cancel_reason = case when status = 'pending' then 'student_removed' else cancel_reason end,
          finished_at = case when status = 'pending' then ${
        DateTime.toDateUtc(yield* DateTime.now)
      } else finished_at end,
          status = case when status = 'pending' then 'canceled' else status end,
          next_attempt_at = null
        where club_id = ${club_id} and student_id = ${student_id} and event_type <> 'student.removed'
          and (not body_erased or next_attempt_at is not null)`
    })

    const eraseBodies = (club_id: ClubId, student_id: StudentId, events: ReadonlyArray<EventId>) =>
      sql`
        update webhook_messages set body = null
        where club_id = ${club_id} and id = any(${uuids(events)})
          and student_id = ${student_id} and type <> 'student.removed' and body is not null
        returning 1`

    const eraseResponses = (club_id: ClubId, deliveries: ReadonlyArray<DeliveryId>) =>
      sql`
        update webhook_attempts set response_body = null
        where club_id = ${club_id} and delivery_id = any(${uuids(deliveries)}) and response_body is not null
        returning 1`

    const eraseStudent = Effect.fn("EventErasure.eraseStudent")(
      function*(club_id: ClubId, student_id: StudentId) {
        yield* holdLanes(club_id, student_id)
        const held = yield* holdDeliveries(club_id, student_id)
        if (held.length === 0) return { bodies: 0, responses: 0, canceled: 0 }
        yield* cancel(club_id, student_id)
        const events = [...new Set(held.map(({ event_id }) => event_id))]
        const bodies = yield* eraseBodies(club_id, student_id, events)
        // After the deliveries are held: an attempt that was being recorded is there by now.
        const responses = yield* eraseResponses(club_id, held.map(({ id }) => id))
        const canceled = held.filter(({ status }) => status === "pending")
        return { bodies: bodies.length, responses: responses.length, canceled: canceled.length }
      },
      Effect.orDie
    )

    return EventErasure.of({ eraseStudent })
  })
)
