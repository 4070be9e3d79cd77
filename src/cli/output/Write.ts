import { Effect } from "effect"
import { CommandFailure, QuietEnd } from "../errors/CommandFailure.ts"
import { exitCodes } from "../errors/ExitCodes.ts"
import { harmless } from "./Harmless.ts"

// Without a listener Node ends the process with a stack when a pipe's reader has left. The writes tell of it themselves.
const hear = Effect.sync(() => {
  for (const stream of [process.stdout, process.stderr]) {
    if (stream.listenerCount("error") === 0) stream.on("error", () => {})
  }
})

/** A reader that has left has enough output. On a full disk the output is incomplete. */
const ended = (error: Error) =>
  "code" in error && error.code === "EPIPE"
    ? new QuietEnd({ exit_code: exitCodes.done.code })
    : new CommandFailure({ message: `The output is not whole: ${error.message}`, exit_code: exitCodes.failed.code })

const writeTo = (stream: NodeJS.WriteStream) => (text: string | Uint8Array) =>
  Effect.andThen(
    hear,
    Effect.callback<void, CommandFailure | QuietEnd>((resume) => {
      stream.write(text, (error) =>
        resume(error === null || error === undefined ? Effect.void : Effect.fail(ended(error))))
    })
  )

/** Writes text to standard output and waits until the reader has it: memory stays flat however slow the reader is. */
export const write = writeTo(process.stdout)

/** The same with bytes. */
export const writeBytes: (bytes: Uint8Array) => ReturnType<typeof write> = write

/** The same with the end of a line. */
export const writeLine = (line: string) => write(`${line}\n`)

/** A line for people, beside the output, with nothing in it that a terminal obeys. */
export const note = (line: string) => writeTo(process.stderr)(`${harmless(line)}\n`)

/** Text for people, beside the output, as it is. */
export const noteText = writeTo(process.stderr)
