import { Schema } from "effect"
import { Count } from "../../../platform/http/Count.ts"
import { field } from "../../../platform/http/Field.ts"
import { Instant } from "../../../platform/schema/Instant.ts"
import { EndpointId } from "../../model/EndpointId.ts"

/** How far back a series goes. */
export const SeriesWindow = Schema.Literals(["24h", "7d", "30d"])
export type SeriesWindow = typeof SeriesWindow.Type

export const SeriesStep = Schema.Literals(["hour", "day"])
export type SeriesStep = typeof SeriesStep.Type

const outcomes = {
  at: Instant.pipe(field("When the step begins: an hour or a day of the club's time zone")),
  succeeded: Count.pipe(field("How many attempts were accepted", 184)),
  failed: Count.pipe(field("How many attempts failed; most of them are repeated later", 2))
}

const SeriesPoint = Schema.Struct({
  ...outcomes,
  given_up: Count.pipe(field("How many deliveries failed for good with one of those", 0)),
  attempts: Count.pipe(field("How many attempts ended: succeeded and failed together", 186)),
  p50_ms: Schema.NullOr(Count).pipe(field(
    "How long the faster half of the attempts took at most, in milliseconds, estimated from counts by steps: off by up to a half",
    120
  )),
  p95_ms: Schema.NullOr(Count).pipe(field(
    "How long the fastest 95 of 100 took at most, estimated in the same way; both are null if no attempt ended",
    480
  ))
}).annotate({ identifier: "WebhookSeriesPoint", description: "The results of the attempts of one hour or one day" })
type SeriesPoint = typeof SeriesPoint.Type

export const WebhookSeries = Schema.Struct({
  from: Instant.pipe(field("When the first step begins")),
  until: Instant.pipe(field("Now: the last step is not over yet")),
  step: SeriesStep.pipe(field("How long a step is: a day for `30d`, else an hour")),
  points: Schema.Array(SeriesPoint).pipe(field("Every step, oldest first, also steps without attempts"))
}).annotate({ identifier: "WebhookSeries", description: "The results of an endpoint's attempts, step by step" })
export type WebhookSeries = typeof WebhookSeries.Type

export const EndpointSeries = Schema.Struct({
  endpoint_id: EndpointId.pipe(field("Whose attempts were counted")),
  points: Schema.Array(Schema.Struct(outcomes)).pipe(field("Every step, oldest first, also steps without attempts"))
}).annotate({ identifier: "WebhookEndpointSeries", description: "The same of one of all endpoints, in short" })
export type EndpointSeries = typeof EndpointSeries.Type
