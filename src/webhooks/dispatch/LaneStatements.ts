import { DateTime } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { booleans, instants, integers, texts, uuids } from "../../platform/sql/Arrays.ts"
import { floorOf } from "../../platform/sql/Uuid7.ts"
import type { PhaseName } from "../model/AttemptPhases.ts"
import { inQueue } from "../queue/InQueue.ts"
import { countAttempts } from "../series/countAttempts.ts"
import { keyOf, type Lease, type Release, type Settlement, type TakeRequest } from "./Lease.ts"

const leaseArrays = (leases: ReadonlyArray<Lease>) => ({
  clubs: uuids(leases.map(({ club_id }) => club_id)),
  endpoints: uuids(leases.map(({ endpoint_id }) => endpoint_id)),
  ids: uuids(leases.map(({ lease_id }) => lease_id))
})

/** The leases as rows of `sent`. */
export const sentLeases = (sql: SqlClient.SqlClient, leases: ReadonlyArray<Lease>) => {
  const { clubs, endpoints, ids } = leaseArrays(leases)
  return sql`unnest(${clubs}, ${endpoints}, ${ids}) as sent (club_id, endpoint_id, lease_id)`
}

/** As PostgreSQL writes `uuid[]`: each lane has its own, so that no row is compared with what is under way in others. */
const inFlightArray = ({ inFlight }: TakeRequest) => `{${inFlight.join()}}`

/** Before every delivery: PostgreSQL searches the index for what lies after a place, but not for what lies after one or none. */
const queueStart = {
  next_attempt_at: DateTime.makeUnsafe("0001-01-01T00:00:00Z"),
  id: "00000000-0000-0000-0000-000000000000"
}

/**
 * Answers a row for each lane, none for a lost lease, and one for each due delivery, which names its lane by the number of
 * its request: a lane's columns would come once more with each delivery. All rows are of one moment, so `wakes` covers
 * what is here. Deliveries from before `oldest` are not sent, and their partitions are not read.
 */
export const takeStatement = (
  sql: SqlClient.SqlClient,
  requests: ReadonlyArray<TakeRequest>,
  now: DateTime.Utc,
  oldest: DateTime.Utc
) => {
  const { clubs, endpoints, ids } = leaseArrays(requests.map(({ lease }) => lease))
  const at = DateTime.toDateUtc(now)
  const since = DateTime.toDateUtc(oldest)
  const places = requests.map(({ after }) => after ?? queueStart)
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
  // Two branches, each with an index of its own: what a person asked for is few among what waits out a hold. One that no
  // lane asks for is left out, since PostgreSQL sets up a scan of each partition for it in every statement.
  const branches = [
    requests.some(({ requestedOnly }) => !requestedOnly) ? [queued(sql`not lane.requested_only`)] : [],
    requests.some(({ requestedOnly }) => requestedOnly)
      ? [queued(sql`lane.requested_only and d.trigger <> 'schedule'`)]
      : []
  ].flat()
  const anyOf = sql.join(" union all ", false)
  // The body is a subquery, which is always an index search for one row; a join may become a scan of all messages.
  return sql`
    with lane as materialized (
      select want.number, want.slots, want.requested_only, want.in_flight::uuid[] as in_flight, want.after_at,
        want.after_id, l.club_id, l.endpoint_id,
        l.wakes::text, l.breaker_epoch, l.consecutive_failures, l.holds, l.hold_until, l.failing_since,
        e.status as endpoint_status, e.url, e.secret, previous.secrets as previous_secrets,
        e.status = 'enabled' and e.deleted_at is null as is_open
      from unnest(
        ${integers(requests.map((_, number) => number))}, ${clubs}, ${endpoints}, ${ids},
        ${integers(requests.map(({ slots }) => slots))},
        ${booleans(requests.map(({ requestedOnly }) => requestedOnly))}, ${texts(requests.map(inFlightArray))},
        ${instants(places.map(({ next_attempt_at }) => next_attempt_at))}, ${uuids(places.map(({ id }) => id))}
      ) as want (number, club_id, endpoint_id, lease_id, slots, requested_only, in_flight, after_at, after_id)
      join webhook_lanes l
        on l.club_id = want.club_id and l.endpoint_id = want.endpoint_id and l.lease_id = want.lease_id
      join webhook_endpoints e on e.club_id = l.club_id and e.id = l.endpoint_id
      cross join lateral (
        select coalesce(
          jsonb_agg(
            jsonb_build_object('secret', encode(p.secret, 'hex'), 'expires_at', p.expires_at) order by p.number desc
          ),
          '[]'::jsonb
        ) as secrets
        from webhook_previous_secrets p
        where p.club_id = l.club_id and p.endpoint_id = l.endpoint_id and p.expires_at > ${at}
      ) previous
    )
    select number, wakes, breaker_epoch, consecutive_failures, holds, hold_until, failing_since, endpoint_status, url,
      secret, previous_secrets, id, event_id, status, attempts_count, step, trigger, once, next_attempt_at, body
    from (
      select number, wakes, breaker_epoch, consecutive_failures, holds, hold_until, failing_since, endpoint_status, url,
        secret, previous_secrets, null::uuid as id, null::uuid as event_id, null as status,
        null::integer as attempts_count, null::integer as step, null as trigger, null::boolean as once,
        null::bytea as body, null::timestamptz as next_attempt_at
      from lane
      union all
      select lane.number, null, null, null, null, null, null, null, null, null, null, due.id, due.event_id, due.status,
        due.attempts_count, due.step, due.trigger, due.once,
        (
          select m.body from webhook_messages m
          where m.club_id = lane.club_id and m.id = due.event_id and m.created_at > ${since}
        ),
        due.next_attempt_at
      from lane cross join lateral (${anyOf(branches)}) due
    ) as answer
    order by next_attempt_at, id`
}

