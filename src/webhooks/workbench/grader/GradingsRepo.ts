import { Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { audited } from "../../../identity/audit/AuditFragment.ts"
import { ClubId, OrganizationId } from "../../../identity/ids/ClubId.ts"
import { first, inTransaction, rows } from "../../../platform/sql/Rows.ts"
import { WebhookEndpoint } from "../../endpoint/Endpoint.ts"
import { EndpointId } from "../../model/EndpointId.ts"
import { Grading, GradingId, gradingsKept, gradingsPerHour } from "./Grading.ts"

const { kind, status } = WebhookEndpoint.fields

const Begun = Schema.Struct({ kind, status, begun: Schema.Boolean, recent: Schema.Int })

const Leased = Schema.Struct({
  club_id: ClubId,
  id: GradingId,
  endpoint_id: EndpointId,
  organization_id: OrganizationId,
  lease_id: Schema.String,
  tries: Schema.Int
})
/** A grading and the lease of the worker that has it: under another nothing is written. */
export type Leased = typeof Leased.Type

const Sealed = Schema.NullOr(Schema.Uint8Array)
/** A sealed value is null if it does not sign. Sealed headers are null without headers. */
const Target = Schema.Struct({
  url: Schema.String,
  headers: Sealed,
  secret: Sealed,
  signing_key: Sealed,
  max_per_second: Schema.NullOr(Schema.Int)
})
export type Target = typeof Target.Type

const decodeBegun = first(Begun)
const decodeGrading = first(Schema.Struct({ ...Grading.fields, report: Schema.NullOr(Schema.Uint8Array) }))
const decodeGradings = rows(Grading)
const decodeLeased = first(Leased)
const decodeTargets = rows(Target)

/** How a grading ends. */
export type Ended =
  | {
    readonly status: "done"
    readonly grade: string
    readonly report: Uint8Array
    /** True if the receiver of this target has its newest secret. Null if no probe showed that. */
    readonly proof: { readonly target: Target; readonly newest_proved: boolean } | null
  }
  | { readonly status: "failed"; readonly failure: "interrupted" }

/** The key of a requested grading. */
export interface AskedFor {
  readonly club_id: ClubId
  readonly organization_id: OrganizationId
  readonly endpoint_id: EndpointId
  readonly id: GradingId
}

/** Gradings of a club's endpoints. */
export class GradingsRepo extends Context.Service<GradingsRepo, {
  /** `None` if the endpoint does not exist. Not begun if it is not enabled, if one runs, or if the limit is reached. */
  begin(asked: AskedFor, at: DateTime.Utc): Effect.Effect<Option.Option<typeof Begun.Type>>
  /** Newest first, from the one before `before` on. */
  list(
    club_id: ClubId,
    endpoint_id: EndpointId,
    page: { readonly before: Option.Option<string>; readonly limit: number }
  ): Effect.Effect<ReadonlyArray<Grading>>
  /** Its report is sealed. */
  find(
    club_id: ClubId,
    endpoint_id: EndpointId,
    id: GradingId
  ): Effect.Effect<Option.Option<Grading & { readonly report: Uint8Array | null }>>
  /** Leases the grading that is due longest, until `until`, of a club without a running one. */
  claim(at: DateTime.Utc, until: DateTime.Utc, lease_id: string): Effect.Effect<Option.Option<Leased>>
  /**
   * The endpoint as it is now with each of its secrets and keys that signs, newest first. Empty if it is not enabled.
   */
  target(leased: Leased, at: DateTime.Utc): Effect.Effect<ReadonlyArray<Target>>
  /**
   * False once the lease is lost or over, or the endpoint has changed: another address, other headers, another newest
   * secret, or another way to sign. Also false if it is not enabled.
   */
  extend(
    leased: Leased,
    target: Target,
    times: { readonly at: DateTime.Utc; readonly until: DateTime.Utc }
  ): Effect.Effect<boolean>
  /** Makes it due again, and the next worker starts it anew. */
  giveBack(leased: Leased, at: DateTime.Utc): Effect.Effect<void>
  /** Ends it because its endpoint has changed. If the lease is over, it is due already for another worker. */
  stop(leased: Leased, at: DateTime.Utc): Effect.Effect<void>
  /** A proof is kept if the endpoint has not changed since. */
  end(leased: Leased, ended: Ended, at: DateTime.Utc): Effect.Effect<void>
}>()("turma/webhooks/workbench/grader/GradingsRepo") {
  static readonly layer = Layer.effect(
    GradingsRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const columns = sql.literal("g.id, g.endpoint_id, g.status, g.failure, g.grade, g.created_at, g.finished_at")

      const isThere = sql`exists (
        select from webhook_endpoints e where e.club_id = g.club_id and e.id = g.endpoint_id and e.deleted_at is null
      )`

      const isKept = Effect.map(
        DateTime.now,
        (now) => sql`g.created_at > ${DateTime.toDateUtc(DateTime.subtractDuration(now, gradingsKept))}`
      )

      /** The secret and key that sign once all replaced ones have ended. */
      const newest = {
        secret: sql`e.secret`,
        signing_key: sql`case when e.signing <> 'hmac' then e.signing_key end`
      }

      // A value that is sealed again counts as another one. The grading then ends without need, which is rare.
      const isStill = ({ headers, secret, signing_key, url }: Target) =>
        sql`
          e.status = 'enabled' and e.deleted_at is null and e.url = ${url}
          and e.headers is not distinct from ${headers}::bytea
          and ${newest.secret} is not distinct from ${secret}::bytea
          and ${newest.signing_key} is not distinct from ${signing_key}::bytea`

      // One begins at a time in a club, so that each sees the others.
      const begin = Effect.fn("GradingsRepo.begin")(function*(asked: AskedFor, at: DateTime.Utc) {
        const { club_id, endpoint_id, id, organization_id } = asked
        const now = DateTime.toDateUtc(at)
        yield* Effect.orDie(sql`select pg_advisory_xact_lock(hashtextextended(${`webhook_gradings:${club_id}`}, 0))`)
        const hourAgo = DateTime.toDateUtc(DateTime.subtractDuration(at, Duration.hours(1)))
        return yield* audited((audit) =>
          sql`
            with ${audit.before} endpoint as (
              select e.kind, e.status, (
                select count(*)::int from webhook_gradings g where g.club_id = ${club_id} and g.created_at > ${hourAgo}
              ) as recent
              from webhook_endpoints e
              where e.club_id = ${club_id} and e.id = ${endpoint_id} and e.deleted_at is null
            ), begun as (
              insert into webhook_gradings (club_id, id, endpoint_id, organization_id, status, due_at, created_at)
              select ${club_id}::uuid, ${id}::uuid, ${endpoint_id}::uuid, ${organization_id}::uuid, 'running',
                ${now}::timestamptz, ${now}::timestamptz
              from endpoint e
              where e.kind = 'https' and e.status = 'enabled' and e.recent < ${gradingsPerHour}
              on conflict (club_id, endpoint_id) where finished_at is null do nothing
              returning 1
            )
            select e.kind, e.status, e.recent, exists (select from begun) as begun from endpoint e`
        ).pipe(decodeBegun)
      })

      const list = Effect.fn("GradingsRepo.list")(function*(
        club_id: ClubId,
        endpoint_id: EndpointId,
        { before, limit }: { readonly before: Option.Option<string>; readonly limit: number }
      ) {
        const earlier = Option.match(before, { onNone: () => sql`true`, onSome: (id) => sql`g.id < ${id}` })
        return yield* sql`
          select ${columns} from webhook_gradings g
          where g.club_id = ${club_id} and g.endpoint_id = ${endpoint_id} and ${earlier} and ${yield* isKept} and ${isThere}
          order by g.id desc limit ${limit + 1}`.pipe(decodeGradings)
      })

      const find = Effect.fn("GradingsRepo.find")(function*(club_id: ClubId, endpoint_id: EndpointId, id: GradingId) {
        return yield* sql`
          select ${columns}, g.report from webhook_gradings g
          where g.club_id = ${club_id} and g.id = ${id} and g.endpoint_id = ${endpoint_id} and ${yield* isKept}
            and ${isThere}`.pipe(decodeGrading)
      })

      // Gradings of one club run one by one, so that one club's slow receivers keep no other club waiting. A due one
      // waits for the end of the running one's lease. Workers claim one at a time, and look after they have the lock.
      // Otherwise two would miss each other's lease.
      const claim = Effect.fn("GradingsRepo.claim")(function*(at: DateTime.Utc, until: DateTime.Utc, lease_id: string) {
        const now = DateTime.toDateUtc(at)
        yield* Effect.orDie(sql`select pg_advisory_xact_lock(hashtextextended('webhook_gradings', 0))`)
        yield* Effect.orDie(sql`
          update webhook_gradings g set due_at = o.due_at from webhook_gradings o
          where g.due_at <= ${now} and o.club_id = g.club_id and o.finished_at is null and o.lease_id is not null
            and o.due_at > ${now}`)
        return yield* sql`
          update webhook_gradings g
          set lease_id = ${lease_id}::uuid, due_at = ${DateTime.toDateUtc(until)}, tries = g.tries + 1
          from (
            select club_id, id from webhook_gradings where due_at <= ${now}
            order by due_at limit 1 for update skip locked
          ) due
          where g.club_id = due.club_id and g.id = due.id
          returning g.club_id, g.id, g.endpoint_id, g.organization_id, g.lease_id, g.tries`.pipe(decodeLeased)
      }, inTransaction(sql))

      const target = Effect.fn("GradingsRepo.target")(({ club_id, endpoint_id }: Leased, at: DateTime.Utc) =>
        sql`
          select e.url, e.headers, l.max_per_second, s.secret,
            case when e.signing <> 'hmac' then s.signing_key end as signing_key
          from webhook_endpoints e
          join webhook_lanes l on l.club_id = e.club_id and l.endpoint_id = e.id
          cross join lateral (
            select e.secret, e.signing_key, null::int as number
            union all
            select p.secret, p.signing_key, p.number from webhook_previous_secrets p
            where p.club_id = e.club_id and p.endpoint_id = e.id and p.expires_at > ${DateTime.toDateUtc(at)}
          ) s
          where e.club_id = ${club_id} and e.id = ${endpoint_id} and e.status = 'enabled' and e.deleted_at is null
          order by s.number desc nulls first`.pipe(decodeTargets)
      )

      const ofLease = ({ club_id, id, lease_id }: Leased) =>
        sql`g.club_id = ${club_id} and g.id = ${id} and g.lease_id = ${lease_id} and g.finished_at is null`

      const extend = Effect.fn("GradingsRepo.extend")(function*(
        leased: Leased,
        target: Target,
        { at, until }: { readonly at: DateTime.Utc; readonly until: DateTime.Utc }
      ) {
        const extended = yield* sql`
          update webhook_gradings g set due_at = ${DateTime.toDateUtc(until)}
          from webhook_endpoints e
          where ${ofLease(leased)} and g.due_at > ${DateTime.toDateUtc(at)} and e.club_id = g.club_id
            and e.id = g.endpoint_id and ${isStill(target)}
          returning 1`
        return extended.length > 0
      }, Effect.orDie)

      const giveBack = Effect.fn("GradingsRepo.giveBack")(function*(leased: Leased, at: DateTime.Utc) {
        yield* sql`
          update webhook_gradings g set due_at = ${DateTime.toDateUtc(at)}, lease_id = null where ${ofLease(leased)}`
      }, Effect.orDie)

      /** The waiting gradings of the same club wait no longer, since this one has `ended`. */
      const next = (now: Date) =>
        sql`
          update webhook_gradings g set due_at = ${now} from ended
          where g.club_id = ended.club_id and g.id <> ended.id and g.finished_at is null and g.lease_id is null`

      const stop = Effect.fn("GradingsRepo.stop")(function*(leased: Leased, at: DateTime.Utc) {
        const now = DateTime.toDateUtc(at)
        yield* sql`
          with ended as (
            update webhook_gradings g set status = 'failed', failure = 'endpoint_changed', due_at = null, lease_id = null,
              finished_at = ${now}
            where ${ofLease(leased)} and g.due_at > ${now}
            returning g.club_id, g.id
          )
          ${next(now)}`
      }, Effect.orDie)

      const end = Effect.fn("GradingsRepo.end")(function*(leased: Leased, ended: Ended, at: DateTime.Utc) {
        const none = { failure: null, grade: null, report: null, proof: null }
        const { failure, grade, proof, report } = { ...none, ...ended }
        const now = DateTime.toDateUtc(at)
        const proved = proof === null ? sql`select 1` : sql`
          update webhook_endpoints e set newest_proved = ${proof.newest_proved} from ended
          where e.club_id = ended.club_id and e.id = ended.endpoint_id and ${isStill(proof.target)}`
        yield* sql`
          with ended as (
            update webhook_gradings g set status = ${ended.status}, failure = ${failure}, grade = ${grade},
              report = ${report}, due_at = null, lease_id = null, finished_at = ${now}
            where ${ofLease(leased)}
            returning g.club_id, g.id, g.endpoint_id
          ), proved as (${proved})
          ${next(now)}`
      }, Effect.orDie)

      return GradingsRepo.of({ begin, list, find, claim, target, extend, giveBack, stop, end })
    })
  )
}
