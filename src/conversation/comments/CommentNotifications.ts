import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { UserId } from "../../identity/ids/UserId.ts"
import { Notifications } from "../../membership/notifications/Notifications.ts"
import { rows } from "../../platform/sql/Rows.ts"
import { PostId } from "../community/Post.ts"
import { commentIsVisible } from "../visibility/CommentVisibility.ts"
import type { CommentId } from "./Comment.ts"
import { seesPlace } from "./PlaceVisibility.ts"

const Reader = Schema.Struct({
  student_id: StudentId,
  kind: Schema.Literals(["mention", "reply", "assistant_answer"]),
  actor_student_id: Schema.NullOr(StudentId),
  actor_user_id: Schema.NullOr(UserId),
  body: Schema.String,
  title: Schema.String,
  titled_by: Schema.NullOr(StudentId),
  lesson_public_id: Schema.NullOr(Schema.String),
  post_id: Schema.NullOr(PostId)
})
type Reader = typeof Reader.Type

const decodeReaders = rows(Reader)

const actorOf = ({ actor_student_id, actor_user_id }: Reader) =>
  actor_student_id === null
    ? actor_user_id === null ? undefined : { user_id: actor_user_id }
    : { student_id: actor_student_id }

/** Notifies students of comments that concern them. */
export class CommentNotifications extends Context.Service<CommentNotifications, {
  /**
   * Notifies each student once that the comment mentions, replies to or answers, if they see the comment and did not write
   * it. A reply concerns the authors of the first comment of its thread and of the comment `repliedTo`. A first comment on a
   * post concerns the author of the post. Call it late in the transaction that writes or shows the comment.
   */
  announce(club_id: ClubId, id: CommentId, repliedTo?: CommentId): Effect.Effect<void>
}>()("turma/conversation/comments/CommentNotifications") {
  static readonly layer = Layer.effect(
    CommentNotifications,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const notifications = yield* Notifications

      const asked = (repliedTo: CommentId | null) =>
        sql`
          select m.student_id, 'mention' as kind from comment_mentions m
          where m.club_id = c.club_id and m.comment_id = c.id
          union all
          select above.student_id, 'reply' from comments above
          where above.club_id = c.club_id and above.id = any (array[c.parent_id, c.answers_id, ${repliedTo}::uuid])
          union all
          select post.student_id, 'reply' from posts post
          where post.club_id = c.club_id and post.id = c.post_id and c.parent_id is null`

      // By their names, a mention sorts before a reply: who is mentioned in a reply is notified of the mention.
      const readers = Effect.fnUntraced(function*(club_id: ClubId, id: CommentId, repliedTo: CommentId | null) {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        const viewer = { role: "student", club_id, student_id: sql`asked.student_id`, now } as const
        return yield* sql`
          select distinct on (asked.student_id) asked.student_id,
            case when c.author = 'assistant' then 'assistant_answer' else asked.kind end as kind,
            c.student_id as actor_student_id, c.user_id as actor_user_id, c.body,
            coalesce(l.title, p.title, space.name) as title, case when p.title is not null then p.student_id end as titled_by,
            l.public_id as lesson_public_id, c.post_id
          from comments c
          cross join lateral (${asked(repliedTo)}) asked
          left join lessons l on l.club_id = c.club_id and l.id = c.lesson_id
          left join lateral (
            select post.student_id, post.space_id, case when not post.hidden then post.title end as title
            from posts post where post.club_id = c.club_id and post.id = c.post_id
          ) p on true
          left join spaces space on space.club_id = c.club_id and space.id = p.space_id
          where c.club_id = ${club_id} and c.id = ${id} and not c.hidden and c.deleted_at is null
            and asked.student_id is not null and asked.student_id is distinct from c.student_id
            and ${commentIsVisible(sql, viewer, sql`c`)} and ${seesPlace(sql, viewer, sql`c`)}
          order by asked.student_id, asked.kind`.pipe(decodeReaders)
      })

      const announce = Effect.fn("CommentNotifications.announce")(function*(
        club_id: ClubId,
        id: CommentId,
        repliedTo?: CommentId
      ) {
        const found = yield* readers(club_id, id, repliedTo ?? null)
        yield* notifications.add(
          club_id,
          found.map((reader) => ({
            student_id: reader.student_id,
            kind: reader.kind,
            actor: actorOf(reader),
            title: reader.title,
            titled_by: reader.titled_by,
            text: reader.body,
            target: { lesson_public_id: reader.lesson_public_id, post_id: reader.post_id, comment_id: id }
          }))
        )
      })

      return CommentNotifications.of({ announce })
    })
  ).pipe(Layer.provide(Notifications.layer))
}
