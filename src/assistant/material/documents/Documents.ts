import { Array as Arr, Cause, Context, DateTime, Duration, Effect, Layer, Option, Schema, Stream } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import type { LessonId } from "../../../learning/content/Lesson.ts"
import { MediaId } from "../../../learning/media/Media.ts"
import { integers, texts } from "../../../platform/sql/Arrays.ts"
import { Storage, StorageKey } from "../../../platform/storage/Storage.ts"
import { MaterialChanges } from "../changes/MaterialChanges.ts"
import { retryDelay } from "../changes/RetryDelay.ts"
import type { UnreadableReason } from "./DocumentReading.ts"
import { Pdf } from "./Pdf.ts"
import { ReadingBudget, type ReadingBudgetUsedUp } from "./ReadingBudget.ts"

/** In bytes; a larger file is not read. */
const largestFile = 50 * 1024 * 1024

/** How long storage has to hand over a file. */
const fetchLimit = Duration.seconds(20)

/** How long a worker has a document to itself: longer than reading may take. After that the worker counts as dead. */
export const abandonedAfter = Duration.seconds(90)

/** How many times reading a document is tried. */
export const mostTries = 3

const Instant = Schema.DateTimeUtcFromDate
const UnreadDocument = Schema.Struct({
  media_id: MediaId,
  storage_key: StorageKey,
  size_bytes: Schema.Int,
  /** From when on it may be claimed; null: nobody has claimed it before. */
  free_at: Schema.NullOr(Instant)
})
type UnreadDocument = typeof UnreadDocument.Type
const decodeUnread = Schema.decodeUnknownEffect(Schema.Array(UnreadDocument))
const decodeClaims = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ outages: Schema.Int, started_at: Instant }))
)

/** A document that this worker reads. */
interface DocumentClaim {
  readonly club_id: ClubId
  readonly media_id: MediaId
  /** Tells this claim from earlier ones. */
  readonly started_at: DateTime.Utc
  readonly outages: number
}

/** The pages of a document, or why it has none, and how much processor time that took. */
interface DocumentText {
  readonly pages: ReadonlyArray<string>
  readonly reason: UnreadableReason | null
  readonly spent_ms: number
}

const unreadable = (reason: UnreadableReason, spent_ms = 0): DocumentText => ({ pages: [], reason, spent_ms })

/** The lesson's other documents are being read by another worker, or storage did not hand them over. */
export class DocumentsPending extends Schema.TaggedError<DocumentsPending>()("DocumentsPending", {
  /** When the first of them may be claimed again. */
  until: Schema.DateTimeUtc
}) {}

/** The text of the documents that lessons show. */
export class Documents extends Context.Service<Documents, {
  /**
   * Reads one of the lesson's documents that nobody has read or is reading into `media_texts`, and queues the lessons that
   * show it. Returns how many it has tried, so 0 where none is left. A broken document is stored with its reason and not
   * tried again. One that storage does not hand over waits, longer each time, and this lesson is queued again for its other
   * documents. `ReadingBudgetUsedUp`: a document is left, which waits for the club's next day.
   */
  readNew(club_id: ClubId, lesson_id: LessonId): Effect.Effect<number, ReadingBudgetUsedUp | DocumentsPending>
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

      /** None if another worker has the document. */
      const claim = Effect.fnUntraced(function*(club_id: ClubId, media_id: MediaId) {
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
        const [claimed] = yield* decodeClaims(rows)
        return Option.map(
          Option.fromUndefinedOr(claimed),
          (claimed): DocumentClaim => ({ club_id, media_id, ...claimed })
        )
      })

      const isClaimed = ({ club_id, media_id, started_at }: DocumentClaim) =>
        sql`club_id = ${club_id} and media_id = ${media_id} and outcome = 'reading'
          and started_at = ${DateTime.toDateUtc(started_at)}`

      /**
       * Counts a try, and says whether the claim still holds. Comes after the file was fetched and before it is opened, so that a
       * crash while reading counts against the document and an outage of storage does not.
       */
      const countTry = Effect.fnUntraced(function*(claim: DocumentClaim) {
        const counted = yield* sql`
          update media_readings set tries = tries + 1, outages = 0 where ${isClaimed(claim)} returning 1`
        return counted.length > 0
      })

