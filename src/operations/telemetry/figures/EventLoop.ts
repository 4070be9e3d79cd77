import { monitorEventLoopDelay, performance, PerformanceObserver } from "node:perf_hooks"
import { counter, type Family, gauge } from "./Family.ts"

/** Milliseconds between two looks at the loop: each is late by as long as the loop was held up. */
const resolution = 20

const delays = monitorEventLoopDelay({ resolution })
const quantiles = [["0.5", 50], ["0.99", 99], ["1", 100]] as const

let collected = 0

/** Begins to measure: the loop's delay by a timer of Node's own, collections by V8's reports. */
const begin = () => {
  delays.enable()
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) collected += duration
  }).observe({ entryTypes: ["gc"] })
}

// This module is loaded at the first question, so an unused measurement costs nothing.
begin()

let before = performance.eventLoopUtilization()

const secondsOf = (nanos: number) => Math.max(0, nanos / 1e9 - resolution / 1000)

/** The work and the delay of this process' event loop since the last question. */
export const eventLoop = (process: string): ReadonlyArray<Family> => {
  const now = performance.eventLoopUtilization()
  const { utilization } = performance.eventLoopUtilization(now, before)
  before = now
  const measured = delays.count > 0
    ? quantiles.map(([quantile, percentile]) => ({
      labels: { process, quantile },
      value: secondsOf(delays.percentile(percentile))
    }))
    : []
  delays.reset()
  return [
    gauge(
      "turma_event_loop_delay_seconds",
      "How late the event loop was since this was read last; 1 is the longest",
      measured
    ),
    gauge("turma_event_loop_utilization", "Share of the time in which the event loop had something to do, since then", [
      { labels: { process }, value: utilization }
    ]),
    counter("turma_event_loop_seconds_total", "Time that event loops were active and idle, of all processes together", [
      { labels: { state: "active" }, value: now.active / 1000 },
      { labels: { state: "idle" }, value: now.idle / 1000 }
    ]),
    counter("turma_gc_seconds_total", "Time that collections of garbage took since somebody first asked", [
      { value: collected / 1000 }
    ])
  ]
}
