import { Clock, Context, Duration, Effect, Layer, Option, type Scope, Stream } from "effect"
import { administration } from "../../../identity/authentication/Authentication.ts"
import type { MemberIdentity } from "../../../identity/people/Identity.ts"
import { RightCheck } from "../../../identity/rights/RightCheck.ts"
import { comeBack, heartbeat } from "../../../platform/http/ServerSentEvents.ts"
import { Shutdown } from "../../../platform/processes/Shutdown.ts"
import type { Place } from "./FairPlaces.ts"
import { type NoPlace, type ProcessFull, StreamPlaces } from "./StreamPlaces.ts"

/** How long a stream without a `wait` of its own rests before it looks again. */
const tick = Duration.seconds(1)

/** How often a stream without news checks that the member still has the right. */
export const rightEvery = Duration.seconds(5)

/** The longest pause without a byte. */
export const heartbeatEvery = Duration.seconds(15)

/** How long a stream lasts. */
const longestStream = Duration.minutes(5)

/** The server ends a stream whose reader takes nothing, so long after the stream would have ended. */
const grace = Duration.seconds(30)

/** The news of a stream, in lines of Server-Sent Events, and the state to go on from. */
interface News<State> {
  readonly lines: ReadonlyArray<string>
  readonly state: State
}

/** The source of a stream. */
export interface Source<State, E> {
  /** The first state. It is read once there is a place. */
  readonly first: Effect.Effect<State, E>
  /** The current news. `None`: the stream is over, and the client may come back. */
  readonly look: (state: State) => Effect.Effect<Option.Option<News<State>>>
  /** Ends when it is worth looking again, which is in `rightEvery` at most; else that is a second later. */
  readonly wait?: (state: State) => Effect.Effect<void>
}

/** The member, the source and the place of a stream. */
interface Followed<State, E> {
  readonly member: MemberIdentity
  readonly place: Place
  readonly source: Source<State, E>
}

interface Progress<State> {
  readonly state: State
  /** When something was last sent, and the right last asked for, and when to end, in epoch milliseconds. */
  readonly sent_at: number
  readonly right_at: number
  readonly until: number
}

/**
 * Server-Sent Events for members who may see webhooks. A stream looks again once the client has taken the lines before.
 * So a reader that takes nothing costs the lines of one look, and no connection of the database.
 */
export class MemberStreams extends Context.Service<MemberStreams, {
  /**
   * Bytes to answer. They end when the member loses the right, the source ends, the process stops, or some minutes are
   * over. They also end if the place goes to somebody who has fewer. `NoPlace`, `ProcessFull`: no place is free. The
   * scope is the request's: its end frees the place.
   */
  open<State, E>(
    member: MemberIdentity,
    source: Source<State, E>
  ): Effect.Effect<Stream.Stream<Uint8Array>, E | NoPlace | ProcessFull, Scope.Scope>
}>()("turma/webhooks/history/live/MemberStreams") {
  static readonly layer = Layer.effect(
    MemberStreams,
    Effect.gen(function*() {
      const rights = yield* RightCheck
      const places = yield* StreamPlaces
      const shutdown = yield* Shutdown

      const maySee = (member: MemberIdentity) => rights.holds(member, { roles: administration, feature: "webhooks" })

      /**
       * The lines to send now, and the progress to go on from. `None` after the end. The check of the right comes after
       * the look: so nothing goes out that came after the right had ended.
       */
      const next = Effect.fnUntraced(function*<State, E>(
        { member, place, source }: Followed<State, E>,
        progress: Progress<State>
      ) {
        const now = yield* Clock.currentTimeMillis
        if (now >= progress.until || shutdown.hasBegun() || place.isLost()) {
          return [[comeBack], Option.none()] as const
        }
        const news = yield* source.look(progress.state)
        if (Option.isNone(news)) return [[comeBack], Option.none()] as const
        const { lines, state } = news.value
        const asks = lines.length > 0 || now - progress.right_at >= Duration.toMillis(rightEvery)
        if (asks && !(yield* maySee(member))) return [[], Option.none()] as const
        const isSilent = lines.length === 0 && now - progress.sent_at >= Duration.toMillis(heartbeatEvery)
        const sent = isSilent ? [heartbeat] : lines
        const after: Progress<State> = {
          state,
          sent_at: sent.length === 0 ? progress.sent_at : now,
          right_at: asks ? now : progress.right_at,
          until: progress.until
        }
        return [sent, Option.some(after)] as const
      })

      /** Ends the request's fiber, if its reader takes nothing, not even the end. */
      const letGoOfDeaf = ({ lost }: Place) =>
        Effect.withFiber((fiber) =>
          Effect.raceFirst(Effect.sleep(longestStream), lost).pipe(
            Effect.andThen(Effect.sleep(grace)),
            Effect.andThen(Effect.sync(() => fiber.interruptUnsafe())),
            Effect.forkScoped
          )
        )

      const open = Effect.fn("MemberStreams.open")(function*<State, E>(
        member: MemberIdentity,
        source: Source<State, E>
      ) {
        const place = yield* places.take(member)
        const state = yield* source.first
        const now = yield* Clock.currentTimeMillis
        const first: Progress<State> = {
          state,
          sent_at: now,
          right_at: now,
          until: now + Duration.toMillis(longestStream)
        }
        yield* letGoOfDeaf(place)
        const wait = source.wait ?? (() => Effect.sleep(tick))
        const after = (progress: Progress<State>) =>
          Effect.raceAllFirst([wait(progress.state), shutdown.begun, place.lost])
            .pipe(Effect.andThen(next({ member, place, source }, progress)))
        const lines = Stream.paginate(
          next({ member, place, source }, first),
          (read) => Effect.map(read, ([lines, progress]) => [lines, Option.map(progress, after)] as const)
        )
        return Stream.encodeText(Stream.concat(Stream.succeed(comeBack), lines))
      })

      return MemberStreams.of({ open })
    })
  ).pipe(Layer.provide([RightCheck.layer, StreamPlaces.layer]))
}
