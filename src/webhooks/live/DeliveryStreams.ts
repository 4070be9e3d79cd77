import { Clock, Context, DateTime, Duration, Effect, Layer, Option, Schema, type Scope, Stream } from "effect"
import * as Sse from "effect/encoding/Sse"
import { administration } from "../../identity/authentication/Authentication.ts"
import type { MemberIdentity } from "../../identity/people/Identity.ts"
import { StandingRight } from "../../identity/standing/StandingRight.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { comeBack, heartbeat } from "../../platform/http/ServerSentEvents.ts"
import { Draining } from "../../platform/processes/Draining.ts"
import { ClubDeliveriesRepo } from "../delivery/ClubDeliveriesRepo.ts"
import { DeliveryHistory } from "../delivery/DeliveryHistory.ts"
import { EndpointsRepo } from "../endpoint/EndpointsRepo.ts"
import type { EndpointId } from "../model/EndpointId.ts"
import { DeliveryEvent, type Followed } from "./DeliveryEvent.ts"
import { differences, missingOf, type Told } from "./Differences.ts"
import { type NoPlace, type ProcessFull, StreamPlaces } from "./StreamPlaces.ts"

/** How often the page is read, and looked whether there is something to ask or to send. */
const tick = Duration.seconds(1)

/**
 * After a page the stream waits so many times as long as reading it took, and `heartbeatEvery` at most, before it reads the
 * next: so streams of pages that are slow to read leave the database free for others.
 */
const restPerRead = 100

/** How often it is asked whether whoever listens still may, while there is nothing to tell. */
const rightEvery = Duration.seconds(5)

/** The longest pause without a byte. */
const heartbeatEvery = Duration.seconds(15)

/** How long a stream lasts. */
const longestStream = Duration.minutes(5)

/** A reader that takes nothing is let go of so long after its stream would have ended. */
const grace = Duration.seconds(30)

const encodeEvent = Schema.encodeEffect(DeliveryEvent)

interface StreamState {
  /** Undefined before the first page. */
  readonly told: Told | undefined
  /** When something was last sent, and the right last asked for, when to read, and when to end, in epoch milliseconds. */
  readonly sent_at: number
  readonly right_at: number
  readonly read_at: number
  readonly until: number
}

/**
 * Lists of deliveries as Server-Sent Events. Every stream reads its page again, so it sees what any process writes. A read
 * begins when what was sent before is taken, so a reader that takes nothing holds one read's lines and no connection.
 */
