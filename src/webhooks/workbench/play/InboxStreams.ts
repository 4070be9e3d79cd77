import { Clock, Context, Effect, Layer, Option, Schema, type Scope, type Stream } from "effect"
import * as Sse from "effect/encoding/Sse"
import type { MemberIdentity } from "../../../identity/people/Identity.ts"
import type { NotFound } from "../../../platform/http/errors.ts"
import { MemberStreams } from "../../history/live/MemberStreams.ts"
import type { NoPlace, ProcessFull } from "../../history/live/StreamPlaces.ts"
import type { InboxId } from "../../model/InboxId.ts"
import { InboxEvent } from "./Inbox.ts"
import { Inboxes } from "./Inboxes.ts"

const encodeEvent = Schema.encodeEffect(InboxEvent)

const encoded = Effect.fnUntraced(function*(event: InboxEvent) {
  return Sse.encoder.write({ _tag: "Event", id: undefined, ...(yield* encodeEvent(event)) })
}, Effect.orDie)

interface StreamState {
  /** The number of the last request that the stream has sent. */
  readonly number: number
  /** When the inbox ends, in epoch milliseconds. */
  readonly until: number
}

/** The requests of an inbox as Server-Sent Events, whatever process takes them. */
export class InboxStreams extends Context.Service<InboxStreams, {
  /** All requests that are kept, oldest first, and then those that come, while `MemberStreams` lets it and in its hour. */
  follow(
    member: MemberIdentity,
    id: InboxId
  ): Effect.Effect<Stream.Stream<Uint8Array>, NotFound | NoPlace | ProcessFull, Scope.Scope>
}>()("turma/webhooks/workbench/play/InboxStreams") {
  static readonly layer = Layer.effect(
    InboxStreams,
    Effect.gen(function*() {
      const inboxes = yield* Inboxes
      const streams = yield* MemberStreams

      const follow = Effect.fn("InboxStreams.follow")(function*(member: MemberIdentity, id: InboxId) {
        const { club: { id: club_id } } = member
        const look = Effect.fnUntraced(function*(state: StreamState) {
          if ((yield* Clock.currentTimeMillis) >= state.until) return Option.none()
          const found = yield* inboxes.requestsAfter(club_id, id, state.number)
          const lines = yield* Effect.forEach(
            found,
            (data) => encoded({ id: String(data.number), event: "request", data })
          )
          return Option.some({ lines, state: { ...state, number: found.at(-1)?.number ?? state.number } })
        })
        const first = Effect.map(
          inboxes.get(club_id, id),
          ({ expires_at }): StreamState => ({ number: 0, until: expires_at.epochMilliseconds })
        )
        return yield* streams.open(member, { first, look })
      })

      return InboxStreams.of({ follow })
    })
  ).pipe(Layer.provide([Inboxes.layer, MemberStreams.layer]))
}
