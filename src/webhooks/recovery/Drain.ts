import { Schema } from "effect"
import { Count } from "../../platform/http/Count.ts"
import { field } from "../../platform/http/Field.ts"

/** Deliveries of a drain that are counted at most. */
export const mostRemaining = 10_000

export const WebhookDrain = Schema.Struct({
  rate: Schema.NullOr(Count).pipe(field("How many attempts a second at most; null: nothing is drained", 20)),
  begun_at: Schema.NullOr(Schema.DateTimeUtcFromDate).pipe(
    field("When the endpoint was enabled: what was due then is drained; null: nothing is drained")
  ),
  remaining: Count.pipe(field("How many of that are not sent yet, 10,000 at most", 240)),
  capped: Schema.Boolean.pipe(field("Whether there are more than those 10,000", false))
}).annotate({
  identifier: "WebhookDrain",
  description: "How far an endpoint that was paused is with what waited for it"
})
export type WebhookDrain = typeof WebhookDrain.Type
