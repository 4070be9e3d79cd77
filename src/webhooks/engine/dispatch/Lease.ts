import { type DateTime, type Option, Schema } from "effect"
import { EventId } from "../../../events/EventType.ts"
import { ClubId } from "../../../identity/ids/ClubId.ts"
import { brandedId } from "../../../platform/schema/brandedId.ts"
import { KeptTrace } from "../../../platform/tracing/KeptTrace.ts"
import type { AttemptError } from "../../model/AttemptError.ts"
import type { AttemptPeer } from "../../model/AttemptPeer.ts"
import type { AttemptPhases } from "../../model/AttemptPhases.ts"
import { DeliveryStatus, Trigger } from "../../model/DeliveryStatus.ts"
import { EndpointId } from "../../model/EndpointId.ts"
import { EndpointStatus } from "../../model/EndpointStatus.ts"
import { type AttemptId, WebhookDeliveryId } from "../../model/WebhookDeliveryId.ts"
import type { AfterAttempt } from "./AfterAttempt.ts"
import type { Breaker } from "./Breaker.ts"
import type { QueuePlace } from "./LaneCursor.ts"

/** A lane and the lease of its worker. Under another lease a worker takes, writes and releases nothing. */
export const Lease = Schema.Struct({
  club_id: ClubId,
  endpoint_id: EndpointId,
  lease_id: brandedId("WebhookLeaseId")
})
export type Lease = typeof Lease.Type

// Null first, unlike `NullOr`: a try of a date on each null takes 8 µs a lane instead of 3.
const Instant = Schema.Union([Schema.Null, Schema.DateTimeUtcFromDate])

const laneFields = <Moment extends Schema.Top>(moment: Moment) => ({
  /** How often something woke the lane. The release works only if the number is still the same. */
  wakes: Schema.String,
  /** How often a person has reset the breaker: one that was loaded before a reset is not written back. */
  breaker_epoch: Schema.Int,
  consecutive_failures: Schema.Int,
  holds: Schema.Int,
  hold_until: moment,
  failing_since: moment
})

/** The same in JSON. */
const Moment = Schema.Union([Schema.Null, Schema.DateTimeUtcFromString])

const limits = {
  max_per_second: Schema.NullOr(Schema.Int),
  max_in_flight: Schema.NullOr(Schema.Int),
  /** The rate at which what waited is drained, for as long as something is due that was due then. */
  drain_rate: Schema.NullOr(Schema.Int),
  drain_until: Moment,
  /** The rate of what recoveries have moved into the lane. */
  recovery_rate: Schema.NullOr(Schema.Int)
}

/** A lane with its breaker, as it is when it is claimed. */
export const ClaimedLane = Schema.Struct({
  ...Lease.fields,
  ...laneFields(Instant),
  /** Null for a lane without limits. */
  limits: Schema.Union([
    Schema.Null,
    Schema.Struct({
      ...limits,
      /** The time when its bucket is full again, as of the release. */
      full_at: Moment,
      /** The same of the bucket of recoveries. */
      recovery_full_at: Moment,
      /** True if it was not given back. The worker that had it may have started attempts up to now. */
      taken_over: Schema.Boolean
    })
  ])
})
export type ClaimedLane = typeof ClaimedLane.Type

/** Tells leases apart, also those of one lane. */
export const keyOf = ({ endpoint_id, lease_id }: Pick<Lease, "endpoint_id" | "lease_id">) =>
  `${endpoint_id} ${lease_id}`

const Hex = Schema.Union([Schema.Null, Schema.Uint8ArrayFromHex])

const PreviousSecret = Schema.Struct({ secret: Hex, signing_key: Hex, expires_at: Schema.DateTimeUtcFromString })

/**
 * The endpoint and its breaker at the moment of a take. Secrets and private keys are sealed, previous ones newest first; null
 * where they do not sign.
 */
export const LaneState = Schema.Struct({
  ...laneFields(Moment),
  limits: Schema.Union([Schema.Null, Schema.Struct(limits)]),
  endpoint_status: EndpointStatus,
  url: Schema.String,
  secret: Hex,
  signing_key: Hex,
  previous_secrets: Schema.Array(PreviousSecret),
  /** The endpoint's own headers, sealed. Null without any. */
  headers: Hex
})
export type LaneState = typeof LaneState.Type

/** The fields of a delivery that an attempt needs, as of the take. */
export const TakenDelivery = Schema.Struct({
  id: WebhookDeliveryId,
  event_id: EventId,
  status: DeliveryStatus,
  attempts_count: Schema.Int,
  /** Attempts of the retry schedule so far: the column `rung`. */
  step: Schema.Int,
  trigger: Trigger,
  once: Schema.Boolean,
  next_attempt_at: Schema.Date,
  body: Schema.Uint8Array,
  /** The trace of its event. Absent without a collector. */
  trace: Schema.optionalKey(KeptTrace)
})
export type TakenDelivery = typeof TakenDelivery.Type

/** A worker's request: as many deliveries of a lane as it can start now. */
export interface TakeRequest {
  readonly lease: Lease
  readonly slots: number
  /** Only what a person asked for, because the breaker holds the endpoint. */
  readonly requestedOnly: boolean
  /** In the queue, but under way already. */
  readonly inFlight: ReadonlyArray<WebhookDeliveryId>
  /** True if recovered deliveries may be started too: the rate of recoveries has tokens. */
  readonly recovers: boolean
  /** Only what lies behind this in the queue; null: all of it. */
  readonly after: QueuePlace | null
}

/** `None` once the lease is lost. */
export type TakeResult = Option.Option<{
  readonly lane: LaneState
  readonly deliveries: ReadonlyArray<TakenDelivery>
}>

/** An attempt that has ended, and what it made of its delivery and of the breaker. */
export interface Settlement {
  readonly lease: Lease
  readonly breaker: Breaker
  readonly breaker_epoch: number
  readonly delivery: Pick<TakenDelivery, "id" | "attempts_count" | "trigger">
  readonly attempt: {
    readonly id: AttemptId
    readonly started_at: DateTime.Utc
    readonly ended_at: DateTime.Utc
    readonly duration_ms: number
    readonly status_code: number | null
    readonly error: AttemptError | null
    readonly response_body: string | null
    readonly retry_after_seconds: number | null
    readonly phases: AttemptPhases | null
    readonly connection_reused: boolean | null
    readonly peer: AttemptPeer | null
    /** The header as sent. Null if the attempt sent nothing. */
    readonly signature: string | null
  }
  /** The delivery's new state, unless something changed it meanwhile. */
  readonly after: AfterAttempt
}

/** The release of a lane. */
export interface Release {
  readonly lease: Lease
  /** The number of wakes as of the last take. */
  readonly wakes: string
  /** The lane is not due before: the end of a hold, or now for one that lets others go first. */
  readonly notBefore: DateTime.Utc
  /**
   * Until when its rate lets nothing start, not even what a person asked for; its bucket, and that of recoveries. Each is null
   * without that rate. Absent without either rate.
   */
  readonly paced?: {
    readonly until: DateTime.Utc | null
    readonly full_at: DateTime.Utc | null
    readonly recovery_full_at: DateTime.Utc | null
  } | undefined
}
