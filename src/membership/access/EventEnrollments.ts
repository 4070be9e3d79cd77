import { DateTime, Effect, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { EventId } from "../../events/EventType.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { uuids } from "../../platform/sql/Arrays.ts"
import { Enrollment } from "./Enrollment.ts"
import { type AccessStatus, statusAt } from "./Period.ts"

const { active: _, ...stored } = Enrollment.fields
const Row = Schema.Struct({ ...stored, event_id: EventId })
const decodeRows = Schema.decodeUnknownEffect(Schema.Array(Row))

/** `enrollment` of an event. */
export interface EventEnrollment extends Omit<typeof Row.Type, "event_id"> {
  readonly status: AccessStatus
}

/** An event about an enrollment. */
interface About {
  readonly club_id: ClubId
  readonly id: EventId
  readonly fact: { readonly enrollment_id: string }
}

/** An event about a purchase, which may be a charge of a subscription. */
export interface AboutSale {
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

/** Enrollments as they are now, each with the event that it is for. */
const asOfNow = Effect.fnUntraced(function*<E>(read: Effect.Effect<ReadonlyArray<unknown>, E>) {
  const rows = yield* decodeRows(yield* read)
  const now = yield* DateTime.now
  return rows.map(({ event_id, ...enrollment }): readonly [EventId, EventEnrollment] => [
    event_id,
    { ...enrollment, status: statusAt(enrollment, now) }
  ])
}, Effect.orDie)

/** `enrollment` of each event whose enrollment there is; one statement for all of them. */
export const enrollmentsOfEvents = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  return (events: ReadonlyArray<About>) =>
    Effect.map(
      asOfNow(sql`
        select about.event_id, ${columns(sql)}
        from unnest(
          ${uuids(events.map(({ id }) => id))}, ${uuids(events.map(({ club_id }) => club_id))},
          ${uuids(events.map(({ fact }) => fact.enrollment_id))}
        ) as about (event_id, club_id, enrollment_id)
        join enrollments e on e.club_id = about.club_id and e.id = about.enrollment_id
        ${names(sql)}`),
      (found): ReadonlyMap<EventId, EventEnrollment> => new Map(found)
    )
})

/**
 * `enrollments` of events about purchases, oldest first: what the purchase gave, and what its subscription did. Each
 * event has a list, an empty one where neither gave any. One statement for all of them.
 */
export const enrollmentsOfSales = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const of = (sale: Statement.Fragment) =>
    sql`
      select about.event_id, ${columns(sql)}
      from about join enrollments e on e.club_id = about.club_id and ${sale}
      ${names(sql)}`
  return (events: ReadonlyArray<AboutSale>) =>
    Effect.map(
      asOfNow(sql`
        with about as (
          select * from unnest(
            ${uuids(events.map(({ id }) => id))}, ${uuids(events.map(({ club_id }) => club_id))},
            ${uuids(events.map(({ purchase_id }) => purchase_id))},
            ${uuids(events.map(({ subscription_id }) => subscription_id))}
          ) as about (event_id, club_id, purchase_id, subscription_id)
        )
        ${of(sql`e.purchase_id = about.purchase_id`)}
        union all
        ${of(sql`e.subscription_id = about.subscription_id`)}
        order by id`),
      (found) => {
        const byEvent = new Map<EventId, ReadonlyArray<EventEnrollment>>(events.map(({ id }) => [id, []]))
        for (const [id, enrollment] of found) byEvent.set(id, [...byEvent.get(id) ?? [], enrollment])
        return byEvent
      }
    )
})
