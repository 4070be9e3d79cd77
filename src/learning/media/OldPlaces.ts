import { Context, DateTime, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { ClubId } from "../../identity/ids/ClubId.ts"
import { batchWorker } from "../../platform/jobs/BatchWorker.ts"
import { Storage, StorageKey } from "../../platform/storage/Storage.ts"
import { MediaId } from "./Media.ts"
import { oldPlace, openUntil } from "./RemovedFiles.ts"

/** Who moves a file and is not done after this long is given up: longer than any copy takes. */
const lease = Duration.hours(1)

/** A file that is missing is looked for again after this long: it comes back only when somebody brings it. */
const missingLease = Duration.days(1)

/** Files that are taken at a time, so that those which wait for another time are passed over once for all of them. */
const batch = 20

/**
 * The old place is kept for a day beside the new one: addresses that were signed for it live for an hour, and a backup that
 * began before may come to the file only now, by the name that it knows.
 */
const oldRetention = Duration.hours(24)

const Moving = Schema.Struct({ club_id: ClubId, media_id: MediaId, place: StorageKey })
const decodeMoving = Schema.decodeUnknownEffect(Schema.Array(Moving))

/**
 * Gives the files in places that hold the internal id of their club others: a signed address shows the place of its file.
 *
 * Each step may be the last of its process. Who moves a file says so first; then the file is at both places; then the
 * record, in one statement, names the new one and the old one waits to be deleted. A record has one new place, whoever moves
 * its file and how often, so two who do it make the same, and a copy that somebody died over is found again; or it is
 * deleted, where its record is gone. Of the two places one is counted. An upload that is not confirmed stays where it is.
 */
export class OldPlaces extends Context.Service<OldPlaces, {
  /**
   * Moves some files and says how many, 0 where there is none that can be. What cannot be moved is tried again an hour
   * later, or a day where it is missing.
   */
  readonly move: Effect.Effect<number>
}>()("turma/content/media/OldPlaces") {
  static readonly layer = Layer.effect(
    OldPlaces,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const storage = yield* Storage
      const now = Effect.map(DateTime.now, DateTime.toDateUtc)
      const inTime = (duration: Duration.Duration) =>
        Effect.map(DateTime.now, (at) => DateTime.toDateUtc(DateTime.addDuration(at, duration)))

      // The place is made of the record's id and tells it to nobody who does not know it.
      const take = Effect.gen(function*() {
        const at = yield* now
        const rows = yield* sql`
          insert into media_moves as v (club_id, media_id, storage_key, leased_until)
          select m.club_id, m.id, p.place, ${yield* inTime(lease)}::timestamptz
          from media m
            cross join lateral (select substr(encode(sha256(uuid_send(m.id)), 'hex'), 1, 32) as name) n
            cross join lateral (select left(n.name, 2) || '/' || n.name as place) p
          where m.storage_key = ${oldPlace(sql)} and m.status = 'ready' and m.removed_at is null
            and not exists (
              select from media_moves c
              where c.club_id = m.club_id and c.media_id = m.id and c.leased_until > ${at}::timestamptz
            )
          order by m.created_at, m.id limit ${batch}
          on conflict (club_id, media_id) do update set leased_until = excluded.leased_until
            where v.leased_until <= ${at}::timestamptz
          returning v.club_id, v.media_id, v.storage_key as place`
        return yield* decodeMoving(rows)
      })

      /** Queues new places whose records are gone, so that nobody will name them. */
      const leave = (which: Fragment) =>
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

      const name = Effect.fnUntraced(function*({ club_id, media_id, place }: typeof Moving.Type, old: StorageKey) {
        return yield* sql`
          with moved as (
            update media m set storage_key = ${place}
            where m.club_id = ${club_id} and m.id = ${media_id} and m.storage_key = ${old} and m.removed_at is null
            returning m.*
          ), done as (
            delete from media_moves v using moved m where v.club_id = m.club_id and v.media_id = m.id
          )
          insert into removed_files (club_id, storage_key, open_until, removed_at)
          select m.club_id, ${old}::text, ${openUntil(sql)}, ${yield* inTime(oldRetention)}::timestamptz
          from moved m returning 1`
      })

      const moveOne = Effect.fnUntraced(
        function*(file: typeof Moving.Type) {
          const { club_id, media_id } = file
          const theirs = sql`v.club_id = ${club_id} and v.media_id = ${media_id}`
          const old = StorageKey.make(`${club_id}/${media_id}`)
          if (!(yield* storage.copy(old, file.place))) {
            yield* sql`update media_moves v set leased_until = ${yield* inTime(
              missingLease
            )}::timestamptz where ${theirs}`
            return "missing"
          }
          const named = yield* name(file, old)
          if (named.length === 0) yield* leave(theirs)
          return "moved"
        },
        // The others of the batch are not held up.
        Effect.catchCause((cause) => Effect.as(Effect.logError("A file was not given its new place", cause), "failed"))
      )

      const move = Effect.gen(function*() {
        yield* leave(sql`v.leased_until <= ${yield* now}::timestamptz`)
        const done = yield* Effect.forEach(yield* take, moveOne)
        const missing = done.filter((one) => one === "missing").length
        if (missing > 0) {
          yield* Effect.logWarning("Files of media records are missing, so they get no new places", { missing })
        }
        return done.filter((one) => one === "moved").length
      }).pipe(Effect.orDie, Effect.withSpan("OldPlaces.move"))

      return OldPlaces.of({ move })
    })
  )
}

/** Moves files after files, and looks every so often whether there are any. */
export const oldPlacesLayer = ({ every }: { readonly every: Duration.Input }) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const { move } = yield* OldPlaces
    yield* batchWorker({
      tick: move,
      full: 1,
      idle: Effect.sleep(every),
      drain: "10 seconds",
      onFailure: "Files were not given their new places",
      onCutOff: "Files get their new places later"
    })
  })).pipe(Layer.provide(OldPlaces.layer))
