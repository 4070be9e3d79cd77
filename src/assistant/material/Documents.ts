import { Array as Arr, Cause, Context, DateTime, Duration, Effect, Layer, Option, Schema, Stream } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { LessonId } from "../../learning/content/Lesson.ts"
import { MediaId } from "../../learning/media/Media.ts"
import { integers, texts } from "../../platform/sql/Arrays.ts"
import { Storage, StorageKey } from "../../platform/storage/Storage.ts"
import { delayAfter } from "./delayAfter.ts"
import { MaterialChanges } from "./MaterialChanges.ts"
import { Pdf } from "./Pdf.ts"
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

const Instant = Schema.DateTimeUtcFromDate
const Unread = Schema.Struct({
  media_id: MediaId,
  storage_key: StorageKey,
  size_bytes: Schema.Int,
  /** From when on it may be begun; null: nobody has begun it. */
  free_at: Schema.NullOr(Instant)
})
type Unread = typeof Unread.Type
const decodeUnread = Schema.decodeUnknownEffect(Schema.Array(Unread))
const decodeBegun = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ outages: Schema.Int, started_at: Instant }))
)

/** A document that is the caller's to read. */
interface Begun {
  readonly club_id: ClubId
  readonly media_id: MediaId
  /** Names this beginning of several. */
  readonly started_at: DateTime.Utc
  readonly outages: number
}

/** What came of a look into a document: its pages, or why it has none, and what that has taken of the processor. */
interface Found {
  readonly pages: ReadonlyArray<string>
  readonly reason: UnreadableReason | null
  readonly spent_ms: number
}

const unreadable = (reason: UnreadableReason, spent_ms = 0): Found => ({ pages: [], reason, spent_ms })

/** What is left of the lesson's documents is being read by somebody else, or storage did not hand it over. */
export class DocumentsWait extends Schema.TaggedError<DocumentsWait>()("DocumentsWait", {
  /** When the first of them may be begun again. */
  until: Schema.DateTimeUtc
}) {}

