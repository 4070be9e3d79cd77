import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { UserId } from "../../identity/ids/UserId.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { isMine } from "./Authors.ts"
import { CommentId } from "./Comment.ts"
import { CommentPlace } from "./CommentWriting.ts"
import { hasShownReplies, seesPlace } from "./SeenComments.ts"
import type { Viewer } from "./Viewer.ts"
import { isFirstShown, isReplyShown } from "./Visibility.ts"

const FoundComment = Schema.Struct({
  id: CommentId,
  place: CommentPlace,
  student_id: Schema.NullOr(StudentId),
  user_id: Schema.NullOr(UserId),
  pending: Schema.Boolean,
  spam: Schema.Boolean,
  deleted: Schema.Boolean,
  mine: Schema.Boolean,
  shown_replies: Schema.Boolean,
  /** Of a reply: the first comment of its thread. */
  first: Schema.NullOr(
    Schema.Struct({ id: CommentId, pending: Schema.Boolean, spam: Schema.Boolean, mine: Schema.Boolean })
  )
})
/** A comment that somebody sees. */
export type FoundComment = typeof FoundComment.Type

const decodeFound = Schema.decodeUnknownEffect(Schema.Array(FoundComment))

const isShown = (comment: FoundComment, { onlooker }: Viewer) =>
  comment.first === null
    ? isFirstShown(comment, comment.shown_replies, onlooker)
    : isReplyShown(comment, comment.first, onlooker)

/** Comments by their ids. */
export class FoundComments extends Context.Service<FoundComments, {
  /** `NotFound`: the club has no such comment, or this person does not see it or where it is. One statement. */
  find(viewer: Viewer, id: CommentId): Effect.Effect<FoundComment, NotFound>
  /** As `find`, without what is deleted: nothing is done with a tombstone. */
  findLiving(viewer: Viewer, id: CommentId): Effect.Effect<FoundComment, NotFound>
}>()("turma/comments/FoundComments") {
  static readonly layer = Layer.effect(
    FoundComments,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const find = Effect.fn("FoundComments.find")(
        function*(viewer: Viewer, id: CommentId) {
          const rows = yield* sql`
            select c.id, c.student_id, c.user_id, c.pending, c.spam, c.deleted_at is not null as deleted,
              jsonb_build_object('lesson_id', c.lesson_id, 'post_id', c.post_id) as place,
              ${isMine(sql, viewer, sql`c`)} as mine, ${hasShownReplies(sql, viewer, sql`c`)} as shown_replies,
              case when above.id is not null then jsonb_build_object(
                'id', above.id, 'pending', above.pending, 'spam', above.spam, 'mine', ${isMine(sql, viewer, sql`above`)}
              ) end as first
            from comments c left join comments above on above.club_id = c.club_id and above.id = c.parent_id
            where c.club_id = ${viewer.club_id} and c.id = ${id} and ${seesPlace(sql, viewer, sql`c`)}`
          const [comment] = yield* decodeFound(rows)
          return comment !== undefined && isShown(comment, viewer) ? comment : yield* new NotFound()
        },
        Effect.catchTag(["SchemaError", "SqlError"], Effect.die)
      )

      const findLiving = (viewer: Viewer, id: CommentId) =>
        Effect.flatMap(
          find(viewer, id),
          (comment) => comment.deleted ? Effect.fail(new NotFound()) : Effect.succeed(comment)
        )

      return FoundComments.of({ find, findLiving })
    })
  )
}
