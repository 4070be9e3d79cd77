import { Context, DateTime, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { InstantOrNull } from "../../platform/schema/Instant.ts"
import { scanning } from "../../platform/sql/ReadLane.ts"
import { first, rows } from "../../platform/sql/Rows.ts"
import { QueueState, queueState } from "../engine/queue/QueueState.ts"
import { AttemptError } from "../model/AttemptError.ts"
import { EndpointId } from "../model/EndpointId.ts"
import { makeRetentionCutoffs } from "../model/RetentionCutoffs.ts"
import { WebhookEndpoint } from "./Endpoint.ts"
import { livingEndpoints } from "./livingEndpoints.ts"
import { secretEndsAt } from "./secretEndsAt.ts"

/** Deliveries of each queue that are counted at most, where all queues of a club are looked at. */
export const countedOfEach = 1000

const { consecutive_failures, disabled_reason, hold_until, last_failure_at, last_success_at, status } =
  WebhookEndpoint.fields

const Hex = Schema.NullOr(Schema.Uint8ArrayFromHex)

/** The fields of an endpoint and its breaker that decide its state and the advice. */
const Condition = Schema.Struct({
  status,
  disabled_reason,
  hold_until,
  consecutive_failures,
  /** When the first failed attempt since the last accepted one ended. */
  failing_since: InstantOrNull,
  last_failure_at,
  /** Why the last failed attempt failed; null before the first one. */
  last_failure_error: Schema.NullOr(AttemptError),
  last_failure_status: Schema.NullOr(Schema.Int),
  last_success_at,
  /** The end of the receiver's last certificate. Null before the first one, and after a change of address. */
  certificate_ends_at: InstantOrNull,
  /** When the last of the replaced secrets ends. */
  secret_ends_at: WebhookEndpoint.fields.previous_secret_expires_at,
  /** True if a grading has shown that its receiver has the newest secret. Null if no grading has, for this secret. */
  newest_proved: Schema.NullOr(Schema.Boolean),
  /** The values that a delivery opens. */
  secret: Schema.NullOr(Schema.Uint8Array),
  signing_key: Schema.NullOr(Schema.Uint8Array),
  headers: Schema.NullOr(Schema.Uint8Array),
  /** Replaced ones that sign still. */
  previous_secrets: Schema.Array(Schema.Struct({ secret: Hex, signing_key: Hex }))
})

const Found = Schema.Struct({ endpoint_id: EndpointId, ...Condition.fields, ...QueueState.fields })

const decodeCondition = first(Condition)
const decodeFound = rows(Found)

/** The state of endpoints at one moment. Deleted ones never appear. */
export class DiagnosesRepo extends Context.Service<DiagnosesRepo, {
  find(club_id: ClubId, id: EndpointId): Effect.Effect<Option.Option<typeof Condition.Type>>
  /** All of a club, with their queues, in one statement. Oldest first. */
  read(club_id: ClubId): Effect.Effect<ReadonlyArray<typeof Found.Type>>
}>()("turma/webhooks/endpoint/DiagnosesRepo") {
  static readonly layer = Layer.effect(
    DiagnosesRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const cutoffs = yield* makeRetentionCutoffs

      // Of the endpoint `e` and its lane `l`.
      const columns = (now: DateTime.Utc) =>
        sql`
          e.status, e.disabled_reason, l.hold_until, l.consecutive_failures, l.failing_since, l.last_failure_at,
          l.last_failure_error, l.last_failure_status, l.last_success_at, l.certificate_ends_at,
          ${secretEndsAt(sql, DateTime.toDateUtc(now))} as secret_ends_at, e.newest_proved,
          e.secret, e.signing_key, e.headers, array(
            select json_build_object('secret', encode(p.secret, 'hex'), 'signing_key', encode(p.signing_key, 'hex'))
            from webhook_previous_secrets p
            where p.club_id = e.club_id and p.endpoint_id = e.id and p.expires_at > ${DateTime.toDateUtc(now)}
          ) as previous_secrets`

      const find = Effect.fn("DiagnosesRepo.find")(function*(club_id: ClubId, id: EndpointId) {
        return yield* sql`
          select ${columns(yield* DateTime.now)}
          from webhook_endpoints e join webhook_lanes l on l.club_id = e.club_id and l.endpoint_id = e.id
          where e.club_id = ${club_id} and e.id = ${id} and e.deleted_at is null`.pipe(decodeCondition)
      })

      const read = Effect.fn("DiagnosesRepo.read")(function*(club_id: ClubId) {
        const { now, queue: oldest } = yield* cutoffs
        const lane = { club_id: sql`e.club_id`, endpoint_id: sql`e.id` }
        return yield* sql`
          select e.id as endpoint_id, ${columns(now)}, q.depth, q.oldest_pending_at, q.due_at, q.requested_at
          from ${livingEndpoints(sql, club_id)} e
          join webhook_lanes l on l.club_id = e.club_id and l.endpoint_id = e.id
          cross join lateral (${queueState(sql, lane, { oldest, counted: countedOfEach })}) q
          order by e.id`.pipe(decodeFound, scanning)
      })

      return DiagnosesRepo.of({ find, read })
    })
  )
}
