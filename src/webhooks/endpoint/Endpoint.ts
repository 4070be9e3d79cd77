import { Effect, Result, Schema } from "effect"
import { EventType } from "../../events/EventType.ts"
import { ApiError } from "../../platform/http/ApiError.ts"
import { text } from "../../platform/http/Text.ts"
import { EndpointId } from "../model/EndpointId.ts"
import { EndpointStatus } from "../model/EndpointStatus.ts"

const Instant = Schema.DateTimeUtcFromDate
const Moment = Schema.NullOr(Instant)

/** Why an endpoint is disabled: it accepted nothing for days, or a person did it. */
export const DisabledReason = Schema.Literals(["failing", "manual"])

/**
 * An endpoint as administrators see it (http-surface, Outgoing webhooks). `hold_until` and `consecutive_failures` are of
 * its circuit breaker; null and 0 in the normal state. `previous_secret_expires_at` is when the last of the secrets that
 * were replaced signs no more; null while the newest one alone signs.
 */
export const WebhookEndpoint = Schema.Struct({
  id: EndpointId,
  url: Schema.String,
  description: Schema.String,
  status: EndpointStatus,
  event_types: Schema.Array(EventType),
  hold_until: Moment,
  disabled_reason: Schema.NullOr(DisabledReason),
  disabled_at: Moment,
  consecutive_failures: Schema.Int,
  last_success_at: Moment,
  last_failure_at: Moment,
  previous_secret_expires_at: Moment,
  created_at: Instant,
  updated_at: Instant
}).annotate({ identifier: "WebhookEndpoint" })
export type WebhookEndpoint = typeof WebhookEndpoint.Type

/** With its new secret, which is shown this once: `whsec_<base64>`. */
export const WebhookEndpointWithSecret = Schema.Struct({
  ...WebhookEndpoint.fields,
  secret: Schema.RedactedFromValue(Schema.String)
}).annotate({ identifier: "WebhookEndpointWithSecret" })
export type WebhookEndpointWithSecret = typeof WebhookEndpointWithSecret.Type

const Description = text(0, 500)

// Which names there are is judged by the service, which has a code of its own for it.
const EventTypeNames = Schema.Array(text(1, 100)).check(
  Schema.isMinLength(1),
  Schema.isMaxLength(100),
  Schema.isUnique({ expected: "must name each type at most once" })
)

/** An explicit list of types, without wildcards. Enabled and without a description unless said otherwise. */
export const CreateEndpoint = Schema.Struct({
  url: Schema.String,
  event_types: EventTypeNames,
  description: Description.pipe(Schema.withDecodingDefaultKey(Effect.succeed(""))),
  status: Schema.Literals(["enabled", "paused"]).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed("enabled" as const))
  )
})

/** Absent is unchanged; a null description is an empty one. */
export const PatchEndpoint = Schema.Struct({
  url: Schema.optionalKey(Schema.String),
  event_types: Schema.optionalKey(EventTypeNames),
  description: Schema.optionalKey(Schema.NullOr(Description)),
  status: Schema.optionalKey(EndpointStatus)
})

/** How many endpoints a club has at most (contract, Address rules). */
export const endpointLimit = 20

/** How many replaced secrets sign beside the newest one at most (http-surface, Outgoing webhooks). */
export const overlapLimit = 5

/** A name in `event_types` is none of the catalog's. */
export class EventTypeUnknown extends ApiError<EventTypeUnknown>()("EventTypeUnknown", {
  status: 422,
  code: "event_type_unknown",
  message: "event_types must be types that GET /webhook-event-types lists"
}) {}

/** Deleted endpoints do not count. */
export class EndpointLimitReached extends ApiError<EndpointLimitReached>()("EndpointLimitReached", {
  status: 409,
  code: "endpoint_limit_reached",
  message: `A club has at most ${endpointLimit} webhook endpoints: delete one first`
}) {}

/** Every secret signs for its own time, so there is no room for one more before the oldest has. */
export class RotationLimitReached extends ApiError<RotationLimitReached>()("RotationLimitReached", {
  status: 409,
  code: "rotation_limit_reached",
  message: `The last ${overlapLimit} secrets that were replaced still sign: rotate again once the oldest has expired`
}) {}

/** From disabled only to enabled. */
export class InvalidTransition extends ApiError<InvalidTransition>()("InvalidTransition", {
  status: 409,
  code: "invalid_transition",
  message: "status must be enabled: a disabled endpoint cannot be paused"
}) {}

/** Nothing is sent to an endpoint that is paused or disabled, whoever asks. */
export class EndpointNotEnabled extends ApiError<EndpointNotEnabled>()("EndpointNotEnabled", {
  status: 409,
  code: "endpoint_not_enabled",
  message: "The endpoint is not enabled: set its status to enabled first"
}) {}

const isEventType = Schema.is(EventType)

/** The types of these names. The message of the failure says which is the first that is none. */
export const parseEventTypes = (
  names: ReadonlyArray<string>
): Result.Result<ReadonlyArray<EventType>, EventTypeUnknown> => {
  const types = names.filter(isEventType)
  if (types.length === names.length) return Result.succeed(types)
  const unknown = names.findIndex((name) => !isEventType(name))
  return Result.fail(
    new EventTypeUnknown({
      error: { message: `event_types[${unknown}] must be a type that GET /webhook-event-types lists` }
    })
  )
}
