import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { uuids } from "../../../src/platform/sql/Arrays.ts"
import type { World } from "./World.ts"

/** The contradictions in a club's data, by kind. Each list must be empty once no work is due. */
export const contradictions = Effect.fnUntraced(function*({ club_id, free, known }: World) {
  const sql = yield* SqlClient.SqlClient
  const told = (type: string, what: "enrollment_id" | "purchase_id", id: string) =>
    sql`(
      select count(*) from event_outbox o where o.club_id = ${club_id} and o.type = ${type}
        and o.subject ->> ${what} = ${sql.literal(id)}::text
    )`
  return {
    "an access is not as its history says": yield* sql`
      select e.id from enrollments e cross join lateral (
        select count(*) filter (where kind = 'granted') as granted, count(*) filter (where kind = 'revoked') as revoked,
          count(*) filter (where kind = 'restored') as restored, count(*) filter (where kind = 'expired') as expired,
          max(occurred_at) as last
        from access_events a where a.club_id = e.club_id and a.enrollment_id = e.id
      ) a
      where e.club_id = ${club_id} and (
        granted <> 1 or revoked - restored <> (e.revoked_at is not null)::int or (e.lapse_noted and expired = 0)
        or not exists (
          select from access_events a where a.club_id = e.club_id and a.enrollment_id = e.id and occurred_at = last
            and a.effective_expires_at is not distinct from e.expires_at
        )
      )`,
    "a change of access has not one event": yield* sql`
      select a.enrollment_id, a.kind from access_events a
      join students s on s.club_id = a.club_id and s.id = a.student_id
      where a.club_id = ${club_id} and a.kind <> 'expired' and s.removed_at is null
      group by a.enrollment_id, a.kind
      having count(*) <> (
        select count(*) from event_outbox o where o.club_id = ${club_id} and o.type = 'access.' || a.kind
          and o.subject ->> 'enrollment_id' = a.enrollment_id::text
      )`,
    "an event tells of no change of access": yield* sql`
      select o.id from event_outbox o
      where o.club_id = ${club_id} and o.type like 'access.%' and not exists (
        select from access_events a where a.club_id = o.club_id
          and a.enrollment_id::text = o.subject ->> 'enrollment_id' and 'access.' || a.kind = o.type
      )`,
    "a purchase has not its events": yield* sql`
      select p.external_id from purchases p join students s on s.club_id = p.club_id and s.id = p.student_id
      where p.club_id = ${club_id} and s.removed_at is null and (
        ${told("purchase.paid", "purchase_id", "p.id")} <> (p.paid_at is not null)::int
        or ${told("purchase.refunded", "purchase_id", "p.id")} <>
          (p.refunded_at is not null or p.charged_back_at is not null)::int
      )`,
    "a student was not born once": yield* sql`
      select s.id from students s
      where s.club_id = ${club_id} and s.removed_at is null and s.id <> all(${uuids(known.map(({ id }) => id))})
        and 1 <> (select count(*) from event_outbox o where o.student_id = s.id and o.type = 'student.created')`,
    "of a removed student something is left": yield* sql`
      select s.id from students s
      where s.club_id = ${club_id} and s.removed_at is not null and (
        exists (select from event_outbox o where o.student_id = s.id and o.type <> 'student.removed')
        or 1 <> (select count(*) from event_outbox o where o.student_id = s.id)
        or exists (select from enrollments e where e.student_id = s.id and e.revoked_at is null)
        or exists (select from inbound_events i where i.student_id = s.id and i.raw is not null)
      )`,
    "somebody has not what is free": yield* sql`
      select s.id from students s
      where s.club_id = ${club_id} and s.removed_at is null and not exists (
        select from enrollments e where e.student_id = s.id and e.delivery_id = ${free.id}
      )`,
    "something waits": yield* sql`
      select id from inbound_events where club_id = ${club_id} and due_at is not null
      union all select id from student_imports where club_id = ${club_id} and due_at is not null`
  }
})
