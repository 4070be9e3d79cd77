import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { administration, AllowedRoles, ClubMember, clubPath } from "../../../identity/authentication/Authentication.ts"
import { ClubWrites } from "../../../identity/limits/RateLimit.ts"
import { KeyFeature } from "../../../identity/people/Scope.ts"
import { GroupAudience } from "../../../platform/http/Audience.ts"
import { described } from "../../../platform/http/Described.ts"
import { TemporarilyUnavailable } from "../../../platform/http/errors.ts"
import { field } from "../../../platform/http/Field.ts"
import { NoStore } from "../../../platform/http/NoStore.ts"
import { InvalidCursor } from "../../../platform/http/Page.ts"
import { DeliveryStreamLimit } from "../../history/live/DeliveryEvent.ts"
import { CursorExpired, exampleCursor, FeedPage, FeedQuery, FeedStreamEvent, FollowFeedQuery } from "./Feed.ts"

/** Every event of a club, for a client that reconciles with it or has no receiver. */
export class EventFeedApi extends HttpApiGroup.make("eventFeed")
  .add(
    HttpApiEndpoint.get("list", "/events", {
      params: clubPath,
      query: FeedQuery,
      success: FeedPage,
      error: [CursorExpired, DeliveryStreamLimit, InvalidCursor, TemporarilyUnavailable]
    }).annotateMerge(described(
      "Read every event of the club, in order",
      "Oldest first, from the oldest of 90 days or from a cursor on, also events that no endpoint wanted; without tests. The order never changes, and a reader that continues from `cursor` misses nothing and gets nothing twice. `next_cursor` is null if there is nothing further yet; `cursor` always says how far the page goes. Filtered by type, a page looks at 10,000 events at most: it may be empty and still have a next_cursor. `wait` keeps an empty read open until something comes, on a place of the streams. 410 where events behind the cursor are past their age"
    )).middleware(NoStore),
    HttpApiEndpoint.get("stream", "/events/stream", {
      params: clubPath,
      query: FollowFeedQuery,
      headers: {
        "last-event-id": Schema.optionalKey(Schema.String).pipe(field(
          "The `id` of the last event that was received, to go on behind it, whatever `after` says",
          exampleCursor
        ))
      },
      success: HttpApiSchema.StreamSse({ events: FeedStreamEvent }),
      error: [CursorExpired, DeliveryStreamLimit, InvalidCursor, TemporarilyUnavailable]
    }).annotateMerge(described(
      "Follow every event of the club",
      "Server-Sent Events: an `event` for each, as the list has them, and `caught_up` {cursor} whenever every event was sent. Later changes of deliveries are not sent. It lasts 5 minutes at most, and ends with the session or its right; a comment comes every 15 seconds. Streams and waiting reads share the 20 places of a club, 5 of a session or key"
    )).middleware(NoStore)
  )
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .annotateEndpoints(AllowedRoles, administration)
  .prefix("/clubs/:clubId")
  .annotate(KeyFeature, "webhooks")
  .annotate(GroupAudience, "webhooks")
  .annotate(OpenApi.Title, "Event feed")
  .annotate(OpenApi.Description, "Every event of a club in one order, to be read instead of received, or beside it")
{}
