import { Context, DateTime, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { ClubId } from "../../clubs/Club.ts"
import { Storage, StorageKey } from "../../storage/Storage.ts"
import { batchWorker } from "../../workers/BatchWorker.ts"
import { MediaId } from "./Media.ts"
import { oldPlace, openUntil } from "./RemovedFiles.ts"

/** Who moves a file and is not done after this long is given up: longer than any copy takes. */
const lease = Duration.hours(1)

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
  /** Moves one file and says 1, or 0 where there is none to move. What cannot be moved is tried again an hour later. */
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
          insert into removed_files as r (club_id, storage_key, media_id, removed_at)
          select m.club_id, p.place, m.id, ${yield* inTime(lease)}::timestamptz
          from media m
            cross join lateral (select substr(encode(sha256(uuid_send(m.id)), 'hex'), 1, 32) as name) n
            cross join lateral (select left(n.name, 2) || '/' || n.name as place) p
          where m.storage_key = ${oldPlace(sql)} and m.status = 'ready' and m.removed_at is null
            and not exists (
              select from removed_files c
              where c.club_id = m.club_id and c.storage_key = p.place and c.removed_at > ${at}::timestamptz
            )
          order by m.created_at, m.id limit 1
          on conflict (club_id, storage_key) do update set removed_at = excluded.removed_at
            where r.media_id is not null and r.removed_at <= ${at}::timestamptz
          returning r.club_id, r.media_id, r.storage_key as place`
        return yield* decodeMoving(rows)
      })

      /** Queues new places whose records are gone, so that nobody will name them. */
      const leave = (which: Fragment) =>
        Effect.flatMap(now, (at) =>
          sql`
            update removed_files r set media_id = null, removed_at = ${at}::timestamptz
            where r.media_id is not null and ${which} and not exists (
              select from media m where m.club_id = r.club_id and m.id = r.media_id and m.removed_at is null
            )`)

      const name = Effect.fnUntraced(function*({ club_id, media_id, place }: typeof Moving.Type, old: StorageKey) {
        return yield* sql`
          with moved as (
            update media m set storage_key = ${place}
            where m.club_id = ${club_id} and m.id = ${media_id} and m.storage_key = ${old} and m.removed_at is null
            returning m.*
          ), done as (
            delete from removed_files r using moved m where r.club_id = m.club_id and r.storage_key = ${place}
          )
          insert into removed_files (club_id, storage_key, open_until, removed_at)
          select m.club_id, ${old}::text, ${openUntil(sql)}, ${yield* inTime(oldRetention)}::timestamptz
          from moved m returning 1`
      })

      const moveOne = Effect.fnUntraced(function*(file: typeof Moving.Type) {
        const old = StorageKey.make(`${file.club_id}/${file.media_id}`)
        if (!(yield* storage.copy(old, file.place))) {
          return yield* Effect.logWarning("The file of a media record is missing, so it gets no new place", {
            media_id: file.media_id
          })
        }
        const named = yield* name(file, old)
        if (named.length === 0) yield* leave(sql`r.club_id = ${file.club_id} and r.storage_key = ${file.place}`)
      })

      const move = Effect.gen(function*() {
        yield* leave(sql`r.removed_at <= ${yield* now}::timestamptz`)
        const taken = yield* take
        yield* Effect.forEach(taken, moveOne, { discard: true })
        return taken.length
      }).pipe(Effect.orDie, Effect.withSpan("OldPlaces.move"))

      return OldPlaces.of({ move })
    })
  )
}

/** Moves file after file, and looks every so often whether there is one. */
export const oldPlacesLayer = ({ every }: { readonly every: Duration.Input }) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const { move } = yield* OldPlaces
    yield* batchWorker({
      tick: move,
      full: 1,
      idle: Effect.sleep(every),
      drain: "10 seconds",
      onFailure: "A file was not given its new place",
      onCutOff: "A file gets its new place later"
    })
  })).pipe(Layer.provide(OldPlaces.layer))