      const putOff = Effect.fnUntraced(function*(claim: DocumentClaim) {
        const outages = claim.outages + 1
        const waits_until = DateTime.addDuration(yield* DateTime.now, retryDelay(outages))
        yield* sql`
          update media_readings set outages = ${outages}, waits_until = ${DateTime.toDateUtc(waits_until)}
          where ${isClaimed(claim)}`
        return outages
      })

      const fetch = Effect.fnUntraced(
        function*({ size_bytes, storage_key }: UnreadDocument) {
          if (size_bytes > largestFile) return unreadable("too_large")
          const parts = yield* Stream.runCollect(storage.read(storage_key, { bytes: largestFile }))
          return new Uint8Array(Buffer.concat(parts))
        },
        Effect.catchTag("FileMissing", () => Effect.succeed(unreadable("missing"))),
        Effect.timeoutOrElse({
          duration: fetchLimit,
          orElse: () => Effect.die(new Error("Storage took too long to hand over a document"))
        })
      )

      /** The file, or why it cannot be read; none where storage does not answer, which is not the document's fault. */
      const fetchOrPutOff = (document: UnreadDocument, claim: DocumentClaim) =>
        Effect.catchCause(Effect.asSome(fetch(document)), (cause) =>
          Cause.hasInterruptsOnly(cause)
            ? Effect.interrupt
            : Effect.gen(function*() {
              const outages = yield* putOff(claim)
              yield* Effect.logWarning(
                "Storage did not hand over a document",
                { media_id: claim.media_id, outages },
                cause
              )
              return Option.none<Effect.Success<ReturnType<typeof fetch>>>()
            }))

      const readPdf = (file: Uint8Array<ArrayBuffer>) =>
        pdf.pages(file).pipe(
          Effect.map((read): DocumentText => ({ ...read, reason: null })),
          Effect.catchTag("PdfUnreadable", ({ reason, spent_ms }) => Effect.succeed(unreadable(reason, spent_ms)))
        )

      // A record that was deleted meanwhile has no reading to update, and the search skips one that was removed.
      const save = Effect.fnUntraced(function*(club_id: ClubId, id: MediaId, { pages, reason }: DocumentText) {
        const withText = pages.map((body, index) => ({ page: index + 1, body })).filter(({ body }) =>
          body.trim() !== ""
        )
        // Locks the record before its reading, in the order in which a deletion locks them.
        yield* sql`select 1 from media where club_id = ${club_id} and id = ${id} for key share`
        const updated = yield* sql`
          update media_readings set outcome = ${reason === null ? "read" : "unreadable"}, reason = ${reason}
          where club_id = ${club_id} and media_id = ${id} and outcome = 'reading' returning 1`
        if (updated.length === 0) return
        yield* sql`
          insert into media_texts (club_id, media_id, page, body)
          select ${club_id}::uuid, ${id}::uuid, page, body
          from unnest(${integers(withText.map(({ page }) => page))}, ${texts(withText.map(({ body }) => body))})
            as page_texts (page, body)
          on conflict do nothing`
        yield* changes.media(club_id, id)
      }, sql.withTransaction)

      /** None where storage did not hand the file over, or another worker has the document meanwhile. */
      const read = Effect.fnUntraced(function*(document: UnreadDocument, claim: DocumentClaim) {
        const file = yield* fetchOrPutOff(document, claim)
        if (Option.isNone(file) || !(yield* countTry(claim))) return Option.none<DocumentText>()
        return Option.some(file.value instanceof Uint8Array ? yield* readPdf(file.value) : file.value)
      })

      /** Whether this worker could claim the document. */
      const readOne = Effect.fnUntraced(function*(club_id: ClubId, lesson_id: LessonId, document: UnreadDocument) {
        const reserved = yield* budget.take(club_id)
        const claimed = yield* claim(club_id, document.media_id)
        const text = Option.isSome(claimed) ? yield* read(document, claimed.value) : Option.none<DocumentText>()
        yield* budget.settle(reserved, Option.isSome(text) ? text.value.spent_ms : 0)
        if (Option.isSome(text)) yield* save(club_id, document.media_id, text.value)
        else if (Option.isSome(claimed)) yield* changes.lessons(club_id, [lesson_id])
        return Option.isSome(claimed)
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
          return yield* new DocumentsPending({ until: Arr.min(waits, DateTime.Order) })
        }
        return 0
      }, Effect.catchTags({ SchemaError: Effect.die, SqlError: Effect.die }))

      return Documents.of({ readNew })
    })
  )
}
