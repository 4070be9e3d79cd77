import { Clock, Context, DateTime, Duration, Effect, Layer, Option, Schema, type Scope, type Stream } from "effect"
import * as Sse from "effect/encoding/Sse"
import type { MemberIdentity } from "../../../identity/people/Identity.ts"
import { NotFound } from "../../../platform/http/errors.ts"
import { EndpointsRepo } from "../../endpoint/EndpointsRepo.ts"
import type { EndpointId } from "../../model/EndpointId.ts"
import { ClubDeliveriesRepo } from "../delivery/ClubDeliveriesRepo.ts"
import { DeliveryHistory } from "../delivery/DeliveryHistory.ts"
import { DeliveryEvent, type Followed } from "./DeliveryEvent.ts"
import { differences, missingOf, type SentStates } from "./Differences.ts"
import { heartbeatEvery, MemberStreams } from "./MemberStreams.ts"
import type { NoPlace, ProcessFull } from "./StreamPlaces.ts"

/**
 * After a page the stream waits this many times as long as the read took, and `heartbeatEvery` at most. So streams of
 * slow pages leave the database free for others.
 */
const restPerRead = 100

const encodeEvent = Schema.encodeEffect(DeliveryEvent)

const encoded = Effect.fnUntraced(function*(event: DeliveryEvent) {
  return Sse.encoder.write({ _tag: "Event", id: undefined, ...(yield* encodeEvent(event)) })
}, Effect.orDie)

interface StreamState {
  /** Undefined before the first page. */
  readonly sent: SentStates | undefined
  /** When to read the next page, in epoch milliseconds. */
  readonly read_at: number
}

/** Lists of deliveries as Server-Sent Events. Every stream reads its page again, so it sees what any process writes. */
export class DeliveryStreams extends Context.Service<DeliveryStreams, {
  /** The page, oldest first, and then what of it changes or is new, while `MemberStreams` lets it. */
  follow(
    member: MemberIdentity,
    followed: Followed
  ): Effect.Effect<Stream.Stream<Uint8Array>, NoPlace | ProcessFull, Scope.Scope>
  /** The same of one endpoint. `NotFound`: this club has no such endpoint. */
  followEndpoint(
    member: MemberIdentity,
    endpoint_id: EndpointId,
    followed: Followed
  ): Effect.Effect<Stream.Stream<Uint8Array>, NotFound | NoPlace | ProcessFull, Scope.Scope>
}>()("turma/webhooks/history/live/DeliveryStreams") {
  static readonly layer = Layer.effect(
    DeliveryStreams,
    Effect.gen(function*() {
      const history = yield* DeliveryHistory
      const endpoints = yield* EndpointsRepo
      const deliveries = yield* ClubDeliveriesRepo
      const streams = yield* MemberStreams

      /** The changes of the page since the last one, and the state that the reader then knows. */
      const differencesOf = Effect.fnUntraced(function*(
        { club: { id: club_id } }: MemberIdentity,
        followed: Followed,
        sent: SentStates
      ) {
        // A request without a cursor has no invalid one.
        const { data: page } = yield* Effect.orDie(history.listAll(club_id, followed))
        const missing = missingOf(sent, page, followed.limit)
        const left = missing.length === 0 ? [] : yield* deliveries.byIds(club_id, missing)
        return differences(sent, page, left)
      })

      const follow = Effect.fn("DeliveryStreams.follow")(function*(member: MemberIdentity, followed: Followed) {
        const look = Effect.fnUntraced(function*(state: StreamState) {
          const now = yield* Clock.currentTimeMillis
          if (now < state.read_at) return Option.some({ lines: [], state })
          const { changed, sent } = yield* differencesOf(member, followed, state.sent ?? new Map())
          const pause = ((yield* Clock.currentTimeMillis) - now) * restPerRead
          const lines = yield* Effect.forEach(changed, (data) => encoded({ event: "delivery", data }))
          if (state.sent === undefined) {
            lines.push(yield* encoded({ id: String(now), event: "listed", data: { at: DateTime.makeUnsafe(now) } }))
          }
          const read_at = now + Math.min(pause, Duration.toMillis(heartbeatEvery))
          return Option.some({ lines, state: { sent, read_at } })
        })
        return yield* streams.open(member, { first: Effect.succeed({ sent: undefined, read_at: 0 }), look })
      })

      const followEndpoint = Effect.fn("DeliveryStreams.followEndpoint")(function*(
        member: MemberIdentity,
        endpoint_id: EndpointId,
        followed: Followed
      ) {
        if (Option.isNone(yield* endpoints.find(member.club.id, endpoint_id))) return yield* new NotFound()
        return yield* follow(member, { ...followed, endpoint_id })
      })

      return DeliveryStreams.of({ follow, followEndpoint })
    })
  ).pipe(Layer.provide([ClubDeliveriesRepo.layer, DeliveryHistory.layer, EndpointsRepo.layer, MemberStreams.layer]))
}
