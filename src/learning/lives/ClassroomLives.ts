import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import { StudentLocks } from "../../identity/students/StudentLocks.ts"
import type { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { accessibleItemIds } from "../../membership/access/ItemAccess.ts"
import { NotFound } from "../../platform/http/errors.ts"
import type { InvalidCursor, PageAnswer, PageRequest } from "../../platform/http/Page.ts"
import { bothAtOnce } from "../../platform/sql/AtOnce.ts"
import { faultsDie, first, firstOr, rows } from "../../platform/sql/Rows.ts"
import { Awards } from "../gamification/Awards.ts"
import { ClassroomLive, Joined, type LiveId, LiveNotOpen } from "./Live.ts"
import { liveCalendar } from "./LiveCalendar.ts"
import { rowsAfter, timeCursor } from "./TimeCursor.ts"

const decodeLives = rows(ClassroomLive)
const decodeNext = first(ClassroomLive)
const decodeLive = firstOr(ClassroomLive, () => new NotFound())

/** The lives of the deliveries that a student has, for that student. */
export class ClassroomLives extends Context.Service<ClassroomLives, {
  /** The latest start first. */
  list(
    club_id: ClubId,
    student_id: StudentId,
    page: PageRequest
  ): Effect.Effect<PageAnswer<ClassroomLive>, InvalidCursor>
  /**
   * The one that is open, otherwise the one that is announced next. Without an announced end, a live that nobody has
   * opened is over after an hour. One that nobody has ended is over a day after its announced end.
   */
  next(club_id: ClubId, student_id: StudentId): Effect.Effect<ClassroomLive | null>
  /** The calendar file of one of them. `NotFound` as for `join`. */
  calendar(club_id: ClubId, student_id: StudentId, id: LiveId): Effect.Effect<string, NotFound>
  /**
   * Records that the student came and pays for it, once, together. `NotFound`: the club has no such live, it was
   * deleted, or the student does not have it.
   */
  join(
    club_id: ClubId,
    student_id: StudentId,
    id: LiveId
  ): Effect.Effect<Joined, LiveNotOpen | NotFound | StudentRemoved>
}>()("turma/learning/lives/ClassroomLives") {
  static readonly layer = Layer.effect(
    ClassroomLives,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const students = yield* StudentLocks
      const awards = yield* Awards

      // The address is answered only while the live is open.
      const accessible = (club_id: ClubId, student_id: StudentId, now: Date) =>
        sql`
          select l.id, l.title, l.description, case when l.status = 'open' then l.url end as url, l.starts_at, l.ends_at,
            l.status, a.joined_at
          from lives l
          left join live_attendances a
            on a.club_id = l.club_id and a.live_id = l.id and a.student_id = ${student_id}
          where l.club_id = ${club_id} and l.deleted_at is null
            and l.id = any (${accessibleItemIds(sql, { club_id, student_id, now }, "live")})`

      const list = Effect.fn("ClassroomLives.list")(function*(
        club_id: ClubId,
        student_id: StudentId,
        { cursor, limit }: PageRequest
      ) {
        const after = yield* timeCursor.read(cursor)
        const now = DateTime.toDateUtc(yield* DateTime.now)
        const lives = yield* sql`
            ${accessible(club_id, student_id, now)}
              and ${rowsAfter(sql, after, (at, id) => sql`(l.starts_at, l.id) < (${at}::timestamptz, ${id}::uuid)`)}
            order by l.starts_at desc, l.id desc limit ${limit + 1}`.pipe(decodeLives)
        return yield* timeCursor.page(lives, limit, ({ id, starts_at }) => ({ at: starts_at, id }))
      })

      const next = Effect.fn("ClassroomLives.next")(function*(club_id: ClubId, student_id: StudentId) {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        const found = yield* sql`
          ${accessible(club_id, student_id, now)}
            and case l.status
              when 'open' then coalesce(l.ends_at, l.starts_at) + interval '1 day' > ${now}
              when 'scheduled' then coalesce(l.ends_at, l.starts_at + interval '1 hour') > ${now}
            end
          order by l.status = 'open' desc, l.starts_at, l.id limit 1`.pipe(decodeNext)
        return Option.getOrNull(found)
      })

      const calendar = Effect.fn("ClassroomLives.calendar")(function*(
        club_id: ClubId,
        student_id: StudentId,
        id: LiveId
      ) {
        const now = yield* DateTime.now
        const live = yield* sql`
          ${accessible(club_id, student_id, DateTime.toDateUtc(now))} and l.id = ${id}`.pipe(decodeLive)
        return liveCalendar(live, now)
      })

      // The student is locked, so no other request records that they came.
      const join = Effect.fn("ClassroomLives.join")(
        function*(club_id: ClubId, student_id: StudentId, id: LiveId) {
          const now = yield* DateTime.now
          const at = DateTime.toDateUtc(now)
          const [, live] = yield* bothAtOnce(
            students.lock(club_id, student_id),
            sql`${accessible(club_id, student_id, at)} and l.id = ${id}`.pipe(decodeLive)
          )
          if (live.status !== "open") return yield* new LiveNotOpen()
          if (live.joined_at !== null) return new Joined({ live, joined_at: live.joined_at, points_awarded: 0 })
          const [, points_awarded] = yield* bothAtOnce(
            sql`
              insert into live_attendances (club_id, live_id, student_id, joined_at)
              values (${club_id}, ${id}, ${student_id}, ${at})`,
            awards.award(club_id, student_id, { action: "live_attended", origin_id: id })
          )
          return new Joined({ live: { ...live, joined_at: now }, joined_at: now, points_awarded })
        },
        sql.withTransaction,
        faultsDie
      )

      return ClassroomLives.of({ list, next, calendar, join })
    })
  ).pipe(Layer.provide([Awards.layer, StudentLocks.layer]))
}
