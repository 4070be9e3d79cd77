import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import type { StudentId } from "../../../identity/ids/StudentId.ts"
import { hasLesson } from "../../../learning/content/AccessibleLessons.ts"
import { NotFound } from "../../../platform/http/errors.ts"
import { rows } from "../../../platform/sql/Rows.ts"
import type { Message, MessageId } from "./Message.ts"
import { MessageImages } from "./MessageImages.ts"
import { hasImages, messageJson, MessageRow } from "./MessageRow.ts"

const decodeMessages = rows(Schema.Struct({ message: MessageRow, has_images: Schema.Boolean }))

/** Single questions and answers, with their images. */
export class AskMessages extends Context.Service<AskMessages, {
  /** `NotFound`: the student has no such message, or not its lesson. One statement, and those of its images. */
  get(club_id: ClubId, student_id: StudentId, id: MessageId): Effect.Effect<Message, NotFound>
}>()("turma/assistant/ask/messages/AskMessages") {
  static readonly layer = Layer.effect(
    AskMessages,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const images = yield* MessageImages

      const get = Effect.fn("AskMessages.get")(function*(club_id: ClubId, student_id: StudentId, id: MessageId) {
        const holder = { club_id, student_id, now: DateTime.toDateUtc(yield* DateTime.now) }
        const rows = yield* sql`
            select ${messageJson(sql, holder)} as message, ${hasImages(sql)} as has_images from messages m
            join conversations c on c.club_id = m.club_id and c.id = m.conversation_id
            where m.club_id = ${club_id} and m.id = ${id} and m.student_id = ${student_id}
              and ${hasLesson(sql, holder, sql`c.lesson_id`)}`.pipe(decodeMessages)
        const [message] = yield* images.shown(
          club_id,
          rows.map(({ message }) => message),
          rows.some(({ has_images }) => has_images)
        )
        return message ?? (yield* new NotFound())
      })

      return AskMessages.of({ get })
    })
  ).pipe(Layer.provide(MessageImages.layer))
}
