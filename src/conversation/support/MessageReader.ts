import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { NotFound } from "../../platform/http/errors.ts"
import { type InvalidCursor, keysetOf, type PageAnswer, type PageRequest } from "../../platform/http/Page.ts"
import { rows } from "../../platform/sql/Rows.ts"
import { authorOf, isMine } from "../authors/Authorship.ts"
import type { Viewer } from "../authors/Viewer.ts"
import { type ConversationId, SupportMessage } from "./Conversation.ts"

const decodeMessages = rows(SupportMessage)

/** Numbers of messages and activities are integers of PostgreSQL. */
export const Ordinal = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2_147_483_647 }))

const numberCursor = keysetOf(Schema.Struct({ number: Ordinal }))

/** Reads the messages of conversations. Does not check whether the viewer may see the conversation. */
export class MessageReader extends Context.Service<MessageReader, {
  /** The newest first. */
  list(
    viewer: Viewer,
    conversation_id: ConversationId,
    page: PageRequest
  ): Effect.Effect<PageAnswer<SupportMessage>, InvalidCursor>
  get(viewer: Viewer, conversation_id: ConversationId, number: number): Effect.Effect<SupportMessage, NotFound>
}>()("turma/conversation/support/MessageReader") {
  static readonly layer = Layer.effect(
    MessageReader,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const read = (viewer: Viewer, conversation_id: ConversationId, condition: Fragment) =>
        sql`
          select t.id, t.number, t.body, t.created_at, ${authorOf(sql, sql`t`)} as author,
            ${isMine(sql, viewer, sql`t`)} as mine
          from support_messages t
          where t.club_id = ${viewer.club_id} and t.conversation_id = ${conversation_id} and ${condition}
        `.pipe(decodeMessages)

      const list = Effect.fn("MessageReader.list")(function*(
        viewer: Viewer,
        conversation_id: ConversationId,
        { cursor, limit }: PageRequest
      ) {
        const older = Option.match(yield* numberCursor.read(cursor), {
          onNone: () => sql`true`,
          onSome: ({ number }) => sql`t.number < ${number}::int`
        })
        const rows = yield* read(viewer, conversation_id, sql`${older} order by t.number desc limit ${limit + 1}`)
        return yield* numberCursor.page(rows, limit, ({ number }) => ({ number }))
      })

      const get = Effect.fn("MessageReader.get")(function*(
        viewer: Viewer,
        conversation_id: ConversationId,
        number: number
      ) {
        const [message] = yield* read(viewer, conversation_id, sql`t.number = ${number}::int`)
        return message ?? (yield* new NotFound())
      })

      return MessageReader.of({ list, get })
    })
  )
}
