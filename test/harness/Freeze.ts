import { Effect } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { ifWeDie } from "./Watchdog.ts"

const parentOf = (pid: string) => {
  try {
    // The name in parentheses may have any characters. The parent is the second word after it.
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[1]
  } catch {
    return undefined
  }
}

const signal = (pids: ReadonlyArray<string>, name: NodeJS.Signals) => {
  for (const pid of pids) {
    try {
      process.kill(Number(pid), name)
    } catch {
      // The process has ended.
    }
  }
}

/** Stops a server's processes and returns them. The first process stops first, so it starts no other. */
const stopAll = (dataDirectory: string) => {
  const [first = ""] = readFileSync(`${dataDirectory}/postmaster.pid`, "utf8").split("\n")
  signal([first], "SIGSTOP")
  const others = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && parentOf(name) === first)
  signal(others, "SIGSTOP")
  return [first, ...others]
}

/**
 * Freezes the PostgreSQL server with this data directory until the scope closes. Its connections stay open, and it
 * accepts new ones, but nothing answers on them.
 */
export const freeze = Effect.fnUntraced(function*(dataDirectory: string) {
  const pids = yield* Effect.acquireRelease(
    Effect.sync(() => stopAll(dataDirectory)),
    (pids) => Effect.sync(() => signal(pids, "SIGCONT"))
  )
  yield* ifWeDie(`kill -CONT "$@"`, ...pids)
})
