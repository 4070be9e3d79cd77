import { Context, Deferred, Duration, Effect, Layer, Option, RcRef } from "effect"
import { SecureRandom } from "effect/crypto"
import type { UserId } from "../../identity/ids/UserId.ts"
import { Founders } from "../../identity/people/Founders.ts"
import { waitsOutside } from "../../platform/http/request/OutsideWaits.ts"
import { makeSignal, type Signal } from "../../platform/jobs/Signal.ts"
import { Shutdown } from "../../platform/processes/Shutdown.ts"
import { Notifications } from "../../platform/sql/Connections.ts"
import { PooledRandomLayer } from "../../platform/sql/PooledRandom.ts"
import { lanesChannel } from "../engine/lane/LaneChanges.ts"
import { listenTo } from "../engine/lane/listenTo.ts"
import { FairPlaces, type Place } from "../history/live/FairPlaces.ts"
import type { EndpointId } from "../model/EndpointId.ts"
import { ListenerTakenOver, TooManyPolls } from "./Listener.ts"
import { ListenersRepo, pollsChannel, type SeenLane } from "./ListenersRepo.ts"

/** The most polls that wait in one process. A club has 20 endpoints, with one poll each. */
export const mostWaiting = 1000

/** The shortest pause between two looks at the waiting lanes, however often they wake. */
const restAfterLook = Duration.millis(100)

/** The pause between two looks without a notification. */
const lookEvery = Duration.seconds(2)

/** For so long the process goes on hearing after its last poll. */
const hearsFor = Duration.minutes(1)

interface Waiting {
  readonly place: Place
  readonly lane: SeenLane
  /** Of two polls of one listener, the one with the greater id goes on. */
  readonly poll_id: string
  readonly end: Deferred.Deferred<void, ListenerTakenOver>
}

interface Entering extends Pick<Waiting, "lane" | "poll_id"> {
  /** The account of the polling session or key. */
  readonly account: UserId
  /** Of the listener's club: those of all clubs of one founder count together. */
  readonly founder: Option.Option<UserId>
}

/** The polls of this process that wait, one for each listener. */
class WaitingPolls {
  readonly #all = new Map<EndpointId, Waiting>()
  readonly #places = new FairPlaces(mostWaiting)

  get lanes(): ReadonlyArray<SeenLane> {
    return Array.from(this.#all.values(), ({ lane }) => lane)
  }

  /** Undefined if no place is free, this listener has no place, and nobody has many more places than the caller. */
  add({ account, founder, lane, poll_id }: Entering): Waiting | undefined {
    const before = this.#all.get(lane.endpoint_id)
    if (before !== undefined) this.#places.leave(before.place)
    const place = this.#places.take([
      `founder ${Option.getOrElse(founder, () => lane.club_id)}`,
      `account ${account}`
    ])
    if (place === undefined) return undefined
    const waiting: Waiting = { place, lane, poll_id, end: Deferred.makeUnsafe() }
    this.#all.set(lane.endpoint_id, waiting)
    if (before !== undefined) Deferred.doneUnsafe(before.end, Effect.fail(new ListenerTakenOver()))
    return waiting
  }

  remove(waiting: Waiting): void {
    this.#places.leave(waiting.place)
    if (this.#all.get(waiting.lane.endpoint_id) === waiting) this.#all.delete(waiting.lane.endpoint_id)
  }

  wake(endpoint_id: EndpointId): void {
    const waiting = this.#all.get(endpoint_id)
    if (waiting !== undefined) Deferred.doneUnsafe(waiting.end, Effect.void)
  }

  /** A poll of this name waits, here or elsewhere: an earlier one ends. */
  begun(payload: string): void {
    const [id, poll_id = ""] = payload.split(" ")
    for (const waiting of this.#all.values()) {
      if (waiting.lane.endpoint_id === id && poll_id > waiting.poll_id) {
        Deferred.doneUnsafe(waiting.end, Effect.fail(new ListenerTakenOver()))
      }
    }
  }
}

/**
 * Lets polls of listeners wait until there may be a delivery for them. A wait has no connection to the database: one
 * statement looks for all waits of a process. It runs when lanes wake, and otherwise every two seconds.
 */
export class PollWaits extends Context.Service<PollWaits, {
  /**
   * Ends when the lane has changed since it was read, after `atMost`, or when the process stops. It also ends if its
   * place goes to somebody who has fewer. The clubs of one founder count together, and so do all polls of one account.
   * `TooManyPolls`: no place is free, and nobody has many more.
   */
  wait(
    lane: SeenLane,
    account: UserId,
    atMost: Duration.Duration
  ): Effect.Effect<void, ListenerTakenOver | TooManyPolls>
}>()("turma/webhooks/listener/PollWaits") {
  static readonly layerNoDeps = Layer.effect(
    PollWaits,
    Effect.gen(function*() {
      const repo = yield* ListenersRepo
      const notifications = yield* Notifications
      const random = yield* SecureRandom.SecureRandom
      const shutdown = yield* Shutdown
      const founders = yield* Founders
      const polls = new WaitingPolls()

      const look = Effect.gen(function*() {
        const { lanes } = polls
        if (lanes.length === 0) return
        for (const endpoint_id of yield* repo.changed(lanes)) polls.wake(endpoint_id)
      })

      // While somebody waits, and a little longer: a listener polls again at once.
      const watching = yield* RcRef.make({
        idleTimeToLive: hearsFor,
        acquire: Effect.gen(function*() {
          const signal: Signal = yield* makeSignal
          yield* listenTo(lanesChannel, "Wakes of webhook listeners are found by looking for now", () => signal.notify)
          yield* listenTo(
            pollsChannel,
            "Polls of webhook listeners in other processes are not heard for now",
            (heard) => Effect.sync(() => heard.forEach((payload) => polls.begun(payload)))
          )
          yield* Effect.raceFirst(signal.next, Effect.sleep(lookEvery)).pipe(
            Effect.andThen(look),
            Effect.catchCause((cause) => Effect.logWarning("Webhook listeners were not looked at", cause)),
            Effect.andThen(Effect.sleep(restAfterLook)),
            Effect.forever,
            Effect.forkScoped
          )
          return signal
        }).pipe(Effect.provideService(Notifications, notifications))
      })

      const enter = (entering: Entering) =>
        Effect.acquireRelease(
          Effect.suspend(() => {
            const waiting = polls.add(entering)
            return waiting === undefined ? Effect.fail(new TooManyPolls()) : Effect.succeed(waiting)
          }),
          (waiting) => Effect.sync(() => polls.remove(waiting))
        )

      const wait = Effect.fn("PollWaits.wait")(function*(
        lane: SeenLane,
        account: UserId,
        atMost: Duration.Duration
      ) {
        if (shutdown.hasBegun()) return
        const signal = yield* RcRef.get(watching)
        const poll_id = yield* Effect.orDie(random.uuidV7())
        const { end, place } = yield* enter({ account, founder: yield* founders.of(lane.club_id), lane, poll_id })
        yield* repo.announcePoll(lane, poll_id)
        // Something may have changed between the caller's read and this wait.
        yield* signal.notify
        yield* waitsOutside(Effect.raceAllFirst([
          Deferred.await(end),
          shutdown.begun,
          place.lost,
          Effect.sleep(atMost)
        ]))
      }, Effect.scoped)

      return PollWaits.of({ wait })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([Founders.layer, ListenersRepo.layer, PooledRandomLayer]))
}
