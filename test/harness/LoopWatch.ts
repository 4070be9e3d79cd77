import { createServer } from "node:http"
import { type PerformanceEntry, PerformanceObserver } from "node:perf_hooks"

// Preloaded into a process of the service: measures how long its event loop is blocked. `GET /` on `LOOP_WATCH_PORT`
// answers with the longest turn of the loop since the last request, and starts anew.
//
// The measure is the thread's processor time, which other processes do not lengthen. The other figures explain it. A
// machine that is itself blocked charges that time to running threads. So the watch looks once a millisecond and does
// not keep the loop busy. The system counts processor time now and then, and may charge a turn with earlier work: at
// most as much as the turn took.

/** One turn of the loop, in milliseconds. It may include a millisecond or two of the turns before it. */
export interface Turn {
  /** Processor time of the thread. */
  readonly held: number
  /** Part of `held` that the system needed. */
  readonly system: number
  /** Time of garbage collection meanwhile, by the clock. */
  readonly collected: number
  /** Duration by the clock. */
  readonly took: number
}

const none: Turn = { held: 0, system: 0, collected: 0, took: 0 }

let collected = 0
const collections = new PerformanceObserver((list) => add(list.getEntries()))
collections.observe({ entryTypes: ["gc"] })

const add = (entries: ReadonlyArray<PerformanceEntry>) => {
  for (const { duration } of entries) collected += duration
}

const spent = () => {
  const { system, user } = process.threadCpuUsage()
  return { at: performance.now(), system: system / 1000, total: (system + user) / 1000 }
}

let longest = none
let before = spent()

const look = () => {
  const now = spent()
  const took = now.at - before.at
  const held = Math.min(now.total - before.total, took)
  add(collections.takeRecords())
  if (held > longest.held) {
    longest = { held, system: now.system - before.system, collected, took }
  }
  before = now
  collected = 0
}

createServer((_, response) => {
  response.end(JSON.stringify(longest))
  longest = none
  before = spent()
}).listen(Number(process.env["LOOP_WATCH_PORT"]), "127.0.0.1").unref()

setInterval(look, 1).unref()
