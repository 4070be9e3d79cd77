import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { creates } from "../../identity/audit/NewAuditEntry.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { UserId } from "../../identity/ids/UserId.ts"
import { NotFound, TemporarilyUnavailable } from "../../platform/http/errors.ts"
import { ClockGuard, orZero } from "../../platform/jobs/ClockGuard.ts"
import { repeatedly } from "../../platform/jobs/Repeatedly.ts"
import { Partitions } from "../../platform/sql/Partitions.ts"
import { inTransaction } from "../../platform/sql/Rows.ts"
import { Sealing } from "../../platform/sql/Sealing.ts"
import { ownText } from "../../platform/text/Utf8.ts"
import { type CreateListener, EndpointLimitReached, type WebhookEndpointWithSecret } from "../endpoint/Endpoint.ts"
import { Endpoints } from "../endpoint/Endpoints.ts"
import { EndpointsRepo, noHeaders } from "../endpoint/EndpointsRepo.ts"
import { type EventTypeUnknown, parseEventTypes } from "../endpoint/EventTypeNames.ts"
import { sealedSecret } from "../endpoint/SealedSecret.ts"
import { LanesRepo } from "../engine/dispatch/LanesRepo.ts"
import type { TakenDelivery } from "../engine/dispatch/Lease.ts"
import { secretCache } from "../engine/dispatch/SecretCache.ts"
import { LaneChanges, type LaneName } from "../engine/lane/LaneChanges.ts"
import { EndpointId } from "../model/EndpointId.ts"
import type { WebhookDeliveryId } from "../model/WebhookDeliveryId.ts"
import { headersOf } from "../send/AttemptHeaders.ts"
import { leaseOf } from "./leaseOf.ts"
import {
  type ListenerDelivery,
  type ListenerTakenOver,
  movedBy,
  type Poll,
  type Polled,
  receiptOf,
  type TooManyPolls,
  unpolledFor
} from "./Listener.ts"
import { ListenersRepo } from "./ListenersRepo.ts"
import { PollWaits } from "./PollWaits.ts"

/** The most bytes of bodies in an answer, about. Writing more as JSON would block the event loop. */
const mostBytes = 500_000

/** The first deliveries that fit in one answer. The first one always fits, however long it is. */
const fitting = (deliveries: ReadonlyArray<TakenDelivery>): ReadonlyArray<TakenDelivery> => {
  let left = mostBytes
  const end = deliveries.findIndex(({ body }, index) => (left -= body.length) < 0 && index > 0)
  return end === -1 ? deliveries : deliveries.slice(0, end)
}

/**
 * Endpoints without an address. A listener polls for due deliveries and reports their results. Everything else is as
 * for any endpoint. `NotFound`: this club has no such listener, or it is deleted.
 */
