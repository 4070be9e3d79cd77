import { Array as Arr, Cause, Context, DateTime, Duration, Effect, Layer, Option, Schema, Stream } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import type { LessonId } from "../../../learning/content/Lesson.ts"
import type { MediaId } from "../../../learning/media/Media.ts"
import { faultsDie } from "../../../platform/sql/Rows.ts"
import { Storage } from "../../../platform/storage/Storage.ts"
import { MaterialChanges } from "../changes/MaterialChanges.ts"
import type { UnreadableReason } from "./DocumentReading.ts"
import { type DocumentClaim, DocumentsRepo, type DocumentText, type UnreadDocument } from "./DocumentsRepo.ts"
import { Pdf } from "./Pdf.ts"
import { ReadingBudget, type ReadingBudgetUsedUp } from "./ReadingBudget.ts"

/** In bytes; a larger file is not read. */
const largestFile = 50 * 1024 * 1024

/** How long storage has to hand over a file. */
const fetchLimit = Duration.seconds(20)

const unreadable = (reason: UnreadableReason, spent_ms = 0): DocumentText => ({
  pages: [],
  reason,
  without_text: null,
  spent_ms
})

/** Another worker reads the lesson's other documents, or storage did not hand them over. */
export class DocumentsPending extends Schema.TaggedError<DocumentsPending>()("DocumentsPending", {
  /** When the first of them may be claimed again. */
  until: Schema.DateTimeUtc
}) {}

/** The text of the documents that lessons show. */
export class Documents extends Context.Service<Documents, {
  /**
   * Reads one of the lesson's unread documents into `media_texts`, unless another worker reads it. Queues the lessons
   * that show it. Returns the number of documents that it has tried, so 0 after the last one. A broken document is
   * stored with its reason and not tried again. If storage does not hand over a document, it waits, longer each time,
   * and this lesson is queued again for its other documents. `ReadingBudgetUsedUp`: an unread document waits for the
   * club's next day.
   */
  readNew(club_id: ClubId, lesson_id: LessonId): Effect.Effect<number, ReadingBudgetUsedUp | DocumentsPending>
}>()("turma/assistant/material/documents/Documents") {
  /** Leaves `MaterialChanges`, `Pdf`, `ReadingBudget` and `Storage` to the caller. */
  static readonly layer = Layer.effect(
    Documents,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const storage = yield* Storage
      const pdf = yield* Pdf
      const budget = yield* ReadingBudget
      const repo = yield* DocumentsRepo
      const changes = yield* MaterialChanges

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

      /**
       * The file, or the reason why it cannot be read. Empty if storage does not answer, which is not the document's
       * fault.
       */
      const fetchOrPostpone = (document: UnreadDocument, claim: DocumentClaim) =>
        Effect.catchCause(Effect.asSome(fetch(document)), (cause) =>
          Cause.hasInterruptsOnly(cause)
            ? Effect.interrupt
            : Effect.gen(function*() {
              const outages = yield* repo.postpone(claim)
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

      const save = Effect.fnUntraced(function*(club_id: ClubId, id: MediaId, text: DocumentText) {
        if (yield* repo.save(club_id, id, text)) yield* changes.media(club_id, id)
      }, sql.withTransaction)

      /** Empty if storage did not hand the file over, or another worker has the document meanwhile. */
      const read = Effect.fnUntraced(function*(document: UnreadDocument, claim: DocumentClaim) {
        const file = yield* fetchOrPostpone(document, claim)
        if (Option.isNone(file) || !(yield* repo.countTry(claim))) return Option.none<DocumentText>()
        return Option.some(file.value instanceof Uint8Array ? yield* readPdf(file.value) : file.value)
      })

      /** True if this worker could claim the document. */
      const readOne = Effect.fnUntraced(function*(club_id: ClubId, lesson_id: LessonId, document: UnreadDocument) {
        const reserved = yield* budget.take(club_id)
        const claimed = yield* repo.claim(club_id, document.media_id)
        const text = Option.isSome(claimed) ? yield* read(document, claimed.value) : Option.none<DocumentText>()
        yield* budget.settle(reserved, Option.isSome(text) ? text.value.spent_ms : 0)
        if (Option.isSome(text)) yield* save(club_id, document.media_id, text.value)
        else if (Option.isSome(claimed)) yield* changes.lessons(club_id, [lesson_id])
        return Option.isSome(claimed)
      })

      const readNew = Effect.fn("Documents.readNew")(function*(club_id: ClubId, lesson_id: LessonId) {
        const now = yield* DateTime.now
        const waits: Array<DateTime.Utc> = []
        for (const document of yield* repo.unread(club_id, lesson_id)) {
          const { free_at } = document
          if (free_at !== null && DateTime.isGreaterThan(free_at, now)) waits.push(free_at)
          else if (yield* readOne(club_id, lesson_id, document)) return 1
        }
        if (Arr.isReadonlyArrayNonEmpty(waits)) {
          return yield* new DocumentsPending({ until: Arr.min(waits, DateTime.Order) })
        }
        return 0
      }, faultsDie)

      return Documents.of({ readNew })
    })
  ).pipe(Layer.provide(DocumentsRepo.layer))
}
