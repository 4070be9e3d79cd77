import { Context, Effect, Layer } from "effect"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { Attachments } from "../../../learning/media/Attachments.ts"
import type { Message } from "./Message.ts"
import type { MessageRow } from "./MessageRow.ts"

/** Adds their images to messages, with addresses that can be opened now. Leaves removed images out. */
export class MessageImages extends Context.Service<MessageImages, {
  /** Takes two statements, or no statement without images. */
  shown(club_id: ClubId, messages: ReadonlyArray<MessageRow>): Effect.Effect<ReadonlyArray<Message>>
}>()("turma/assistant/ask/messages/MessageImages") {
  static readonly layer = Layer.effect(
    MessageImages,
    Effect.gen(function*() {
      const attachments = yield* Attachments

      const shown = Effect.fn("MessageImages.shown")(function*(club_id: ClubId, messages: ReadonlyArray<MessageRow>) {
        const ids = [...new Set(messages.flatMap(({ images }) => images.map(({ id }) => id)))]
        if (ids.length === 0) return messages.map((message) => ({ ...message, images: [] }))
        const [records, addresses] = yield* Effect.all(
          [attachments.records(club_id, ids), attachments.shown(club_id, ids)],
          { concurrency: "unbounded" }
        )
        return messages.map((message) => ({
          ...message,
          images: message.images.flatMap(({ favorite, id, usage_count }) => {
            const [record, address] = [records.get(id), addresses.get(id)]
            return record === undefined || address === undefined
              ? []
              : [{ ...record, type: record.kind, download_url: address.url, favorite, usage_count }]
          })
        }))
      })

      return MessageImages.of({ shown })
    })
  )
}
