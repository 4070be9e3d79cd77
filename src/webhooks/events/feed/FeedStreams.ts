import { Context, Effect, Layer, Option, Schema, type Scope, type Stream } from "effect"
import * as Sse from "effect/encoding/Sse"
import type { MemberIdentity } from "../../../identity/people/Identity.ts"
import { type InvalidCursor, mostOnPage } from "../../../platform/http/Page.ts"
import { MemberStreams, rightEvery } from "../../history/live/MemberStreams.ts"
import type { NoPlace, ProcessFull } from "../../history/live/StreamPlaces.ts"
import { type CursorExpired, FeedStreamEvent, type FollowFeed } from "./Feed.ts"
import { FeedPages, type FeedRead } from "./FeedPages.ts"
import { FeedWaits } from "./FeedWaits.ts"

const encodeEvent = Schema.encodeEffect(FeedStreamEvent)

const encoded = Effect.fnUntraced(function*(event: FeedStreamEvent) {
  return Sse.encoder.write({ _tag: "Event", id: undefined, ...(yield* encodeEvent(event)) })
}, Effect.orDie)

interface StreamState {
  readonly position: string
  /** True if the stream has sent all events up to the position, and `caught_up`. */
  readonly is_caught_up: boolean
  /** The first page, which was read before the stream began. */
  readonly first: FeedRead | undefined
}

const linesOf = Effect.fnUntraced(function*({ is_caught_up }: StreamState, { page, position }: FeedRead) {
  const lines = yield* Effect.forEach(page.data, (data) => encoded({ id: data.cursor, event: "event", data }))
  const { cursor, next_cursor } = page
  if (next_cursor === null && (lines.length > 0 || !is_caught_up)) {
    lines.push(yield* encoded({ id: cursor, event: "caught_up", data: { cursor } }))
  }
  return { lines, state: { position, is_caught_up: next_cursor === null, first: undefined } }
})

/** The feed as Server-Sent Events. */
export class FeedStreams extends Context.Service<FeedStreams, {
  /**
   * Every event from the start on, or behind the last received one, while `MemberStreams` allows it. A slow reader may
   * miss events that pass their age meanwhile. It gets `CursorExpired` when it comes back.
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
}>()("turma/webhooks/events/feed/FeedStreams") {
  static readonly layer = Layer.effect(
    FeedStreams,
    Effect.gen(function*() {
      const pages = yield* FeedPages
      const waits = yield* FeedWaits
      const streams = yield* MemberStreams

      const follow = Effect.fn("FeedStreams.follow")(function*(
        member: MemberIdentity,
        followed: FollowFeed,
        cursor: string | undefined
      ) {
        const { club } = member
        const { student_id, type } = followed
        const asked = { limit: mostOnPage, student_id, type }
        const first = Effect.map(
          pages.from(club, { ...followed, cursor }, asked),
          (first): StreamState => ({ position: first.position, is_caught_up: false, first })
        )
        const look = Effect.fnUntraced(function*(state: StreamState) {
          const read = state.first === undefined
            ? yield* Effect.option(pages.behind(club, state.position, asked))
            : Option.some(state.first)
          return Option.isNone(read) ? Option.none() : Option.some(yield* linesOf(state, read.value))
        })
        const wait = ({ is_caught_up, position }: StreamState) =>
          is_caught_up ? waits.wait({ club_id: club.id, position }, rightEvery) : Effect.void
        return yield* streams.open(member, { first, look, wait })
      })

      return FeedStreams.of({ follow })
    })
  ).pipe(Layer.provide([FeedPages.layer, FeedWaits.layer, MemberStreams.layer]))
}
