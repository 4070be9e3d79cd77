import { Context, DateTime, Duration, Effect, Layer, Schema, Stream } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../clubs/Club.ts"
import type { LessonId } from "../../content/Lesson.ts"
import { MediaId } from "../../content/media/Media.ts"
import { integers, texts } from "../../sql/Arrays.ts"
import { type FileMissing, Storage, StorageKey } from "../../storage/Storage.ts"
import { MaterialChanges } from "./MaterialChanges.ts"
import { Pdf, type PdfUnreadable } from "./Pdf.ts"
import type { UnreadableReason } from "./Reading.ts"
import { type BudgetSpent, ReadingBudget } from "./ReadingBudget.ts"

/** In bytes; a larger file is not read. */
const largest = 50 * 1024 * 1024

/** How long storage has to hand over a file. */
const fetchLimit = Duration.seconds(20)

/** Who began to read a document and is not done after this long, longer than it may take, never will be. */
export const abandonedAfter = Duration.seconds(90)

/** A document that nobody could finish so many times is left alone. */
export const mostTries = 3

const Unread = Schema.Struct({ media_id: MediaId, storage_key: StorageKey, size_bytes: Schema.Int })
const decodeUnread = Schema.decodeUnknownEffect(Schema.Array(Unread))

/** What came of a look into a document: its pages, or why it has none, and what that has taken of the processor. */
interface Found {
  readonly pages: ReadonlyArray<string>
  readonly reason: UnreadableReason | null
  readonly spent_ms: number
}

const unreadable = (reason: UnreadableReason, spent_ms = 0): Found => ({ pages: [], reason, spent_ms })

/** The text of the documents that lessons show. */
export class Documents extends Context.Service<Documents, {
  /**
   * Reads one of the lesson's documents that nobody has read or is reading, into `media_texts`, and asks for the lessons
   * that show it to be read anew. Says how many it has looked into, so 0 where none is left; a broken one is noted with
   * its reason, and not tried again. `BudgetSpent`: there is one, for the club's next day.
   */
  readNew(club_id: ClubId, lesson_id: LessonId): Effect.Effect<number, BudgetSpent>
}>()("turma/assistant/material/Documents") {
  static readonly layer = Layer.effect(
    Documents,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const storage = yield* Storage
      const pdf = yield* Pdf
      const budget = yield* ReadingBudget
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

      const lookInto = Effect.fnUntraced(
        function*(
          { size_bytes, storage_key }: typeof Unread.Type
        ): Effect.fn.Return<Found, FileMissing | PdfUnreadable> {
          if (size_bytes > largest) return unreadable("too_large")
          const parts = yield* Stream.runCollect(storage.read(storage_key, { bytes: largest })).pipe(
            Effect.timeout(fetchLimit),
            Effect.catchTag("TimeoutError", Effect.die)
          )
          const { pages, spent_ms } = yield* pdf.pages(new Uint8Array(Buffer.concat(parts)))
          return { pages, reason: null, spent_ms }
        },
        Effect.catchTags({
          FileMissing: () => Effect.succeed(unreadable("missing")),
          PdfUnreadable: ({ reason, spent_ms }) => Effect.succeed(unreadable(reason, spent_ms))
        })
      )

      // Nothing is kept of a record that went meanwhile: its row is gone, or the next look finds it removed.
      const keep = Effect.fnUntraced(function*(club_id: ClubId, id: MediaId, { pages, reason }: Found) {
        const kept = pages.map((body, index) => ({ page: index + 1, body })).filter(({ body }) => body.trim() !== "")
        // The record first, as whoever deletes it, and with it its reading.
        yield* sql`select 1 from media where club_id = ${club_id} and id = ${id} for key share`
        const held = yield* sql`
          update media_readings set outcome = ${reason === null ? "read" : "unreadable"}, reason = ${reason}
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

      const readOne = Effect.fnUntraced(function*(club_id: ClubId, document: typeof Unread.Type) {
        const taken = yield* budget.take(club_id)
        const isOurs = yield* begin(club_id, document.media_id)
        const found = isOurs ? yield* lookInto(document) : undefined
        yield* budget.settle(taken, found?.spent_ms ?? 0)
        if (found !== undefined) yield* keep(club_id, document.media_id, found)
        return isOurs
      })

      const readNew = Effect.fn("Documents.readNew")(function*(club_id: ClubId, lesson_id: LessonId) {
        for (const document of yield* unread(club_id, lesson_id)) {
          if (yield* readOne(club_id, document)) return 1
        }
        return 0
      }, Effect.catchTags({ SchemaError: Effect.die, SqlError: Effect.die }))

      return Documents.of({ readNew })
    })
  )
}
