import { Context, Duration, Effect, Layer, Schema } from "effect"
import { Worker } from "node:worker_threads"
import { WithoutText } from "./DocumentReading.ts"

/**
 * The reason why a file cannot be read. `broken`: it is not a PDF, or it is encrypted. The others: it takes too much
 * memory or time.
 */
export const PdfFault = Schema.Literals(["broken", "memory", "time"])
export type PdfFault = typeof PdfFault.Type

/** In milliseconds of processor time. */
const Spent = Schema.Int

/** The file cannot be read. `spent_ms` is the processor time of the attempt. */
export class PdfUnreadable extends Schema.TaggedError<PdfUnreadable>()("PdfUnreadable", {
  reason: PdfFault,
  spent_ms: Spent
}) {}

const PdfText = Schema.Struct({
  pages: Schema.Array(Schema.String),
  without_text: Schema.NullOr(WithoutText),
  spent_ms: Spent
})
type PdfText = typeof PdfText.Type
const decodePages = Schema.decodeUnknownEffect(PdfText)

/** Processor time for one file: far more than a book takes. */
export const processorLimit = Duration.seconds(5)

/** By the clock: longer, because a thread on a busy machine gets its processor time late. */
const timeLimit = Duration.minutes(1)

/** In MiB, for the heap and again for the memory outside of it. */
const memoryLimit = 256

/** How often a thread's use of memory and processor is checked. */
const checkEvery = Duration.millis(50)

// The bytes are transferred to the thread and cannot be used here afterwards. The thread ends with the scope.
const threadFor = (bytes: Uint8Array<ArrayBuffer>) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      new Worker(new URL("./PdfThread.ts", import.meta.url), {
        workerData: bytes,
        transferList: [bytes.buffer],
        resourceLimits: { maxOldGenerationSizeMb: memoryLimit },
        // Keeps the PDF library's messages about broken files out of the log.
        stdout: true,
        stderr: true
      })
    ),
    (thread) => Effect.promise(() => thread.terminate())
  )

const isOutOfMemory = (error: Error) => "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"

const messageOf = (thread: Worker) =>
  Effect.callback<unknown, PdfFault>((resume) => {
    thread.once("message", (message: unknown) => resume(Effect.succeed(message)))
    thread.once("error", (error) => resume(Effect.fail(isOutOfMemory(error) ? "memory" : "broken")))
    thread.once("exit", () => resume(Effect.fail("broken")))
  })

/**
 * The processor time of a thread up to now, in ms, and its memory outside of the heap, in bytes. Zero before its start
 * and after its end.
 */
const usageOf = (thread: Worker) =>
  Effect.all({
    external: Effect.map(Effect.tryPromise(() => thread.getHeapStatistics()), ({ external_memory }) => external_memory),
    spent_ms: Effect.map(
      Effect.tryPromise(() => thread.cpuUsage()),
      ({ system, user }) => Math.round((system + user) / 1000)
    )
  }, { concurrency: 2 }).pipe(Effect.orElseSucceed(() => ({ external: 0, spent_ms: 0 })))

/** Fails when the thread uses too much. Unpacked data lies outside of the heap, for which workers have no limit. */
const limitExceeded = Effect.fnUntraced(function*(thread: Worker, usage: { spent_ms: number }) {
  for (;;) {
    const { external, spent_ms } = yield* usageOf(thread)
    usage.spent_ms = Math.max(usage.spent_ms, spent_ms)
    if (external > memoryLimit * 1024 * 1024) return yield* Effect.fail<PdfFault>("memory")
    if (spent_ms > Duration.toMillis(processorLimit)) return yield* Effect.fail<PdfFault>("time")
    yield* Effect.sleep(checkEvery)
  }
})

const inThread = Effect.fnUntraced(function*(bytes: Uint8Array<ArrayBuffer>) {
  const usage = { spent_ms: 0 }
  const thread = yield* threadFor(bytes)
  return yield* Effect.raceFirst(messageOf(thread), limitExceeded(thread, usage)).pipe(
    Effect.timeoutOrElse({ duration: timeLimit, orElse: () => Effect.fail<PdfFault>("time") }),
    Effect.mapError((reason) => new PdfUnreadable({ reason, spent_ms: usage.spent_ms }))
  )
}, Effect.scoped)

/** Reads the text of PDF files. */
export class Pdf extends Context.Service<Pdf, {
  /**
   * The text of each page, first to last, empty for a page without text. It reads the first 1000 pages, up to the
   * length of a large book. If no page has text, `without_text` gives the reason. Transfers the bytes, which cannot be
   * used afterwards.
   *
   * Reads in a thread of its own. The limits are 5 seconds of the processor, a minute by the clock, 256 MiB for the
   * heap, and 256 MiB outside of it.
   */
  pages(bytes: Uint8Array<ArrayBuffer>): Effect.Effect<PdfText, PdfUnreadable>
}>()("turma/assistant/material/documents/Pdf") {
  static readonly layer = Layer.succeed(
    Pdf,
    Pdf.of({
      pages: Effect.fn("Pdf.pages")((bytes: Uint8Array<ArrayBuffer>) =>
        Effect.flatMap(inThread(bytes), (message) => Effect.orDie(decodePages(message)))
      )
    })
  )
}
