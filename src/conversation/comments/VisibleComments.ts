import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { UserId } from "../../identity/ids/UserId.ts"
import { PublicId } from "../../learning/content/PublicId.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { firstOr } from "../../platform/sql/Rows.ts"
import { isMine } from "../authors/Authorship.ts"
import type { Viewer } from "../authors/Viewer.ts"
import { hasVisibleReplies } from "../visibility/CommentVisibility.ts"
import { isFirstCommentVisible, isReplyVisible } from "../visibility/Visibility.ts"
import { CommentId } from "./Comment.ts"
import { CommentPlace } from "./CommentPlace.ts"
import { seesPlace } from "./PlaceVisibility.ts"

const VisibleComment = Schema.Struct({
  id: CommentId,
  place: CommentPlace,
  lesson_public_id: Schema.NullOr(PublicId),
  student_id: Schema.NullOr(StudentId),
  user_id: Schema.NullOr(UserId),
  pending: Schema.Boolean,
  spam: Schema.Boolean,
  deleted: Schema.Boolean,
  mine: Schema.Boolean,
  has_visible_replies: Schema.Boolean,
  /** The first comment of its thread, if it is a reply. */
  first: Schema
    .NullOr(Schema.Struct({ id: CommentId, pending: Schema.Boolean, spam: Schema.Boolean, mine: Schema.Boolean }))
})
/** A comment that the viewer sees. */
export type VisibleComment = typeof VisibleComment.Type

const decodeComment = firstOr(VisibleComment, () => new NotFound())

const isVisible = (comment: VisibleComment, { role }: Viewer) =>
  comment.first === null
    ? isFirstCommentVisible(comment, comment.has_visible_replies, role)
    : isReplyVisible(comment, comment.first, role)

/** Finds comments by their ids, for viewers who see them. */
export class VisibleComments extends Context.Service<VisibleComments, {
  /** `NotFound`: the club has no such comment, or the viewer does not see it or its lesson or post. One statement. */
  find(viewer: Viewer, id: CommentId): Effect.Effect<VisibleComment, NotFound>
  /** As `find`, but a tombstone is `NotFound`: it cannot be changed or replied to. */
  findUndeleted(viewer: Viewer, id: CommentId): Effect.Effect<VisibleComment, NotFound>
}>()("turma/conversation/comments/VisibleComments") {
  static readonly layer = Layer.effect(
    VisibleComments,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const find = Effect.fn("VisibleComments.find")(function*(viewer: Viewer, id: CommentId) {
        const comment = yield* sql`
            select c.id, c.student_id, c.user_id, c.pending, c.spam, c.deleted_at is not null as deleted,
              jsonb_build_object('lesson_id', c.lesson_id, 'post_id', c.post_id) as place,
              (
                select l.public_id from lessons l where l.club_id = c.club_id and l.id = c.lesson_id
              ) as lesson_public_id,
              ${isMine(sql, viewer, sql`c`)} as mine, ${hasVisibleReplies(sql, viewer, sql`c`)} as has_visible_replies,
              case when above.id is not null then jsonb_build_object(
                'id', above.id, 'pending', above.pending, 'spam', above.spam, 'mine', ${isMine(sql, viewer, sql`above`)}
              ) end as first
            from comments c left join comments above on above.club_id = c.club_id and above.id = c.parent_id
            where c.club_id = ${viewer.club_id} and c.id = ${id} and ${seesPlace(sql, viewer, sql`c`)}`
          .pipe(decodeComment)
        return isVisible(comment, viewer) ? comment : yield* new NotFound()
      })

      const findUndeleted = (viewer: Viewer, id: CommentId) =>
        Effect.flatMap(
          find(viewer, id),
          (comment) => comment.deleted ? Effect.fail(new NotFound()) : Effect.succeed(comment)
        )

      return VisibleComments.of({ find, findUndeleted })
    })
  )
}
