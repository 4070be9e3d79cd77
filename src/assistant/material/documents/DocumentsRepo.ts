import { Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import type { LessonId } from "../../../learning/content/Lesson.ts"
import { MediaId } from "../../../learning/media/Media.ts"
import { Instant, InstantOrNull } from "../../../platform/schema/Instant.ts"
import { integers, texts } from "../../../platform/sql/Arrays.ts"
import { first, rows } from "../../../platform/sql/Rows.ts"
import { StorageKey } from "../../../platform/storage/Storage.ts"
import { retryDelay } from "../changes/RetryDelay.ts"
import type { UnreadableReason, WithoutText } from "./DocumentReading.ts"

/** How long a worker has a document to itself: longer than reading may take. After that the worker counts as dead. */
export const abandonedAfter = Duration.seconds(90)

/** The most tries at reading a document. */
export const mostTries = 3

/** A document of a lesson that has not been read. */
export const UnreadDocument = Schema.Struct({
  media_id: MediaId,
  storage_key: StorageKey,
  size_bytes: Schema.Int,
  /** From when on it may be claimed; null: nobody has claimed it before. */
  free_at: InstantOrNull
})
export type UnreadDocument = typeof UnreadDocument.Type

const decodeUnread = rows(UnreadDocument)
const decodeClaim = first(Schema.Struct({ outages: Schema.Int, started_at: Instant }))

/** A document that this worker reads. */
export interface DocumentClaim {
  readonly club_id: ClubId
  readonly media_id: MediaId
  /** Distinguishes this claim from earlier ones. */
  readonly started_at: DateTime.Utc
  readonly outages: number
}

/** The pages of a document, or the reason why they are missing, and the processor time of the reading. */
export interface DocumentText {
  readonly pages: ReadonlyArray<string>
  readonly reason: UnreadableReason | null
  readonly without_text: WithoutText | null
  readonly spent_ms: number
}

/** The tables `media_readings` and `media_texts`: the readings of documents, their workers, and the text. */
export class DocumentsRepo extends Context.Service<DocumentsRepo, {
  /** The lesson's PDF files that have not been read, also those that another worker has or that wait. */
  unread(club_id: ClubId, lesson_id: LessonId): Effect.Effect<ReadonlyArray<UnreadDocument>>
  /** Empty if another worker has the document. */
  claim(club_id: ClubId, media_id: MediaId): Effect.Effect<Option.Option<DocumentClaim>>
  /**
   * Counts a try, and returns true if the claim still holds. Call it after fetching the file and before opening it. So
   * a crash while reading counts against the document, and an outage of storage does not.
   */
  countTry(claim: DocumentClaim): Effect.Effect<boolean>
  /** Makes the document wait, longer each time; returns the number of waits in a row. */
  postpone(claim: DocumentClaim): Effect.Effect<number>
  /**
   * Stores the text, in the caller's transaction. False if the record was deleted since and has no reading any longer.
   * A record that was only removed keeps its text, which the search skips.
   */
  save(club_id: ClubId, id: MediaId, text: DocumentText): Effect.Effect<boolean>
}>()("turma/assistant/material/documents/DocumentsRepo") {
  static readonly layer = Layer.effect(
    DocumentsRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const unread = Effect.fnUntraced(function*(club_id: ClubId, lesson_id: LessonId) {
        return yield* sql`
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
          order by m.id`.pipe(decodeUnread)
      })

      const claim = Effect.fnUntraced(function*(club_id: ClubId, media_id: MediaId) {
        const now = yield* DateTime.now
        const at = DateTime.toDateUtc(now)
        const before = DateTime.toDateUtc(DateTime.subtractDuration(now, abandonedAfter))
        const claimed = yield* sql`
          insert into media_readings as r (club_id, media_id, outcome, tries, started_at)
          select club_id, id, 'reading', 0, ${at}::timestamptz from media
          where club_id = ${club_id} and id = ${media_id} and removed_at is null
          on conflict (club_id, media_id) do update set started_at = excluded.started_at, waits_until = null
            where r.outcome = 'reading' and r.tries < ${mostTries}
              and (r.waits_until <= ${at} or (r.waits_until is null and r.started_at <= ${before}))
          returning outages, started_at`.pipe(decodeClaim)
        return Option.map(claimed, (claimed): DocumentClaim => ({ club_id, media_id, ...claimed }))
      })

      const isClaimed = ({ club_id, media_id, started_at }: DocumentClaim) =>
        sql`club_id = ${club_id} and media_id = ${media_id} and outcome = 'reading'
          and started_at = ${DateTime.toDateUtc(started_at)}`

      const countTry = Effect.fnUntraced(function*(claim: DocumentClaim) {
        const counted = yield* sql`
          update media_readings set tries = tries + 1, outages = 0 where ${isClaimed(claim)} returning 1`
        return counted.length > 0
      }, Effect.orDie)

      const postpone = Effect.fnUntraced(function*(claim: DocumentClaim) {
        const outages = claim.outages + 1
        const waits_until = DateTime.addDuration(yield* DateTime.now, retryDelay(outages))
        yield* sql`
          update media_readings set outages = ${outages}, waits_until = ${DateTime.toDateUtc(waits_until)}
          where ${isClaimed(claim)}`
        return outages
      }, Effect.orDie)

      const save = Effect.fnUntraced(
        function*(club_id: ClubId, id: MediaId, { pages, reason, without_text }: DocumentText) {
          const withText = pages.map((body, index) => ({ page: index + 1, body })).filter(({ body }) =>
            body.trim() !== ""
          )
          // Locks the record before its reading, in the order in which a deletion locks them.
          yield* sql`select 1 from media where club_id = ${club_id} and id = ${id} for key share`
          const updated = yield* sql`
          update media_readings set outcome = ${reason === null ? "read" : "unreadable"}, reason = ${reason},
            without_text = ${without_text}
          where club_id = ${club_id} and media_id = ${id} and outcome = 'reading' returning 1`
          if (updated.length === 0) return false
          yield* sql`
          insert into media_texts (club_id, media_id, page, body)
          select ${club_id}::uuid, ${id}::uuid, page, body
          from unnest(${integers(withText.map(({ page }) => page))}, ${texts(withText.map(({ body }) => body))})
            as page_texts (page, body)
          on conflict do nothing`
          return true
        },
        Effect.orDie
      )

      return DocumentsRepo.of({ unread, claim, countTry, postpone, save })
    })
  )
}
