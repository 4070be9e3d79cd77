import { Context, Duration, Effect, Layer, Schedule, Schema } from "effect"
import { Worker } from "node:worker_threads"

/** It is broken, encrypted or no PDF, or reading it takes too much time or memory. */
export class PdfUnreadable extends Schema.TaggedError<PdfUnreadable>()("PdfUnreadable", {}) {}

const timeLimit = Duration.seconds(60)

/** In MiB: of the heap, and of what lies beside it. */
const memoryLimit = 512

/** Between two looks at what lies beside the heap. */
const lookEvery = Duration.millis(100)

const decodePages = Schema.decodeUnknownEffect(Schema.Array(Schema.String))

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

const answerOf = (thread: Worker) =>
  Effect.callback<unknown, PdfUnreadable>((resume) => {
    const unreadable = () => resume(Effect.fail(new PdfUnreadable()))
    thread.once("message", (pages: unknown) => resume(Effect.succeed(pages)))
    thread.once("error", unreadable)
    thread.once("exit", unreadable)
  })

// What a few bytes unpack to lies beside the heap, which has no limit of its own. A thread that has not begun or has ended
// takes nothing.
const outgrown = (thread: Worker) =>
  Effect.tryPromise(() => thread.getHeapStatistics()).pipe(
    Effect.orElseSucceed(() => ({ external_memory: 0 })),
    Effect.repeat({
      schedule: Schedule.spaced(lookEvery),
      while: ({ external_memory }) => external_memory <= memoryLimit * 1024 * 1024
    }),
    Effect.andThen(Effect.fail(new PdfUnreadable()))
  )

const inThread = Effect.fnUntraced(function*(bytes: Uint8Array<ArrayBuffer>) {
  const thread = yield* threadFor(bytes)
  return yield* Effect.raceFirst(answerOf(thread), outgrown(thread))
}, Effect.scoped)

/** Reads the text of PDF files. */
export class Pdf extends Context.Service<Pdf, {
  /**
   * The text of each page, first to last, empty where it has none: of the first 1000 pages, and of no more than a large
   * book. The bytes are handed over. The process does nothing of it itself; it has a minute, and of memory 512 MiB for
   * what it makes of the file and as much for what the file unpacks to.
   */
  pages(bytes: Uint8Array<ArrayBuffer>): Effect.Effect<ReadonlyArray<string>, PdfUnreadable>
}>()("turma/assistant/material/Pdf") {
  static readonly layer = Layer.succeed(
    Pdf,
    Pdf.of({
      pages: Effect.fn("Pdf.pages")(
        function*(bytes: Uint8Array<ArrayBuffer>) {
          return yield* Effect.flatMap(inThread(bytes), (pages) => Effect.orDie(decodePages(pages)))
        },
        Effect.timeoutOrElse({ duration: timeLimit, orElse: () => Effect.fail(new PdfUnreadable()) })
      )
    })
  )
}
