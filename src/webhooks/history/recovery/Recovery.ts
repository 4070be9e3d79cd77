import { Schema } from "effect"
import { EventType } from "../../../events/EventType.ts"
import { UserId } from "../../../identity/ids/UserId.ts"
import { ApiError } from "../../../platform/http/ApiError.ts"
import { Count } from "../../../platform/http/Count.ts"
import { field } from "../../../platform/http/Field.ts"
import { Timestamp } from "../../../platform/http/Timestamp.ts"
import { brandedId } from "../../../platform/schema/brandedId.ts"
import { Instant, InstantOrNull } from "../../../platform/schema/Instant.ts"
import { EventTypeNames } from "../../endpoint/EventTypeNames.ts"
import { EndpointId } from "../../model/EndpointId.ts"
import { RecoverSince } from "../delivery/RecoverSince.ts"

/** UUIDv7. */
export const RecoveryId = brandedId("WebhookRecoveryId")
export type RecoveryId = typeof RecoveryId.Type

export const RecoveryStatus = Schema.Literals(["counting", "previewed", "running", "paused", "completed", "canceled"])
export type RecoveryStatus = typeof RecoveryStatus.Type

export const RecoveryCancelReason = Schema.Literals(["requested", "replaced", "endpoint_disabled", "endpoint_deleted"])
export type RecoveryCancelReason = typeof RecoveryCancelReason.Type

export const BlockedBy = Schema.Literals(["endpoint_paused", "endpoint_held"])
export type BlockedBy = typeof BlockedBy.Type

const Order = Schema.Literals(["oldest", "newest"])
const Rate = Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1000 })))

export const OfType = Schema.Struct({
  event_type: EventType.pipe(field("Which kind of fact they tell")),
  count: Count.pipe(field("How many would be sent", 12))
})
export const OfDay = Schema.Struct({
  date: Schema.String.pipe(field("The day in the club's time zone", "2026-11-20")),
  count: Count.pipe(field("How many of those that were created on it would be sent", 12))
})

export const RecoveryPreview = Schema.Struct({
  total: Count.pipe(field("How many would be sent", 12)),
  failed: Count.pipe(field("How many of those failed", 9)),
  endpoint_disabled: Count.pipe(field("How many of those were canceled while the endpoint was disabled", 3)),
  by_type: Schema.Array(OfType).pipe(field("By type, in the order of their names")),
  by_day: Schema.Array(OfDay).pipe(field("By age: the days on which they were created, oldest first")),
  left_out: Schema.Struct({
    student_removed: Count.pipe(field("Canceled because their student was removed", 1)),
    expired: Count.pipe(field("Canceled because they waited for 30 days", 0)),
    payload_purged: Count.pipe(field("Failed, or canceled by disabling, and without a body by now", 0))
  }).pipe(field("How many others there are, which stay as they are, and why"))
}).annotate({
  identifier: "WebhookRecoveryPreview",
  description: "The deliveries that a recovery would send, and those that it would not"
})
export type RecoveryPreview = typeof RecoveryPreview.Type

export const WebhookRecovery = Schema.Struct({
  id: RecoveryId.pipe(field("Names the recovery. Later ones have greater ids")),
  endpoint_id: EndpointId.pipe(field("Where it sends")),
  status: RecoveryStatus.pipe(field(
    "`counting` what would be sent, `previewed` until it is started, `running`, `paused` by a person, and in the end `completed` or `canceled`",
    "running"
  )),
  cancel_reason: Schema.NullOr(RecoveryCancelReason).pipe(field(
    "A person, a later recovery before this one was started, or its endpoint, which went away; null unless it is canceled",
    null
  )),
  blocked_by: Schema.NullOr(BlockedBy)
    .pipe(field(
      "Why a running one waits: the endpoint is paused, or held after failures; null while it moves on",
      null
    )),
  since: Instant.pipe(field("It sends what was created at this moment or later")),
  until: InstantOrNull
    .pipe(field("It sends what was created before this moment; null: whatever had ended by `created_at`", null)),
  event_types: Schema.NullOr(Schema.Array(EventType)).pipe(field("Its event types; null: all", null)),
  order: Order.pipe(field("What is sent first")),
  rate: Rate.pipe(field("How many a second at most; null: as fast as the receiver takes them", 50)),
  preview: RecoveryPreview.pipe(field("Its counts; so far, while it is counting")),
  progress: Schema.Struct({
    moved: Count.pipe(field("How many deliveries became pending for their one attempt", 8)),
    waiting: Count.pipe(field("How many of those still wait for it", 2)),
    succeeded: Count.pipe(field("How many of those were accepted", 5)),
    failed: Count.pipe(field("How many of those were not", 1)),
    canceled: Count.pipe(field("How many of those were canceled before their attempt", 0)),
    remaining: Count.pipe(field("How many of the preview are not moved yet", 4)),
    skipped: Count
      .pipe(field(
        "How many of the preview were not there any more, as where their student was removed; 0 before the end",
        0
      ))
  }).pipe(field("How far it is")),
  created_by: UserId.pipe(field("The member who created it, also by a key")),
  created_at: Instant.pipe(field("When it was created")),
  started_at: InstantOrNull.pipe(field("When it was started first; null before")),
  finished_at: InstantOrNull.pipe(field("When it was completed or canceled; null before", null))
}).annotate({
  identifier: "WebhookRecovery",
  description: "Sending again, as a job, what an endpoint did not accept. Kept for 90 days"
})
export type WebhookRecovery = typeof WebhookRecovery.Type

export const CreateRecovery = Schema.Struct({
  since: RecoverSince.pipe(field("From when on, as for recovering at once")),
  until: Schema.optionalKey(Schema.NullOr(Timestamp)).pipe(field("Only what was created before this moment", null)),
  event_types: Schema.optionalKey(Schema.NullOr(EventTypeNames)).pipe(field("Only these types", ["purchase.paid"])),
  order: Schema.optionalKey(Order).pipe(field("Which ones are sent first; `oldest` unless sent")),
  rate: Schema.optionalKey(Rate).pipe(field("How many a second at most; as fast as it goes unless sent", 50)),
  start: Schema.optionalKey(Schema.Boolean)
    .pipe(field("True starts it as soon as it is counted; false if absent", false))
})
export type CreateRecovery = typeof CreateRecovery.Type

/** Absent is unchanged. */
export const PatchRecovery = Schema.Struct({
  status: Schema.optionalKey(Schema.Literals(["running", "paused", "canceled"]))
    .pipe(field("`running` to start or to go on, `paused` to move nothing for now, `canceled` to end it")),
  rate: Schema.optionalKey(Rate).pipe(field("How many a second at most from now on; null: as fast as it goes", 50))
})
export type PatchRecovery = typeof PatchRecovery.Type

/** One recovery of an endpoint at a time. */
export class RecoveryInProgress extends ApiError<RecoveryInProgress>()("RecoveryInProgress", {
  status: 409,
  code: "recovery_in_progress",
  message: {
    en: "A recovery of this endpoint is running or paused: cancel it, or wait until it is completed",
    "pt-BR": "Uma recuperação deste endpoint está em andamento ou pausada: cancele-a ou espere terminar."
  }
}) {}
