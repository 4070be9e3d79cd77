import { Schema } from "effect"
import { MediaId } from "../../../learning/media/Media.ts"
import { field } from "../../../platform/http/Field.ts"
import { InstantOrNull } from "../../../platform/schema/Instant.ts"

/** The stored reason why a document is unreadable. */
export const UnreadableReason = Schema.Literals(["broken", "missing", "too_large", "memory", "time"])
export type UnreadableReason = typeof UnreadableReason.Type

/** Why a document that was read has no text: its pages are pictures, or there is nothing on them. */
export const WithoutText = Schema.Literals(["pictures", "nothing"])
export type WithoutText = typeof WithoutText.Type

/** Why a document cannot be read, or has no text. */
const ReadingReason = Schema.Literals([...UnreadableReason.literals, "crashed", ...WithoutText.literals])

/** The state of reading a document, and the reason why it has no text. */
export class DocumentReading extends Schema.Class<DocumentReading>("Reading")(Schema.Struct({
  media_id: MediaId.pipe(field("The media record of the library whose file it is")),
  status: Schema.Literals(["waiting", "reading", "read", "no_text", "unreadable"]).pipe(field(
    "`no_text`: it was read, and there is no text in it for the assistant to quote. `waiting`: no lesson shows it yet, its turn has not come, its file is not there, or the club's next day has to begin",
    "read"
  )),
  reason: Schema.NullOr(ReadingReason).pipe(field(
    "Why it is unreadable. `broken`: it is encrypted or not a PDF. `missing`: its file is missing. `too_large`: it has more than 50 MiB. `memory`, `time`: it takes more than a document may. `crashed`: the process that read it died three times. Why it has no text. `pictures`: its pages are images, as from a scanner. `nothing`: no page has a letter. Null for every other status, and for files read before reasons were stored",
    null
  )),
  started_at: InstantOrNull.pipe(field("When reading it was last begun; null if it never was"))
}).annotate({ description: "The result of reading a PDF file for the assistant" })) {}