export class DeliveryStreams extends Context.Service<DeliveryStreams, {
  /**
   * The page, oldest first, and then what of it changes or is new, until the member loses the right, the process stops or
   * some minutes are over. `NotFound`: this club has no such endpoint. `NoPlace`, `ProcessFull`: as many are open as may
   * be. The scope is the request's: its end frees the place.
   */
  follow(
    member: MemberIdentity,
    followed: Followed
  ): Effect.Effect<Stream.Stream<Uint8Array>, NoPlace | ProcessFull, Scope.Scope>
  /** The same of one endpoint. */
  followEndpoint(
    member: MemberIdentity,
    endpoint_id: EndpointId,
    followed: Followed
  ): Effect.Effect<Stream.Stream<Uint8Array>, NotFound | NoPlace | ProcessFull, Scope.Scope>
}>()("turma/webhooks/live/DeliveryStreams") {
  static readonly layerNoDeps = Layer.effect(
    DeliveryStreams,
    Effect.gen(function*() {
      const history = yield* DeliveryHistory
      const endpoints = yield* EndpointsRepo
      const deliveries = yield* ClubDeliveriesRepo
      const rights = yield* StandingRight
      const places = yield* StreamPlaces
      const draining = yield* Draining

      const encoded = Effect.fnUntraced(function*(event: DeliveryEvent) {
        return Sse.encoder.write({ _tag: "Event", id: undefined, ...(yield* encodeEvent(event)) })
      }, Effect.orDie)

      /** What the page tells that was not told, and what is told then. */
      const look = Effect.fnUntraced(
        function*({ club: { id: club_id } }: MemberIdentity, followed: Followed, told: Told) {
          // There is no cursor, so none is invalid.
          const { data: page } = yield* Effect.orDie(history.listAll(club_id, followed))
          const missing = missingOf(told, page, followed.limit)
          const left = missing.length === 0 ? [] : yield* deliveries.byIds(club_id, missing)
          return differences(told, page, left)
        }
      )

      const maySee = (member: MemberIdentity) => rights.holds(member, { roles: administration, feature: "webhooks" })

      /**
       * The lines to send now, and the state to go on from after a pause; none after the end. The right is asked for after
       * the page was read, so that nothing is told that was made after the right had ended.
       */
      const nextLines = Effect.fnUntraced(function*(member: MemberIdentity, followed: Followed, state: StreamState) {
        const now = yield* Clock.currentTimeMillis
        if (now >= state.until || draining.hasBegun()) return [[comeBack], Option.none()] as const
        const before: Told = state.told ?? new Map()
        const reads = now >= state.read_at
        const { changed, told } = reads ? yield* look(member, followed, before) : { changed: [], told: before }
        const pause = ((yield* Clock.currentTimeMillis) - now) * restPerRead
        const isDue = now - state.right_at >= Duration.toMillis(rightEvery)
        const asks = isDue || changed.length > 0 || state.told === undefined
        if (asks && !(yield* maySee(member))) return [[], Option.none()] as const
        const lines = yield* Effect.forEach(changed, (data) => encoded({ event: "delivery", data }))
        if (state.told === undefined) {
          lines.push(yield* encoded({ id: String(now), event: "listed", data: { at: DateTime.makeUnsafe(now) } }))
        }
        if (lines.length === 0 && now - state.sent_at >= Duration.toMillis(heartbeatEvery)) lines.push(heartbeat)
        const next: StreamState = {
          told,
          sent_at: lines.length === 0 ? state.sent_at : now,
          right_at: asks ? now : state.right_at,
          read_at: reads ? now + Math.min(pause, Duration.toMillis(heartbeatEvery)) : state.read_at,
          until: state.until
        }
        return [lines, Option.some(next)] as const
      })

      const follow = Effect.fn("DeliveryStreams.follow")(function*(member: MemberIdentity, followed: Followed) {
        yield* places.take(member)
        const now = yield* Clock.currentTimeMillis
        const first: StreamState = {
          told: undefined,
          sent_at: now,
          right_at: now,
          read_at: now,
          until: now + Duration.toMillis(longestStream)
        }
        yield* Effect.withFiber((fiber) =>
          Effect.forkScoped(Effect.andThen(
            Effect.sleep(Duration.sum(longestStream, grace)),
            Effect.sync(() => fiber.interruptUnsafe())
          ))
        )
        const after = (state: StreamState) =>
          Effect.raceFirst(Effect.sleep(tick), draining.begun).pipe(Effect.andThen(nextLines(member, followed, state)))
        const lines = Stream.paginate(
          nextLines(member, followed, first),
          (read) => Effect.map(read, ([lines, next]) => [lines, Option.map(next, after)] as const)
        )
        return Stream.encodeText(Stream.concat(Stream.succeed(comeBack), lines))
      })

      const followEndpoint = Effect.fn("DeliveryStreams.followEndpoint")(
        function*(member: MemberIdentity, endpoint_id: EndpointId, followed: Followed) {
          if (Option.isNone(yield* endpoints.find(member.club.id, endpoint_id))) return yield* new NotFound()
          return yield* follow(member, { ...followed, endpoint_id })
        }
      )

      return DeliveryStreams.of({ follow, followEndpoint })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([
      ClubDeliveriesRepo.layer,
      DeliveryHistory.layer,
      EndpointsRepo.layer,
      StandingRight.layer,
      StreamPlaces.layer
    ])
  )
}
