import type { DateTime } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { booleans, instants, integers, texts, uuids, withoutLastNulls } from "../../../platform/sql/Arrays.ts"
import type { PhaseName } from "../../model/AttemptPhases.ts"
import { countAttempts } from "./countAttempts.ts"
import { keyOf, type Settlement } from "./Lease.ts"
import { leaseArrays } from "./leaseArrays.ts"

/**
 * One lane of a batch. It has the last settlement, whose breaker includes all of them, and the last attempt of each
 * outcome. It also has the end of the last certificate.
 */
interface SettledLane {
  readonly last: Settlement
  readonly accepted_at: DateTime.Utc | null
  readonly failed: Settlement["attempt"] | null
  readonly certificate_ends_at: DateTime.Utc | null
}

/** The lanes of a batch, and for each settlement the number of its own: a number is sent and told apart faster than a lease. */
export const lanesOf = (settlements: ReadonlyArray<Settlement>) => {
  const lanes: Array<SettledLane> = []
  const known = new Map<string, number>()
  const numbers = settlements.map((settlement) => {
    const { attempt, lease } = settlement
    const isAccepted = attempt.error === null
    const key = keyOf(lease)
    const number = known.get(key) ?? lanes.length
    known.set(key, number)
    const { accepted_at = null, certificate_ends_at = null, failed = null } = lanes[number] ?? {}
    lanes[number] = {
      last: settlement,
      accepted_at: isAccepted ? attempt.ended_at : accepted_at,
      failed: isAccepted ? failed : attempt,
      certificate_ends_at: attempt.peer?.certificate_ends_at ?? certificate_ends_at
    }
    return number
  })
  return { lanes, numbers }
}

/**
 * Writes attempt, delivery and breaker in one statement. The update of the lanes locks them and checks the lease. It
 * leaves a breaker alone that a person has reset since. Other changes of a delivery win (contract, Delivery):
 *
 * - A delivery that has left the queue stays as it is, except for a success after its endpoint was disabled or deleted.
 * - A resend that came during a failed attempt stays in the queue.
 *
 * If the student was removed, response and signature are not kept. Answers the numbers of the lanes with a valid lease.
 * `before` stands in front of the statement, as `AuditFragment` does.
 */
export const settleStatement = (
  sql: SqlClient.SqlClient,
  settlements: ReadonlyArray<Settlement>,
  { lanes, numbers }: ReturnType<typeof lanesOf>,
  before: Statement.Fragment = sql``
) => {
  const lane = leaseArrays(lanes.map(({ last }) => last.lease))
  const overtaken = sql`(s.error is not null and d.next_attempt_at is not null and d.trigger <> s.trigger)`
  // Most are null in most batches, where all attempts went out on open connections and were accepted.
  const mostlyNull = <A>(of: (attempt: Settlement["attempt"]) => A | null) =>
    withoutLastNulls(settlements.map(({ attempt }) => of(attempt)))
  const phase = (name: PhaseName) => integers(mostlyNull(({ phases }) => phases?.[name] ?? null))
  const countsLate = sql`(s.error is null and d.cancel_reason in ('endpoint_disabled', 'endpoint_deleted'))`
  // A step of its own checks the leases: joined to the deliveries, a generic plan would read all of them. The update
  // returns the fields of an attempt's row. PostgreSQL expects ten rows of any array, so it would join the two row by
  // row: two thirds of a statement of 150 attempts.
  return sql`
    with ${before} owned as (
      update webhook_lanes l set
        consecutive_failures = case when fresh then b.consecutive_failures else l.consecutive_failures end,
        holds = case when fresh then b.holds else l.holds end,
        hold_until = case when fresh then b.hold_until else l.hold_until end,
        failing_since = case when fresh then b.failing_since else l.failing_since end,
        held_since = case
          when not fresh then l.held_since
          when b.holds > 0 then coalesce(l.held_since, b.last_failure_at)
        end,
        last_success_at = greatest(l.last_success_at, b.last_success_at),
        last_failure_at = greatest(l.last_failure_at, b.last_failure_at),
        last_failure_error = coalesce(b.last_error, l.last_failure_error),
        last_failure_status = case when b.last_error is null then l.last_failure_status else b.last_status end,
        certificate_ends_at = coalesce(b.certificate_ends_at, l.certificate_ends_at)
      from (
        select b.*, l.breaker_epoch = b.breaker_epoch as fresh
        from unnest(
          ${integers(lanes.map((_, number) => number))}, ${lane.clubs}, ${lane.endpoints}, ${lane.ids},
          ${integers(lanes.map(({ last }) => last.breaker_epoch))},
          ${integers(lanes.map(({ last }) => last.breaker.consecutive_failures))},
          ${integers(lanes.map(({ last }) => last.breaker.holds))},
          ${instants(lanes.map(({ last }) => last.breaker.hold_until))},
          ${instants(lanes.map(({ last }) => last.breaker.failing_since))},
          ${instants(lanes.map(({ accepted_at }) => accepted_at))},
          ${instants(lanes.map(({ failed }) => failed?.ended_at ?? null))},
          ${texts(lanes.map(({ failed }) => failed?.error ?? null))},
          ${integers(lanes.map(({ failed }) => failed?.status_code ?? null))},
          ${instants(lanes.map(({ certificate_ends_at }) => certificate_ends_at))}
        ) as b (
          lane, club_id, endpoint_id, lease_id, breaker_epoch, consecutive_failures, holds, hold_until, failing_since,
          last_success_at, last_failure_at, last_error, last_status, certificate_ends_at
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
        ${texts(mostlyNull(({ error }) => error))}, ${texts(mostlyNull(({ response_body }) => response_body))},
        ${integers(mostlyNull(({ retry_after_seconds }) => retry_after_seconds))},
        ${phase("lookup_ms")}, ${phase("connect_ms")}, ${phase("tls_ms")},
        ${phase("send_ms")}, ${phase("wait_ms")}, ${phase("read_ms")},
        ${booleans(settlements.map(({ attempt }) => attempt.connection_reused))},
        ${texts(settlements.map(({ attempt }) => attempt.signature))},
        ${texts(settlements.map(({ attempt }) => attempt.peer?.peer_address ?? null))},
        ${texts(settlements.map(({ attempt }) => attempt.peer?.tls_version ?? null))},
        ${instants(settlements.map(({ attempt }) => attempt.peer?.certificate_ends_at ?? null))},
        ${texts(settlements.map(({ after }) => after.status))},
        ${instants(withoutLastNulls(settlements.map(({ after }) => after.next_attempt_at)))}
      ) as s (
        lane, delivery_id, attempts_count, trigger, attempt_id, started_at, ended_at, duration_ms, status_code, error,
        response_body, retry_after_seconds, lookup_ms, connect_ms, tls_ms, send_ms, wait_ms, read_ms, connection_reused,
        signature, peer_address, tls_version, certificate_ends_at, status, next_attempt_at
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
        retry_after_seconds, lookup_ms, connect_ms, tls_ms, send_ms, wait_ms, read_ms, connection_reused, signature,
        peer_address, tls_version, certificate_ends_at
      )
      select club_id, delivery_id, attempt_id, number, trigger, started_at, duration_ms, status_code, error,
        case when not body_erased then response_body end, retry_after_seconds, lookup_ms, connect_ms, tls_ms, send_ms,
        wait_ms, read_ms, connection_reused, case when not body_erased then signature end, peer_address, tls_version,
        certificate_ends_at
      from changed
    )
    select lane from owned`
}
