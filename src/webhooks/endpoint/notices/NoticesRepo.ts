import { Context, DateTime, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { ClubId } from "../../../identity/ids/ClubId.ts"
import { Instant } from "../../../platform/schema/Instant.ts"
import { first, rows } from "../../../platform/sql/Rows.ts"
import type { LaneName } from "../../engine/lane/LaneChanges.ts"
import { EndpointId } from "../../model/EndpointId.ts"
import { NoticeFacts, NoticeKind, Sample } from "./Notice.ts"

/** The most notices of each kind that one statement finds. */
const batch = 100

/** The times until which a state must have lasted for a notice. */
export interface NoticeBounds {
  readonly now: DateTime.Utc
  /** Held since then, or longer. */
  readonly held: DateTime.Utc
  /** Failing since then, or longer: disabled soon. */
  readonly disabling: DateTime.Utc
}

const Due = Schema.Struct({ club_id: ClubId, endpoint_id: EndpointId, kind: NoticeKind })
export type Due = typeof Due.Type

const DueSecret = Schema.Struct({ club_id: ClubId, endpoint_id: EndpointId, number: Schema.Int })
export type DueSecret = typeof DueSecret.Type

const EndingSecret = Schema.Struct({
  ...NoticeFacts.fields,
  /** True if a grading has shown that its receiver has the newest secret. */
  newest_proved: Schema.NullOr(Schema.Boolean),
  expires_at: Instant
})

const decodeDue = rows(Due)
const decodeDueSecrets = rows(DueSecret)
const decodeNoticeFacts = first(NoticeFacts)
const decodeSample = first(Sample)
const decodeEnding = first(EndingSecret)

const day = (at: DateTime.Utc) => DateTime.formatIsoDateUtc(at)

/** The notices about endpoints, sent and due, for the administrators of clubs. */
export class NoticesRepo extends Context.Service<NoticesRepo, {
  /** The due notices: at most 100 of each kind. */
  due(bounds: NoticeBounds): Effect.Effect<ReadonlyArray<Due>>
  /**
   * Records the notice in the caller's transaction, and answers its fields. `None` if its cause no longer holds, or if
   * the endpoint had a notice within the last 24 hours. Of several callers one gets an answer.
   */
  markSent(notice: Due, bounds: NoticeBounds): Effect.Effect<Option.Option<NoticeFacts>>
  /** Of what waits, the delivery that was tried and failed last, among the hundred that are due last: retries are. */
  sampleOf(lane: LaneName): Effect.Effect<Option.Option<Sample>>
  /** Records the notice of a disabling, whatever notices came before. */
  markDisabledSent(lane: LaneName, at: DateTime.Utc): Effect.Effect<void>
  /**
   * Replaced secrets without a notice that end after `now` and by `until`. A listener gets no such notice: it has its
   * secret at hand.
   */
  dueSecrets(now: DateTime.Utc, until: DateTime.Utc): Effect.Effect<ReadonlyArray<DueSecret>>
  /** Records the notice of a secret's end. `None` if it was recorded before. */
  markSecretSent(secret: DueSecret): Effect.Effect<Option.Option<typeof EndingSecret.Type>>
}>()("turma/webhooks/endpoint/notices/NoticesRepo") {
  static readonly layer = Layer.effect(
    NoticesRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const date = DateTime.toDateUtc

      const ofEndpoint = sql`n.club_id = e.club_id and n.endpoint_id = e.id`
      const isLiving = sql`e.status = 'enabled' and e.deleted_at is null`
      const lanes = sql`webhook_lanes l join webhook_endpoints e on e.club_id = l.club_id and e.id = l.endpoint_id`

      const sentSince = (kinds: Statement.Fragment, since: Statement.Fragment) =>
        sql`exists (select from webhook_notices n where ${ofEndpoint} and n.kind in (${kinds}) and n.at >= ${since})`

      // Asked last: the other conditions decide quicker. Without a notice in 24 hours there is no row of this day either.
      const isFree = ({ now }: NoticeBounds) =>
        sql`not exists (
          select from webhook_notices n where ${ofEndpoint} and n.at > ${date(DateTime.subtract(now, { days: 1 }))}
        )`

      /** The conditions of lanes `l` and endpoints `e` for each kind of notice. */
      const conditions: Readonly<Record<NoticeKind, (bounds: NoticeBounds) => Statement.Fragment>> = {
        disabling: (bounds) =>
          sql`
            l.failing_since <= ${date(bounds.disabling)} and not l.rests and ${isLiving}
              and not ${sentSince(sql`'disabling'`, sql`l.failing_since`)} and ${isFree(bounds)}`,
        held: (bounds) =>
          sql`
            l.held_since <= ${date(bounds.held)} and not l.rests and ${isLiving}
              and l.failing_since > ${date(bounds.disabling)}
              and not ${sentSince(sql`'held', 'disabling'`, sql`l.held_since`)} and ${isFree(bounds)}`,
        recovered: (bounds) =>
          sql`
            ${isLiving} and l.consecutive_failures = 0
              and exists (select from webhook_notices n where ${ofEndpoint} and n.is_open and n.at <= l.last_success_at)
              and ${isFree(bounds)}`
      }

      const dueOf = (kind: NoticeKind, bounds: NoticeBounds) => {
        // Few endpoints have had a notice, and an index of their own finds them.
        const from = kind === "recovered"
          ? sql`
            (select distinct club_id, endpoint_id from webhook_notices where is_open) o
            join webhook_lanes l on l.club_id = o.club_id and l.endpoint_id = o.endpoint_id
            join webhook_endpoints e on e.club_id = l.club_id and e.id = l.endpoint_id`
          : lanes
        return sql`
          (
            select l.club_id, l.endpoint_id, ${kind} as kind from ${from}
            where ${conditions[kind](bounds)} limit ${batch}
          )`
      }

      const due = Effect.fn("NoticesRepo.due")(function*(bounds: NoticeBounds) {
        return yield* sql`
          ${dueOf("disabling", bounds)} union all ${dueOf("held", bounds)} union all ${dueOf("recovered", bounds)}`
          .pipe(decodeDue)
      })

      const factColumns = sql`
        e.url, e.notices, l.failing_since, l.held_since, l.consecutive_failures, l.last_success_at, l.last_failure_at,
        l.last_failure_error, l.last_failure_status, l.certificate_ends_at`

      // A statement of its own locks the endpoint, so that the next one sees another process's notice.
      const markSent = Effect.fn("NoticesRepo.markSent")(
        function*({ club_id, endpoint_id, kind }: Due, bounds: NoticeBounds) {
          const named = sql`e.club_id = ${club_id} and e.id = ${endpoint_id}`
          yield* sql`select from webhook_endpoints e where ${named} for no key update`
          return yield* sql`
          with told as materialized (
            select e.club_id, e.id, ${factColumns} from ${lanes} where ${named} and ${conditions[kind](bounds)}
          ), closed as (
            update webhook_notices n set is_open = false
            from told where n.club_id = told.club_id and n.endpoint_id = told.id and n.is_open
          ), noted as (
            insert into webhook_notices (club_id, endpoint_id, day, kind, at, is_open)
            select told.club_id, told.id, ${day(bounds.now)}, ${kind}, ${date(bounds.now)}, ${kind !== "recovered"}
            from told
          )
          select * from told`.pipe(decodeNoticeFacts)
        },
        Effect.orDie
      )

      const sampleOf = Effect.fn("NoticesRepo.sampleOf")(function*({ club_id, endpoint_id }: LaneName) {
        return yield* sql`
          select last.event_id, last.event_type, last.created_at
          from (
            select d.event_id, d.event_type, d.created_at, d.last_attempt_at from webhook_deliveries d
            where d.club_id = ${club_id} and d.endpoint_id = ${endpoint_id} and d.next_attempt_at is not null
            order by d.next_attempt_at desc, d.id desc limit 100
          ) last
          where last.last_attempt_at is not null order by last.last_attempt_at desc limit 1`.pipe(decodeSample)
      })

      const markDisabledSent = Effect.fn("NoticesRepo.markDisabledSent")(
        function*({ club_id, endpoint_id }: LaneName, at: DateTime.Utc) {
          yield* sql`
            with closed as (
              update webhook_notices set is_open = false
              where club_id = ${club_id} and endpoint_id = ${endpoint_id} and is_open and day <> ${day(at)}
            )
            insert into webhook_notices (club_id, endpoint_id, day, kind, at, is_open)
            values (${club_id}, ${endpoint_id}, ${day(at)}, 'disabled', ${date(at)}, false)
            on conflict (club_id, endpoint_id, day) do update set kind = 'disabled', at = excluded.at, is_open = false`
        },
        Effect.orDie
      )

      const dueSecrets = Effect.fn("NoticesRepo.dueSecrets")(function*(now: DateTime.Utc, until: DateTime.Utc) {
        return yield* sql`
          select p.club_id, p.endpoint_id, p.number
          from webhook_previous_secrets p join webhook_endpoints e on e.club_id = p.club_id and e.id = p.endpoint_id
          where p.expires_at > ${date(now)} and p.expires_at <= ${date(until)} and not p.end_told and ${isLiving}
            and e.kind <> 'listener'
          limit ${batch}`.pipe(decodeDueSecrets)
      })

      const markSecretSent = Effect.fn("NoticesRepo.markSecretSent")(
        function*({ club_id, endpoint_id, number }: DueSecret) {
          return yield* sql`
            with told as (
              update webhook_previous_secrets set end_told = true
              where club_id = ${club_id} and endpoint_id = ${endpoint_id} and number = ${number} and not end_told
              returning club_id, endpoint_id, expires_at
            )
            select ${factColumns}, e.newest_proved, told.expires_at from told
            join webhook_endpoints e on e.club_id = told.club_id and e.id = told.endpoint_id
            join webhook_lanes l on l.club_id = e.club_id and l.endpoint_id = e.id`.pipe(decodeEnding)
        },
        Effect.orDie
      )

      return NoticesRepo.of({ due, markSent, sampleOf, markDisabledSent, dueSecrets, markSecretSent })
    })
  )
}
