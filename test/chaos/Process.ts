import { Effect } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { compileCache } from "../harness/CompileCache.ts"
import { ifWeDie } from "../harness/Watchdog.ts"

const project = fileURLToPath(new URL("../..", import.meta.url))

/** A process of Turma that can be killed, with its output. It inherits only PATH and the compile cache. */
export const startProcess = Effect.fnUntraced(function*(env: Readonly<Record<string, string>>) {
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, ["src/cli/run.js"], {
        cwd: project,
        env: { PATH: process.env["PATH"] ?? "", ...compileCache, ...env },
        stdio: ["ignore", "pipe", "pipe"]
      })
    ),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )
  const pid = child.pid ?? (yield* Effect.die(new Error("The process did not start")))
  yield* ifWeDie(`kill -KILL "$1"`, `${pid}`)
  let said = ""
  child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()))
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()))
  const closed = once(child, "close")
  const ended = Effect.map(Effect.promise(() => closed), ([code]): number | null => code)
  return {
    pid,
    said: () => said,
    /** Its exit code; null if a signal ended it. */
    ended,
    kill: (signal: NodeJS.Signals) => Effect.sync(() => void child.kill(signal))
  }
})

const linkOf = (path: string) => {
  try {
    return readlinkSync(path)
  } catch {
    return ""
  }
}

/** Its files, or no files if the process has ended. */
const filesIn = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** The local ports, 1 to 65535, of a process's TCP connections over IPv4; undefined on systems other than Linux. */
export const portsOf = (pid: number): ReadonlySet<number> | undefined => {
  if (process.platform !== "linux") return undefined
  const folder = `/proc/${pid}/fd`
  const open = new Set(filesIn(folder).map((fd) => /^socket:\[(\d+)\]$/.exec(linkOf(`${folder}/${fd}`))?.[1]))
  const rows = readFileSync("/proc/net/tcp", "utf8").split("\n").map((line) => line.trim().split(/\s+/))
  const own = rows.filter((fields) => fields[9] !== undefined && open.has(fields[9]))
  return new Set(own.map(([, local]) => Number.parseInt(local?.split(":")[1] ?? "", 16)))
}
