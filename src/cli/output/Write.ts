import { Effect } from "effect"
import { QuietEnd } from "../errors/CommandFailure.ts"
import { exitCodes } from "../errors/ExitCodes.ts"

// Without a listener Node ends the process with a stack when a pipe's reader has left. The writes tell of it themselves.
const hear = Effect.sync(() => {
  for (const stream of [process.stdout, process.stderr]) {
    if (stream.listenerCount("error") === 0) stream.on("error", () => {})
  }
})

const writeTo = (stream: NodeJS.WriteStream) => (text: string | Uint8Array) =>
  Effect.andThen(
    hear,
    Effect.callback<void, QuietEnd>((resume) => {
      stream.write(text, (error) =>
        resume(
          error === null || error === undefined
            ? Effect.void
            : Effect.fail(new QuietEnd({ exit_code: exitCodes.done.code }))
        ))
    })
  )

/** Writes text to standard output and waits until it is taken: memory stays flat however slow the reader is. */
export const write = writeTo(process.stdout)

/** The same with bytes. */
export const writeBytes: (bytes: Uint8Array) => ReturnType<typeof write> = write

/** The same with the end of a line. */
export const writeLine = (line: string) => write(`${line}\n`)

/** A line for people, beside the output. */
export const note = (line: string) => writeTo(process.stderr)(`${line}\n`)

/** Text for people, beside the output, as it is. */
export const noteText = writeTo(process.stderr)
