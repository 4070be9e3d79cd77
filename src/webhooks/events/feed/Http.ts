import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { asMember } from "../../../identity/people/asMember.ts"
import { CurrentMember } from "../../../identity/people/Identity.ts"
import { versioned } from "../../../platform/http/Contract.ts"
import { group } from "../../../platform/http/server/group.ts"
import { eventStream } from "../../../platform/http/ServerSentEvents.ts"
import { placed } from "../../history/live/placed.ts"
import { EventFeedApi } from "./Api.ts"
import { EventFeed } from "./EventFeed.ts"
import { FeedStreams } from "./FeedStreams.ts"

/** Answers the routes of `EventFeedApi`. */
export const EventFeedHttp = group(
  versioned(EventFeedApi),
  "eventFeed",
  Effect.fn(function*(handlers) {
    const feed = yield* EventFeed
    const streams = yield* FeedStreams
    return handlers.handleAll({
      list: asMember(({ query }, member) => placed(feed.list(member, query))),
      stream: ({ headers, query }) =>
        CurrentMember.use((member) => placed(streams.follow(member, query, headers["last-event-id"])))
          .pipe(Effect.map((events) => HttpServerResponse.stream(events, eventStream)))
    })
  })
)
