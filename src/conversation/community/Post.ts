import { Effect, Schema } from "effect"
import { ApiError } from "../../platform/http/ApiError.ts"
import { text } from "../../platform/http/Text.ts"
import { Author } from "../authors/Author.ts"
import { SpaceId } from "./Community.ts"

/** UUIDv7. */
export const PostId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("PostId"))
export type PostId = typeof PostId.Type

/**
 * A post in a space. A deleted one is a tombstone without title and body, which exists as long as comments below it do.
 * Students see neither title nor body of a hidden one.
 */
export const Post = Schema.Struct({
  id: PostId,
  space_id: SpaceId,
  title: Schema.NullOr(Schema.String),
  body: Schema.String,
  author: Author,
  created_at: Schema.DateTimeUtcFromDate,
  edited_at: Schema.NullOr(Schema.DateTimeUtcFromDate),
  hidden: Schema.Boolean,
  pinned: Schema.Boolean,
  deleted: Schema.Boolean,
  mine: Schema.Boolean,
  /** How many comments the viewer is shown, replies included. */
  comments_count: Schema.Int
}).annotate({ identifier: "Post" })
export type Post = typeof Post.Type

const Title = text(1, 200)
const Body = text(1, 20_000)

/** What somebody posts. */
export const CreatePost = Schema.Struct({
  title: Schema.NullOr(Title).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  body: Body
})

/** Absent is unchanged; `title` null removes it. Only the author changes the words, and only the staff the rest. */
export const PostPatch = Schema.Struct({
  title: Schema.optionalKey(Schema.NullOr(Title)),
  body: Schema.optionalKey(Body),
  hidden: Schema.optionalKey(Schema.Boolean),
  pinned: Schema.optionalKey(Schema.Boolean)
})
export type PostPatch = typeof PostPatch.Type

/** What students change of their own posts. */
export const PostWords = Schema.Struct({ title: PostPatch.fields.title, body: PostPatch.fields.body })

/** Only the pinned posts, or all. */
export const PostFilter = {
  pinned: Schema.Literals(["true", "false"]).pipe(Schema.withDecodingDefaultKey(Effect.succeed("false" as const)))
}

/** Only the staff posts in this space. */
export class PostingNotAllowed extends ApiError<PostingNotAllowed>()("PostingNotAllowed", {
  status: 403,
  code: "posting_not_allowed",
  message: "In this space only the staff posts: post in another one"
}) {}

/** An archived space takes no new posts. */
export class SpaceArchived extends ApiError<SpaceArchived>()("SpaceArchived", {
  status: 409,
  code: "space_archived",
  message: "The space is archived: post in another one"
}) {}
