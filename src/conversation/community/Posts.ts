import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { audited } from "../../identity/audit/AuditFragment.ts"
import { creates } from "../../identity/audit/NewAuditEntry.ts"
import { Forbidden } from "../../identity/authentication/Authentication.ts"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { StudentLocks } from "../../identity/students/StudentLocks.ts"
import type { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { Awards } from "../../learning/gamification/Awards.ts"
import { Notifications } from "../../membership/notifications/Notifications.ts"
import { answersAbout } from "../../platform/http/AnswerSubject.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { afterCursor, type InvalidCursor, type PageAnswer, pageOf, type PageRequest } from "../../platform/http/Page.ts"
import { bothAtOnce } from "../../platform/sql/AtOnce.ts"
import { faultsDie, firstOr, rows } from "../../platform/sql/Rows.ts"
import { authorOf, isMine } from "../authors/Authorship.ts"
import type { MentionUnknown } from "../authors/Mention.ts"
import { insertMentions, mentionsOf } from "../authors/Mentions.ts"
import { NotTheAuthor } from "../authors/NotTheAuthor.ts"
import type { Viewer, Writer } from "../authors/Viewer.ts"
import { visibleCommentsOn } from "../visibility/CommentVisibility.ts"
import { isContentWithheld } from "../visibility/Visibility.ts"
import { Posting, type SpaceId } from "./Community.ts"
import { type CreatePost, Post, PostId, PostingNotAllowed, type PostPatch, SpaceArchived } from "./Post.ts"
import { postMentions } from "./PostMentions.ts"
import { PostNotifications } from "./PostNotifications.ts"
import { seesPost, seesSpace } from "./PostVisibility.ts"

const decodePosts = rows(Post)
const decodeSpace = firstOr(Schema.Struct({ posting: Posting, archived: Schema.Boolean }), () => new NotFound())
const decodeState = firstOr(Schema.Struct({ deleted: Schema.Boolean }), () => new NotFound())

const now = Effect.map(DateTime.now, DateTime.toDateUtc)

/** A page of posts, or of the pinned ones alone. */
export interface PostsRequest extends PageRequest {
  readonly pinned: boolean
}

/**
 * The posts in the spaces of a community. `NotFound`: the club has no such space or post, or the student does not see
 * it.
 */
export class Posts extends Context.Service<Posts, {
  /** The newest first. */
  list(
    viewer: Viewer,
    space_id: SpaceId,
    page: PostsRequest
  ): Effect.Effect<PageAnswer<Post>, InvalidCursor | NotFound>
  /** One statement. */
  get(viewer: Viewer, id: PostId): Effect.Effect<Post, NotFound>
  /** True if the post is only a tombstone. One statement. */
  isTombstone(viewer: Viewer, id: PostId): Effect.Effect<boolean, NotFound>
  /** Pays a student `post_published`. */
  create(
    writer: Writer,
    space_id: SpaceId,
    post: typeof CreatePost.Type
  ): Effect.Effect<Post, MentionUnknown | NotFound | PostingNotAllowed | SpaceArchived | StudentRemoved>
  /** Students change only the words of their own posts; the staff hides and pins. Hiding withdraws its notifications. */
  patch(
    writer: Writer,
    id: PostId,
    patch: PostPatch
  ): Effect.Effect<Post, Forbidden | NotFound | NotTheAuthor | StudentRemoved>
  /** Leaves a tombstone while there are comments, and no notification. */
  remove(writer: Writer, id: PostId): Effect.Effect<void, NotFound | StudentRemoved>
}>()("turma/conversation/community/Posts") {
  static readonly layer = Layer.effect(
    Posts,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const awards = yield* Awards
      const students = yield* StudentLocks
      const notifications = yield* Notifications
      const announcements = yield* PostNotifications

      // A deleted post still exists while the viewer is shown comments on it.
      const exists = (viewer: Viewer) => sql`(p.deleted_at is null or ${visibleCommentsOn(sql, viewer, sql`p.id`)} > 0)`
      const isVisible = (viewer: Viewer) => viewer.role === "staff" ? sql`true` : seesPost(sql, viewer, sql`p.id`)

      const read = Effect.fnUntraced(function*(viewer: Viewer, condition: Fragment) {
        const posts = yield* sql`
          select p.id, p.space_id, p.title, p.body, p.created_at, p.edited_at, p.hidden, p.pinned,
            p.deleted_at is not null as deleted, ${authorOf(sql, sql`p`)} as author,
            ${isMine(sql, viewer, sql`p`)} as mine, ${mentionsOf(sql, postMentions, sql`p`)} as mentions,
            ${visibleCommentsOn(sql, viewer, sql`p.id`)} as comments_count
          from posts p
          where p.club_id = ${viewer.club_id} and ${exists(viewer)} and ${condition}
        `.pipe(decodePosts)
        return posts.map((post) =>
          isContentWithheld(post, viewer.role) ? { ...post, title: null, body: "", mentions: [] } : post
        )
      })

      const findSpace = Effect.fnUntraced(function*(viewer: Viewer, id: SpaceId) {
        return yield* sql`
          select space.posting, space.archived_at is not null as archived
          from spaces space join communities community on community.club_id = space.club_id
          where space.club_id = ${viewer.club_id} and space.id = ${id}
            and ${viewer.role === "staff" ? sql`true` : seesSpace(sql, viewer)}`.pipe(decodeSpace)
      })

      const list = Effect.fn("Posts.list")(function*(
        viewer: Viewer,
        space_id: SpaceId,
        { cursor, limit, pinned }: PostsRequest
      ) {
        const before = yield* afterCursor(cursor)
        yield* findSpace(viewer, space_id)
        const older = Option.match(before, { onNone: () => sql`true`, onSome: (id) => sql`p.id < ${id}` })
        const condition = sql`
            p.space_id = ${space_id} and ${pinned ? sql`p.pinned` : sql`true`} and ${older}
            order by p.id desc limit ${limit + 1}`
        return pageOf(yield* read(viewer, condition), limit)
      })

      const get = Effect.fn("Posts.get")(function*(viewer: Viewer, id: PostId) {
        const [post] = yield* read(viewer, sql`p.id = ${id} and ${isVisible(viewer)}`)
        return post ?? (yield* new NotFound())
      })

      const isTombstone = Effect.fn("Posts.isTombstone")(function*(viewer: Viewer, id: PostId) {
        const { deleted } = yield* sql`
            select p.deleted_at is not null as deleted from posts p
            where p.club_id = ${viewer.club_id} and p.id = ${id} and ${exists(viewer)} and ${isVisible(viewer)}
          `.pipe(decodeState)
        return deleted
      })

      const insert = Effect.fnUntraced(
        function*(writer: Writer, space_id: SpaceId, { body, mentions = [], title = null }: typeof CreatePost.Type) {
          const { club_id } = writer
          if (writer.role === "student") yield* students.lock(club_id, writer.student_id)
          const id = PostId.make(yield* Effect.orDie(random.uuidV7()))
          yield* creates(id)
          const author = writer.role === "student" ? { student_id: writer.student_id } : { user_id: writer.user_id }
          const post = { club_id, id, space_id, title, body, created_at: yield* now }
          yield* bothAtOnce(
            audited((audit) => sql`${audit.with} insert into posts ${sql.insert({ ...post, ...author })}`),
            writer.role === "student"
              ? awards.award(club_id, writer.student_id, { action: "post_published", origin_id: id })
              : Effect.void
          )
          yield* insertMentions(sql, postMentions, post, mentions)
          if (mentions.length > 0) yield* announcements.announce(writer, id)
          return id
        },
        sql.withTransaction,
        faultsDie
      )

      const create = Effect.fn("Posts.create")(function*(
        writer: Writer,
        space_id: SpaceId,
        post: typeof CreatePost.Type
      ) {
        const { archived, posting } = yield* findSpace(writer, space_id)
        if (writer.role === "student" && posting === "staff") return yield* new PostingNotAllowed()
        if (archived) return yield* new SpaceArchived()
        const id = yield* insert(writer, space_id, post)
        if (writer.role === "student") yield* answersAbout(writer.student_id)
        const created = yield* get(writer, id)
        yield* answersAbout(...created.mentions.filter(({ role }) => role === "student").map(({ id }) => id))
        return created
      })

      /** A post that the writer may change: for a student, one of their own. */
      const findChangeable = Effect.fnUntraced(function*(writer: Writer, id: PostId) {
        const post = yield* get(writer, id)
        return writer.role === "staff" || post.mine ? post : yield* new NotFound()
      })

      /** Runs `change` in a transaction that locks the student who wrote the post, if one did. */
      const withAuthorLocked = <A, E>(club_id: Writer["club_id"], { author }: Post, change: Effect.Effect<A, E>) =>
        (author.role === "student" ? students.lock(club_id, StudentId.make(author.id)) : Effect.void).pipe(
          Effect.andThen(change),
          sql.withTransaction,
          faultsDie
        )

      const update = ({ club_id }: Writer, id: PostId, patch: PostPatch, edited_at: Date) => {
        const { body = null, hidden = null, pinned = null, title = null } = patch
        const words = "body" in patch || "title" in patch
        return audited((audit) =>
          sql`
            ${audit.with}
            update posts set
              title = case when ${"title" in patch} then ${title} else title end,
              body = coalesce(${body}, body), hidden = coalesce(${hidden}, hidden), pinned = coalesce(${pinned}, pinned),
              edited_at = case when ${words} then ${edited_at}::timestamptz else edited_at end
            where club_id = ${club_id} and id = ${id} and deleted_at is null`
        )
      }

      const patch = Effect.fn("Posts.patch")(function*(writer: Writer, id: PostId, patch: PostPatch) {
        const { body, hidden, pinned, title } = patch
        const moderates = hidden !== undefined || pinned !== undefined
        if (writer.role === "student" && moderates) {
          return yield* new Forbidden({
            error: { message: "A student may not hide or pin a post: only the staff does" }
          })
        }
        const post = yield* findChangeable(writer, id)
        if (post.deleted) return yield* new NotFound()
        if (!post.mine && (body !== undefined || title !== undefined)) return yield* new NotTheAuthor()
        const withheld = hidden === true ? notifications.withdraw(writer.club_id, { post_id: id }) : Effect.void
        yield* withAuthorLocked(
          writer.club_id,
          post,
          Effect.andThen(update(writer, id, patch, yield* now), withheld)
        )
        return yield* get(writer, id)
      })

      const remove = Effect.fn("Posts.remove")(function*(writer: Writer, id: PostId) {
        const post = yield* findChangeable(writer, id)
        const deleted_at = yield* now
        const { club_id } = writer
        const emptied = audited((audit) =>
          sql`
            ${audit.with}
            update posts set title = null, body = '', deleted_at = coalesce(deleted_at, ${deleted_at})
            where club_id = ${club_id} and id = ${id}`
        )
        const forgotten = sql`delete from post_mentions where club_id = ${club_id} and post_id = ${id}`
        const withdrawn = notifications.withdraw(club_id, { post_id: id })
        yield* withAuthorLocked(club_id, post, Effect.andThen(Effect.andThen(emptied, forgotten), withdrawn))
      })

      return Posts.of({ list, get, isTombstone, create, patch, remove })
    })
  ).pipe(Layer.provide([Notifications.layer, PostNotifications.layer, NodeCrypto.layerSecureRandom]))
}
