import { Effect } from "effect"
import { getHeapStatistics } from "node:v8"
import { roleSettings } from "../../../platform/processes/RoleSettings.ts"
import { PoolLoads } from "../../../platform/sql/PoolLoads.ts"
import { eventLoop } from "./EventLoop.ts"
import { counter, type Family, gauge, textOf } from "./Family.ts"
import { fileDescriptors } from "./FileDescriptors.ts"
import { pools } from "./Pools.ts"
import { processInfo } from "./processInfo.ts"

const memory = (of: string): ReadonlyArray<Family> => {
  const { external_memory, heap_size_limit, used_heap_size } = getHeapStatistics()
  const { system, user } = process.cpuUsage()
  const ofProcess = (value: number) => [{ labels: { process: of }, value }]
  return [
    gauge("turma_process_heap_used_bytes", "What V8's heap holds", ofProcess(used_heap_size)),
    gauge(
      "turma_process_heap_limit_bytes",
      "The size to which V8's heap may grow; a process that needs more ends",
      ofProcess(heap_size_limit)
    ),
    gauge(
      "turma_process_external_bytes",
      "Memory that objects of V8's hold outside of its heap",
      ofProcess(external_memory)
    ),
    gauge(
      "turma_process_start_time_seconds",
      "When the process began, in seconds since 1970",
      ofProcess(performance.timeOrigin / 1000)
    ),
    counter("turma_process_cpu_seconds_total", "Processor time of all processes together", [
      { labels: { mode: "user" }, value: user / 1e6 },
      { labels: { mode: "system" }, value: system / 1e6 }
    ])
  ]
}

/** The figures of this process, in Prometheus' text. They are measured at the question, and not during requests. */
export const processFigures: Effect.Effect<string> = Effect.gen(function*() {
  const role = yield* Effect.orElseSucceed(roleSettings.ROLE.read, () => "unknown")
  const loads = yield* PoolLoads
  const descriptors = yield* Effect.promise(() => fileDescriptors(`${process.pid}`))
  const of = `${process.pid}`
  return textOf([processInfo(of, role), ...memory(of), ...eventLoop(of), ...descriptors, ...pools(of, [...loads])])
})
