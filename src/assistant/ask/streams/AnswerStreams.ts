import { Clock, Context, DateTime, Duration, Effect, Layer, Option, Schema, type Scope, Stream } from "effect"
import * as Sse from "effect/encoding/Sse"
import { SqlClient } from "effect/sql"
import type { NotFound } from "../../../platform/http/errors.ts"
import { comeBack, heartbeat } from "../../../platform/http/ServerSentEvents.ts"
import { first } from "../../../platform/sql/Rows.ts"
import { ClassroomCitation } from "../../material/search/Citation.ts"
import type { AnswerKey } from "../answers/AnswerEndings.ts"
import { AskMessages } from "../messages/AskMessages.ts"
import { citationsJson } from "../messages/CitationsJson.ts"
import { MessageStatus } from "../messages/MessageStatus.ts"
import { AnswerEvent, eventsOf, finalEvent, type Position, positionOf } from "./AnswerEvent.ts"
import { type NoFreeSlot, type StreamOwner, StreamSlots } from "./StreamSlots.ts"

/** How often an answer that is being generated is read. */
const pollEvery = Duration.millis(150)

/** The longest pause without a byte, so that proxies do not take the connection for dead. */
const heartbeatEvery = Duration.seconds(15)

/** The length of a stream: longer than an answer may take. A client that reconnects continues at its position. */
const longestStream = Duration.minutes(3)

const UnsentRow = Schema.Struct({
  status: MessageStatus,
  text: Schema.String,
  citations: Schema.NullOr(Schema.Array(ClassroomCitation))
})
const decodeUnsent = first(UnsentRow)
const encodeEvent = Schema.encodeEffect(AnswerEvent)

/** An answer, and the session that follows it. */
type FollowedAnswer = AnswerKey & StreamOwner

interface StreamState {
  readonly position: Position
  /** When something was last sent, in epoch milliseconds. */
  readonly sent_at: number
  /** When the stream ends, in epoch milliseconds. */
  readonly until: number
}

/** Growing answers as Server-Sent Events. Reads the message's row, so any process can stream an answer of any other. */
export class AnswerStreams extends Context.Service<AnswerStreams, {
  /**
   * The events after the `Last-Event-ID`, until the answer or the session has ended. Stops reading the answer when the
   * client has left. `NotFound`: this student has no such message. `NoFreeSlot`: the session follows as many answers as
   * it may. The scope is the request's: its end frees the slot, even if the stream was never read.
   */
  follow(
    answer: FollowedAnswer,
    last_event_id: string | undefined
  ): Effect.Effect<Stream.Stream<Uint8Array>, NotFound | NoFreeSlot, Scope.Scope>
}>()("turma/assistant/ask/streams/AnswerStreams") {
  static readonly layer = Layer.effect(
    AnswerStreams,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const messages = yield* AskMessages
      const slots = yield* StreamSlots

      const read = Effect.fnUntraced(function*(
        { club_id, id, session_id, student_id }: FollowedAnswer,
        { characters, citations }: Position
      ) {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        return yield* sql`
            select status, substr(content, ${characters + 1}::int) as text,
              case when jsonb_array_length(citations) > ${citations}::int
                then ${citationsJson(sql, { now })} end as citations
            from messages m where club_id = ${club_id} and id = ${id} and student_id = ${student_id}
              and exists (
                select from student_sessions s
                where s.id = ${session_id} and s.club_id = ${club_id} and s.student_id = ${student_id}
              )`.pipe(decodeUnsent)
      })

      const encoded = Effect.fnUntraced(function*(event: AnswerEvent) {
        return Sse.encoder.write({ _tag: "Event", id: undefined, ...(yield* encodeEvent(event)) })
      }, Effect.orDie)

      /** The lines to send now, and the state for the next read; empty after the end. */
      const nextLines = Effect.fnUntraced(function*(answer: FollowedAnswer, { position, sent_at, until }: StreamState) {
        const now = yield* Clock.currentTimeMillis
        const unsent = yield* read(answer, position)
        if (Option.isNone(unsent)) return [[], Option.none<StreamState>()] as const
        const { citations, status, text } = unsent.value
        const next = eventsOf(position, { text, citations: citations?.slice(position.citations) ?? [] })
        const lines = yield* Effect.forEach(next.events, encoded)
        if (status !== "generating") {
          const message = yield* Effect.option(messages.get(answer.club_id, answer.student_id, answer.id))
          const last = Option.map(message, (message) => encoded(finalEvent(message, next.position)))
          return [[...lines, ...(yield* Effect.all(Option.toArray(last)))], Option.none<StreamState>()] as const
        }
        const isSilent = lines.length === 0 && now - sent_at >= Duration.toMillis(heartbeatEvery)
        const sent = isSilent ? [heartbeat] : lines
        const state = { position: next.position, sent_at: sent.length === 0 ? sent_at : now, until }
        return [sent, now < until ? Option.some(state) : Option.none<StreamState>()] as const
      })

      const follow = Effect.fn("AnswerStreams.follow")(function*(
        answer: FollowedAnswer,
        last_event_id: string | undefined
      ) {
        yield* messages.get(answer.club_id, answer.student_id, answer.id)
        const until = DateTime.addDuration(yield* DateTime.now, longestStream)
        // The scope frees the slot of a client that leaves before the stream begins, or asks for its head alone. The
        // stream's end frees it too, because a client that has read everything may come again before its request has
        // ended.
        const freeSlot = yield* Effect.acquireRelease(
          Effect.flatMap(slots.take(answer, until), Effect.cached),
          (freeSlot) => freeSlot
        )
        const first: StreamState = {
          position: positionOf(last_event_id),
          sent_at: yield* Clock.currentTimeMillis,
          until: DateTime.toEpochMillis(until)
        }
        const later = (state: StreamState) => Effect.andThen(Effect.sleep(pollEvery), nextLines(answer, state))
        const lines = Stream.paginate(
          nextLines(answer, first),
          (read) => Effect.map(read, ([lines, next]) => [lines, Option.map(next, later)] as const)
        )
        return Stream.encodeText(Stream.concat(Stream.succeed(comeBack), lines)).pipe(Stream.ensuring(freeSlot))
      })

      return AnswerStreams.of({ follow })
    })
  ).pipe(Layer.provide([AskMessages.layer, StreamSlots.layer]))
}
