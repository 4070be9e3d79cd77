import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { InvalidCursor, PageAnswer } from "../../platform/http/Page.ts"
import { uuids } from "../../platform/sql/Arrays.ts"
import { rows } from "../../platform/sql/Rows.ts"
import type { StaffViewer } from "../authors/Viewer.ts"
import type { Comment } from "./Comment.ts"
import { type ModeratedComment, ModeratedRow, toldReports } from "./ModeratedComment.ts"
import { type CommentsRequest, StaffComments } from "./StaffComments.ts"

const decodeRows = rows(ModeratedRow)

/** Comments with the fields for moderators. */
export class ModeratedComments extends Context.Service<ModeratedComments, {
  /** In the order of `StaffComments.list`, with one statement more for however many. */
  list(viewer: StaffViewer, request: CommentsRequest): Effect.Effect<PageAnswer<ModeratedComment>, InvalidCursor>
}>()("turma/conversation/comments/ModeratedComments") {
  static readonly layer = Layer.effect(
    ModeratedComments,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const comments = yield* StaffComments

      const lesson = sql`
        select json_build_object('id', l.id, 'title', l.title) from lessons l
        where l.club_id = c.club_id and l.id = c.lesson_id`

      const post = sql`
        select json_build_object('id', p.id, 'title', p.title, 'space', json_build_object('id', s.id, 'name', s.name))
        from posts p join spaces s on s.club_id = p.club_id and s.id = p.space_id
        where p.club_id = c.club_id and p.id = c.post_id and p.deleted_at is null`

      const reports = sql`
        select coalesce(json_agg(json_build_object(
          'student', json_build_object('id', s.id, 'name', s.name), 'reason', r.reason, 'created_at', r.created_at
        ) order by r.created_at desc, r.student_id desc), '[]')
        from (
          select r.* from comment_reports r where r.club_id = c.club_id and r.comment_id = c.id
          order by r.created_at desc, r.student_id desc limit ${toldReports}
        ) r join students s on s.club_id = r.club_id and s.id = r.student_id`

      const known = (club_id: ClubId, { data }: PageAnswer<Comment>) =>
        sql`
          select c.id, json_build_object('lesson', (${lesson}), 'post', (${post})) as place,
            (
              select count(*)::int from comment_reports r where r.club_id = c.club_id and r.comment_id = c.id
            ) as reports_count,
            (${reports}) as reports
          from comments c where c.club_id = ${club_id} and c.id = any(${uuids(data.map(({ id }) => id))})`
          .pipe(decodeRows)

      const list = Effect.fn("ModeratedComments.list")(function*(viewer: StaffViewer, request: CommentsRequest) {
        const page = yield* comments.list(viewer, request)
        const byId = new Map((yield* known(viewer.club_id, page)).map(({ id, ...rest }) => [id, rest]))
        const data = page.data.flatMap((comment) => {
          const found = byId.get(comment.id)
          return found === undefined ? [] : [{ comment, ...found }]
        })
        return { ...page, data }
      })

      return ModeratedComments.of({ list })
    })
  )
}
