import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import type { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { StudentRows } from "../../identity/students/StudentRows.ts"
import { heldItemIds } from "../../membership/access/HeldItems.ts"
import { NotFound } from "../../platform/http/errors.ts"
import type { InvalidCursor, PageAnswer, PageRequest } from "../../platform/http/Page.ts"
import { Awards } from "../gamification/Awards.ts"
import { ClassroomLive, Joined, type LiveId, LiveNotOpen } from "./Live.ts"
import { beyond, pageByPlace, places } from "./LivePlaces.ts"

const decodeLives = Schema.decodeUnknownEffect(Schema.Array(ClassroomLive))

/** The lives of the deliveries that a student has, for that student. */
export class ClassroomLives extends Context.Service<ClassroomLives, {
  /** The latest start first. */
  list(
    club_id: ClubId,
    student_id: StudentId,
    page: PageRequest
  ): Effect.Effect<PageAnswer<ClassroomLive>, InvalidCursor>
  /**
   * Notes that the student came and pays for it, once, together. `NotFound`: the club has no such live, it was deleted, or
   * the student does not have it.
   */
  join(
    club_id: ClubId,
    student_id: StudentId,
    id: LiveId
  ): Effect.Effect<Joined, LiveNotOpen | NotFound | StudentRemoved>
}>()("turma/lives/ClassroomLives") {
  static readonly layerNoDeps = Layer.effect(
    ClassroomLives,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const students = yield* StudentRows
      const awards = yield* Awards

      // Where it takes place is told while it does.
      const held = (club_id: ClubId, student_id: StudentId, now: Date) =>
        sql`
          select l.id, l.title, l.description, case when l.status = 'open' then l.url end as url, l.starts_at, l.ends_at,
            l.status, a.joined_at
          from lives l
          left join live_attendances a
            on a.club_id = l.club_id and a.live_id = l.id and a.student_id = ${student_id}
          where l.club_id = ${club_id} and l.deleted_at is null
            and l.id = any (${heldItemIds(sql, { club_id, student_id, now }, "live")})`

      const list = Effect.fn("ClassroomLives.list")(
        function*(club_id: ClubId, student_id: StudentId, { cursor, limit }: PageRequest) {
          const after = yield* places.read(cursor)
          const now = DateTime.toDateUtc(yield* DateTime.now)
          const rows = yield* sql`
            ${held(club_id, student_id, now)}
              and ${beyond(sql, after, (at, id) => sql`(l.starts_at, l.id) < (${at}::timestamptz, ${id}::uuid)`)}
            order by l.starts_at desc, l.id desc limit ${limit + 1}`
          const lives = yield* Effect.orDie(decodeLives(rows))
          return yield* pageByPlace(lives, limit, ({ id, starts_at }) => ({ at: starts_at, id }))
        },
        Effect.catchTag("SqlError", Effect.die)
      )

      // The student's row is held, so nobody else notes that they came.
      const join = Effect.fn("ClassroomLives.join")(
        function*(club_id: ClubId, student_id: StudentId, id: LiveId) {
          yield* students.hold(club_id, student_id)
          const now = yield* DateTime.now
          const at = DateTime.toDateUtc(now)
          const rows = yield* sql`${held(club_id, student_id, at)} and l.id = ${id}`
          const [live] = yield* Effect.orDie(decodeLives(rows))
          if (live === undefined) return yield* new NotFound()
          if (live.status !== "open") return yield* new LiveNotOpen()
          if (live.joined_at !== null) return new Joined({ live, joined_at: live.joined_at, points_awarded: 0 })
          yield* sql`
            insert into live_attendances (club_id, live_id, student_id, joined_at)
            values (${club_id}, ${id}, ${student_id}, ${at})`
          const points_awarded = yield* awards.award(club_id, student_id, { action: "live_attended", origin_id: id })
          return new Joined({ live: new ClassroomLive({ ...live, joined_at: now }), joined_at: now, points_awarded })
        },
        sql.withTransaction,
        Effect.catchTag("SqlError", Effect.die)
      )

      return ClassroomLives.of({ list, join })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([Awards.layer, StudentRows.layer]))
}
