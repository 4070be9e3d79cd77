import { createServer } from "node:http"
import { type PerformanceEntry, PerformanceObserver } from "node:perf_hooks"

// Preloaded into a process of the service: measures how long its event loop is held. `GET /` on `LOOP_WATCH_PORT` answers
// with the longest turn of the loop since it was last asked, and measures until it is asked again.
//
// What counts is the thread's processor time, which other processes do not lengthen; the rest says what it went into. A
// machine that is itself held up charges that to whatever runs, so the watch looks each millisecond instead of keeping the
// loop busy. The system counts that time now and then and may charge a turn with what came before it: never with more than
// it took.

/** One turn of the loop, with at most a millisecond or two of those before it, in milliseconds. */
export interface Turn {
  /** Processor time of the thread. */
  readonly held: number
  /** As much of it as the system needed. */
  readonly system: number
  /** For how long memory was collected meanwhile, by the clock. */
  readonly collected: number
  /** How long it took, by the clock. */
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