/** One lane of a batch: its last settlement, whose breaker has seen all of them, and when its last attempts ended. */
interface SettledLane {
  readonly last: Settlement
  readonly accepted_at: DateTime.Utc | null
  readonly failed_at: DateTime.Utc | null
}

/** The lanes of a batch, and for each settlement the number of its own: a number is sent and told apart faster than a lease. */
export const lanesOf = (settlements: ReadonlyArray<Settlement>) => {
  const lanes: Array<SettledLane> = []
  const known = new Map<string, number>()
  const numbers = settlements.map((settlement) => {
    const { attempt: { ended_at, error }, lease } = settlement
    const key = keyOf(lease)
    const number = known.get(key) ?? lanes.length
    known.set(key, number)
    const { accepted_at = null, failed_at = null } = lanes[number] ?? {}
    lanes[number] = {
      last: settlement,
      accepted_at: error === null ? ended_at : accepted_at,
      failed_at: error === null ? failed_at : ended_at
    }
    return number
  })
  return { lanes, numbers }
}

/**
 * Writes attempt, delivery and breaker in one statement. The update of the lanes locks them and checks the lease; a
 * breaker that a person has reset since is left alone. What happened to a delivery meanwhile wins (contract, Delivery):
 * one that has left the queue stays as it is, but for a success after its endpoint was disabled or deleted; a resend that
 * came during a failed attempt stays in the queue. Response and signature are not kept where the student was removed.
 * Answers the numbers of the lanes whose lease holds.
 */
