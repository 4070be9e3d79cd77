import { Context, DateTime, Duration, Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { LessonId } from "../../learning/content/Lesson.ts"
import type { MediaId } from "../../learning/media/Media.ts"
import { uuids } from "../../platform/sql/Arrays.ts"

/** How long an answer waits for material that was just written, and how often it looks. */
const patience = Duration.seconds(3)
const lookEvery = Duration.millis(100)

/**
 * How long a lesson is left to who took it: longer than one of its documents takes, to be fetched and read. Longer waits
 * only what failed, or what is for another day.
 */
export const lease = Duration.seconds(90)

/** Says that material has changed, so that it is read anew. In the transaction of the change. */
export class MaterialChanges extends Context.Service<MaterialChanges, {
  /** The text, the title or the blocks of these lessons. */
  lessons(club_id: ClubId, ids: ReadonlyArray<LessonId>): Effect.Effect<void>
  /** A media record that lessons may show: its file has come, or its transcript has changed. */
  media(club_id: ClubId, id: MediaId): Effect.Effect<void>
  /** Ends once what has changed in this lesson can be found; after 3 seconds, or where it could not be read, anyway. */
  settled(club_id: ClubId, id: LessonId): Effect.Effect<void>
}>()("turma/assistant/material/MaterialChanges") {
  static readonly layer = Layer.effect(
    MaterialChanges,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const now = Effect.map(DateTime.now, DateTime.toDateUtc)

      // In the order of ids, so that two changes of the same lessons do not wait for each other.
      const lessons = Effect.fn("MaterialChanges.lessons")(function*(club_id: ClubId, ids: ReadonlyArray<LessonId>) {
        if (ids.length === 0) return
        yield* sql`
          insert into material_queue as q (club_id, lesson_id, due_at)
          select ${club_id}::uuid, id, ${yield* now}::timestamptz
          from (select distinct id from unnest(${uuids(ids)}) as changed (id) order by id) changed
          on conflict (club_id, lesson_id) do update
            set asked = q.asked + 1, failures = 0, due_at = least(q.due_at, excluded.due_at)`
      }, Effect.orDie)

      const media = Effect.fn("MaterialChanges.media")(function*(club_id: ClubId, id: MediaId) {
        yield* sql`
          insert into material_queue as q (club_id, lesson_id, due_at)
          select b.club_id, b.lesson_id, ${yield* now}::timestamptz
          from blocks b where b.club_id = ${club_id} and b.media_id = ${id} and b.deleted_at is null
          group by b.club_id, b.lesson_id order by b.lesson_id
          on conflict (club_id, lesson_id) do update
            set asked = q.asked + 1, failures = 0, due_at = least(q.due_at, excluded.due_at)`
      }, Effect.orDie)

      const waits = Effect.fnUntraced(function*(club_id: ClubId, id: LessonId) {
        const soon = DateTime.toDateUtc(DateTime.addDuration(yield* DateTime.now, lease))
        const rows = yield* sql`
          select 1 from material_queue
          where club_id = ${club_id} and lesson_id = ${id} and failures = 0 and due_at <= ${soon}`
        return rows.length > 0
      }, Effect.orDie)

      const settled = Effect.fn("MaterialChanges.settled")((club_id: ClubId, id: LessonId) =>
        waits(club_id, id).pipe(
          Effect.repeat({ while: (waiting) => waiting, schedule: Schedule.spaced(lookEvery) }),
          Effect.timeoutOption(patience),
          Effect.asVoid
        )
      )

      return MaterialChanges.of({ lessons, media, settled })
    })
  )
}
