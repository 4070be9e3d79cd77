import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { Notifications } from "../../membership/notifications/Notifications.ts"
import { rows } from "../../platform/sql/Rows.ts"
import type { Writer } from "../authors/Viewer.ts"
import type { PostId } from "./Post.ts"
import { seesPost } from "./PostVisibility.ts"

const decodeReaders = rows(Schema.Struct({ student_id: StudentId, title: Schema.String, body: Schema.String }))

/** Notifies students of posts that mention them. */
export class PostNotifications extends Context.Service<PostNotifications, {
  /**
   * Notifies each mentioned student once, if they see the post and did not write it. Call it in the transaction that writes
   * the post with its mentions.
   */
  announce(writer: Writer, id: PostId): Effect.Effect<void>
}>()("turma/conversation/community/PostNotifications") {
  static readonly layer = Layer.effect(
    PostNotifications,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const notifications = yield* Notifications

      const readers = Effect.fnUntraced(function*(writer: Writer, id: PostId) {
        const { club_id } = writer
        const now = DateTime.toDateUtc(yield* DateTime.now)
        const holder = { club_id, student_id: sql`mention.student_id`, now }
        return yield* sql`
          select distinct mention.student_id, coalesce(post.title, space.name) as title, post.body
          from posts post
          join spaces space on space.club_id = post.club_id and space.id = post.space_id
          join post_mentions mention on mention.club_id = post.club_id and mention.post_id = post.id
          where post.club_id = ${club_id} and post.id = ${id} and mention.student_id is distinct from post.student_id
            and mention.student_id is not null and ${seesPost(sql, holder, sql`post.id`)}`.pipe(decodeReaders)
      })

      const announce = Effect.fn("PostNotifications.announce")(function*(writer: Writer, id: PostId) {
        const isStudent = writer.role === "student"
        const found = yield* readers(writer, id)
        yield* notifications.add(
          writer.club_id,
          found.map(({ body, student_id, title }) => ({
            student_id,
            kind: "mention" as const,
            actor: isStudent ? { student_id: writer.student_id } : { user_id: writer.user_id },
            title,
            titled_by: isStudent ? writer.student_id : null,
            text: body,
            target: { post_id: id }
          }))
        )
      })

      return PostNotifications.of({ announce })
    })
  ).pipe(Layer.provide(Notifications.layer))
}