export const settleStatement = (
  sql: SqlClient.SqlClient,
  settlements: ReadonlyArray<Settlement>,
  { lanes, numbers }: ReturnType<typeof lanesOf>
) => {
  const lane = leaseArrays(lanes.map(({ last }) => last.lease))
  const overtaken = sql`(s.error is not null and d.next_attempt_at is not null and d.trigger <> s.trigger)`
  const phase = (name: PhaseName) => integers(settlements.map(({ attempt }) => attempt.phases?.[name] ?? null))
  const countsLate = sql`(s.error is null and d.cancel_reason in ('endpoint_disabled', 'endpoint_deleted'))`
  // The leases are checked in a step of their own: joined to the deliveries, a generic plan would read all of them. What
  // an attempt's row needs comes out of the update: PostgreSQL, which expects ten rows of any array, would join the two
  // row by row, and that took two thirds of a statement of 150 attempts.
  return sql`
    with owned as (
      update webhook_lanes l set
        consecutive_failures = case when fresh then b.consecutive_failures else l.consecutive_failures end,
        holds = case when fresh then b.holds else l.holds end,
        hold_until = case when fresh then b.hold_until else l.hold_until end,
        failing_since = case when fresh then b.failing_since else l.failing_since end,
        last_success_at = greatest(l.last_success_at, b.last_success_at),
        last_failure_at = greatest(l.last_failure_at, b.last_failure_at)
      from (
        select b.*, l.breaker_epoch = b.breaker_epoch as fresh
        from unnest(
          ${integers(lanes.map((_, number) => number))}, ${lane.clubs}, ${lane.endpoints}, ${lane.ids},
          ${integers(lanes.map(({ last }) => last.breaker_epoch))},
          ${integers(lanes.map(({ last }) => last.breaker.consecutive_failures))},
          ${integers(lanes.map(({ last }) => last.breaker.holds))},
          ${instants(lanes.map(({ last }) => last.breaker.hold_until))},
          ${instants(lanes.map(({ last }) => last.breaker.failing_since))},
          ${instants(lanes.map(({ accepted_at }) => accepted_at))}, ${instants(lanes.map(({ failed_at }) => failed_at))}
        ) as b (
          lane, club_id, endpoint_id, lease_id, breaker_epoch, consecutive_failures, holds, hold_until, failing_since,
          last_success_at, last_failure_at
        )
        join webhook_lanes l using (club_id, endpoint_id, lease_id)
        order by b.club_id, b.endpoint_id
        for update of l
      ) b
      where l.club_id = b.club_id and l.endpoint_id = b.endpoint_id
      returning b.lane, l.club_id, l.endpoint_id
    ), accepted as materialized (
      select s.*, owned.club_id, owned.endpoint_id
      from unnest(
        ${integers(numbers)},
        ${uuids(settlements.map(({ delivery }) => delivery.id))},
        ${integers(settlements.map(({ delivery }) => delivery.attempts_count))},
        ${texts(settlements.map(({ delivery }) => delivery.trigger))},
        ${uuids(settlements.map(({ attempt }) => attempt.id))},
        ${instants(settlements.map(({ attempt }) => attempt.started_at))},
        ${instants(settlements.map(({ attempt }) => attempt.ended_at))},
        ${integers(settlements.map(({ attempt }) => attempt.duration_ms))},
        ${integers(settlements.map(({ attempt }) => attempt.status_code))},
        ${texts(settlements.map(({ attempt }) => attempt.error))},
        ${texts(settlements.map(({ attempt }) => attempt.response_body))},
        ${integers(settlements.map(({ attempt }) => attempt.retry_after_seconds))},
        ${phase("lookup_ms")}, ${phase("connect_ms")}, ${phase("tls_ms")},
        ${phase("send_ms")}, ${phase("wait_ms")}, ${phase("read_ms")},
        ${booleans(settlements.map(({ attempt }) => attempt.connection_reused))},
        ${texts(settlements.map(({ attempt }) => attempt.signature))},
        ${texts(settlements.map(({ after }) => after.status))},
        ${instants(settlements.map(({ after }) => after.next_attempt_at))}
      ) as s (
        lane, delivery_id, attempts_count, trigger, attempt_id, started_at, ended_at, duration_ms, status_code, error,
        response_body, retry_after_seconds, lookup_ms, connect_ms, tls_ms, send_ms, wait_ms, read_ms, connection_reused,
        signature, status, next_attempt_at
      )
      join owned using (lane)
    ), changed as (
      update webhook_deliveries d set
        attempts_count = d.attempts_count + 1,
        rung = case when d.next_attempt_at is null or d.once then d.rung else d.rung + 1 end,
        status = case
          when d.next_attempt_at is null and ${countsLate} then 'succeeded'
          when d.next_attempt_at is null or (${overtaken} and (d.once or d.status <> 'pending')) then d.status
          when s.error is not null and d.once then 'failed'
          else s.status
        end,
        cancel_reason = case
          when (d.next_attempt_at is null and not ${countsLate}) or ${overtaken} then d.cancel_reason
        end,
        next_attempt_at = case
          when d.next_attempt_at is null or ${overtaken} then d.next_attempt_at
          when not d.once then s.next_attempt_at
        end,
        trigger = case
          when d.next_attempt_at is null or ${overtaken} or d.once or s.status <> 'pending' then d.trigger
          else 'schedule'
        end,
        once = d.once or (${overtaken} and d.status = 'pending' and s.status = 'failed'),
        finished_at = case
          when d.next_attempt_at is null or (${overtaken} and (d.once or d.status <> 'pending')) then d.finished_at
          when s.status <> 'pending' or d.once then s.ended_at
        end,
        last_attempt_at = s.started_at,
        last_status_code = s.status_code,
        last_error = s.error,
        last_duration_ms = s.duration_ms
      from accepted s
      where d.club_id = s.club_id and d.endpoint_id = s.endpoint_id and d.id = s.delivery_id
        and d.attempts_count = s.attempts_count
      returning s.*, d.attempts_count as number, d.body_erased, d.status as left_as, d.finished_at as left_at
    ), ${countAttempts(sql, sql`changed`)}, attempted as (
      insert into webhook_attempts (
        club_id, delivery_id, id, number, trigger, started_at, duration_ms, status_code, error, response_body,
        retry_after_seconds, lookup_ms, connect_ms, tls_ms, send_ms, wait_ms, read_ms, connection_reused, signature
      )
      select club_id, delivery_id, attempt_id, number, trigger, started_at, duration_ms, status_code, error,
        case when not body_erased then response_body end, retry_after_seconds, lookup_ms, connect_ms, tls_ms, send_ms,
        wait_ms, read_ms, connection_reused, case when not body_erased then signature end
      from changed
    )
    select lane from owned`
}

