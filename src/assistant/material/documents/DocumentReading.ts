import { Schema } from "effect"
import { MediaId } from "../../../learning/media/Media.ts"

/** What is found out by reading a document, and kept. */
export const UnreadableReason = Schema.Literals(["broken", "missing", "too_large", "memory", "time"])
export type UnreadableReason = typeof UnreadableReason.Type

/**
 * Why a document cannot be read: it is no PDF or encrypted, its file is not there or has more than 50 MiB, reading it
 * takes more memory or time than a document has, or whoever read it ended, three times.
 */
const ReadingReason = Schema.Literals([...UnreadableReason.literals, "crashed"])

/** What became of a document that the assistant was to read. */
export class Reading extends Schema.Class<Reading>("Reading")({
  media_id: MediaId,
  /** `waiting` until a lesson shows it and its turn has come, for its file, or for the club's next day. */
  status: Schema.Literals(["waiting", "reading", "read", "unreadable"]),
  /** Of one that is unreadable; null where that was found before reasons were kept. */
  reason: Schema.NullOr(ReadingReason),
  /** When it was last begun. */
  started_at: Schema.NullOr(Schema.DateTimeUtcFromDate)
}) {}
