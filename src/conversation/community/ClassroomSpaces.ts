import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { StudentLocks } from "../../identity/students/StudentLocks.ts"
import type { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { faultsDie, firstOr, rows } from "../../platform/sql/Rows.ts"
import { floorOf } from "../../platform/sql/Uuid7.ts"
import type { StudentViewer } from "../authors/Viewer.ts"
import { ClassroomSpace, mostUnread, unreadWithoutMark } from "./ClassroomSpace.ts"
import type { SpaceId } from "./Community.ts"
import { PostId } from "./Post.ts"
import { seesSpace } from "./PostVisibility.ts"

const decodeSpaces = rows(ClassroomSpace)
const decodeNewest = firstOr(Schema.Struct({ newest: Schema.NullOr(PostId) }), () => new NotFound())

/** The spaces that a student sees, and how far they have seen each. */
export class ClassroomSpaces extends Context.Service<ClassroomSpaces, {
  /** In the order of the community; empty while it is not published. One statement. */
  list(student: StudentViewer): Effect.Effect<ReadonlyArray<ClassroomSpace>>
  /** Moves the mark to the newest post. `NotFound`: the student does not see the space. One statement if nothing is new. */
  see(student: StudentViewer, id: SpaceId): Effect.Effect<void, NotFound | StudentRemoved>
}>()("turma/conversation/community/ClassroomSpaces") {
  static readonly layer = Layer.effect(
    ClassroomSpaces,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const students = yield* StudentLocks

      const markOf = ({ student_id }: StudentViewer) =>
        sql`
          space_marks mark on mark.club_id = space.club_id and mark.student_id = ${student_id}
            and mark.space_id = space.id`

      // Looks at the newest posts of a space alone, whatever is unread.
      const list = Effect.fn("ClassroomSpaces.list")(function*(student: StudentViewer) {
        const recent = DateTime.subtractDuration(DateTime.fromDateUnsafe(student.now), unreadWithoutMark)
        return yield* sql`
            select space.id, space.name, space.description, space.posting, space.access, (
              select count(*)::int from (
                select p.student_id, p.hidden, p.deleted_at from posts p
                where p.club_id = space.club_id and p.space_id = space.id
                  and p.id > coalesce(mark.seen_post_id, ${floorOf(recent)}::uuid)
                order by p.id desc limit ${mostUnread}
              ) newer
              where newer.deleted_at is null and not newer.hidden
                and newer.student_id is distinct from ${student.student_id}
            ) as unread_count
            from spaces space
            join communities community on community.club_id = space.club_id
            left join ${markOf(student)}
            where space.club_id = ${student.club_id} and ${seesSpace(sql, student)}
            order by space.position, space.id`.pipe(decodeSpaces)
      })

      const mark = Effect.fnUntraced(
        function*({ club_id, student_id }: StudentViewer, space_id: SpaceId, seen_post_id: PostId) {
          yield* students.lock(club_id, student_id)
          yield* sql`
            insert into space_marks ${sql.insert({ club_id, student_id, space_id, seen_post_id })}
            on conflict (club_id, student_id, space_id) do update set seen_post_id = excluded.seen_post_id
            where space_marks.seen_post_id < excluded.seen_post_id`
        },
        sql.withTransaction,
        faultsDie
      )

      const see = Effect.fn("ClassroomSpaces.see")(function*(student: StudentViewer, id: SpaceId) {
        const { newest } = yield* sql`
            select (
              select p.id from posts p
              where p.club_id = space.club_id and p.space_id = space.id
                and (mark.seen_post_id is null or p.id > mark.seen_post_id)
              order by p.id desc limit 1
            ) as newest
            from spaces space
            join communities community on community.club_id = space.club_id
            left join ${markOf(student)}
            where space.club_id = ${student.club_id} and space.id = ${id} and ${seesSpace(sql, student)}
          `.pipe(decodeNewest)
        if (newest !== null) yield* mark(student, id, newest)
      })

      return ClassroomSpaces.of({ list, see })
    })
  )
}
