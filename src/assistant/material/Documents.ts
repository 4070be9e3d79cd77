import { Context, DateTime, Duration, Effect, Layer, Schema, Stream } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../clubs/Club.ts"
import type { LessonId } from "../../content/Lesson.ts"
import { MediaId } from "../../content/media/Media.ts"
import { integers, texts } from "../../sql/Arrays.ts"
import { Storage, StorageKey } from "../../storage/Storage.ts"
import { MaterialChanges } from "./MaterialChanges.ts"
import { Pdf } from "./Pdf.ts"

/** In bytes; a larger file is not read. */
const largest = 50 * 1024 * 1024

/** Who began to read a document and is not done after this long never will be. */
const abandonedAfter = Duration.minutes(5)

/** A document that nobody could finish so many times is left alone. */
const mostTries = 3

const Unread = Schema.Struct({ media_id: MediaId, storage_key: StorageKey, size_bytes: Schema.Int })
const decodeUnread = Schema.decodeUnknownEffect(Schema.Array(Unread))

/** The text of the documents that lessons show. */
export class Documents extends Context.Service<Documents, {
  /**
   * Reads those of the lesson's documents that nobody has read or is reading, into `media_texts`, and asks for the
   * lessons that show them to be read anew. Says how many it has looked into; a broken one is noted, and not tried again.
   */
  readNew(club_id: ClubId, lesson_id: LessonId): Effect.Effect<number>
}>()("turma/assistant/material/Documents") {
  static readonly layer = Layer.effect(
    Documents,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const storage = yield* Storage
      const pdf = yield* Pdf
      const changes = yield* MaterialChanges
      const abandoned = Effect.map(DateTime.now, (now) => ({
        now: DateTime.toDateUtc(now),
        before: DateTime.toDateUtc(DateTime.subtractDuration(now, abandonedAfter))
      }))

      const unread = Effect.fnUntraced(function*(club_id: ClubId, lesson_id: LessonId) {
        const { before } = yield* abandoned
        const rows = yield* sql`
          select distinct m.id as media_id, m.storage_key, m.size_bytes::float8 as size_bytes
          from blocks b join media m on m.club_id = b.club_id and m.id = b.media_id
          where b.club_id = ${club_id} and b.lesson_id = ${lesson_id} and b.deleted_at is null
            and m.kind = 'document' and m.mime = 'application/pdf' and m.provider = 'storage' and m.status = 'ready'
            and m.size_bytes is not null and m.removed_at is null
            and not exists (
              select from media_readings r where r.club_id = m.club_id and r.media_id = m.id
                and (r.outcome <> 'reading' or r.started_at > ${before} or r.tries >= ${mostTries})
            )
          order by m.id`
        return yield* decodeUnread(rows)
      })

      /** Whether it is this caller's to read. */
      const begin = Effect.fnUntraced(function*(club_id: ClubId, media_id: MediaId) {
        const { before, now } = yield* abandoned
        const begun = yield* sql`
          insert into media_readings as r (club_id, media_id, outcome, started_at)
          select club_id, id, 'reading', ${now}::timestamptz from media
          where club_id = ${club_id} and id = ${media_id} and removed_at is null
          on conflict (club_id, media_id) do update set tries = r.tries + 1, started_at = excluded.started_at
            where r.outcome = 'reading' and r.started_at <= ${before} and r.tries < ${mostTries}
          returning 1`
        return begun.length > 0
      })

      const textsOf = Effect.fnUntraced(
        function*({ size_bytes, storage_key }: typeof Unread.Type) {
          if (size_bytes > largest) return null
          const parts = yield* Stream.runCollect(storage.read(storage_key, { bytes: largest }))
          return yield* pdf.pages(new Uint8Array(Buffer.concat(parts)))
        },
        Effect.catchTag(["FileMissing", "PdfUnreadable"], () => Effect.succeed(null))
      )

      // Nothing is kept of a record that went meanwhile: its row is gone, or the next look finds it removed.
      const keep = Effect.fnUntraced(function*(club_id: ClubId, id: MediaId, pages: ReadonlyArray<string> | null) {
        const kept = (pages ?? []).map((body, index) => ({ page: index + 1, body })).filter(({ body }) =>
          body.trim() !== ""
        )
        // The record first, as whoever deletes it, and with it its reading.
        yield* sql`select 1 from media where club_id = ${club_id} and id = ${id} for key share`
        const held = yield* sql`
          update media_readings set outcome = ${pages === null ? "unreadable" : "read"}
          where club_id = ${club_id} and media_id = ${id} and outcome = 'reading' returning 1`
        if (held.length === 0) return
        yield* sql`
          insert into media_texts (club_id, media_id, page, body)
          select ${club_id}::uuid, ${id}::uuid, page, body
          from unnest(${integers(kept.map(({ page }) => page))}, ${texts(kept.map(({ body }) => body))})
            as kept (page, body)
          on conflict do nothing`
        yield* changes.media(club_id, id)
      }, sql.withTransaction)

      const readNew = Effect.fn("Documents.readNew")(function*(club_id: ClubId, lesson_id: LessonId) {
        const read = yield* Effect.forEach(yield* unread(club_id, lesson_id), (document) =>
          Effect.gen(function*() {
            if (!(yield* begin(club_id, document.media_id))) return 0
            yield* keep(club_id, document.media_id, yield* textsOf(document))
            return 1
          }))
        return read.reduce((sum: number, one) => sum + one, 0)
      }, Effect.orDie)

      return Documents.of({ readNew })
    })
  )
}
