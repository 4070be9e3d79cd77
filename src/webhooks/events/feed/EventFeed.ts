import { Clock, Context, Duration, Effect, Layer } from "effect"
import { administration } from "../../../identity/authentication/Authentication.ts"
import type { MemberIdentity } from "../../../identity/people/Identity.ts"
import { RightCheck } from "../../../identity/rights/RightCheck.ts"
import type { InvalidCursor } from "../../../platform/http/Page.ts"
import { Shutdown } from "../../../platform/processes/Shutdown.ts"
import { type NoPlace, type ProcessFull, StreamPlaces } from "../../history/live/StreamPlaces.ts"
import type { CursorExpired, FeedPage, ReadFeed } from "./Feed.ts"
import { FeedPages, type FeedRead } from "./FeedPages.ts"
import { FeedWaits } from "./FeedWaits.ts"

/** Every event of a club, each once and in the order of assembly. */
export class EventFeed extends Context.Service<EventFeed, {
  /**
   * A page. An empty page with `wait` waits for events, on one of the club's and the session's places of streams. If
   * the member loses the right meanwhile, the page ends without them, and the next request says so. `NoPlace`,
   * `ProcessFull`: no place is free.
   */
  list(
    member: MemberIdentity,
    query: ReadFeed
  ): Effect.Effect<FeedPage, CursorExpired | InvalidCursor | NoPlace | ProcessFull>
}>()("turma/webhooks/events/feed/EventFeed") {
  static readonly layer = Layer.effect(
    EventFeed,
    Effect.gen(function*() {
      const pages = yield* FeedPages
      const waits = yield* FeedWaits
      const rights = yield* RightCheck
      const places = yield* StreamPlaces
      const shutdown = yield* Shutdown

      const isAtEnd = ({ page }: FeedRead) => page.data.length === 0 && page.next_cursor === null

      const waited = Effect.fnUntraced(function*(member: MemberIdentity, query: ReadFeed, first: FeedRead) {
        const place = yield* places.take(member, "wait")
        const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(Duration.seconds(query.wait))
        let read = first
        while (isAtEnd(read)) {
          const left = until - (yield* Clock.currentTimeMillis)
          if (left <= 0 || shutdown.hasBegun() || place.isLost()) break
          const wait = waits.wait({ club_id: member.club.id, position: read.position }, Duration.millis(left))
          yield* Effect.raceFirst(wait, place.lost)
          if (!(yield* rights.holds(member, { roles: administration, feature: "webhooks" }))) break
          read = yield* pages.behind(member.club, read.position, query)
        }
        return read.page
      }, Effect.scoped)

      const list = Effect.fn("EventFeed.list")(function*(member: MemberIdentity, query: ReadFeed) {
        const first = yield* pages.from(member.club, query, query)
        return query.wait > 0 && isAtEnd(first) ? yield* waited(member, query, first) : first.page
      })

      return EventFeed.of({ list })
    })
  ).pipe(Layer.provide([FeedPages.layer, FeedWaits.layer, RightCheck.layer, StreamPlaces.layer]))
}