/** The text of the documents that lessons show. */
export class Documents extends Context.Service<Documents, {
  /**
   * Reads one of the lesson's documents that nobody has read or is reading, into `media_texts`, and asks for the lessons
   * that show it to be read anew. Says how many it has looked into, so 0 where none is left; a broken one is noted with
   * its reason, and not tried again. One that storage does not hand over waits, longer each time, and this lesson is asked
   * for again, for the others. `BudgetSpent`: there is one, for the club's next day.
   */
  readNew(club_id: ClubId, lesson_id: LessonId): Effect.Effect<number, BudgetSpent | DocumentsWait>
}>()("turma/assistant/material/Documents") {
  static readonly layer = Layer.effect(
    Documents,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const storage = yield* Storage
      const pdf = yield* Pdf
      const budget = yield* ReadingBudget
      const changes = yield* MaterialChanges

      const unread = Effect.fnUntraced(function*(club_id: ClubId, lesson_id: LessonId) {
        const rows = yield* sql`
          select distinct m.id as media_id, m.storage_key, m.size_bytes::float8 as size_bytes,
            coalesce(
              r.waits_until, r.started_at + ${Duration.toSeconds(abandonedAfter)}::float8 * interval '1 second'
            ) as free_at
          from blocks b join media m on m.club_id = b.club_id and m.id = b.media_id
          left join media_readings r on r.club_id = m.club_id and r.media_id = m.id
          where b.club_id = ${club_id} and b.lesson_id = ${lesson_id} and b.deleted_at is null
            and m.kind = 'document' and m.mime = 'application/pdf' and m.provider = 'storage' and m.status = 'ready'
            and m.size_bytes is not null and m.removed_at is null
            and (r.media_id is null or (r.outcome = 'reading' and r.tries < ${mostTries}))
          order by m.id`
        return yield* decodeUnread(rows)
      })

      /** None if it is not this caller's to read. */
      const begin = Effect.fnUntraced(function*(club_id: ClubId, media_id: MediaId) {
        const now = yield* DateTime.now
        const at = DateTime.toDateUtc(now)
        const before = DateTime.toDateUtc(DateTime.subtractDuration(now, abandonedAfter))
        const rows = yield* sql`
          insert into media_readings as r (club_id, media_id, outcome, tries, started_at)
          select club_id, id, 'reading', 0, ${at}::timestamptz from media
          where club_id = ${club_id} and id = ${media_id} and removed_at is null
          on conflict (club_id, media_id) do update set started_at = excluded.started_at, waits_until = null
            where r.outcome = 'reading' and r.tries < ${mostTries}
              and (r.waits_until <= ${at} or (r.waits_until is null and r.started_at <= ${before}))
          returning outages, started_at`
        const [begun] = yield* decodeBegun(rows)
        return Option.map(Option.fromUndefinedOr(begun), (begun): Begun => ({ club_id, media_id, ...begun }))
      })

      const asBegun = ({ club_id, media_id, started_at }: Begun) =>
        sql`club_id = ${club_id} and media_id = ${media_id} and outcome = 'reading'
          and started_at = ${DateTime.toDateUtc(started_at)}`

      /**
       * Whether it is still the caller's. What breaks from here on is the document's fault, even if nobody is left to say
       * so: this comes before the first look into it, and not before its file is there.
       */
      const countTry = Effect.fnUntraced(function*(begun: Begun) {
        const counted = yield* sql`
          update media_readings set tries = tries + 1, outages = 0 where ${asBegun(begun)} returning 1`
        return counted.length > 0
      })

      const putOff = Effect.fnUntraced(function*(begun: Begun) {
        const outages = begun.outages + 1
        const waits_until = DateTime.addDuration(yield* DateTime.now, delayAfter(outages))
        yield* sql`
          update media_readings set outages = ${outages}, waits_until = ${DateTime.toDateUtc(waits_until)}
          where ${asBegun(begun)}`
        return outages
      })

      const fetch = Effect.fnUntraced(
        function*({ size_bytes, storage_key }: Unread) {
          if (size_bytes > largest) return unreadable("too_large")
          const parts = yield* Stream.runCollect(storage.read(storage_key, { bytes: largest }))
          return new Uint8Array(Buffer.concat(parts))
        },
        Effect.catchTag("FileMissing", () => Effect.succeed(unreadable("missing"))),
        Effect.timeoutOrElse({
          duration: fetchLimit,
          orElse: () => Effect.die(new Error("Storage took too long to hand over a document"))
        })
      )

      /** The file, or why it is not worth a look; none where storage has no answer, which is no fault of the document. */
      const fetched = (document: Unread, begun: Begun) =>
        Effect.catchCause(Effect.asSome(fetch(document)), (cause) =>
          Cause.hasInterruptsOnly(cause)
            ? Effect.interrupt
            : Effect.gen(function*() {
              const outages = yield* putOff(begun)
              yield* Effect.logWarning(
                "Storage did not hand over a document",
                { media_id: begun.media_id, outages },
                cause
              )
              return Option.none<Effect.Success<ReturnType<typeof fetch>>>()
            }))

      const lookInto = (file: Uint8Array<ArrayBuffer>) =>
        pdf.pages(file).pipe(
          Effect.map((read): Found => ({ ...read, reason: null })),
          Effect.catchTag("PdfUnreadable", ({ reason, spent_ms }) => Effect.succeed(unreadable(reason, spent_ms)))
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

      /** None where it was not handed over, or is somebody else's meanwhile. */
      const look = Effect.fnUntraced(function*(document: Unread, begun: Begun) {
        const file = yield* fetched(document, begun)
        if (Option.isNone(file) || !(yield* countTry(begun))) return Option.none<Found>()
        return Option.some(file.value instanceof Uint8Array ? yield* lookInto(file.value) : file.value)
      })

      /** Whether it was this caller's. */
      const readOne = Effect.fnUntraced(function*(club_id: ClubId, lesson_id: LessonId, document: Unread) {
        const taken = yield* budget.take(club_id)
        const begun = yield* begin(club_id, document.media_id)
        const found = Option.isSome(begun) ? yield* look(document, begun.value) : Option.none<Found>()
        yield* budget.settle(taken, Option.isSome(found) ? found.value.spent_ms : 0)
        if (Option.isSome(found)) yield* keep(club_id, document.media_id, found.value)
        else if (Option.isSome(begun)) yield* changes.lessons(club_id, [lesson_id])
        return Option.isSome(begun)
      })

      const readNew = Effect.fn("Documents.readNew")(function*(club_id: ClubId, lesson_id: LessonId) {
        const now = yield* DateTime.now
        const waits: Array<DateTime.Utc> = []
        for (const document of yield* unread(club_id, lesson_id)) {
          const { free_at } = document
          if (free_at !== null && DateTime.isGreaterThan(free_at, now)) waits.push(free_at)
          else if (yield* readOne(club_id, lesson_id, document)) return 1
        }
        if (Arr.isReadonlyArrayNonEmpty(waits)) {
          return yield* new DocumentsWait({ until: Arr.min(waits, DateTime.Order) })
        }
        return 0
      }, Effect.catchTags({ SchemaError: Effect.die, SqlError: Effect.die }))

      return Documents.of({ readNew })
    })
  )
}
