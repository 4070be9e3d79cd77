import { DateTime, Effect, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { EventId } from "../../events/EventType.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { uuids } from "../../platform/sql/Arrays.ts"
import { rows } from "../../platform/sql/Rows.ts"
import { Enrollment } from "./Enrollment.ts"
import { type AccessStatus, statusAt } from "./Period.ts"

const { active: _, ...stored } = Enrollment.fields
const Row = Schema.Struct({ ...stored, event_id: EventId })
const decodeRows = rows(Row)

/** `enrollment` of an event. */
export interface EventEnrollment extends Omit<typeof Row.Type, "event_id"> {
  readonly status: AccessStatus
}

/** An event about an enrollment. */
interface EnrollmentEvent {
  readonly club_id: ClubId
  readonly id: EventId
  readonly fact: { readonly enrollment_id: string }
}

/** An event about a purchase, which may be a charge of a subscription. */
export interface SaleEvent {
  readonly club_id: ClubId
  readonly id: EventId
  readonly purchase_id: string
  readonly subscription_id: string | null
}

const columns = (sql: SqlClient.SqlClient) =>
  sql`
    e.id, e.delivery_id, d.name as delivery_name, e.source, e.starts_at, e.created_at, e.expires_at, e.revoked_at,
    e.revoke_reason, e.cohort_id, c.name as cohort_name`

const names = (sql: SqlClient.SqlClient) =>
  sql`
    join deliveries d on d.club_id = e.club_id and d.id = e.delivery_id
    left join cohorts c on c.club_id = e.club_id and c.id = e.cohort_id`

/** Adds the current status to enrollments, each with the id of its event. */
const withStatus = Effect.fnUntraced(function*<E>(read: Effect.Effect<ReadonlyArray<unknown>, E>) {
  const rows = yield* read.pipe(decodeRows)
  const now = yield* DateTime.now
  return rows.map(({ event_id, ...enrollment }): readonly [EventId, EventEnrollment] => [
    event_id,
    { ...enrollment, status: statusAt(enrollment, now) }
  ])
})

/** `enrollment` of each event whose enrollment exists, in one statement. */
export const enrollmentsOfEvents = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  return (events: ReadonlyArray<EnrollmentEvent>) =>
    Effect.map(
      withStatus(sql`
        select subject.event_id, ${columns(sql)}
        from unnest(
          ${uuids(events.map(({ id }) => id))}, ${uuids(events.map(({ club_id }) => club_id))},
          ${uuids(events.map(({ fact }) => fact.enrollment_id))}
        ) as subject (event_id, club_id, enrollment_id)
        join enrollments e on e.club_id = subject.club_id and e.id = subject.enrollment_id
        ${names(sql)}`),
      (found): ReadonlyMap<EventId, EventEnrollment> => new Map(found)
    )
})

/**
 * `enrollments` of events about purchases, oldest first: those of the purchase and those of its subscription. Every
 * event has a list, which may be empty. One statement for all of them.
 */
export const enrollmentsOfSales = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const bySale = (sale: Statement.Fragment) =>
    sql`
      select subject.event_id, ${columns(sql)}
      from subject join enrollments e on e.club_id = subject.club_id and ${sale}
      ${names(sql)}`
  return (events: ReadonlyArray<SaleEvent>) =>
    Effect.map(
      withStatus(sql`
        with subject as (
          select * from unnest(
            ${uuids(events.map(({ id }) => id))}, ${uuids(events.map(({ club_id }) => club_id))},
            ${uuids(events.map(({ purchase_id }) => purchase_id))},
            ${uuids(events.map(({ subscription_id }) => subscription_id))}
          ) as subject (event_id, club_id, purchase_id, subscription_id)
        )
        ${bySale(sql`e.purchase_id = subject.purchase_id`)}
        union all
        ${bySale(sql`e.subscription_id = subject.subscription_id`)}
        order by id`),
      (found) => {
        const byEvent = new Map<EventId, ReadonlyArray<EventEnrollment>>(events.map(({ id }) => [id, []]))
        for (const [id, enrollment] of found) byEvent.set(id, [...byEvent.get(id) ?? [], enrollment])
        return byEvent
      }
    )
})
