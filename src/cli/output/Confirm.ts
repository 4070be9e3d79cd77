import { Effect, Stdio, Terminal } from "effect"
import { QuietEnd } from "../errors/CommandFailure.ts"
import { exitCodes } from "../errors/ExitCodes.ts"
import { UsageError } from "../errors/UsageError.ts"
import { harmlessLine } from "./Harmless.ts"
import { note, noteText } from "./Write.ts"

const noTerminal = () => new UsageError({ message: "There is no terminal to ask on: confirm with --yes" })

/** Asks on the terminal, beside the output; whatever is not a yes ends the command. */
export const confirm = Effect.fnUntraced(function*(question: string, yes: boolean) {
  if (yes) return
  const { stdinIsTerminal } = yield* Stdio.Stdio
  if (!(yield* stdinIsTerminal)) return yield* noTerminal()
  yield* noteText(`${harmlessLine(question)} [y/N] `)
  const { readLine } = yield* Terminal.Terminal
  const said = yield* Effect.catchTag(
    readLine,
    "QuitError",
    () => Effect.fail(new QuietEnd({ exit_code: exitCodes.interrupted.code }))
  )
  if (/^y(?:es)?$/i.test(said.trim())) return
  yield* note("Nothing was changed")
  return yield* new QuietEnd({ exit_code: exitCodes.failed.code })
})
