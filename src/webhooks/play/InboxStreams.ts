import { Clock, Context, Duration, Effect, Layer, Option, Schema, type Scope, Stream } from "effect"
import * as Sse from "effect/encoding/Sse"
import { administration } from "../../identity/authentication/Authentication.ts"
import type { MemberIdentity } from "../../identity/people/Identity.ts"
import { StandingRight } from "../../identity/standing/StandingRight.ts"
import type { NotFound } from "../../platform/http/errors.ts"
import { comeBack, heartbeat } from "../../platform/http/ServerSentEvents.ts"
import { Draining } from "../../platform/processes/Draining.ts"
import type { InboxId } from "../inbox/Inbox.ts"
import { type NoPlace, type ProcessFull, StreamPlaces } from "../live/StreamPlaces.ts"
import { InboxEvent } from "./Inbox.ts"
import { Inboxes } from "./Inboxes.ts"

/** How often it is looked for new requests. */
const tick = Duration.seconds(1)

/** How often it is asked whether whoever listens still may, while there is nothing to tell. */
const rightEvery = Duration.toMillis("5 seconds")

/** The longest pause without a byte. */
const heartbeatEvery = Duration.toMillis("15 seconds")

/** How long a stream lasts. */
const longestStream = Duration.minutes(5)

/** A reader that takes nothing is let go of so long after its stream would have ended. */
const grace = Duration.seconds(30)

const encodeEvent = Schema.encodeEffect(InboxEvent)

interface StreamState {
  /** The number of the last request that was told. */
  readonly number: number
  /** Epoch milliseconds. */
  readonly sent_at: number
  readonly right_at: number
  readonly until: number
}

/** What comes to an inbox, as Server-Sent Events, whichever process takes it. */
export class InboxStreams extends Context.Service<InboxStreams, {
  /**
   * All requests that are kept, oldest first, and then those that come, until the member loses the right, its hour is
   * over, the process stops or some minutes are over. The scope is the request's: its end frees the place.
   */
  follow(
    member: MemberIdentity,
    id: InboxId
  ): Effect.Effect<Stream.Stream<Uint8Array>, NotFound | NoPlace | ProcessFull, Scope.Scope>
}>()("turma/webhooks/play/InboxStreams") {
  static readonly layerNoDeps = Layer.effect(
    InboxStreams,
    Effect.gen(function*() {
      const inboxes = yield* Inboxes
      const rights = yield* StandingRight
      const places = yield* StreamPlaces
      const draining = yield* Draining

      const encoded = Effect.fnUntraced(function*(event: InboxEvent) {
        return Sse.encoder.write({ _tag: "Event", id: undefined, ...(yield* encodeEvent(event)) })
      }, Effect.orDie)

      const maySee = (member: MemberIdentity) => rights.holds(member, { roles: administration, feature: "webhooks" })

      /** The lines to send now, and the state to go on from after a pause; none after the end. */
      const nextLines = Effect.fnUntraced(function*(member: MemberIdentity, id: InboxId, state: StreamState) {
        const now = yield* Clock.currentTimeMillis
        if (now >= state.until || draining.hasBegun()) return [[comeBack], Option.none()] as const
        const found = yield* inboxes.requestsAfter(member.club.id, id, state.number)
        // After the requests were read, so that nothing is told that came after the right had ended.
        const asks = found.length > 0 || now - state.right_at >= rightEvery
        if (asks && !(yield* maySee(member))) return [[], Option.none()] as const
        const lines = yield* Effect.forEach(
          found,
          (data) => encoded({ id: String(data.number), event: "request", data })
        )
        if (lines.length === 0 && now - state.sent_at >= heartbeatEvery) lines.push(heartbeat)
        const next: StreamState = {
          number: found.at(-1)?.number ?? state.number,
          sent_at: lines.length === 0 ? state.sent_at : now,
          right_at: asks ? now : state.right_at,
          until: state.until
        }
        return [lines, Option.some(next)] as const
      })

      const follow = Effect.fn("InboxStreams.follow")(function*(member: MemberIdentity, id: InboxId) {
        const { expires_at } = yield* inboxes.get(member.club.id, id)
        yield* places.take(member)
        const now = yield* Clock.currentTimeMillis
        const until = Math.min(now + Duration.toMillis(longestStream), expires_at.epochMilliseconds)
        yield* Effect.withFiber((fiber) =>
          Effect.forkScoped(Effect.andThen(
            Effect.sleep(Duration.sum(longestStream, grace)),
            Effect.sync(() => fiber.interruptUnsafe())
          ))
        )
        const after = (state: StreamState) =>
          Effect.raceFirst(Effect.sleep(tick), draining.begun).pipe(Effect.andThen(nextLines(member, id, state)))
        const lines = Stream.paginate(
          nextLines(member, id, { number: 0, sent_at: now, right_at: now, until }),
          (read) => Effect.map(read, ([lines, next]) => [lines, Option.map(next, after)] as const)
        )
        return Stream.encodeText(Stream.concat(Stream.succeed(comeBack), lines))
      })

      return InboxStreams.of({ follow })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([Inboxes.layer, StandingRight.layer, StreamPlaces.layer])
  )
}
