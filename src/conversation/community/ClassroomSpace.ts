import { Duration, Schema } from "effect"
import { field } from "../../platform/http/Field.ts"
import { Space } from "./Community.ts"

/** The most unread posts that are counted. */
export const mostUnread = 100

/** In a space without a mark, only posts of this time are unread: a new student has not missed the years before. */
export const unreadWithoutMark = Duration.days(14)

/** A space as a student enters it. */
export const ClassroomSpace = Schema.Struct({
  id: Space.fields.id,
  name: Space.fields.name,
  description: Space.fields.description,
  posting: Space.fields.posting,
  access: Space.fields.access,
  unread_count: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: mostUnread })).pipe(field(
    `How many of the newest ${mostUnread} posts others have written since the student's mark. Before the first mark it counts posts of the last 14 days`,
    3
  ))
}).annotate({ identifier: "ClassroomSpace", description: "A space of the community that a student sees" })
export type ClassroomSpace = typeof ClassroomSpace.Type
