import { Effect, Schema } from "effect"
import { ApiError } from "../../platform/http/ApiError.ts"
import { field } from "../../platform/http/Field.ts"
import { text } from "../../platform/http/Text.ts"
import { brandedId } from "../../platform/schema/brandedId.ts"
import { Instant, InstantOrNull } from "../../platform/schema/Instant.ts"
import { Author } from "../authors/Author.ts"
import { mentions, namedPeople } from "../authors/Mention.ts"
import { SpaceId } from "./Community.ts"

/** UUIDv7. */
export const PostId = brandedId("PostId")
export type PostId = typeof PostId.Type

const words = { title: "Toquei a minha primeira música!", body: "Levei uma semana, respirando com calma." }

/** A post in a space. */
export const Post = Schema.Struct({
  id: PostId.pipe(field("Names the post on routes")),
  space_id: SpaceId.pipe(field("The space that it is in; this never changes")),
  title: Schema.NullOr(Schema.String)
    .pipe(field("Its title; null without a title, for a deleted post, and to students for a hidden one", words.title)),
  body: Schema.String.pipe(field("The words; empty of a deleted post, and for students of a hidden one", words.body)),
  author: Author.pipe(field("Who posted it")),
  created_at: Instant.pipe(field("When it was posted")),
  edited_at: InstantOrNull.pipe(field("When its author last changed the words; null if they did not", null)),
  hidden: Schema.Boolean.pipe(field("True if no student sees the text, not even its author", false)),
  pinned: Schema.Boolean.pipe(field("True if the staff pinned it; pinned posts are a list of their own", false)),
  deleted: Schema.Boolean
    .pipe(field("True if it was deleted. It stays without text as long as comments on it are visible", false)),
  mine: Schema.Boolean.pipe(field("True if the caller posted it")),
  mentions: namedPeople,
  comments_count: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
    .pipe(field("How many comments on it the caller is shown, replies included", 2))
}).annotate({ identifier: "Post", description: "A post in a space of the community" })
export type Post = typeof Post.Type

const Title = text(1, 200)
const Body = text(1, 20_000)

/** The body of a new post. */
export const CreatePost = Schema.Struct({
  title: Schema.optionalKey(Schema.NullOr(Title)).pipe(field("Its title; null or absent: no title", words.title)),
  body: Body.pipe(field("The words", words.body)),
  mentions
})

/** Absent is unchanged. */
export const PostPatch = Schema.Struct({
  title: Schema.optionalKey(Schema.NullOr(Title))
    .pipe(field("Its title; null removes it. The author's alone to change", words.title)),
  body: Schema.optionalKey(Body).pipe(field("The words, which are the author's alone to change", words.body)),
  hidden: Schema.optionalKey(Schema.Boolean)
    .pipe(field("True if students see it without its text. Only the staff may change this")),
  pinned: Schema.optionalKey(Schema.Boolean)
    .pipe(field("True if it is in the list of pinned posts. Only the staff may change this"))
}).pipe(Schema.annotateEncoded({ examples: [{ hidden: false, pinned: true }] }))
export type PostPatch = typeof PostPatch.Type

/** The fields of a student's own post that they may change. */
export const PostWords = Schema.Struct({ title: PostPatch.fields.title, body: PostPatch.fields.body })

/** Only the pinned posts, or all. */
export const PostFilter = {
  pinned: Schema.Literals(["true", "false"]).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed("false" as const)),
    field("`true`: only the pinned posts. Unless it is sent, or with `false`: all")
  )
}

/** Only the staff posts in this space. */
export class PostingNotAllowed extends ApiError<PostingNotAllowed>()("PostingNotAllowed", {
  status: 403,
  code: "posting_not_allowed",
  message: {
    en: "In this space only the staff posts: post in another one",
    "pt-BR": "Neste espaço só a equipe publica: publique em outro."
  }
}) {}

/** An archived space takes no new posts. */
export class SpaceArchived extends ApiError<SpaceArchived>()("SpaceArchived", {
  status: 409,
  code: "space_archived",
  message: {
    en: "The space is archived: post in another one",
    "pt-BR": "O espaço está arquivado: publique em outro."
  }
}) {}
