import { Schema } from "effect"
import { EventType } from "../../../events/EventType.ts"
import { OrganizationId } from "../../../identity/ids/ClubId.ts"
import { StudentId } from "../../../identity/ids/StudentId.ts"
import { ApiError } from "../../../platform/http/ApiError.ts"
import { field } from "../../../platform/http/Field.ts"
import { keysetOf, Page, PageQuery } from "../../../platform/http/Page.ts"
import { queryNumber } from "../../../platform/http/QueryNumber.ts"
import { sentEvent } from "../../../platform/http/ServerSentEvents.ts"
import { sentId } from "../../../platform/http/Text.ts"
import { Timestamp } from "../../../platform/http/Timestamp.ts"
import { Uuid } from "../../../platform/schema/brandedId.ts"
import { Instant } from "../../../platform/schema/Instant.ts"
import { WebhookEvent } from "../../history/delivery/Delivery.ts"

/** How long a read waits at most, in seconds. */
const longestWait = 30

/**
 * The places of the feed as clients have them: the position, and the club whose it is, by its public id. Versions up to 0.2.0
 * did not name the club.
 */
export const cursors = keysetOf(Schema.Struct({ position: Uuid, club: Schema.optionalKey(OrganizationId) }))

/** Of the place of the 42nd event. */
export const exampleCursor =
  "eyJwb3NpdGlvbiI6IjAxOWQ0ODYwLWUxOTAtNzAwMC04MDAwLTAwMDAwMDAwMDAyYSIsImNsdWIiOiIxZjhiNmMwZC0yYTNiLTRjNWQtOGU2Zi03YThiOWMwZDFlMmYifQ"

const { diagnoses: _, payload, ...about } = WebhookEvent.fields

/** An event of a club's feed. */
export const FeedEvent = Schema.Struct({
  number: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))
    .pipe(field("The event's number in the club: one more than the event before it, without gaps", 42)),
  cursor: Schema.String.pipe(field("Its place: sent as `after`, the feed goes on behind it", exampleCursor)),
  occurred_at: Instant.pipe(field("When it happened")),
  ...about,
  payload
}).annotate({ identifier: "FeedEvent", description: "An event of the feed. Kept for 90 days, its payload for 30" })
export type FeedEvent = typeof FeedEvent.Type

/** A page of the feed. */
export const FeedPage = Schema.Struct({
  ...Page(FeedEvent).fields,
  cursor: Schema.String
    .pipe(field(
      "How far this page has read. Sent as `after`, now or in weeks, it goes on with what follows",
      exampleCursor
    ))
})
export type FeedPage = typeof FeedPage.Type

const start = {
  after: Schema.optionalKey(Schema.String)
    .pipe(field(
      "Where to begin: behind this `cursor` of a page or an event, or `latest`, behind all there are",
      "latest"
    )),
  since: Schema.optionalKey(Timestamp)
    .pipe(field("Without `after`: begin with what was assembled at this moment or later; else with the oldest kept"))
}

const filter = {
  type: Schema.optionalKey(EventType).pipe(field("Only events of this type")),
  student_id: Schema.optionalKey(sentId(StudentId)).pipe(field("Only events about this student"))
}

/** The events to read. */
export const FeedQuery = {
  ...PageQuery,
  ...start,
  ...filter,
  wait: queryNumber({ minimum: 0, maximum: longestWait, usual: 0 })
    .pipe(field("How many seconds to wait if there is no event, from 0 to 30; 0 unless said otherwise", "0"))
}

/** The events to follow. */
export const FollowFeedQuery = { ...start, ...filter }

const FollowFeed = Schema.Struct(FollowFeedQuery)
/** The start, and the filter. */
export type FollowFeed = typeof FollowFeed.Type

const ReadFeed = Schema.Struct(FeedQuery)
/** The same, and the page. */
export type ReadFeed = typeof ReadFeed.Type

const id = Schema.optionalKey(Schema.String)
  .pipe(field("The cursor. Sent as `Last-Event-ID`, the stream goes on behind it", exampleCursor))

/** An event of a stream of the feed. */
export const FeedStreamEvent = Schema.Union([
  sentEvent("event", {
    id,
    event: "An event of the club",
    data: "JSON of the FeedEvent, its deliveries as they are at this moment",
    example: JSON.stringify({ number: 42, cursor: exampleCursor, type: "student.created" })
  }, Schema.Struct(FeedEvent.fields)),
  sentEvent("caught_up", {
    id,
    event: "Every event was sent; more follow when there are more",
    data: "JSON of the place",
    example: JSON.stringify({ cursor: exampleCursor })
  }, Schema.Struct({ cursor: Schema.String.pipe(field("The cursor of the last event", exampleCursor)) }))
]).annotate({ identifier: "FeedStreamEvent", description: "An event of a stream of the feed" })
export type FeedStreamEvent = typeof FeedStreamEvent.Type

/** Events behind the cursor are not kept any more: a reader who went on would miss them. */
export class CursorExpired extends ApiError<CursorExpired>()("CursorExpired", {
  status: 410,
  code: "cursor_expired",
  message: {
    en: "Events after this cursor no longer exist: start again without it, or with since",
    "pt-BR": "Os eventos depois deste cursor não existem mais: comece de novo, sem ele ou com since."
  }
}) {}
