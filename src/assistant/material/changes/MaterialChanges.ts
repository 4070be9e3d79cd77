import { Context, DateTime, Duration, Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import type { LessonId } from "../../../learning/content/Lesson.ts"
import type { MediaId } from "../../../learning/media/Media.ts"
import { announcementOf } from "../../../platform/jobs/Announcement.ts"
import { uuids } from "../../../platform/sql/Arrays.ts"
import { changedLessons } from "./ChangedLessons.ts"

/** The longest wait of an answer for material that was just written, and the time between two looks. */
const longestWait = Duration.seconds(3)
const lookEvery = Duration.millis(100)

/**
 * The lease of a lesson: longer than it takes to fetch and read one of its documents. An entry that is due later than
 * that has failed, or waits for another day.
 */
export const lease = Duration.seconds(90)

/** Queues lessons with changed material for the index, in the transaction of the change. */
export class MaterialChanges extends Context.Service<MaterialChanges, {
  /** The text, the title or the blocks of these lessons have changed. */
  lessons(club_id: ClubId, ids: ReadonlyArray<LessonId>): Effect.Effect<void>
  /** The file of this media record has arrived, or its transcript has changed. Queues the lessons that show it. */
  media(club_id: ClubId, id: MediaId): Effect.Effect<void>
  /**
   * Ends once this lesson's changes can be found, but after 3 seconds at most. Ends at once if reading them has failed.
   */
  settled(club_id: ClubId, id: LessonId): Effect.Effect<void>
}>()("turma/assistant/material/changes/MaterialChanges") {
  static readonly layer = Layer.effect(
    MaterialChanges,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const now = Effect.map(DateTime.now, DateTime.toDateUtc)
      const announce = yield* announcementOf(changedLessons)

      // In the order of ids, so that two changes of the same lessons cannot deadlock.
      const lessons = Effect.fn("MaterialChanges.lessons")(function*(club_id: ClubId, ids: ReadonlyArray<LessonId>) {
        if (ids.length === 0) return
        yield* sql`
          insert into material_queue as q (club_id, lesson_id, due_at)
          select ${club_id}::uuid, id, ${yield* now}::timestamptz
          from (select distinct id from unnest(${uuids(ids)}) as changed (id) order by id) changed
          on conflict (club_id, lesson_id) do update
            set asked = q.asked + 1, failures = 0, due_at = least(q.due_at, excluded.due_at)`
        yield* sql.afterCommit(announce)
      }, Effect.orDie)

      const media = Effect.fn("MaterialChanges.media")(function*(club_id: ClubId, id: MediaId) {
        yield* sql`
          insert into material_queue as q (club_id, lesson_id, due_at)
          select b.club_id, b.lesson_id, ${yield* now}::timestamptz
          from blocks b where b.club_id = ${club_id} and b.media_id = ${id} and b.deleted_at is null
          group by b.club_id, b.lesson_id order by b.lesson_id
          on conflict (club_id, lesson_id) do update
            set asked = q.asked + 1, failures = 0, due_at = least(q.due_at, excluded.due_at)`
        yield* sql.afterCommit(announce)
      }, Effect.orDie)

      const isQueued = Effect.fnUntraced(function*(club_id: ClubId, id: LessonId) {
        const soon = DateTime.toDateUtc(DateTime.addDuration(yield* DateTime.now, lease))
        const rows = yield* sql`
          select 1 from material_queue
          where club_id = ${club_id} and lesson_id = ${id} and failures = 0 and due_at <= ${soon}`
        return rows.length > 0
      }, Effect.orDie)

      const settled = Effect.fn("MaterialChanges.settled")((club_id: ClubId, id: LessonId) =>
        isQueued(club_id, id).pipe(
          Effect.repeat({ while: (queued) => queued, schedule: Schedule.spaced(lookEvery) }),
          Effect.timeoutOption(longestWait),
          Effect.asVoid
        )
      )

      return MaterialChanges.of({ lessons, media, settled })
    })
  )
}