export class Listeners extends Context.Service<Listeners, {
  /**
   * Answers its secret, which is never shown again. It counts among the club's endpoints. `TemporarilyUnavailable`: the
   * clock is doubtful, and its hour might be over.
   */
  create(
    club_id: ClubId,
    listener: typeof CreateListener.Type
  ): Effect.Effect<WebhookEndpointWithSecret, EventTypeUnknown | EndpointLimitReached | TemporarilyUnavailable>
  /**
   * The due deliveries that are not in `except`, longest due first, signed as of now. A delivery comes again until its
   * result is recorded. A poll that waited answers nothing, so that the next poll checks the caller's right anew.
   * `TemporarilyUnavailable`: the clock is doubtful.
   */
  poll(
    lane: LaneName,
    account: UserId,
    poll: Poll
  ): Effect.Effect<typeof Polled.Type, ListenerTakenOver | NotFound | TemporarilyUnavailable | TooManyPolls>
  /** Deletes those that nobody polls any more. Answers how many. */
  readonly removeUnpolled: Effect.Effect<number>
}>()("turma/webhooks/listener/Listeners") {
  static readonly layer = Layer.effect(
    Listeners,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const endpoints = yield* Endpoints
      const endpointsRepo = yield* EndpointsRepo
      const guard = yield* ClockGuard
      const lanes = yield* LanesRepo
      const laneChanges = yield* LaneChanges
      const random = yield* SecureRandom.SecureRandom
      const repo = yield* ListenersRepo
      const sealing = yield* Sealing
      const waits = yield* PollWaits

      const create = Effect.fn("Listeners.create")(
        function*(club_id: ClubId, { description = "", event_types }: typeof CreateListener.Type) {
          const types = yield* Effect.fromResult(parseEventTypes(event_types))
          const id = EndpointId.make(yield* Effect.orDie(random.uuidV7()))
          yield* creates(id)
          const { sealed, secret } = yield* sealedSecret(sealing, id)
          const listening_until = DateTime.addDuration(yield* guard.agreedNow, unpolledFor)
          const settings = {
            url: `listener:${id}`,
            description,
            event_types: types,
            status: "enabled",
            notices: true
          } as const
          return yield* inTransaction(sql)(Effect.gen(function*() {
            const isInserted = yield* endpointsRepo.insert(club_id, {
              ...settings,
              id,
              secret: sealed,
              filter: null,
              headers: noHeaders,
              signing: "hmac",
              key: null,
              listening_until
            })
            if (!isInserted) return yield* new EndpointLimitReached()
            yield* laneChanges.openForListener({ club_id, endpoint_id: id })
            return { ...yield* Effect.orDie(endpoints.get(club_id, id)), secret }
          }))
        },
        Effect.provideService(SecureRandom.SecureRandom, random)
      )

      const keepListening = Effect.fnUntraced(function*(lane: LaneName, listening_until: DateTime.Utc) {
        const until = DateTime.addDuration(yield* DateTime.now, unpolledFor)
        const isDue = DateTime.isLessThanOrEqualTo(DateTime.addDuration(listening_until, movedBy), until)
        if (isDue) yield* repo.keep(lane, until)
      })

      const take = Effect.fnUntraced(function*(
        lane: LaneName,
        limit: number,
        inFlight: ReadonlyArray<WebhookDeliveryId>
      ) {
        const lease = leaseOf(lane)
        const taken = yield* lanes.take({
          lease,
          slots: limit,
          requestedOnly: false,
          recovers: true,
          inFlight,
          after: null
        })
        return Option.isSome(taken) ? taken.value : yield* new TemporarilyUnavailable()
      })

      const handed = Effect.fnUntraced(function*(
        lane: LaneName,
        { deliveries, lane: state }: Effect.Success<ReturnType<typeof take>>
      ) {
        const at = yield* DateTime.now
        const signers = yield* secretCache(sealing, lane.endpoint_id)(state, at)
        return fitting(deliveries).map((delivery): ListenerDelivery => ({
          delivery_id: delivery.id,
          event_id: delivery.event_id,
          attempt: delivery.attempts_count + 1,
          receipt: receiptOf(delivery),
          headers: headersOf(delivery, signers, at),
          body: ownText(delivery.body)
        }))
      })

      /** How long nothing will be due, unless somebody wakes the lane. */
      const quietFor = Effect.fnUntraced(function*(lane: LaneName, { except = [], wait }: Poll) {
        const due = yield* repo.nextDue(lane, except)
        const now = yield* DateTime.now
        return Option.match(due, {
          onNone: () => Duration.seconds(wait),
          onSome: (at) => Duration.min(Duration.seconds(wait), DateTime.distance(now, DateTime.max(at, now)))
        })
      })

      const poll = Effect.fn("Listeners.poll")(function*(lane: LaneName, account: UserId, poll: Poll) {
        const found = yield* repo.find(lane)
        if (Option.isNone(found)) return yield* new NotFound()
        // Before anything is written: a clock that is off would keep a listener for good, or have it deleted.
        const taken = yield* take(lane, poll.limit, poll.except ?? [])
        yield* keepListening(lane, found.value.listening_until)
        if (taken.deliveries.length > 0) return { deliveries: yield* handed(lane, taken) }
        if (poll.wait > 0) {
          const { endpoint_status, wakes } = taken.lane
          const quiet = endpoint_status === "enabled" ? yield* quietFor(lane, poll) : Duration.seconds(poll.wait)
          yield* waits.wait({ ...lane, wakes }, account, quiet)
        }
        return { deliveries: [] }
      })

      // One that cannot be deleted does not stop the others, and is tried again the next time.
      const removeOne = ({ club_id, endpoint_id }: LaneName, at: DateTime.Utc) =>
        Effect.catchCause(
          endpoints.removeUnpolled(club_id, endpoint_id, at),
          (cause) =>
            Effect.as(Effect.logError("A listener that nobody polls was not deleted", { endpoint_id }, cause), false)
        )

      const removeUntil = Effect.fnUntraced(function*(at: DateTime.Utc) {
        let count = 0
        while (true) {
          const found = yield* repo.unpolled(at)
          const removed = yield* Effect.forEach(found, (lane) => removeOne(lane, at))
          const now = removed.filter((one) => one).length
          count += now
          if (found.length < ListenersRepo.batch || now === 0) return count
        }
      })

      const removeUnpolled = guard.sweep("listeners that nobody polls", removeUntil).pipe(
        orZero,
        Effect.withSpan("Listeners.removeUnpolled")
      )

      return Listeners.of({ create, poll, removeUnpolled })
    })
  ).pipe(
    Layer.provide([
      Endpoints.layer,
      EndpointsRepo.layer,
      LaneChanges.layer,
      LanesRepo.layer,
      ListenersRepo.layer,
      NodeCrypto.layerSecureRandom,
      PollWaits.layer
    ]),
    Layer.provide(Partitions.layer)
  )
}

/**
 * Deletes listeners that nobody polls any more, for the first time after one interval: where the service was away, those
 * that listened come back first. Behind the `ClockGuard` of `Listeners`.
 */
export const listenerSweepLayer = ({ every }: { readonly every: Duration.Input }) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const { removeUnpolled } = yield* Listeners
    yield* repeatedly(removeUnpolled, {
      startAfter: every,
      every,
      onFailure: "Listeners that nobody polls are not looked for"
    })
  }))
