import { Schema } from "effect"
import { ShownMedia } from "../../learning/media/Media.ts"
import { field } from "../../platform/http/Field.ts"
import { brandedId } from "../../platform/schema/brandedId.ts"
import { Instant, InstantOrNull } from "../../platform/schema/Instant.ts"
import { Author } from "../authors/Author.ts"
import { namedPeople } from "../authors/Mention.ts"

/** UUIDv7. */
export const CommentId = brandedId("CommentId")
export type CommentId = typeof CommentId.Type

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** An emoji and its count. */
const ReactionCount = Schema.Struct({
  reaction: Schema.String.pipe(field("The emoji", "👏")),
  count: Count.pipe(field("How many students gave it", 3)),
  mine: Schema.Boolean.pipe(field("True if the student who asks gave it; false for the staff"))
}).annotate({ identifier: "ReactionCount", description: "An emoji that students gave a comment" })

const fields = {
  id: CommentId.pipe(field("Names the comment on routes; comments sort by it as they were written")),
  body: Schema.String.pipe(field(
    "The words; empty of a deleted comment, and for students of a hidden one",
    "Como respiro sem levantar os ombros?"
  )),
  author: Author.pipe(field("Who wrote it")),
  reactions: Schema.Array(ReactionCount)
    .pipe(field("Its emojis, the most frequent first; empty for a deleted comment")),
  replies_count: Count.pipe(field("How many replies the caller is shown; 0 for a reply", 0)),
  created_at: Instant.pipe(field("When it was written")),
  hidden: Schema.Boolean.pipe(field("True if no student sees its text", false)),
  pinned: Schema.Boolean.pipe(field("True if the staff pinned it; students can list them alone", false)),
  deleted: Schema.Boolean
    .pipe(field("True if it was deleted. It stays without text as long as replies to it are visible", false)),
  mine: Schema.Boolean.pipe(field("True if the caller wrote it")),
  answered: Schema.Boolean
    .pipe(field("True if the staff or the assistant replied to it, or the staff says that it is answered", false)),
  pending: Schema.Boolean.pipe(field(
    "True if it waits for the staff: it has more than 3 links, or 3 reports. Only its author and the staff see it",
    false
  )),
  spam: Schema.Boolean
    .pipe(field("True if the staff marked it as spam. Only its author and the staff see it", false)),
  saved: Schema.Boolean.pipe(field("True if the student who asks saved it; false for the staff", false)),
  parent_id: Schema.NullOr(CommentId)
    .pipe(field("The first comment of the thread that it is a reply in; null of a first comment", null)),
  mentions: namedPeople,
  images: Schema.Array(ShownMedia)
    .pipe(field("The images that came with it, in the author's order, without removed ones")),
  edited_at: InstantOrNull.pipe(field("When its author last changed the words; null if they did not", null))
}

/** A comment and the first replies to it (contract, Comment); replies have no replies of their own. */
export interface Comment extends Schema.Struct.Type<typeof fields> {
  readonly replies: ReadonlyArray<Comment>
}

/** A comment as JSON. Every feature that answers comments names it in its declarations. */
export interface CommentEncoded extends Schema.Struct.Encoded<typeof fields> {
  readonly replies: ReadonlyArray<CommentEncoded>
}

/** The schema of `Comment`. */
export const Comment = Schema.Struct({
  ...fields,
  replies: Schema.Array(Schema.suspend((): Schema.Codec<Comment, CommentEncoded> => Comment))
    .pipe(field("The first 3 replies that the caller is shown, the oldest first; a list of their own has the others"))
}).annotate({ identifier: "Comment", description: "A comment on a lesson or a post, or a reply to one" })
