import { Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { MediaId } from "../../../learning/media/Media.ts"
import { instantText } from "../../../platform/sql/InstantJson.ts"
import { citationsJson, type Citing } from "./CitationsJson.ts"
import { Message } from "./Message.ts"

/** A message as it is stored, with the ids of its images. */
export const MessageRow = Schema.Struct({
  ...Message.fields,
  created_at: Schema.DateTimeUtcFromString,
  completed_at: Schema.NullOr(Schema.DateTimeUtcFromString),
  images: Schema.Array(Schema.Struct({ id: MediaId, favorite: Schema.Boolean, usage_count: Schema.Int }))
})
export type MessageRow = typeof MessageRow.Type

/**
 * The row `m` of `messages` as the JSON that `MessageRow` decodes, with the keys of cited lessons that are
 * live. Without images it is the answer's `Message` already.
 */
export const messageJson = (sql: SqlClient.SqlClient, citing: Citing): Fragment => {
  const images = sql`
    select coalesce(json_agg(json_build_object(
      'id', i.media_id, 'favorite', f.favorite, 'usage_count',
      (select count(*) from message_images u where u.club_id = i.club_id and u.media_id = i.media_id)
    ) order by i.position), '[]')
    from message_images i join media f on f.club_id = i.club_id and f.id = i.media_id
    where i.club_id = m.club_id and i.message_id = m.id`
  return sql`(
    select row_to_json(written) from (
      select m.id, m.role, m.content, m.status, (${images}) as images,
        ${citationsJson(sql, citing)} as citations,
        ${instantText(sql, sql`m.created_at`)} as created_at, m.error_code, m.reply_to,
        ${instantText(sql, sql`m.completed_at`)} as completed_at
    ) written
  )`
}
