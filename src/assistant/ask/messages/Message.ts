import { Schema } from "effect"
import { Media, MediaKind } from "../../../learning/media/Media.ts"
import { Citation } from "../../material/search/Citation.ts"
import { MessageErrorCode, MessageStatus } from "./MessageStatus.ts"

/** UUIDv7. */
export const MessageId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("MessageId"))
export type MessageId = typeof MessageId.Type

/** An image of a question. `type` is its `kind`; `usage_count` counts the messages that show it. */
export const AskImage = Schema.Struct({
  ...Media.fields,
  type: MediaKind,
  download_url: Schema.String,
  favorite: Schema.Boolean,
  usage_count: Schema.Int
}).annotate({ identifier: "AskImage" })
export type AskImage = typeof AskImage.Type

/** A question, or the answer to the message `reply_to`. */
export const Message = Schema.Struct({
  id: MessageId,
  role: Schema.Literals(["user", "assistant"]),
  content: Schema.String,
  status: MessageStatus,
  images: Schema.Array(AskImage),
  citations: Schema.Array(Citation),
  created_at: Schema.DateTimeUtcFromDate,
  error_code: Schema.NullOr(MessageErrorCode),
  reply_to: Schema.NullOr(MessageId),
  completed_at: Schema.NullOr(Schema.DateTimeUtcFromDate)
}).annotate({ identifier: "AskMessage" })
export type Message = typeof Message.Type