/**
 * Gives lanes back. A lane is due with its next delivery, but not before `notBefore`. What a person asked for does not
 * wait for that: it is due now, but no earlier, so that a lane that is given back goes to the end of the line. The lane
 * of an endpoint that is not enabled is not due at all.
 *
 * A lane that was woken since it was last taken from is not given back, so no work is left behind: this statement may
 * not see what was added while it waited for the row, but it sees that `wakes` has changed.
 */
export const releaseStatement = (
  sql: SqlClient.SqlClient,
  releases: ReadonlyArray<Release>,
  now: DateTime.Utc,
  oldest: DateTime.Utc
) => {
  const { clubs, endpoints, ids } = leaseArrays(releases.map(({ lease }) => lease))
  const since = DateTime.toDateUtc(oldest)
  const queued = sql`
    select d.next_attempt_at from webhook_deliveries d
    where ${inQueue(sql, { club_id: sql`s.club_id`, endpoint_id: sql`s.endpoint_id` })}
      and d.id >= ${floorOf(oldest)}::uuid and d.created_at > ${since}
      and e.status = 'enabled' and e.deleted_at is null`
  return sql`
    with sent as materialized (
      select s.*, any_work.next_attempt_at, requested.next_attempt_at as requested_at
      from unnest(
        ${clubs}, ${endpoints}, ${ids}, ${texts(releases.map(({ wakes }) => wakes))},
        ${instants(releases.map(({ notBefore }) => notBefore))}
      ) as s (club_id, endpoint_id, lease_id, wakes, not_before)
      join webhook_endpoints e on e.club_id = s.club_id and e.id = s.endpoint_id
      left join lateral (${queued} order by d.next_attempt_at, d.id limit 1) any_work on true
      left join lateral (${queued} and d.trigger <> 'schedule' order by d.next_attempt_at, d.id limit 1) requested on true
    ), locked as materialized (
      select l.club_id, l.endpoint_id from sent
      join webhook_lanes l using (club_id, endpoint_id, lease_id)
      order by l.club_id, l.endpoint_id
      for update of l
    )
    update webhook_lanes l
    set lease_id = null,
      due_at = least(
        case when sent.next_attempt_at is not null then greatest(sent.next_attempt_at, sent.not_before) end,
        case when sent.requested_at is not null then greatest(sent.requested_at, ${DateTime.toDateUtc(now)}) end
      )
    from sent join locked using (club_id, endpoint_id)
    where l.club_id = sent.club_id and l.endpoint_id = sent.endpoint_id and l.lease_id = sent.lease_id
      and l.wakes = sent.wakes::bigint
    returning l.club_id, l.endpoint_id, sent.lease_id`
}
