import { Schema } from "effect"
import { field } from "../../platform/http/Field.ts"

/** Names a session to its holder. Only the token authenticates. */
export const SessionId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("SessionId"))
export type SessionId = typeof SessionId.Type

/** A session as its holder sees it. `expires_at` is the earlier of the idle and the absolute end. */
export const Session = Schema.Struct({
  id: SessionId.pipe(field("Names the session where it is listed or ended; it is no credential")),
  kind: Schema.Literals(["admin", "student"]).pipe(
    field("Whose it is: `admin` an administrator's, for the dashboard; `student` a student's, for the classroom")
  ),
  created_at: Schema.DateTimeUtcFromDate.pipe(field("When it began")),
  last_seen_at: Schema.DateTimeUtcFromDate.pipe(field("When it was last used, to the hour")),
  expires_at: Schema.DateTimeUtcFromDate.pipe(
    field("When it ends unless it is used before, and at the latest: the earlier of the two")
  ),
  current: Schema.Boolean.pipe(field("Whether it is the session that asks"))
}).annotate({ identifier: "Session", description: "A session as its holder sees it" })
export type Session = typeof Session.Type
