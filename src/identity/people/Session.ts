import { Schema } from "effect"

/** Names a session to its holder. Only the token authenticates. */
export const SessionId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("SessionId"))
export type SessionId = typeof SessionId.Type

/** A session as its holder sees it. `expires_at` is the earlier of the idle and the absolute end. */
export const Session = Schema.Struct({
  id: SessionId,
  kind: Schema.Literals(["admin", "student"]),
  created_at: Schema.DateTimeUtcFromDate,
  last_seen_at: Schema.DateTimeUtcFromDate,
  expires_at: Schema.DateTimeUtcFromDate,
  current: Schema.Boolean
}).annotate({ identifier: "Session" })
export type Session = typeof Session.Type
