import { Context, Duration, Effect, Layer, Schema } from "effect"
import { Worker } from "node:worker_threads"

/** Why a document cannot be read: it is no PDF, or encrypted, or takes too much memory or time. */
export const PdfFault = Schema.Literals(["broken", "memory", "time"])
export type PdfFault = typeof PdfFault.Type

/** Milliseconds of processor time. */
const Spent = Schema.Int

/** The document cannot be read, and what it has cost to find out. */
export class PdfUnreadable extends Schema.TaggedError<PdfUnreadable>()("PdfUnreadable", {
  reason: PdfFault,
  spent_ms: Spent
}) {}

const Read = Schema.Struct({ pages: Schema.Array(Schema.String), spent_ms: Spent })
type Read = typeof Read.Type
const decodeRead = Schema.decodeUnknownEffect(Read)

/** Of the processor's time, for one document: far more than a book takes. */
export const processorLimit = Duration.seconds(5)

/** By the clock: a busy machine gives a thread its time late. */
const timeLimit = Duration.minutes(1)

/** In MiB: of the heap, and of what lies beside it. */
const memoryLimit = 256

/** Between two looks at a thread. */
const lookEvery = Duration.millis(50)

// The bytes go over to the thread; they are of no use here afterwards. Whatever happens in it, it ends with its scope.
const threadFor = (bytes: Uint8Array<ArrayBuffer>) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      new Worker(new URL("./PdfThread.ts", import.meta.url), {
        workerData: bytes,
        transferList: [bytes.buffer],
        resourceLimits: { maxOldGenerationSizeMb: memoryLimit },
        // What a reader has to say of a broken file is of no use in the log.
        stdout: true,
        stderr: true
      })
    ),
    (thread) => Effect.promise(() => thread.terminate())
  )

const isOutOfMemory = (error: Error) => "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"

const answerOf = (thread: Worker) =>
  Effect.callback<unknown, PdfFault>((resume) => {
    thread.once("message", (read: unknown) => resume(Effect.succeed(read)))
    thread.once("error", (error) => resume(Effect.fail(isOutOfMemory(error) ? "memory" : "broken")))
    thread.once("exit", () => resume(Effect.fail("broken")))
  })

/** What a thread has taken up to now. One that has not begun or has ended takes nothing. */
const takenBy = (thread: Worker) =>
  Effect.all({
    external: Effect.map(Effect.tryPromise(() => thread.getHeapStatistics()), ({ external_memory }) => external_memory),
    spent_ms: Effect.map(
      Effect.tryPromise(() => thread.cpuUsage()),
      ({ system, user }) => Math.round((system + user) / 1000)
    )
  }, { concurrency: 2 }).pipe(Effect.orElseSucceed(() => ({ external: 0, spent_ms: 0 })))

/** Ends when the thread takes too much. What a few bytes unpack to lies beside the heap, which has no limit of its own. */
const outgrown = Effect.fnUntraced(function*(thread: Worker, told: { spent_ms: number }) {
  for (;;) {
    const { external, spent_ms } = yield* takenBy(thread)
    told.spent_ms = Math.max(told.spent_ms, spent_ms)
    if (external > memoryLimit * 1024 * 1024) return yield* Effect.fail<PdfFault>("memory")
    if (spent_ms > Duration.toMillis(processorLimit)) return yield* Effect.fail<PdfFault>("time")
    yield* Effect.sleep(lookEvery)
  }
})

const inThread = Effect.fnUntraced(function*(bytes: Uint8Array<ArrayBuffer>) {
  const told = { spent_ms: 0 }
  const thread = yield* threadFor(bytes)
  return yield* Effect.raceFirst(answerOf(thread), outgrown(thread, told)).pipe(
    Effect.timeoutOrElse({ duration: timeLimit, orElse: () => Effect.fail<PdfFault>("time") }),
    Effect.mapError((reason) => new PdfUnreadable({ reason, spent_ms: told.spent_ms }))
  )
}, Effect.scoped)

/** Reads the text of PDF files. */
export class Pdf extends Context.Service<Pdf, {
  /**
   * The text of each page, first to last, empty where it has none: of the first 1000 pages, and of no more than a large
   * book. The bytes are handed over. The process does nothing of it itself: a thread has 5 seconds of the processor for
   * it, a minute by the clock, and 256 MiB for what it makes of the file and as much for what the file unpacks to.
   */
  pages(bytes: Uint8Array<ArrayBuffer>): Effect.Effect<Read, PdfUnreadable>
}>()("turma/assistant/material/Pdf") {
  static readonly layer = Layer.succeed(
    Pdf,
    Pdf.of({
      pages: Effect.fn("Pdf.pages")((bytes: Uint8Array<ArrayBuffer>) =>
        Effect.flatMap(inThread(bytes), (read) => Effect.orDie(decodeRead(read)))
      )
    })
  )
}
