import { Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { instantText } from "../../../platform/sql/InstantJson.ts"
import { citationsJson, type Citing } from "./CitationsJson.ts"
import { Message } from "./Message.ts"

/** A message as it is stored, without its images. */
export const MessageRow = Schema.Struct({
  ...Message.fields,
  created_at: Schema.DateTimeUtcFromString,
  completed_at: Schema.NullOr(Schema.DateTimeUtcFromString),
  images: Schema.Tuple([])
})
export type MessageRow = typeof MessageRow.Type

/** A condition on the row `m` of `messages`: it is a question with images. */
export const hasImages = (sql: SqlClient.SqlClient): Fragment =>
  sql`
    m.role = 'user' and exists (select from message_images i where i.club_id = m.club_id and i.message_id = m.id)`

/**
 * The row `m` of `messages` as the JSON that `MessageRow` decodes, with the keys of cited lessons that are live. If it has
 * no images, it is the answer's `Message` already.
 */
export const messageJson = (sql: SqlClient.SqlClient, citing: Citing): Fragment =>
  sql`(
    select row_to_json(written) from (
      select m.id, m.role, m.content, m.status, '[]'::json as images, ${citationsJson(sql, citing)} as citations,
        ${instantText(sql, sql`m.created_at`)} as created_at, m.error_code, m.reply_to,
        ${instantText(sql, sql`m.completed_at`)} as completed_at
    ) written
  )`
