import { DateTime } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { booleans, instants, integers, texts, uuids } from "../../../platform/sql/Arrays.ts"
import { floorOf } from "../../../platform/sql/Uuid7.ts"
import { inQueue, isRequested } from "../queue/InQueue.ts"
import { laneLimits } from "./laneLimits.ts"
import type { TakeRequest } from "./Lease.ts"
import { leaseArrays } from "./leaseArrays.ts"

/**
 * PostgreSQL's text of `uuid[]`. Each lane has its own, so that a row is compared only with deliveries under way in its
 * lane.
 */
const inFlightArray = ({ inFlight }: TakeRequest) => `{${inFlight.join()}}`

/**
 * A place before every delivery: PostgreSQL searches the index for rows after a place, but not for rows after a place
 * or null.
 */
const queueStart = {
  next_attempt_at: DateTime.makeUnsafe("0001-01-01T00:00:00Z"),
  id: "00000000-0000-0000-0000-000000000000"
}

/**
 * Answers a row for each lane with a valid lease, and one for each due delivery. A delivery names its lane by the
 * number of its request, so that a lane's state comes once. That state is one column: V8 makes a hash table of each row
 * with more than 16 columns. All rows are from one moment, so `wakes` covers these deliveries. Deliveries from before
 * `oldest` are not sent, and their partitions are not read. With `traced` each delivery has the trace of its event, for
 * the spans of attempts.
 */
export const takeStatement = (
  sql: SqlClient.SqlClient,
  requests: ReadonlyArray<TakeRequest>,
  { now, oldest, traced }: { readonly now: DateTime.Utc; readonly oldest: DateTime.Utc; readonly traced: boolean }
) => {
  const { clubs, endpoints, ids } = leaseArrays(requests.map(({ lease }) => lease))
  const at = DateTime.toDateUtc(now)
  const since = DateTime.toDateUtc(oldest)
  const places = requests.map(({ after }) => after ?? queueStart)
  // Asked only where a recovery has a rate that has no tokens: all other statements are as they are without recoveries. It
  // leaves out all that counts for that rate, so that nothing is read that may not start.
  const mayStart = requests.every(({ recovers }) => recovers)
    ? sql``
    : sql`and (lane.recovers or d.trigger <> 'recover')`
  const queued = (asked: Statement.Fragment) =>
    sql`
      (
        select d.id, d.event_id, d.status, d.attempts_count, d.rung as step, d.trigger, d.once, d.next_attempt_at
        from webhook_deliveries d
        where ${inQueue(sql, { club_id: sql`lane.club_id`, endpoint_id: sql`lane.endpoint_id` })}
          and d.next_attempt_at <= ${at}
          and d.id >= ${floorOf(oldest)}::uuid and d.created_at > ${since}
          and (d.next_attempt_at, d.id) > (lane.after_at, lane.after_id) and d.id <> all(lane.in_flight)
          and lane.is_open and ${asked}
        order by d.next_attempt_at, d.id limit lane.slots
      )`
  // Two branches, each with an index of its own: few of the deliveries that wait out a hold come from a person. The
  // text leaves out a branch that no lane asks for. PostgreSQL would set up a scan of each partition for it.
  const branches = [
    requests.some(({ requestedOnly }) => !requestedOnly) ? [queued(sql`not lane.requested_only ${mayStart}`)] : [],
    requests.some(({ requestedOnly }) => requestedOnly)
      ? [queued(sql`lane.requested_only and ${isRequested(sql)} ${mayStart}`)]
      : []
  ].flat()
  const anyOf = sql.join(" union all ", false)
  // A subquery is always an index search for one row; a join may become a scan of all messages.
  const ofMessage = (column: Statement.Fragment) =>
    sql`(
          select ${column} from webhook_messages m
          where m.club_id = lane.club_id and m.id = due.event_id and m.created_at > ${since}
        )`
  const [noTrace, trace] = traced ? [sql`, null::bytea as trace`, sql`, ${ofMessage(sql`m.trace`)}`] : [sql``, sql``]
  return sql`
    with lane as materialized (
      select want.number, want.slots, want.requested_only, want.recovers, want.in_flight::uuid[] as in_flight, want.after_at,
        want.after_id, l.club_id, l.endpoint_id, e.status = 'enabled' and e.deleted_at is null as is_open,
        json_build_object(
          'wakes', l.wakes::text, 'breaker_epoch', l.breaker_epoch, 'consecutive_failures', l.consecutive_failures,
          'holds', l.holds, 'hold_until', l.hold_until, 'failing_since', l.failing_since, 'limits', ${laneLimits(sql)},
          'endpoint_status', e.status, 'url', e.url, 'headers', encode(e.headers, 'hex'),
          'secret', encode(e.secret, 'hex'),
          'signing_key', case when e.signing <> 'hmac' then encode(e.signing_key, 'hex') end,
          'previous_secrets', previous.secrets
        ) as state
      from unnest(
        ${integers(requests.map((_, number) => number))}, ${clubs}, ${endpoints}, ${ids},
        ${integers(requests.map(({ slots }) => slots))},
        ${booleans(requests.map(({ requestedOnly }) => requestedOnly))},
        ${booleans(requests.map(({ recovers }) => recovers))}, ${texts(requests.map(inFlightArray))},
        ${instants(places.map(({ next_attempt_at }) => next_attempt_at))}, ${uuids(places.map(({ id }) => id))}
      ) as want (number, club_id, endpoint_id, lease_id, slots, requested_only, recovers, in_flight, after_at, after_id)
      join webhook_lanes l
        on l.club_id = want.club_id and l.endpoint_id = want.endpoint_id and l.lease_id = want.lease_id
      join webhook_endpoints e on e.club_id = l.club_id and e.id = l.endpoint_id
      cross join lateral (
        select coalesce(
          json_agg(
            json_build_object(
              'secret', encode(p.secret, 'hex'),
              'signing_key', case when e.signing <> 'hmac' then encode(p.signing_key, 'hex') end,
              'expires_at', p.expires_at
            ) order by p.number desc
          ),
          '[]'::json
        ) as secrets
        from webhook_previous_secrets p
        where p.club_id = l.club_id and p.endpoint_id = l.endpoint_id and p.expires_at > ${at}
      ) previous
    )
    select number, state, id, event_id, status, attempts_count, step, trigger, once, next_attempt_at, body
    ${traced ? sql`, trace` : sql``}
    from (
      select number, state, null::uuid as id, null::uuid as event_id, null as status, null::integer as attempts_count,
        null::integer as step, null as trigger, null::boolean as once, null::bytea as body,
        null::timestamptz as next_attempt_at${noTrace}
      from lane
      union all
      select lane.number, null, due.id, due.event_id, due.status, due.attempts_count, due.step, due.trigger, due.once,
        ${ofMessage(sql`m.body`)},
        due.next_attempt_at${trace}
      from lane cross join lateral (${anyOf(branches)}) due
    ) as answer
    order by next_attempt_at, id`
}
