import { Context, DateTime, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ClubId } from "../../identity/ids/ClubId.ts"
import { batchWorker } from "../../platform/jobs/BatchWorker.ts"
import { ClockGuard, orZero } from "../../platform/jobs/ClockGuard.ts"
import { repeatedly } from "../../platform/jobs/Repeatedly.ts"
import { Instant } from "../../platform/schema/Instant.ts"
import { rows } from "../../platform/sql/Rows.ts"
import { Storage, StorageKey, uploadRetention } from "../../platform/storage/Storage.ts"
import { MediaId } from "./Media.ts"
import { hasFile, removedFile, removedFileColumns } from "./RemovedFiles.ts"
import { isUnusedUpload } from "./UnusedUpload.ts"

/** The age at which an unused upload of a student is deleted. */
const unusedRetention = Duration.days(7)

/** The most rows that a statement works on. */
const batch = 500

const RemovedFile = Schema.Struct({ club_id: ClubId, storage_key: StorageKey })
const decodeFiles = rows(RemovedFile)

const ScanPosition = Schema.Struct({ created_at: Instant, id: MediaId })
type ScanPosition = typeof ScanPosition.Type
const decodePositions = rows(ScanPosition)

const start: ScanPosition = {
  created_at: DateTime.makeUnsafe(0),
  id: MediaId.make("00000000-0000-0000-0000-000000000000")
}

/**
 * Deletes abandoned media, and the files of deleted records: first the row, then the file. A file whose upload address
 * still worked is deleted once more when the address has ended. Any number of processes may run this at once; locked
 * rows are skipped.
 */
export class MediaCleanup extends Context.Service<MediaCleanup, {
  /** Deletes uploads that were not completed within a day, and returns their number. */
  readonly expire: Effect.Effect<number>
  /** Deletes uploads of students that nothing has used for a week. Looks at all of them, a batch at a time. */
  readonly sweepUnused: Effect.Effect<void>
  /** Deletes files without a row, and returns their number. A file that cannot be deleted waits for the next time. */
  readonly deleteFiles: Effect.Effect<number>
}>()("turma/learning/media/MediaCleanup") {
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

      const page = Effect.fnUntraced(function*(at: DateTime.Utc, { created_at, id }: ScanPosition) {
        return yield* sql`
          select created_at, id from media
          where student_id is not null and removed_at is null and created_at <= ${before(at, unusedRetention)}
            and (created_at, id) > (${DateTime.toDateUtc(created_at)}::timestamptz, ${id}::uuid)
          order by created_at, id limit ${batch}`.pipe(decodePositions)
      })

      // A record that is attached at this moment is kept by its foreign key. The next sweep looks again.
      const deleteUnused = Effect.fnUntraced(function*(at: DateTime.Utc, first: ScanPosition, last: ScanPosition) {
        yield* sql`
          with unused as materialized (
            select m.club_id, m.id from media m
            where m.student_id is not null and m.removed_at is null
              and (m.created_at, m.id) >= (${DateTime.toDateUtc(first.created_at)}::timestamptz, ${first.id}::uuid)
              and (m.created_at, m.id) <= (${DateTime.toDateUtc(last.created_at)}::timestamptz, ${last.id}::uuid)
              and ${isUnusedUpload(sql)}
            for update skip locked
          ), gone as (
            delete from media m using unused where m.club_id = unused.club_id and m.id = unused.id
            returning m.*
          )
          insert into removed_files (${removedFileColumns(sql)})
          select ${removedFile(sql, DateTime.toDateUtc(at))} from gone m where ${hasFile(sql)}`
      }, Effect.catchReason("SqlError", "ConstraintError", () => Effect.void))

      const sweepUnusedUntil = Effect.fnUntraced(function*(at: DateTime.Utc) {
        let scanned = yield* page(at, start)
        while (scanned.length > 0) {
          const [first = start, last = first] = [scanned[0], scanned.at(-1)]
          yield* deleteUnused(at, first, last)
          scanned = yield* page(at, last)
        }
      }, Effect.orDie)

      const sweepUnused = guard.sweep("unused uploads of students", sweepUnusedUntil).pipe(
        Effect.asVoid,
        Effect.withSpan("MediaCleanup.sweepUnused")
      )

      // The file counts for the quota until nothing can be uploaded any more. Others may have locked the counts.
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
          order by removed_at limit ${batch}`.pipe(decodeFiles)
        const done = yield* Effect.forEach(rows, deleteFile)
        return done.reduce((sum, one) => sum + one, 0)
      }).pipe(Effect.orDie, Effect.withSpan("MediaCleanup.deleteFiles"))

      return MediaCleanup.of({ expire, sweepUnused, deleteFiles })
    })
  )
}

/** Deletes files every so often, and unused uploads at the start and then every hour. */
export const mediaCleanupLayer = ({ every }: { readonly every: Duration.Input }) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const { deleteFiles, expire, sweepUnused } = yield* MediaCleanup
    yield* repeatedly(sweepUnused, { every: "1 hour", onFailure: "Unused uploads of students were not deleted" })
    yield* batchWorker({
      tick: Effect.andThen(expire, deleteFiles),
      full: batch,
      idle: Effect.sleep(every),
      shutdownGrace: "10 seconds",
      onFailure: "Files of removed media were not deleted",
      onCutOff: "Files of removed media are deleted later"
    })
  })).pipe(Layer.provide(MediaCleanup.layer))
