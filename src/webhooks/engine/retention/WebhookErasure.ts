import { DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { EventErasure } from "../../../events/EventErasure.ts"
import { EventId } from "../../../events/EventType.ts"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import type { StudentId } from "../../../identity/ids/StudentId.ts"
import { uuids } from "../../../platform/sql/Arrays.ts"
import { rows } from "../../../platform/sql/Rows.ts"
import { DeliveryStatus } from "../../model/DeliveryStatus.ts"
import { WebhookDeliveryId } from "../../model/WebhookDeliveryId.ts"

/** A delivery about the student. */
const LockedDelivery = Schema.Struct({ id: WebhookDeliveryId, event_id: EventId, status: DeliveryStatus })

const decodeLocked = rows(LockedDelivery)

/**
 * Erases a student from messages and deliveries (contract, Delivery behavior 9). The history stays, without bodies and
 * responses, and so does `student.removed`. A later result finds `body_erased` and stores no response. The signatures
 * go with the bodies: a signature and the secret could confirm a guess of the body.
 */
export const WebhookErasureLayer = Layer.effect(
  EventErasure,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    // Results are recorded with the lane locked. Locking it here too prevents a deadlock with a worker that records results
    // of some of these deliveries.
    const lockLanes = (club_id: ClubId, student_id: StudentId) =>
      sql`
        select 1 from webhook_lanes
        where club_id = ${club_id} and endpoint_id in (
          select endpoint_id from webhook_deliveries where club_id = ${club_id} and student_id = ${student_id}
        )
        order by club_id, endpoint_id for update`

    const lockDeliveries = (club_id: ClubId, student_id: StudentId) =>
      sql`
        select id, event_id, status from webhook_deliveries
        where club_id = ${club_id} and student_id = ${student_id} and event_type <> 'student.removed'
        order by endpoint_id, id for update`.pipe(decodeLocked)

    const cancel = Effect.fnUntraced(function*(club_id: ClubId, student_id: StudentId) {
      yield* sql`
        update webhook_deliveries
        set body_erased = true,
          cancel_reason = case when status = 'pending' then 'student_removed' else cancel_reason end,
          finished_at = case when status = 'pending' then
          ${DateTime.toDateUtc(yield* DateTime.now)} else finished_at end,
          status = case when status = 'pending' then 'canceled' else status end,
          next_attempt_at = null
        where club_id = ${club_id} and student_id = ${student_id} and event_type <> 'student.removed'
          and (not body_erased or next_attempt_at is not null)`
    })

    // An event that no endpoint wanted has no delivery, but the feed has it. Events from before the feed have
    // deliveries.
    const eraseBodies = (club_id: ClubId, student_id: StudentId, events: ReadonlyArray<EventId>) =>
      sql`
        update webhook_messages set body = null
        where club_id = ${club_id}
          and id = any(${uuids(events)}::uuid[] || array(
            select event_id from webhook_feed_events where club_id = ${club_id} and student_id = ${student_id}
          ))
          and student_id = ${student_id} and type <> 'student.removed' and body is not null
        returning 1`

    const eraseResponses = (club_id: ClubId, deliveries: ReadonlyArray<WebhookDeliveryId>) =>
      sql`
        update webhook_attempts set response_body = null, signature = null
        where club_id = ${club_id} and delivery_id = any(${uuids(deliveries)}) and response_body is not null
        returning 1`

    const eraseSignatures = (club_id: ClubId, deliveries: ReadonlyArray<WebhookDeliveryId>) =>
      sql`
        update webhook_attempts set signature = null
        where club_id = ${club_id} and delivery_id = any(${uuids(deliveries)}) and signature is not null`

    const eraseStudent = Effect.fn("EventErasure.eraseStudent")(
      function*(club_id: ClubId, student_id: StudentId) {
        yield* lockLanes(club_id, student_id)
        const deliveries = yield* lockDeliveries(club_id, student_id)
        const events = [...new Set(deliveries.map(({ event_id }) => event_id))]
        if (deliveries.length > 0) yield* cancel(club_id, student_id)
        const bodies = yield* eraseBodies(club_id, student_id, events)
        if (deliveries.length === 0) return { bodies: bodies.length, responses: 0, canceled: 0 }
        // After the deliveries are locked: an attempt that was being recorded is committed by now.
        const ids = deliveries.map(({ id }) => id)
        const responses = yield* eraseResponses(club_id, ids)
        yield* eraseSignatures(club_id, ids)
        const canceled = deliveries.filter(({ status }) => status === "pending")
        return { bodies: bodies.length, responses: responses.length, canceled: canceled.length }
      },
      Effect.orDie
    )

    return EventErasure.of({ eraseStudent })
  })
)
