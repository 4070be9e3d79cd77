import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import { LessonPlaces } from "../../learning/content/LessonPlaces.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { afterCursor, type InvalidCursor, type PageAnswer, pageOf, type PageRequest } from "../../platform/http/Page.ts"
import { Conversation, type ConversationId, type Message } from "./Ask.ts"
import { MessageImages } from "./MessageImages.ts"
import { messageJson, MessageRow } from "./MessageRows.ts"

const decodeConversations = Schema.decodeUnknownEffect(Schema.Array(Conversation))
const decodeMessages = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ message: MessageRow })))

/** What a student asked before. `NotFound`: they have no such lesson or conversation. */
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
}>()("turma/assistant/Conversations") {
  static readonly layerNoDeps = Layer.effect(
    Conversations,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const images = yield* MessageImages
      const places = yield* LessonPlaces

      const columns = sql`id, title, last_message_at, created_at`
      const before = (last: Option.Option<string>) =>
        Option.match(last, { onNone: () => sql`true`, onSome: (id) => sql`id < ${id}::uuid` })

      const list = Effect.fn("Conversations.list")(
        function*(club_id: ClubId, student_id: StudentId, public_id: string, { cursor, limit }: PageRequest) {
          const last = yield* afterCursor(cursor)
          const { lesson_id } = yield* places.find(club_id, student_id, public_id)
          const rows = yield* sql`
            select ${columns} from conversations
            where club_id = ${club_id} and student_id = ${student_id} and lesson_id = ${lesson_id} and ${before(last)}
            order by id desc limit ${limit + 1}`
          return pageOf(yield* decodeConversations(rows), limit)
        },
        Effect.catchTag(["SchemaError", "SqlError"], Effect.die)
      )

      const get = Effect.fn("Conversations.get")(
        function*(club_id: ClubId, student_id: StudentId, id: ConversationId) {
          const rows = yield* sql`
            select ${columns} from conversations
            where club_id = ${club_id} and student_id = ${student_id} and id = ${id}`
          const [conversation] = yield* decodeConversations(rows)
          return conversation ?? (yield* new NotFound())
        },
        Effect.catchTag(["SchemaError", "SqlError"], Effect.die)
      )

      const messages = Effect.fn("Conversations.messages")(
        function*(club_id: ClubId, student_id: StudentId, id: ConversationId, { cursor, limit }: PageRequest) {
          const last = yield* afterCursor(cursor)
          yield* get(club_id, student_id, id)
          const rows = yield* sql`
            select ${messageJson(sql)} as message from messages m
            where club_id = ${club_id} and conversation_id = ${id} and student_id = ${student_id} and ${before(last)}
            order by id desc limit ${limit + 1}`
          const page = pageOf((yield* decodeMessages(rows)).map(({ message }) => message), limit)
          return { ...page, data: yield* images.shown(club_id, page.data) }
        },
        Effect.catchTag(["SchemaError", "SqlError"], Effect.die)
      )

      return Conversations.of({ list, get, messages })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([LessonPlaces.layer, MessageImages.layer]))
}
