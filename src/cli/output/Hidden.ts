import { Effect, Redacted, Stdio, Stream } from "effect"
import { Prompt } from "effect/cli"
import { notText } from "../../platform/text/Unreadable.ts"
import { streamText } from "../../platform/text/Utf8.ts"
import { QuietEnd } from "../errors/CommandFailure.ts"
import { exitCodes } from "../errors/ExitCodes.ts"
import { cannotRead, unreadable } from "../errors/Unreadable.ts"
import { UsageError } from "../errors/UsageError.ts"

const longest = 4096

/** The first line of standard input. */
export const lineOfStdin = Effect.fnUntraced(function*(what: string) {
  const { stdin } = yield* Stdio.Stdio
  const source = `${what} from standard input`
  const bytes = Stream.mapError(stdin, unreadable(source))
  const text = yield* Stream.mkString(streamText(bytes, () => cannotRead(source, notText)))
  const [line = ""] = text.split(/\r?\n/, 1)
  if (line === "" || line.length > longest) {
    return yield* new UsageError({ message: `Expected ${what} as the only line of standard input` })
  }
  return Redacted.make(line)
})

const given = () => new QuietEnd({ exit_code: exitCodes.interrupted.code })

/** Fails without a terminal to ask at, and names what to use instead. */
export const needTerminal = Effect.fnUntraced(function*(instead: string) {
  const { stdinIsTerminal } = yield* Stdio.Stdio
  if (yield* stdinIsTerminal) return
  return yield* new UsageError({ message: `There is no terminal to ask on: use ${instead}` })
})

/** Asks on the terminal; Ctrl-C is the end of the command. */
export const asked = <A>(prompt: Prompt.Prompt<A>, instead: string) =>
  Effect.gen(function*() {
    yield* needTerminal(instead)
    return yield* Effect.catchTag(prompt, "QuitError", () => Effect.fail(given()))
  })

/** Asks for a secret, which is not shown. */
export const hidden = (message: string, instead: string) => asked(Prompt.Hidden({ message }), instead)
