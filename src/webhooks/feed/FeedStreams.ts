import { Clock, Context, Duration, Effect, Layer, Option, Schema, type Scope, Stream } from "effect"
import * as Sse from "effect/encoding/Sse"
import { administration } from "../../identity/authentication/Authentication.ts"
import type { MemberIdentity } from "../../identity/people/Identity.ts"
import { StandingRight } from "../../identity/standing/StandingRight.ts"
import { type InvalidCursor, mostOnPage } from "../../platform/http/Page.ts"
import { comeBack, heartbeat } from "../../platform/http/ServerSentEvents.ts"
import { Draining } from "../../platform/processes/Draining.ts"
import { type NoPlace, type ProcessFull, StreamPlaces } from "../live/StreamPlaces.ts"
import { type CursorExpired, FeedStreamEvent, type FollowFeed } from "./Feed.ts"
import { FeedPages, type FeedRead } from "./FeedPages.ts"
import { FeedWaits } from "./FeedWaits.ts"

/** How often it is asked whether whoever listens still may, while there is nothing to tell. */
const rightEvery = Duration.seconds(5)

/** The longest pause without a byte. */
const heartbeatEvery = Duration.seconds(15)

/** How long a stream lasts. */
const longestStream = Duration.minutes(5)

/** A reader that takes nothing is let go of so long after its stream would have ended. */
const grace = Duration.seconds(30)

const encodeEvent = Schema.encodeEffect(FeedStreamEvent)

const encoded = Effect.fnUntraced(function*(event: FeedStreamEvent) {
  return Sse.encoder.write({ _tag: "Event", id: undefined, ...(yield* encodeEvent(event)) })
}, Effect.orDie)

interface StreamState {
  readonly position: string
  /** Whether all up to the position was told, and that it was. */
  readonly is_caught_up: boolean
  /** When something was last sent, and when to end, in epoch milliseconds. */
  readonly sent_at: number
  readonly until: number
}

/** What to send, and the state to go on from; none after the end. */
type Told = readonly [ReadonlyArray<string>, Option.Option<StreamState>]

/**
 * The feed as Server-Sent Events. A page is read when what was sent before is taken, so a reader that takes nothing holds
 * one page and no connection.
 */
export class FeedStreams extends Context.Service<FeedStreams, {
  /**
   * Every event from the start on, or behind the last one that was received, until the member loses the right, the process stops or some minutes are over.
   * `NoPlace`, `ProcessFull`: as many are open as may be. The scope is the request's: its end frees the place.
   */
  follow(
    member: MemberIdentity,
    followed: FollowFeed,
    last_event_id: string | undefined
  ): Effect.Effect<
    Stream.Stream<Uint8Array>,
    CursorExpired | InvalidCursor | NoPlace | ProcessFull,
    Scope.Scope
  >
}>()("turma/webhooks/feed/FeedStreams") {
  static readonly layerNoDeps = Layer.effect(
    FeedStreams,
    Effect.gen(function*() {
      const pages = yield* FeedPages
      const waits = yield* FeedWaits
      const rights = yield* StandingRight
      const places = yield* StreamPlaces
      const draining = yield* Draining

      // The right is asked for after the page was read, so that nothing is told that was made after the right had ended.
      const linesOf = Effect.fnUntraced(
        function*(
          member: MemberIdentity,
          state: StreamState,
          { page, position }: FeedRead
        ): Effect.fn.Return<Told> {
          if (!(yield* rights.holds(member, { roles: administration, feature: "webhooks" }))) {
            return [[], Option.none()]
          }
          const now = yield* Clock.currentTimeMillis
          const lines = yield* Effect.forEach(page.data, (data) => encoded({ id: data.cursor, event: "event", data }))
          const { cursor } = page
          const is_caught_up = page.next_cursor === null
          if (is_caught_up && (lines.length > 0 || !state.is_caught_up)) {
            lines.push(yield* encoded({ id: cursor, event: "caught_up", data: { cursor } }))
          }
          if (lines.length === 0 && now - state.sent_at >= Duration.toMillis(heartbeatEvery)) lines.push(heartbeat)
          const sent_at = lines.length === 0 ? state.sent_at : now
          return [lines, Option.some({ position, is_caught_up, sent_at, until: state.until })]
        }
      )

      const nextLines = Effect.fnUntraced(
        function*(member: MemberIdentity, followed: FollowFeed, state: StreamState): Effect.fn.Return<Told> {
          const { club: { id: club_id } } = member
          if (state.is_caught_up) yield* waits.wait({ club_id, position: state.position }, rightEvery)
          const isOver = (yield* Clock.currentTimeMillis) >= state.until || draining.hasBegun()
          if (isOver) return [[comeBack], Option.none()]
          const { student_id, type } = followed
          const read = yield* Effect.option(
            pages.behind(club_id, state.position, { limit: mostOnPage, student_id, type })
          )
          // A reader that is so slow that events have aged meanwhile is told so when it comes back.
          if (Option.isNone(read)) return [[comeBack], Option.none()]
          return yield* linesOf(member, state, read.value)
        }
      )

      const follow = Effect.fn("FeedStreams.follow")(
        function*(member: MemberIdentity, followed: FollowFeed, cursor: string | undefined) {
          yield* places.take(member)
          const now = yield* Clock.currentTimeMillis
          const { student_id, type } = followed
          const first = yield* pages.from(member.club.id, { ...followed, cursor }, {
            limit: mostOnPage,
            student_id,
            type
          })
          const state: StreamState = {
            position: first.position,
            is_caught_up: false,
            sent_at: now,
            until: now + Duration.toMillis(longestStream)
          }
          yield* Effect.withFiber((fiber) =>
            Effect.forkScoped(Effect.andThen(
              Effect.sleep(Duration.sum(longestStream, grace)),
              Effect.sync(() => fiber.interruptUnsafe())
            ))
          )
          const lines = Stream.paginate(
            linesOf(member, state, first),
            (read) =>
              Effect.map(
                read,
                ([lines, next]) => [lines, Option.map(next, (state) => nextLines(member, followed, state))] as const
              )
          )
          return Stream.encodeText(Stream.concat(Stream.succeed(comeBack), lines))
        }
      )

      return FeedStreams.of({ follow })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([FeedPages.layer, FeedWaits.layer, StandingRight.layer, StreamPlaces.layer])
  )
}
