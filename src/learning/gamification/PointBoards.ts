import { Context, DateTime, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ClubId } from "../../identity/ids/ClubId.ts"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { batchWorker } from "../../platform/jobs/BatchWorker.ts"
import { ClockGuard, orZero } from "../../platform/jobs/ClockGuard.ts"
import { uuids } from "../../platform/sql/Arrays.ts"
import { one, rows } from "../../platform/sql/Rows.ts"

/** Number of students, or rows, that one transaction works on. */
const batch = 1000

/** The number of boards to open, one transaction each, before the next look at unfinished ones. */
const openBatch = 100

/** Days of points that are kept: those that count, and some for clubs that move to another time zone. */
const retainedDays = 40

/**
 * The time that a batch may delay a shutdown. A batch that does not finish is rolled back, and another process repeats
 * it.
 */
const shutdownGrace = Duration.seconds(10)

const Board = Schema.Struct({ club_id: ClubId, day: Schema.String })
type Board = typeof Board.Type
const decodeBoards = rows(Board)

const Unfinished = Schema.Struct({ unlaid: Schema.Boolean, closed: Schema.Boolean })
const decodeUnfinished = one(Unfinished)

const UnlaidBoard = Schema.Struct({ ...Board.fields, laid_to: Schema.NullOr(StudentId) })
const decodeUnlaid = rows(UnlaidBoard)
const decodeStudents = rows(Schema.Struct({ student_id: StudentId }))

/**
 * The boards behind the rankings of a period: for each club one for today, and one for tomorrow, prepared in advance.
 */
