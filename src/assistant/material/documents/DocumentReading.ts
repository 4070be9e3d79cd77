import { Schema } from "effect"
import { MediaId } from "../../../learning/media/Media.ts"

/** Why a document could not be read, as it is stored. */
export const UnreadableReason = Schema.Literals(["broken", "missing", "too_large", "memory", "time"])
export type UnreadableReason = typeof UnreadableReason.Type

/**
 * Why a document cannot be read: it is no PDF or encrypted, its file is missing or has more than 50 MiB, reading it takes
 * more memory or time than a document may take, or the process that read it died, three times.
 */
const ReadingReason = Schema.Literals([...UnreadableReason.literals, "crashed"])

/** Whether the assistant has read a document, and why not. */
export class DocumentReading extends Schema.Class<DocumentReading>("Reading")({
  media_id: MediaId,
  /**
   * `waiting`: no lesson shows it yet, its turn has not come, its file is not there, or the club's next day has to
   * begin.
   */
  status: Schema.Literals(["waiting", "reading", "read", "unreadable"]),
  /** Why it is unreadable; null also for those found unreadable before reasons were stored. */
  reason: Schema.NullOr(ReadingReason),
  /** When reading it was last begun. */
  started_at: Schema.NullOr(Schema.DateTimeUtcFromDate)
}) {}
