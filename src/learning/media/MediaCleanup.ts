import { Context, DateTime, Duration, Effect, Layer, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ClubId } from "../../identity/ids/ClubId.ts"
import { batchWorker } from "../../platform/jobs/BatchWorker.ts"
import { ClockGuard, orZero } from "../../platform/jobs/ClockGuard.ts"
import { Storage, StorageKey, uploadRetention } from "../../platform/storage/Storage.ts"
import { MediaId } from "./Media.ts"
import { isUnused } from "./MediaUses.ts"
import { hasFile, removedFile, removedFileColumns } from "./RemovedFiles.ts"

/** What a student uploaded and used for nothing is deleted at this age. */
const unusedRetention = Duration.days(7)

/** Rows in one statement at most. */
const batch = 500

const RemovedFile = Schema.Struct({ club_id: ClubId, storage_key: StorageKey })
const decodeFiles = Schema.decodeUnknownEffect(Schema.Array(RemovedFile))

const Looked = Schema.Struct({ created_at: Schema.DateTimeUtcFromDate, id: MediaId })
type Looked = typeof Looked.Type
const decodeLooked = Schema.decodeUnknownEffect(Schema.Array(Looked))

const start: Looked = {
  created_at: DateTime.makeUnsafe(0),
  id: MediaId.make("00000000-0000-0000-0000-000000000000")
}

/**
 * Deletes media that nobody waits for, and the files of all that is gone: the row first, then the file; and where the
 * address of its upload still lived, once more when nothing can come of it. Any number of
 * processes may do so at once; what another holds is passed over.
 */
export class MediaCleanup extends Context.Service<MediaCleanup, {
  /** Uploads that were not completed within a day. Says how many were deleted. */
  readonly expire: Effect.Effect<number>
  /** Uploads of students that nothing has used for a week. Looks at all of them, a batch at a time. */
  readonly sweepUnused: Effect.Effect<void>
  /** Deletes files whose rows are gone, and says how many. One that cannot be deleted is left for the next time. */
  readonly deleteFiles: Effect.Effect<number>
}>()("turma/content/media/MediaCleanup") {
  static readonly layer = Layer.effect(
    MediaCleanup,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const storage = yield* Storage
      const now = Effect.map(DateTime.now, DateTime.toDateUtc)
      const guard = yield* ClockGuard
      const before = (at: DateTime.Utc, age: Duration.Duration) =>
        DateTime.toDateUtc(DateTime.subtractDuration(at, age))

      const expireUntil = Effect.fnUntraced(function*(at: DateTime.Utc) {
        const rows = yield* sql`
          with old as materialized (
            select club_id, id from media
            where status = 'uploading' and created_at <= ${before(at, uploadRetention)}
            order by created_at limit ${batch} for update skip locked
          ), gone as (
            delete from media m using old where m.club_id = old.club_id and m.id = old.id
            returning m.*
          )
          insert into removed_files (${removedFileColumns(sql)})
          select ${removedFile(sql, DateTime.toDateUtc(at))} from gone m returning 1`
        return rows.length
      }, Effect.orDie)

      const expire = guard.sweep("uploads", expireUntil).pipe(orZero, Effect.withSpan("MediaCleanup.expire"))

      const page = Effect.fnUntraced(function*(at: DateTime.Utc, { created_at, id }: Looked) {
        const rows = yield* sql`
          select created_at, id from media
          where student_id is not null and removed_at is null and created_at <= ${before(at, unusedRetention)}
            and (created_at, id) > (${DateTime.toDateUtc(created_at)}::timestamptz, ${id}::uuid)
          order by created_at, id limit ${batch}`
        return yield* decodeLooked(rows)
      })

      // One that is attached at this moment is refused by its foreign key; the next sweep looks again.
      const deleteUnused = Effect.fnUntraced(function*(at: DateTime.Utc, first: Looked, last: Looked) {
        yield* sql`
          with unused as materialized (
            select m.club_id, m.id from media m
            where m.student_id is not null and m.removed_at is null
              and (m.created_at, m.id) >= (${DateTime.toDateUtc(first.created_at)}::timestamptz, ${first.id}::uuid)
              and (m.created_at, m.id) <= (${DateTime.toDateUtc(last.created_at)}::timestamptz, ${last.id}::uuid)
              and ${isUnused(sql)}
            for update skip locked
          ), gone as (
            delete from media m using unused where m.club_id = unused.club_id and m.id = unused.id
            returning m.*
          )
          insert into removed_files (${removedFileColumns(sql)})
          select ${removedFile(sql, DateTime.toDateUtc(at))} from gone m where ${hasFile(sql)}`
      }, Effect.catchReason("SqlError", "ConstraintError", () => Effect.void))

      const sweepUnusedUntil = Effect.fnUntraced(function*(at: DateTime.Utc) {
        let looked = yield* page(at, start)
        while (looked.length > 0) {
          const [first = start, last = first] = [looked[0], looked.at(-1)]
          yield* deleteUnused(at, first, last)
          looked = yield* page(at, last)
        }
      }, Effect.orDie)

      const sweepUnused = guard.sweep("unused uploads of students", sweepUnusedUntil).pipe(
        Effect.asVoid,
        Effect.withSpan("MediaCleanup.sweepUnused")
      )

      // It counts until nothing can come any more. The counts may be held by others.
      const forget = Effect.fnUntraced(function*({ club_id, storage_key }: typeof RemovedFile.Type) {
        const one = sql`club_id = ${club_id} and storage_key = ${storage_key}`
        const at = yield* now
        yield* sql`
          with open as (
            update removed_files set removed_at = open_until where ${one} and open_until > ${at}
          )
          delete from removed_files where ${one} and (open_until is null or open_until <= ${at})`
      }, sql.withTransaction)

      const deleteFile = Effect.fnUntraced(
        function*(file: typeof RemovedFile.Type) {
          yield* storage.remove(file.storage_key)
          yield* forget(file)
          return 1
        },
        Effect.catchCause((cause) => Effect.as(Effect.logError("A file was not deleted", cause), 0))
      )

      const deleteFiles = Effect.gen(function*() {
        const rows = yield* sql`
          select club_id, storage_key from removed_files where removed_at <= ${yield* now}
          order by removed_at limit ${batch}`
        const done = yield* Effect.forEach(yield* decodeFiles(rows), deleteFile)
        return done.reduce((sum, one) => sum + one, 0)
      }).pipe(Effect.orDie, Effect.withSpan("MediaCleanup.deleteFiles"))

      return MediaCleanup.of({ expire, sweepUnused, deleteFiles })
    })
  )
}

/** Deletes files every so often, and looks for what nothing uses at its start and then every hour. */
export const mediaCleanupLayer = ({ every }: { readonly every: Duration.Input }) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const { deleteFiles, expire, sweepUnused } = yield* MediaCleanup
    yield* sweepUnused.pipe(
      Effect.catchCause((cause) => Effect.logError("Unused uploads of students were not deleted", cause)),
      Effect.repeat(Schedule.spaced(Duration.hours(1))),
      Effect.forkScoped
    )
    yield* batchWorker({
      tick: Effect.andThen(expire, deleteFiles),
      full: batch,
      idle: Effect.sleep(every),
      drain: "10 seconds",
      onFailure: "Media that are gone were not deleted",
      onCutOff: "Media that are gone are deleted later"
    })
  })).pipe(Layer.provide(MediaCleanup.layer))
