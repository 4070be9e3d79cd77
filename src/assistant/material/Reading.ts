import { Schema } from "effect"
import { MediaId } from "../../content/media/Media.ts"

/**
 * Why a document cannot be read: it is no PDF or encrypted, its file is not there or has more than 50 MiB, or reading it
 * takes more memory or time than a document has.
 */
export const UnreadableReason = Schema.Literals(["broken", "missing", "too_large", "memory", "time"])
export type UnreadableReason = typeof UnreadableReason.Type

/** What became of a document that the assistant was to read. */
export class Reading extends Schema.Class<Reading>("Reading")({
  media_id: MediaId,
  /** `waiting` until a lesson shows it and its turn has come, or for the club's next day. */
  status: Schema.Literals(["waiting", "reading", "read", "unreadable"]),
  /** Of one that is unreadable. */
  reason: Schema.NullOr(UnreadableReason),
  /** When it was last begun. */
  started_at: Schema.NullOr(Schema.DateTimeUtcFromDate)
}) {}
