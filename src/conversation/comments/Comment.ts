import { Schema } from "effect"
import { ShownMedia } from "../../learning/media/Media.ts"
import { Author, AuthorRole, PersonId } from "../authors/Author.ts"

/** UUIDv7. */
export const CommentId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("CommentId"))
export type CommentId = typeof CommentId.Type

/** Somebody whom a comment names. */
const Mention = Schema.Struct({ id: PersonId, name: Schema.String, role: AuthorRole })
  .annotate({ identifier: "Mention" })

/** An emoji, how many gave it, and whether whoever asks did. */
const ReactionCount = Schema.Struct({ reaction: Schema.String, count: Schema.Int, mine: Schema.Boolean })
  .annotate({ identifier: "ReactionCount" })

const fields = {
  id: CommentId,
  /** Empty where it is deleted, and for students where it is hidden. */
  body: Schema.String,
  author: Author,
  reactions: Schema.Array(ReactionCount),
  replies_count: Schema.Int,
  created_at: Schema.DateTimeUtcFromDate,
  hidden: Schema.Boolean,
  pinned: Schema.Boolean,
  deleted: Schema.Boolean,
  mine: Schema.Boolean,
  answered: Schema.Boolean,
  pending: Schema.Boolean,
  spam: Schema.Boolean,
  saved: Schema.Boolean,
  parent_id: Schema.NullOr(CommentId),
  mentions: Schema.Array(Mention),
  images: Schema.Array(ShownMedia),
  edited_at: Schema.NullOr(Schema.DateTimeUtcFromDate)
}

/** A comment and the first replies to it (contract, Comment); replies have no replies of their own. */
export interface Comment extends Schema.Struct.Type<typeof fields> {
  readonly replies: ReadonlyArray<Comment>
}

interface CommentEncoded extends Schema.Struct.Encoded<typeof fields> {
  readonly replies: ReadonlyArray<CommentEncoded>
}

/** The schema of `Comment`. */
export const Comment = Schema.Struct({
  ...fields,
  replies: Schema.Array(Schema.suspend((): Schema.Codec<Comment, CommentEncoded> => Comment))
}).annotate({ identifier: "Comment" })
