import { Schema } from "effect"
import { field } from "../../platform/http/Field.ts"
import { brandedId } from "../../platform/schema/brandedId.ts"
import { Instant } from "../../platform/schema/Instant.ts"

/** Names a session to its holder. Only the token authenticates. */
export const SessionId = brandedId("SessionId")
export type SessionId = typeof SessionId.Type

/** The `expires_at` of a session: the earlier of the idle and the absolute end. */
export const endsUnlessUsed =
  "When the session ends unless it is used before. Each use moves it on, up to the end that a session has in any case"

/** A session as its holder sees it. */
export const Session = Schema.Struct({
  id: SessionId.pipe(field("Names the session where it is listed or ended; it is not a credential")),
  kind: Schema.Literals(["admin", "student"])
    .pipe(field("The session's kind: `admin` an administrator's, for the dashboard; `student` a student's, for the classroom")),
  created_at: Instant.pipe(field("When it began")),
  last_seen_at: Instant.pipe(field("When it was last used, to the hour")),
  expires_at: Instant.pipe(field(endsUnlessUsed)),
  current: Schema.Boolean.pipe(field("True for the session that asks"))
}).annotate({ identifier: "Session", description: "A session as its holder sees it" })
export type Session = typeof Session.Type
