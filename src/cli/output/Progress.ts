import { Effect, Stdio } from "effect"
import { noteText } from "./Write.ts"

const cells = 30

const bar = (done: number, total: number) => {
  const full = total === 0 ? cells : Math.max(0, Math.min(cells, Math.floor(done / total * cells)))
  return `[${"#".repeat(full)}${".".repeat(cells - full)}] ${done} of ${total}`
}

const nothing = { show: () => Effect.void, clear: Effect.void }

/** A bar beside the output, where that is a terminal. `clear` takes it away. */
export const progress = Effect.gen(function*() {
  const { stderrIsTerminal } = yield* Stdio.Stdio
  if (!(yield* stderrIsTerminal)) return nothing
  return {
    show: (done: number, total: number) => noteText(`\r\u001b[K${bar(done, total)}`),
    clear: noteText("\r\u001b[K")
  }
})
