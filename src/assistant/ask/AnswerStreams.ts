import { Clock, Context, DateTime, Duration, Effect, Layer, Option, Schema, type Scope, Stream } from "effect"
import { Sse } from "effect/encoding"
import { SqlClient } from "effect/sql"
import type { NotFound } from "../../platform/http/errors.ts"
import { first } from "../../platform/sql/Rows.ts"
import { Citation } from "../Citation.ts"
import { AnswerEvent, endOf, eventsOf, type Position, positionOf } from "./AnswerEvent.ts"
import { Asks } from "./Asks.ts"
import type { AnswerKey } from "./Endings.ts"
import { MessageStatus } from "./MessageState.ts"
import { type StreamOwner, StreamPlaces, type StreamsTaken } from "./StreamPlaces.ts"

/** Between two looks at an answer that is being generated. */
export const lookEvery = Duration.millis(150)

/** How long nothing is said at most, so that nobody between takes the connection for dead. */
const heartbeatEvery = Duration.seconds(15)

/** How long a stream lasts: longer than an answer may take. Whoever comes back goes on where they were. */
export const longest = Duration.minutes(3)

/** The first words: whoever loses the connection is to come back after a second. */
const opening = "retry: 1000\n\n"
const heartbeat = ": still there\n\n"

const Rest = Schema.Struct({
  status: MessageStatus,
  text: Schema.String,
  citations: Schema.NullOr(Schema.Array(Citation))
})
const decodeRest = first(Rest)
const encodeEvent = Schema.encodeEffect(AnswerEvent)

/** An answer, and the session in which it is read. */
type Followed = AnswerKey & StreamOwner

interface Told {
  readonly position: Position
  /** When something was last said, and when to end, in milliseconds. */
  readonly spoke: number
  readonly until: number
}

/** Answers as they grow, as Server-Sent Events. The row is all there is to know, so any process can tell it. */
export class AnswerStreams extends Context.Service<AnswerStreams, {
  /**
   * What `AnswerEvent` says, from behind the `Last-Event-ID` on until the answer or the session has ended. Nobody looks
   * at the answer any more once nobody listens. `NotFound`: this student has no such message. `StreamsTaken`: the session
   * follows as many as it may. The scope is the request's: with it the place is given back, even if nobody has listened.
   */
  follow(
    answer: Followed,
    last_event_id: string | undefined
  ): Effect.Effect<Stream.Stream<Uint8Array>, NotFound | StreamsTaken, Scope.Scope>
}>()("turma/assistant/AnswerStreams") {
  static readonly layerNoDeps = Layer.effect(
    AnswerStreams,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const asks = yield* Asks
      const places = yield* StreamPlaces

      const read = Effect.fnUntraced(
        function*({ club_id, id, session_id, student_id }: Followed, { characters, citations }: Position) {
          return yield* sql`
            select status, substr(content, ${characters + 1}::int) as text,
              case when jsonb_array_length(citations) > ${citations}::int then citations end as citations
            from messages where club_id = ${club_id} and id = ${id} and student_id = ${student_id}
              and exists (
                select from student_sessions s
                where s.id = ${session_id} and s.club_id = ${club_id} and s.student_id = ${student_id}
              )`.pipe(decodeRest)
        }
      )

      const written = Effect.fnUntraced(function*(event: AnswerEvent) {
        return Sse.encoder.write({ _tag: "Event", id: undefined, ...(yield* encodeEvent(event)) })
      }, Effect.orDie)

      /** What one look brings, and from where to look next; none after the end. */
      const tell = Effect.fnUntraced(function*(answer: Followed, { position, spoke, until }: Told) {
        const now = yield* Clock.currentTimeMillis
        const found = yield* read(answer, position)
        if (Option.isNone(found)) return [[], Option.none<Told>()] as const
        const { citations, status, text } = found.value
        const next = eventsOf(position, { text, citations: citations?.slice(position.citations) ?? [] })
        const lines = yield* Effect.forEach(next.events, written)
        if (status !== "generating") {
          const message = yield* Effect.option(asks.message(answer.club_id, answer.student_id, answer.id))
          const last = Option.map(message, (message) => written(endOf(message, next.position)))
          return [[...lines, ...(yield* Effect.all(Option.toArray(last)))], Option.none<Told>()] as const
        }
        const isSilent = lines.length === 0 && now - spoke >= Duration.toMillis(heartbeatEvery)
        const said = isSilent ? [heartbeat] : lines
        const told = { position: next.position, spoke: said.length === 0 ? spoke : now, until }
        return [said, now < until ? Option.some(told) : Option.none<Told>()] as const
      })

      const follow = Effect.fn("AnswerStreams.follow")(
        function*(answer: Followed, last_event_id: string | undefined) {
          yield* asks.message(answer.club_id, answer.student_id, answer.id)
          const until = DateTime.addDuration(yield* DateTime.now, longest)
          // A client may leave before the stream begins, or ask for its head alone. Who was told everything may come again
          // before the request has ended.
          const giveBack = yield* Effect.acquireRelease(
            Effect.flatMap(places.take(answer, until), Effect.cached),
            (giveBack) => giveBack
          )
          const first: Told = {
            position: positionOf(last_event_id),
            spoke: yield* Clock.currentTimeMillis,
            until: DateTime.toEpochMillis(until)
          }
          const later = (told: Told) => Effect.andThen(Effect.sleep(lookEvery), tell(answer, told))
          const told = Stream.paginate(
            tell(answer, first),
            (look) => Effect.map(look, ([lines, next]) => [lines, Option.map(next, later)] as const)
          )
          return Stream.encodeText(Stream.concat(Stream.succeed(opening), told)).pipe(Stream.ensuring(giveBack))
        }
      )

      return AnswerStreams.of({ follow })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([Asks.layer, StreamPlaces.layer]))
}
