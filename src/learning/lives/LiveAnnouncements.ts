import { Context, DateTime, Duration, Effect, Exit, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ClubId } from "../../identity/ids/ClubId.ts"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { holdersOfItem } from "../../membership/access/ItemAccess.ts"
import { Notifications } from "../../membership/notifications/Notifications.ts"
import { announcementOf } from "../../platform/jobs/Announcement.ts"
import { batchWorker } from "../../platform/jobs/BatchWorker.ts"
import { untilDue } from "../../platform/jobs/UntilDue.ts"
import type { WorkQueue } from "../../platform/jobs/WorkQueue.ts"
import { uuids } from "../../platform/sql/Arrays.ts"
import { first, rows } from "../../platform/sql/Rows.ts"
import { LiveId } from "./Live.ts"

/** The students of a page. Each page is one transaction. */
const pageSize = 500

/** How long a live waits after a failure. */
const pause = Duration.minutes(1)

const Announced = Schema.Struct({
  club_id: ClubId,
  live_id: LiveId,
  after_student_id: Schema.NullOr(StudentId),
  title: Schema.String,
  description: Schema.String,
  state: Schema.Literals(["planned", "over", "deleted"])
})
type Announced = typeof Announced.Type

const decodeAnnounced = first(Announced)
const decodeStudents = rows(Schema.Struct({ student_id: StudentId }))

/** Lives whose students wait for a notification, or whose notifications wait for their withdrawal. */
export const waitingAnnouncements: WorkQueue = {
  name: "live_announcements",
  waiting: (sql) => sql`from live_announcements`,
  nextDue: (sql) => sql`(select min(due_at) from live_announcements)`
}

/** The queue, for the writers of lives and deliveries. Work in progress on the same lives starts over. */
export const makeLiveQueue = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const announce = yield* announcementOf(waitingAnnouncements)

  /** In the transaction in which a delivery gets these lives, or in which they are deleted. */
  return Effect.fnUntraced(function*(club_id: ClubId, lives: ReadonlyArray<string>) {
    const at = DateTime.toDateUtc(yield* DateTime.now)
    yield* sql`
      insert into live_announcements (club_id, live_id, due_at)
      select club_id, id, ${at}::timestamptz from lives where club_id = ${club_id} and id = any(${uuids(lives)})
      order by id
      on conflict (club_id, live_id) do update set after_student_id = null, due_at = excluded.due_at`
    yield* sql.afterCommit(announce)
  }, Effect.orDie)
})

/** Notifies the students who have a live, once each, in the background. */
export class LiveAnnouncements extends Context.Service<LiveAnnouncements, {
  /** Notifies one page of students of one live, and answers 1; 0 if no live is due. */
  readonly tick: Effect.Effect<number>
}>()("turma/learning/lives/LiveAnnouncements") {
  static readonly layer = Layer.effect(
    LiveAnnouncements,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const notifications = yield* Notifications

      // Rows in the hands of another process are passed over.
      const claim = Effect.gen(function*() {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        return yield* sql`
          select a.club_id, a.live_id, a.after_student_id, l.title, l.description,
            case when l.deleted_at is not null then 'deleted' when l.status = 'ended' then 'over' else 'planned' end
              as state
          from live_announcements a join lives l on l.club_id = a.club_id and l.id = a.live_id
          where a.due_at <= ${now} order by a.due_at limit 1 for update of a skip locked`.pipe(decodeAnnounced)
      })

      const notify = Effect.fnUntraced(function*(live: Announced) {
        const { after_student_id, club_id, description, live_id, title } = live
        const now = DateTime.toDateUtc(yield* DateTime.now)
        const page = { club_id, kind: "live", item_id: live_id, now, after: after_student_id, limit: pageSize } as const
        const holders = yield* sql`${holdersOfItem(sql, page)}`.pipe(decodeStudents)
        yield* notifications.add(
          club_id,
          holders.map(({ student_id }) => ({ student_id, kind: "live", title, text: description, target: { live_id } }))
        )
        return holders
      })

      const withdraw = Effect.fnUntraced(function*({ club_id, live_id }: Announced) {
        return (yield* notifications.withdraw(club_id, { live_id }, pageSize)) === pageSize
      })

      const isOf = ({ club_id, live_id }: Announced) => sql`club_id = ${club_id} and live_id = ${live_id}`

      // With more pages to come, the live goes behind the others, so that a large class of one club delays no other's.
      const work = Effect.fnUntraced(function*(live: Announced) {
        const due_at = DateTime.toDateUtc(yield* DateTime.now)
        const holders = live.state === "planned" ? yield* notify(live) : []
        const last = holders.length === pageSize ? holders.at(-1) : undefined
        const goesOn = last !== undefined || (live.state === "deleted" && (yield* withdraw(live)))
        yield* goesOn
          ? sql`
            update live_announcements set after_student_id = ${last?.student_id ?? null}, due_at = ${due_at}
            where ${isOf(live)}`
          : sql`delete from live_announcements where ${isOf(live)}`
      })

      // The page runs in a savepoint: after a failure its live waits, and delays no other.
      const tick = Effect.gen(function*() {
        const live = yield* claim
        if (Option.isNone(live)) return 0
        const outcome = yield* Effect.exit(sql.withTransaction(work(live.value)))
        if (Exit.isSuccess(outcome)) return 1
        yield* Effect.logError("Students are notified of a live later", outcome.cause)
        const due_at = DateTime.toDateUtc(DateTime.addDuration(yield* DateTime.now, pause))
        yield* sql`update live_announcements set due_at = ${due_at} where ${isOf(live.value)}`
        return 1
      }).pipe(sql.withTransaction, Effect.orDie, Effect.withSpan("LiveAnnouncements.tick"))

      return LiveAnnouncements.of({ tick })
    })
  ).pipe(Layer.provide(Notifications.layer))
}

/** Works for as long as the layer lives, in any number of processes. A process that is killed repeats a page at most. */
export const LiveAnnouncementsWorker = Layer.effectDiscard(Effect.gen(function*() {
  const { tick } = yield* LiveAnnouncements
  yield* batchWorker({
    tick,
    full: 1,
    idle: yield* untilDue(waitingAnnouncements, { pollEvery: "1 second" }),
    shutdownGrace: "10 seconds",
    onFailure: "Students were not notified of a live",
    onCutOff: "Students are notified of a live later"
  })
})).pipe(Layer.provide(LiveAnnouncements.layer))
