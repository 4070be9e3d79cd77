import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { Attachments } from "../../../learning/media/Attachments.ts"
import { MediaId } from "../../../learning/media/Media.ts"
import { uuids } from "../../../platform/sql/Arrays.ts"
import { rows } from "../../../platform/sql/Rows.ts"
import { type Message, MessageId } from "./Message.ts"
import type { MessageRow } from "./MessageRow.ts"

const decodeSent = rows(Schema.Struct({
  message_id: MessageId,
  id: MediaId,
  favorite: Schema.Boolean,
  usage_count: Schema.Int
}))

/** Adds their images to messages, with addresses that can be opened now. Leaves removed images out. */
export class MessageImages extends Context.Service<MessageImages, {
  /** Takes two statements, or no statement if the messages have no images. */
  shown(
    club_id: ClubId,
    messages: ReadonlyArray<MessageRow>,
    have_images: boolean
  ): Effect.Effect<ReadonlyArray<Message>>
}>()("turma/assistant/ask/messages/MessageImages") {
  static readonly layer = Layer.effect(
    MessageImages,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const attachments = yield* Attachments

      const sentWith = (club_id: ClubId, messages: ReadonlyArray<MessageRow>) =>
        sql`
          select i.message_id, i.media_id as id, f.favorite, (
            select count(*)::int from message_images u where u.club_id = i.club_id and u.media_id = i.media_id
          ) as usage_count
          from message_images i join media f on f.club_id = i.club_id and f.id = i.media_id
          where i.club_id = ${club_id} and i.message_id = any (${uuids(messages.map(({ id }) => id))})
          order by i.message_id, i.position`.pipe(decodeSent)

      const shown = Effect.fn("MessageImages.shown")(function*(
        club_id: ClubId,
        messages: ReadonlyArray<MessageRow>,
        have_images: boolean
      ) {
        if (!have_images) return messages
        const sent = yield* sentWith(club_id, messages)
        const ids = [...new Set(sent.map(({ id }) => id))]
        const records = yield* attachments.shownRecords(club_id, ids)
        const byMessage = Map.groupBy(sent, ({ message_id }) => message_id)
        return messages.map((message) => ({
          ...message,
          images: (byMessage.get(message.id) ?? []).flatMap(({ favorite, id, usage_count }) => {
            const found = records.get(id)
            if (found === undefined) return []
            const { media, shown } = found
            return [{ ...media, type: media.kind, download_url: shown.url, favorite, usage_count }]
          })
        }))
      })

      return MessageImages.of({ shown })
    })
  )
}
