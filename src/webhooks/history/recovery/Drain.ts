import { DateTime, Schema } from "effect"
import { Count } from "../../../platform/http/Count.ts"
import { field } from "../../../platform/http/Field.ts"
import { InstantOrNull } from "../../../platform/schema/Instant.ts"
import type { EndpointStatus } from "../../model/EndpointStatus.ts"
import { OfDay, OfType } from "./Recovery.ts"

/** Deliveries of a drain that are counted at most. */
export const mostRemaining = 10_000

const DrainStatus = Schema.Literals(["none", "waiting", "draining", "completed", "canceled"])

export const WebhookDrain = Schema.Struct({
  status: DrainStatus.pipe(field(
    "`waiting`: the endpoint is paused, and `remaining` would be drained. Else the latest drain: `none`, under way, `completed`, or `canceled` by taking its rate away or stopping the endpoint",
    "draining"
  )),
  rate: Schema.NullOr(Count).pipe(field("How many attempts a second at most; null: nothing is drained", 20)),
  begun_at: InstantOrNull
    .pipe(field("When the endpoint was enabled: what was due then is drained; null: nothing was, or it is paused")),
  ended_at: InstantOrNull.pipe(field("When it was completed or canceled; null before", null)),
  ends_at: InstantOrNull
    .pipe(field("When it is through at this rate, at the earliest; null unless it is under way, and while held")),
  total: Schema.NullOr(Count).pipe(field("How many were due then, 10,000 at most; null where that is not known", 600)),
  remaining: Count.pipe(field("How many of them are not sent yet, 10,000 at most", 240)),
  capped: Schema.Boolean.pipe(field("True if there are more than those 10,000", false)),
  by_type: Schema.Array(OfType).pipe(field("The remaining ones by type, in the order of the types' names")),
  by_day: Schema.Array(OfDay).pipe(field("The remaining ones by age, oldest first"))
}).annotate({
  identifier: "WebhookDrain",
  description: "How far an endpoint that was paused is with what waited for it"
})
export type WebhookDrain = typeof WebhookDrain.Type

/** The facts about an endpoint and its latest drain. */
export interface DrainFacts
  extends Pick<WebhookDrain, "rate" | "begun_at" | "ended_at" | "total" | "by_type" | "by_day">
{
  readonly endpoint_status: EndpointStatus
  readonly is_held: boolean
  readonly max_per_second: number | null
  readonly is_canceled: boolean | null
  /** Up to one more than are counted. */
  readonly waiting: number
}

const statusOf = ({ begun_at, endpoint_status, is_canceled, rate }: DrainFacts): WebhookDrain["status"] => {
  if (endpoint_status === "paused") return "waiting"
  if (rate !== null) return "draining"
  if (begun_at === null) return "none"
  return is_canceled ? "canceled" : "completed"
}

/** When so many have begun at that rate. */
const endOf = ({ is_held, max_per_second, rate, waiting }: DrainFacts, now: DateTime.Utc): DateTime.Utc | null => {
  if (rate === null || is_held) return null
  const seconds = Math.ceil(waiting / Math.min(rate, max_per_second ?? rate))
  return DateTime.add(now, { seconds })
}

/** The answer about a drain. A paused endpoint only has the deliveries that a drain would send. */
export const drainOf = (facts: DrainFacts, now: DateTime.Utc): WebhookDrain => {
  const { begun_at, by_day, by_type, ended_at, rate, total, waiting } = facts
  const status = statusOf(facts)
  const drain = status === "waiting" ? { begun_at: null, ended_at: null, total: null } : { begun_at, ended_at, total }
  return {
    status,
    rate,
    ...drain,
    ends_at: endOf(facts, now),
    remaining: Math.min(waiting, mostRemaining),
    capped: waiting > mostRemaining,
    by_type,
    by_day
  }
}
