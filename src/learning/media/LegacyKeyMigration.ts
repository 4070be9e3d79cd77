import { Context, DateTime, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { ClubId } from "../../identity/ids/ClubId.ts"
import { batchWorker } from "../../platform/jobs/BatchWorker.ts"
import { rows } from "../../platform/sql/Rows.ts"
import { Storage, StorageKey } from "../../platform/storage/Storage.ts"
import { MediaId } from "./Media.ts"
import { legacyKey, openUntil } from "./RemovedFiles.ts"

/** How long the lease on moving a file lasts: longer than any copy takes. */
const lease = Duration.hours(1)

/** The time until the next search for a missing file: it comes back only if a person restores it. */
const missingLease = Duration.days(1)

/** The number of files in one claim. One claim of many skips the leased files only once. */
const batch = 20

/**
 * The time that the old file stays beside the new one. Signed addresses are valid for an hour. A backup that began
 * earlier may read the file only now, by the old key.
 */
const legacyRetention = Duration.hours(24)

const FileMove = Schema.Struct({ club_id: ClubId, media_id: MediaId, key: StorageKey })
const decodeMoves = rows(FileMove)

/**
 * Moves files from keys that hold the internal id of their club to other keys, because a signed address shows the key.
 *
 * Each step may be the last of its process. It leases the move and copies the file. Then one statement names the new
 * key in the record and queues the old file for deletion. The new key depends on the record alone, so two processes
 * that move a file do the same. If a process dies, another finds its copy, or deletes it if the record was deleted.
 * Only one of the two files counts for the quota. An unconfirmed upload is not moved.
 */
export class LegacyKeyMigration extends Context.Service<LegacyKeyMigration, {
  /**
   * Moves some files and returns their number, 0 if no file can be moved. A file that cannot be moved is tried again an
   * hour later, a missing one a day later.
   */
  readonly move: Effect.Effect<number>
}>()("turma/learning/media/LegacyKeyMigration") {
  static readonly layer = Layer.effect(
    LegacyKeyMigration,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const storage = yield* Storage
      const now = Effect.map(DateTime.now, DateTime.toDateUtc)
      const inTime = (duration: Duration.Duration) =>
        Effect.map(DateTime.now, (at) => DateTime.toDateUtc(DateTime.addDuration(at, duration)))

      // The key is a hash of the record's id: it reveals the id only to those who know it.
      const claim = Effect.gen(function*() {
        const at = yield* now
        return yield* sql`
          insert into media_moves as v (club_id, media_id, storage_key, leased_until)
          select m.club_id, m.id, p.key, ${yield* inTime(lease)}::timestamptz
          from media m
            cross join lateral (select substr(encode(sha256(uuid_send(m.id)), 'hex'), 1, 32) as name) n
            cross join lateral (select left(n.name, 2) || '/' || n.name as key) p
          where m.storage_key = ${legacyKey(sql)} and m.status = 'ready' and m.removed_at is null
            and not exists (
              select from media_moves c
              where c.club_id = m.club_id and c.media_id = m.id and c.leased_until > ${at}::timestamptz
            )
          order by m.created_at, m.id limit ${batch}
          on conflict (club_id, media_id) do update set leased_until = excluded.leased_until
            where v.leased_until <= ${at}::timestamptz
          returning v.club_id, v.media_id, v.storage_key as key`.pipe(decodeMoves)
      })

      /** Queues new files of deleted records for deletion, because no record will name them. */
      const queueAbandoned = (which: Fragment) =>
        Effect.flatMap(now, (at) =>
          sql`
            with gone as (
              delete from media_moves v where ${which} and not exists (
                select from media m where m.club_id = v.club_id and m.id = v.media_id and m.removed_at is null
              )
              returning v.*
            )
            insert into removed_files (club_id, storage_key, removed_at)
            select club_id, storage_key, ${at}::timestamptz from gone on conflict do nothing`)

      const nameNewKey = Effect.fnUntraced(function*(
        { club_id, media_id, key }: typeof FileMove.Type,
        old: StorageKey
      ) {
        return yield* sql`
            with moved as (
              update media m set storage_key = ${key}
              where m.club_id = ${club_id} and m.id = ${media_id} and m.storage_key = ${old} and m.removed_at is null
              returning m.*
            ), done as (
              delete from media_moves v using moved m where v.club_id = m.club_id and v.media_id = m.id
            )
            insert into removed_files (club_id, storage_key, open_until, removed_at)
            select m.club_id, ${old}::text, ${openUntil(sql)}, ${yield* inTime(legacyRetention)}::timestamptz
            from moved m returning 1`
      })

      const moveOne = Effect.fnUntraced(
        function*(file: typeof FileMove.Type) {
          const { club_id, media_id } = file
          const theirs = sql`v.club_id = ${club_id} and v.media_id = ${media_id}`
          const old = StorageKey.make(`${club_id}/${media_id}`)
          if (!(yield* storage.copy(old, file.key))) {
            yield* sql`update media_moves v set leased_until = ${yield* inTime(missingLease)}::timestamptz where ${theirs}`
            return "missing"
          }
          const named = yield* nameNewKey(file, old)
          if (named.length === 0) yield* queueAbandoned(theirs)
          return "moved"
        },
        // One failure does not delay the others of the batch.
        Effect.catchCause((cause) => Effect.as(Effect.logError("A file was not given its new place", cause), "failed"))
      )

      const move = Effect.gen(function*() {
        yield* queueAbandoned(sql`v.leased_until <= ${yield* now}::timestamptz`)
        const done = yield* Effect.forEach(yield* claim, moveOne)
        const missing = done.filter((one) => one === "missing").length
        if (missing > 0) {
          yield* Effect.logWarning("Files of media records are missing, so they get no new places", { missing })
        }
        return done.filter((one) => one === "moved").length
      }).pipe(Effect.orDie, Effect.withSpan("LegacyKeyMigration.move"))

      return LegacyKeyMigration.of({ move })
    })
  )
}

/** Moves all files, and then looks for new ones at intervals. */
export const legacyKeyMigrationLayer = ({ every }: { readonly every: Duration.Input }) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const { move } = yield* LegacyKeyMigration
    yield* batchWorker({
      tick: move,
      full: 1,
      idle: Effect.sleep(every),
      shutdownGrace: "10 seconds",
      onFailure: "Files were not given their new places",
      onCutOff: "Files get their new places later"
    })
  })).pipe(Layer.provide(LegacyKeyMigration.layer))
