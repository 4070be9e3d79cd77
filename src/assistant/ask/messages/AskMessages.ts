import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import type { StudentId } from "../../../identity/ids/StudentId.ts"
import { NotFound } from "../../../platform/http/errors.ts"
import type { Message, MessageId } from "./Message.ts"
import { MessageImages } from "./MessageImages.ts"
import { messageJson, MessageRow } from "./MessageRow.ts"

const decodeMessages = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ message: MessageRow })))

/** Single questions and answers, with their images. */
export class AskMessages extends Context.Service<AskMessages, {
  /** `NotFound`: the student has no such message. */
  get(club_id: ClubId, student_id: StudentId, id: MessageId): Effect.Effect<Message, NotFound>
}>()("turma/assistant/AskMessages") {
  static readonly layerNoDeps = Layer.effect(
    AskMessages,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const images = yield* MessageImages

      const get = Effect.fn("AskMessages.get")(
        function*(club_id: ClubId, student_id: StudentId, id: MessageId) {
          const rows = yield* sql`
            select ${messageJson(sql)} as message from messages m
            where m.club_id = ${club_id} and m.id = ${id} and m.student_id = ${student_id}`
          const stored = (yield* decodeMessages(rows)).map(({ message }) => message)
          const [message] = yield* images.shown(club_id, stored)
          return message ?? (yield* new NotFound())
        },
        Effect.catchTag(["SchemaError", "SqlError"], Effect.die)
      )

      return AskMessages.of({ get })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(MessageImages.layer))
}
