import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { NotFound } from "../../platform/http/errors.ts"
import { type InvalidCursor, keysetOf, type PageAnswer, type PageRequest } from "../../platform/http/Page.ts"
import { rows } from "../../platform/sql/Rows.ts"
import { authorOf, isMine } from "../comments/Authors.ts"
import type { Viewer } from "../comments/Viewer.ts"
import { type ConversationId, SupportMessage } from "./Conversation.ts"

const decodeMessages = rows(SupportMessage)

/** Numbers of messages and of activities are PostgreSQL's integers. */
export const Ordinal = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2_147_483_647 }))

const places = keysetOf(Schema.Struct({ number: Ordinal }))

/** What is written in conversations, as it is shown. Whether the viewer may see the conversation is not asked. */
export class Messages extends Context.Service<Messages, {
  /** The newest first. */
  list(
    viewer: Viewer,
    conversation_id: ConversationId,
    page: PageRequest
  ): Effect.Effect<PageAnswer<SupportMessage>, InvalidCursor>
  get(viewer: Viewer, conversation_id: ConversationId, number: number): Effect.Effect<SupportMessage, NotFound>
}>()("turma/support/Messages") {
  static readonly layer = Layer.effect(
    Messages,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const read = (viewer: Viewer, conversation_id: ConversationId, chosen: Fragment) =>
        sql`
          select t.id, t.number, t.body, t.created_at, ${authorOf(sql, sql`t`)} as author,
            ${isMine(sql, viewer, sql`t`)} as mine
          from support_messages t
          where t.club_id = ${viewer.club_id} and t.conversation_id = ${conversation_id} and ${chosen}
        `.pipe(decodeMessages)

      const list = Effect.fn("Messages.list")(
        function*(viewer: Viewer, conversation_id: ConversationId, { cursor, limit }: PageRequest) {
          const older = Option.match(yield* places.read(cursor), {
            onNone: () => sql`true`,
            onSome: ({ number }) => sql`t.number < ${number}::int`
          })
          const rows = yield* read(viewer, conversation_id, sql`${older} order by t.number desc limit ${limit + 1}`)
          const data = rows.slice(0, limit)
          const last = rows.length > limit ? data.at(-1) : undefined
          return { data, next_cursor: last === undefined ? null : yield* places.write({ number: last.number }) }
        }
      )

      const get = Effect.fn("Messages.get")(
        function*(viewer: Viewer, conversation_id: ConversationId, number: number) {
          const [message] = yield* read(viewer, conversation_id, sql`t.number = ${number}::int`)
          return message ?? (yield* new NotFound())
        }
      )

      return Messages.of({ list, get })
    })
  )
}
