import { Schema } from "effect"
import { Media, mediaFields } from "../../../learning/media/Media.ts"
import { field } from "../../../platform/http/Field.ts"
import { brandedId } from "../../../platform/schema/brandedId.ts"
import { Instant } from "../../../platform/schema/Instant.ts"
import { InstantOrNull } from "../../../platform/schema/Instant.ts"
import { ClassroomCitation } from "../../material/search/Citation.ts"
import { MessageErrorCode, MessageStatus } from "./MessageStatus.ts"

/** UUIDv7. */
export const MessageId = brandedId("MessageId")
export type MessageId = typeof MessageId.Type

/** An image of a question. */
const AskImage = Schema.Struct({
  ...Media.fields,
  type: mediaFields.kind.pipe(field("The same as `kind`", "image")),
  download_url: Schema.String.annotate({ format: "uri" }).pipe(field(
    "Where it can be opened, for an hour after this answer. Anyone with the address can open it",
    "https://files.example.com/3f/3f9c2a7d51e84b06?signature=k3J9"
  )),
  favorite: Schema.Boolean.pipe(field("True if the record is marked as a favorite", false)),
  usage_count: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))
    .pipe(field("How many questions show it, this one included", 1))
}).annotate({ identifier: "AskImage", description: "An image that a student sent with a question" })
type AskImage = typeof AskImage.Type

/** A question or an answer. */
export const Message = Schema.Struct({
  id: MessageId.pipe(field("Names the message on routes; sorts messages by their creation")),
  role: Schema.Literals(["user", "assistant"])
    .pipe(field("`user`: a question of the student's; `assistant`: the answer to one")),
  content: Schema.String.pipe(field(
    "The question as it was sent, or the answer as far as it is, which may have simple Markdown; empty before its first word",
    "Como respiro sem levantar os ombros?"
  )),
  status: MessageStatus
    .pipe(field(
      "A question is `completed` as it is asked; an answer is `generating` until it ends, once",
      "completed"
    )),
  images: Schema.Array(AskImage)
    .pipe(field(
      "The images that came with a question, in their order, without removed ones. An answer has no images",
      []
    )),
  citations: Schema.Array(ClassroomCitation)
    .pipe(field("The passages of the course's material that an answer quotes; empty for a question", [])),
  created_at: Instant.pipe(field("When the question was asked")),
  error_code: Schema.NullOr(MessageErrorCode).pipe(field(
    "Why an answer failed; null unless it failed. It took longer than 2 minutes (`timeout`), or the process that generated it died (`interrupted`). Otherwise the model was away, had too much to do or refused",
    null
  )),
  reply_to: Schema.NullOr(MessageId).pipe(field("The question that it answers; null of a question", null)),
  completed_at: InstantOrNull
    .pipe(field("When it was asked, or the answer ended, however it did; null while it is `generating`"))
}).annotate({ identifier: "AskMessage", description: "A student's question to the assistant, or the answer to one" })
export type Message = typeof Message.Type
