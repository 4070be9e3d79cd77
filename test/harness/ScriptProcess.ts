import { Effect } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { ifWeDie } from "./Watchdog.ts"

const project = fileURLToPath(new URL("../..", import.meta.url))

/** Runs a script of the project in its own process, killed with the scope. */
export const runProcess = Effect.fnUntraced(function*(script: string, ...args: ReadonlyArray<string>) {
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, [script, ...args], { cwd: project, stdio: ["ignore", "pipe", "inherit"] })
    ),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )
  yield* ifWeDie(`kill -KILL "$1"`, `${child.pid ?? 0}`)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const exited = once(child, "exit")
  const ended = Effect.map(Effect.promise(() => exited), ([code]): number | null => code)
  const nextLine = Effect.promise(async () => (await lines.next()).value ?? "")
  const kill = (signal: NodeJS.Signals) => Effect.sync(() => void child.kill(signal))
  return {
    kill,
    /** Its exit code; null if a signal ended it. */
    ended,
    /** The next line of its output; empty at the end. */
    nextLine,
    /** The next line that matches. */
    lineOf: (pattern: RegExp) => Effect.repeat(nextLine, { until: (line) => line === "" || pattern.test(line) }),
    end: (signal: NodeJS.Signals) => Effect.andThen(kill(signal), ended)
  }
})
