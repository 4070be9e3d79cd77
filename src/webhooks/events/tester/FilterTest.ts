import { Schema } from "effect"
import { EventId, EventType } from "../../../events/EventType.ts"
import { personalData } from "../../../identity/people/PersonalData.ts"
import { field } from "../../../platform/http/Field.ts"
import { sentId } from "../../../platform/http/Text.ts"
import { filterExample, testedFilter } from "../../endpoint/filter/StoredFilter.ts"

const EventJson = Schema.Record(Schema.String, Schema.Unknown)

/** A filter, and an event to try it on: the first of the three that is sent. */
export const TestFilter = Schema.Struct({
  filter: testedFilter,
  event: Schema.optionalKey(EventJson).pipe(field("A whole body, as it would be sent", { data: {} })),
  event_type: Schema.optionalKey(EventType).pipe(field("Without an event: the example of this type in the catalog")),
  event_id: Schema.optionalKey(sentId(EventId))
    .pipe(field("Without either: an event of the club whose body still exists"))
}).check(Schema.makeFilter(
  ({ event, event_id, event_type }) => [event, event_id, event_type].some((one) => one !== undefined),
  { expected: "one with event, event_type or event_id" }
)).pipe(Schema.annotateEncoded({ examples: [{ filter: filterExample, event_type: "purchase.paid" }] }))

export const FilterTested = Schema.Struct({
  matches: Schema.Boolean.pipe(field("True if the event would be sent")),
  failed: Schema.Array(Schema.String)
    .pipe(field("Where the conditions stand without which it would be; empty if it is", [])),
  conditions: Schema.Array(Schema.Struct({
    place: Schema.String.pipe(field("Where it stands in the filter", "filter.all[0]")),
    field: Schema.String.pipe(field("The field that it is about", "data.purchase.amount_cents")),
    present: Schema.Boolean.pipe(field("True if the event has the field")),
    value: Schema.Json.annotate(personalData).pipe(field(
      "The event's value there, a text up to 500 characters; null also for lists, objects and a missing value",
      14_950
    )),
    matches: Schema.Boolean.pipe(field("True if the value meets the condition"))
  })).pipe(field("Every condition about a field, as they are written"))
}).annotate({ identifier: "WebhookFilterTest", description: "A filter's result for one event" })
export type FilterTested = typeof FilterTested.Type
