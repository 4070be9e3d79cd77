import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import { AccessibleLessons, hasLesson } from "../../learning/content/AccessibleLessons.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { afterCursor, type InvalidCursor, type PageAnswer, pageOf, type PageRequest } from "../../platform/http/Page.ts"
import { firstOr, rows } from "../../platform/sql/Rows.ts"
import { Conversation, type ConversationId } from "./messages/Conversation.ts"
import { type Message, MessageId } from "./messages/Message.ts"
import { MessageImages } from "./messages/MessageImages.ts"
import { hasImages, messageJson, MessageRow } from "./messages/MessageRow.ts"

const decodeConversations = rows(Conversation)
const decodeConversation = firstOr(Conversation, () => new NotFound())
const decodeMessages = rows(Schema.Struct({ id: MessageId, message: MessageRow, has_images: Schema.Boolean }))

/**
 * A student's conversations with the assistant. `NotFound`: the student has no such lesson or conversation. Answers quote
 * the lesson, so a conversation is there for as long as its lesson is.
 */
export class Conversations extends Context.Service<Conversations, {
  /** Those of this student on this lesson, the newest first. */
  list(
    club_id: ClubId,
    student_id: StudentId,
    public_id: string,
    page: PageRequest
  ): Effect.Effect<PageAnswer<Conversation>, InvalidCursor | NotFound>
  get(club_id: ClubId, student_id: StudentId, id: ConversationId): Effect.Effect<Conversation, NotFound>
  /** Questions and answers, the newest first. */
  messages(
    club_id: ClubId,
    student_id: StudentId,
    id: ConversationId,
    page: PageRequest
  ): Effect.Effect<PageAnswer<Message>, InvalidCursor | NotFound>
}>()("turma/assistant/ask/Conversations") {
  static readonly layer = Layer.effect(
    Conversations,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const images = yield* MessageImages
      const lessons = yield* AccessibleLessons

      const columns = sql`id, title, last_message_at, created_at`
      const before = (last: Option.Option<string>) =>
        Option.match(last, { onNone: () => sql`true`, onSome: (id) => sql`id < ${id}::uuid` })

      const list = Effect.fn("Conversations.list")(function*(
        club_id: ClubId,
        student_id: StudentId,
        public_id: string,
        { cursor, limit }: PageRequest
      ) {
        const last = yield* afterCursor(cursor)
        const { lesson_id } = yield* lessons.find(club_id, student_id, public_id)
        const rows = yield* sql`
            select ${columns} from conversations
            where club_id = ${club_id} and student_id = ${student_id} and lesson_id = ${lesson_id} and ${before(last)}
            order by id desc limit ${limit + 1}`.pipe(decodeConversations)
        return pageOf(rows, limit)
      })

      const get = Effect.fn("Conversations.get")(function*(club_id: ClubId, student_id: StudentId, id: ConversationId) {
        const holder = { club_id, student_id, now: DateTime.toDateUtc(yield* DateTime.now) }
        return yield* sql`
            select ${columns} from conversations
            where club_id = ${club_id} and student_id = ${student_id} and id = ${id}
              and ${hasLesson(sql, holder, sql`conversations.lesson_id`)}`.pipe(decodeConversation)
      })

      const messages = Effect.fn("Conversations.messages")(function*(
        club_id: ClubId,
        student_id: StudentId,
        id: ConversationId,
        { cursor, limit }: PageRequest
      ) {
        const last = yield* afterCursor(cursor)
        yield* get(club_id, student_id, id)
        const now = DateTime.toDateUtc(yield* DateTime.now)
        const rows = yield* sql`
            select m.id, ${messageJson(sql, { now })} as message, ${hasImages(sql)} as has_images from messages m
            where club_id = ${club_id} and conversation_id = ${id} and student_id = ${student_id} and ${before(last)}
            order by id desc limit ${limit + 1}`.pipe(decodeMessages)
        const page = pageOf(rows, limit)
        const data = yield* images.shown(
          club_id,
          page.data.map(({ message }) => message),
          page.data.some(({ has_images }) => has_images)
        )
        return { ...page, data }
      })

      return Conversations.of({ list, get, messages })
    })
  ).pipe(Layer.provide([AccessibleLessons.layer, MessageImages.layer]))
}