export class PointBoards extends Context.Service<PointBoards, {
  /** Does one piece of work and says whether there was any: 0 or 1. Any number of processes may do so at once. */
  readonly tick: Effect.Effect<number>
}>()("turma/learning/gamification/PointBoards") {
  static readonly layer = Layer.effect(
    PointBoards,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const guard = yield* ClockGuard
      const isBoard = ({ club_id, day }: Board) => sql`club_id = ${club_id} and day = ${day}::date`

      // Every transaction that adds to the points of these students waits for this lock, and then adds to the new rows.
      const layRows = Effect.fnUntraced(function*({ club_id, day, laid_to }: typeof UnlaidBoard.Type) {
        const students = yield* sql`
          select student_id from point_totals
          where club_id = ${club_id} and ${laid_to === null ? sql`true` : sql`student_id > ${laid_to}`}
          order by student_id limit ${batch} for no key update`.pipe(decodeStudents)
        const ids = uuids(students.map(({ student_id }) => student_id))
        yield* sql`
          insert into point_board_rows (club_id, day, student_id, points_7d, points_30d)
          select club_id, ${day}::date, student_id,
            coalesce(sum(points) filter (where day > ${day}::date - 7), 0), sum(points)
          from point_days
          where club_id = ${club_id} and student_id = any(${ids}) and day > ${day}::date - 30
          group by club_id, student_id
          on conflict (club_id, day, student_id) do update
          set points_7d = excluded.points_7d, points_30d = excluded.points_30d`
        // With a wrong clock the board may be of a wrong day.
        if (yield* guard.isRight) {
          yield* sql`
            delete from point_days
            where club_id = ${club_id} and student_id = any(${ids}) and day < ${day}::date - ${retainedDays}::int`
        }
        return students
      })

      const lay = Effect.fn("PointBoards.lay")(function*(now: Date) {
        const [board] = yield* sql`
          select club_id, day::text, laid_to from point_boards b where laid_at is null and closed_at is null
          order by b.day limit 1 for no key update skip locked`.pipe(decodeUnlaid)
        if (board === undefined) return 0
        const students = yield* layRows(board)
        yield* sql`
          update point_boards set
            laid_to = ${students.at(-1)?.student_id ?? board.laid_to}::uuid,
            laid_at = ${students.length < batch ? now : null}::timestamptz
          where ${isBoard(board)}`
        return 1
      }, sql.withTransaction)

      const clear = Effect.fn("PointBoards.clear")(function*() {
        const [board] = yield* sql`
          select club_id, day::text from point_boards b where closed_at is not null
          order by b.day limit 1 for no key update skip locked`.pipe(decodeBoards)
        if (board === undefined) return 0
        const cleared = yield* sql`
          delete from point_board_rows where ${isBoard(board)} and student_id in (
            select student_id from point_board_rows where ${isBoard(board)} limit ${batch}
          ) returning 1`
        if (cleared.length < batch) yield* sql`delete from point_boards where ${isBoard(board)}`
        return 1
      }, sql.withTransaction)

      // The transaction holds no other lock, so that nobody waits for it in a circle.
      const withBoardsLocked = Effect.fnUntraced(function*(club_id: ClubId, change: Effect.Effect<unknown, unknown>) {
        yield* sql`select pg_advisory_xact_lock(14, point_boards_lock(${club_id}::uuid))`
        yield* change
      }, sql.withTransaction)

      // Asks whether anybody has points only for the clubs that lack a board.
      const open = Effect.fn("PointBoards.open")(function*(now: Date) {
        const missing = yield* sql`
          with missing as materialized (
            select c.id as club_id, wanted.day
            from clubs c cross join lateral (
              select (${now}::timestamptz at time zone c.time_zone)::date + ahead as day from unnest(array[0, 1]) ahead
            ) wanted
            where not exists (select from point_boards b where b.club_id = c.id and b.day = wanted.day)
          )
          select club_id, day::text from missing
          where (select true from point_totals t where t.club_id = missing.club_id order by t.student_id limit 1)
          order by missing.day, club_id limit ${openBatch}`.pipe(decodeBoards)
        yield* Effect.forEach(missing, ({ club_id, day }) =>
          withBoardsLocked(
            club_id,
            sql`insert into point_boards (club_id, day) values (${club_id}, ${day}::date) on conflict do nothing`
          ), { discard: true })
        return Math.min(missing.length, 1)
      })

      // A club that moves to another time zone may go back up to two days.
      const close = Effect.fn("PointBoards.close")(function*(at: DateTime.Utc) {
        const now = DateTime.toDateUtc(at)
        const past = yield* sql`
          select b.club_id, b.day::text from point_boards b join clubs c on c.id = b.club_id
          where b.closed_at is null and b.day < (${now}::timestamptz at time zone c.time_zone)::date - 2
          order by b.day limit ${openBatch}`.pipe(decodeBoards)
        yield* Effect.forEach(past, (board) =>
          withBoardsLocked(
            board.club_id,
            sql`update point_boards set closed_at = ${now} where ${isBoard(board)} and closed_at is null`
          ), { discard: true })
        return Math.min(past.length, 1)
      })

      // Most of the time both are absent, and no transaction is needed to learn that.
      const unfinished = sql`
        select
          coalesce((
            select true from point_boards where laid_at is null and closed_at is null order by day limit 1
          ), false) as unlaid,
          coalesce((select true from point_boards where closed_at is not null order by day limit 1), false) as closed`
        .pipe(decodeUnfinished)

      const tick = Effect.gen(function*() {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        const { closed, unlaid } = yield* unfinished
        for (
          const work of [
            ...unlaid ? [lay(now)] : [],
            ...closed ? [clear()] : [],
            open(now),
            orZero(guard.sweep("boards of points", close))
          ]
        ) {
          if ((yield* work) > 0) return 1
        }
        return 0
      }).pipe(Effect.orDie, Effect.withSpan("PointBoards.tick"))

      return PointBoards.of({ tick })
    })
  )
}

/** Works for as long as the layer lives. Stops between two batches. */
export const pointBoardsLayer = (
  { every }: { readonly every: Duration.Input }
): Layer.Layer<never, never, ClockGuard | SqlClient.SqlClient> =>
  Layer.effectDiscard(Effect.flatMap(PointBoards, ({ tick }) =>
    batchWorker({
      tick,
      full: 1,
      idle: Effect.sleep(every),
      shutdownGrace,
      onFailure: "Boards of points were not laid",
      onCutOff: "Boards of points are built later"
    }))).pipe(Layer.provide(PointBoards.layer))
