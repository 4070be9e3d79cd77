import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { FleetMetrics } from "../../../src/operations/telemetry/FleetMetrics.ts"
import { mergeMetrics, withoutGauges } from "../../../src/operations/telemetry/MergedMetrics.ts"

const metricsOf = (requests: number, oldest: number, process: string) =>
  `# HELP requests_total Requests, by route
# TYPE requests_total counter
requests_total{route="/v1/a b"} ${requests}
# TYPE seconds histogram
seconds_bucket{le="0.5"} ${requests - 1}
seconds_bucket{le="+Inf"} ${requests}
seconds_sum ${requests / 2}
seconds_count ${requests}
# TYPE oldest_seconds gauge
oldest_seconds ${oldest}
# TYPE memory_bytes gauge
memory_bytes{process="${process}"} 100
`

const merged = `# HELP requests_total Requests, by route
# TYPE requests_total counter
requests_total{route="/v1/a b"} 7
# TYPE seconds histogram
seconds_bucket{le="0.5"} 5
seconds_bucket{le="+Inf"} 7
seconds_sum 3.5
seconds_count 7
# TYPE oldest_seconds gauge
oldest_seconds 9
# TYPE memory_bytes gauge
memory_bytes{process="1"} 100
memory_bytes{process="2"} 100
`

describe("metrics of several processes", () => {
  it("are counters and histograms added up, the greatest of a gauge that all have, and each one's own", () => {
    assert.strictEqual(mergeMetrics([metricsOf(3, 9, "1"), metricsOf(4, 2, "2")]), merged)
  })

  it("are those of one where there is one", () => {
    assert.strictEqual(mergeMetrics([merged, ""]), merged)
  })

  it("hold series that only one has, and numbers that are none", () => {
    const text = "# TYPE a counter\na{x=\"1\"} 1\n# TYPE b gauge\nb +Inf\n"
    assert.strictEqual(
      mergeMetrics([text, "# TYPE a counter\na{x=\"2\"} 5\n# TYPE b gauge\nb -Inf\n"]),
      "# TYPE a counter\na{x=\"1\"} 1\na{x=\"2\"} 5\n# TYPE b gauge\nb +Inf\n"
    )
  })

  it("keep of a process that has ended what it counted, and not how things stood", () => {
    assert.strictEqual(withoutGauges(merged), merged.slice(0, merged.indexOf("# TYPE oldest")))
  })
})

/** The values of one metric, by its labels. */
const valuesOf = (text: string, name: string) =>
  Object.fromEntries(text.split("\n").filter((line) =>
    line.startsWith(`${name}{`)
  ).map((line) => line.slice(name.length).split(" ")))

describe("the gathering of metrics", () => {
  const answering =
    (metrics: FleetMetrics, counts: Readonly<Record<number, number>>) => (id: number, round: number) => {
      const count = counts[id]
      if (count !== undefined) metrics.tell(id, round, metricsOf(count, 0, `${id}`))
    }
  const requests = (text: string) => /^requests_total\{.*\} (\d+)$/m.exec(text)?.[1]

  it.effect("asks every process, and ends as soon as all have answered", () =>
    Effect.gen(function*() {
      const metrics = new FleetMetrics()
      metrics.add(1, 101)
      metrics.add(2, 102)
      const text = yield* metrics.gather(answering(metrics, { 1: 3, 2: 4 }))
      assert.strictEqual(requests(text), "7")
      assert.deepStrictEqual(valuesOf(text, "turma_process_answered"), {
        "{process=\"101\"}": "1",
        "{process=\"102\"}": "1"
      })
      assert.include(text, `turma_process_resident_memory_bytes{process="${process.pid}"}`)
    }))

  it.effect("names who does not answer within half a second, and counts what that one said before", () =>
    Effect.gen(function*() {
      const metrics = new FleetMetrics()
      metrics.add(1, 101)
      metrics.add(2, 102)
      yield* metrics.gather(answering(metrics, { 1: 3, 2: 4 }))
      const fiber = yield* Effect.forkChild(metrics.gather(answering(metrics, { 1: 5 })))
      yield* TestClock.adjust("500 millis")
      const text = yield* Fiber.join(fiber)
      assert.strictEqual(requests(text), "9")
      assert.deepStrictEqual(valuesOf(text, "turma_process_answered"), {
        "{process=\"101\"}": "1",
        "{process=\"102\"}": "0"
      })
    }))

  it.effect("waits for nobody who has ended, whose counts stay", () =>
    Effect.gen(function*() {
      const metrics = new FleetMetrics()
      metrics.add(1, 101)
      metrics.add(2, 102)
      metrics.tell(2, null, metricsOf(40, 0, "2"))
      const fiber = yield* Effect.forkChild(metrics.gather(answering(metrics, { 1: 3 })))
      yield* Effect.yieldNow
      metrics.remove(2)
      const text = yield* Fiber.join(fiber)
      assert.strictEqual(requests(text), "43")
      assert.deepStrictEqual(valuesOf(text, "turma_process_answered"), { "{process=\"101\"}": "1" })
    }))
})
