import { Effect, FileSystem, Queue, Schema } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { ifWeDie } from "../../harness/Watchdog.ts"
import type { Order } from "./orders.ts"

const project = fileURLToPath(new URL("../../..", import.meta.url))

/** A process under measurement: its output, its orders and its resources. */
export interface Child {
  readonly pid: number
  /** Waits for the first line that contains this text, and answers it. Dies if the process ends before. */
  readonly until: (text: string) => Effect.Effect<string>
  /** Carries out an order and answers the next line. */
  readonly ask: <A>(order: Order, answer: Schema.Codec<A>) => Effect.Effect<A>
  /** Sends the signal and ends once the process has ended. */
  readonly end: (signal: NodeJS.Signals) => Effect.Effect<void>
}

interface Options {
  readonly args: ReadonlyArray<string>
  /** The process gets only PATH from our own environment. */
  readonly env: Readonly<Record<string, string>>
}

/** A Node process, ended with the scope. */
export const startChild = Effect.fn("startChild")(function*({ args, env }: Options) {
  const said = yield* Queue.unbounded<string>()
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, args, {
        cwd: project,
        env: { PATH: process.env["PATH"] ?? "", ...env },
        stdio: ["pipe", "pipe", "inherit"]
      })
    ),
    (child) =>
      Effect.promise(async () => {
        if (child.exitCode !== null || child.signalCode !== null) return
        const closed = once(child, "close")
        child.kill("SIGTERM")
        const impatience = setTimeout(() => child.kill("SIGKILL"), 20_000)
        await closed
        clearTimeout(impatience)
      })
  )
  yield* ifWeDie(`kill -KILL "$1"`, `${child.pid ?? 0}`)
  const closed = once(child, "close")
  const ended = Effect.promise(() => closed)
  const died = Effect.flatMap(ended, () => Effect.die(new Error(`${args.join(" ")} ended too early`)))
  // Ignores failed writes to a process that has ended: `ask` dies anyway.
  child.stdin.on("error", () => undefined)
  createInterface({ input: child.stdout }).on("line", (line) => Queue.offerUnsafe(said, line))
  const next = Effect.raceFirst(Queue.take(said), died)

  const until = Effect.fnUntraced(function*(text: string) {
    let line = yield* next
    while (!line.includes(text)) line = yield* next
    return line
  })

  const ask = Effect.fnUntraced(function*<A>(order: Order, answer: Schema.Codec<A>) {
    child.stdin.write(`${JSON.stringify(order)}\n`)
    return yield* Schema.decodeEffect(Schema.fromJsonString(answer))(yield* next)
  }, Effect.orDie)

  const end = (signal: NodeJS.Signals) =>
    Effect.andThen(Effect.sync(() => void child.kill(signal)), Effect.asVoid(ended))

  return { pid: child.pid ?? 0, until, ask, end } satisfies Child
})

const ticksPerSecond = 100

// Fields 14 to 17 are utime and stime, of the process and of its ended children. The second, the name, may hold spaces.
const ticksOf = (stat: string) =>
  stat.slice(stat.lastIndexOf(")") + 2).split(" ").slice(11, 15).reduce((sum, field) => sum + Number(field), 0)

const read = (file: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => Effect.orElseSucceed(fs.readFileString(file), () => ""))

/** The CPU time of a process and its children so far, in milliseconds. Linux counts in steps of 10. */
export const cpuMillis = Effect.fn("cpuMillis")(function*(pid: number) {
  const children = (yield* read(`/proc/${pid}/task/${pid}/children`)).trim().split(" ").filter((child) => child !== "")
  const stats = yield* Effect.forEach([pid, ...children], (one) => read(`/proc/${one}/stat`))
  return stats.filter((stat) => stat !== "").reduce((sum, stat) => sum + ticksOf(stat), 0) * 1000 / ticksPerSecond
})

/** The most memory that a process has held so far, in MB. */
export const peakMegabytes = (pid: number) =>
  Effect.map(read(`/proc/${pid}/status`), (status) => Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024)
