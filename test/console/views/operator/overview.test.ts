import { assert, describe, it } from "@effect/vitest"
import {
  curveOf,
  highestOf,
  mostSamples,
  recordedPerMinute,
  type Sample,
  withSample
} from "../../../../src/console/views/operator/ages.ts"
import { overviewOf, troublesOf } from "../../../../src/console/views/operator/overview.ts"
import { blocks, guide } from "../../../guides/Guides.ts"

const example = () => JSON.parse(blocks(guide("watching"), "json")[0] ?? "")

const well = {
  data: {
    ...example().data,
    queues: [{ name: "mails", depth: 0, capped: false, oldest_at: null, oldest_seconds: 0 }],
    webhooks: { ...example().data.webhooks, held: { count: 0, capped: false, longest: [] } }
  }
}

const seen = (...ages: ReadonlyArray<number>): ReadonlyArray<Sample> =>
  ages.map((age, index) => ({ at: index * 5000, ages: { mails: age } }))

describe("What operators see", () => {
  it("is the overview as the guide has it", () => {
    const overview = overviewOf(example())
    assert.deepStrictEqual(overview.queues, [{ name: "mails", depth: 3, capped: false, oldest_seconds: 90 }])
    assert.deepStrictEqual([overview.database, overview.redis], [true, null])
    assert.deepStrictEqual([overview.shared, overview.exclusive], [{ used: 1, of: 1 }, { used: 0, of: 8 }])
    assert.strictEqual(overview.webhooks?.deliveries.capped, true)
    assert.strictEqual(overview.webhooks?.longest[0]?.holds, 2)
    assert.strictEqual(overview.webhooks?.workers[0]?.worker, "0010e100beef")
    assert.strictEqual(overview.webhooks?.workersCapped, false)
    const { webhooks } = example().data
    const more = overviewOf({ data: { webhooks: { ...webhooks, leases: { ...webhooks.leases, capped: true } } } })
    assert.strictEqual(more.webhooks?.workersCapped, true)
    assert.strictEqual(overview.recorded, 41_218)
    assert.deepStrictEqual(overview.webhooks?.quarters, [{
      at: "2026-11-25T12:00:00.000Z",
      accepted: 1080,
      failed: 9,
      given_up: 1,
      capped: false,
      per_second: { accepted: 12, failed: 0.1 }
    }])
    assert.deepStrictEqual(overview.webhooks?.lanes, [{
      club_id: "6f0c1f1e-4b0a-4c6e-9d53-2f1f9b6a7e10",
      endpoint_id: "019d4860-d9c0-7f21-8b6c-0d1e2f3a4b5d",
      depth: 1000,
      capped: true,
      oldest_pending_at: "2026-11-25T11:58:00.000Z",
      hold_until: undefined,
      leased_until: "2026-11-25T12:01:55.000Z",
      worker: "0010e100beef",
      pid: 4321
    }])
  })

  it("is undefined where a part did not answer, and never a failure", () => {
    const { queues, webhooks } = overviewOf({ data: { ...example().data, queues: null, webhooks: null } })
    assert.deepStrictEqual([queues, webhooks], [undefined, undefined])
    for (const answer of [undefined, null, "", [], { data: { queues: [1, null], webhooks: {} } }]) {
      assert.isFalse(overviewOf(answer).database)
    }
  })

  it("says what is not as it should be, the worst first", () => {
    assert.deepStrictEqual(troublesOf(overviewOf(well)), [])
    assert.deepStrictEqual(troublesOf(overviewOf(example())), ["waiting", "held"])
    assert.deepStrictEqual(troublesOf(overviewOf({})), ["database", "unknown"])
    assert.deepStrictEqual(
      troublesOf(overviewOf({
        data: { ...well.data, redis: { reachable: false }, processes: [{ pid: 1, answers: false }] }
      })),
      ["redis", "processes"]
    )
  })

  it("is a curve of how long the oldest waited, over an hour at most", () => {
    assert.strictEqual(curveOf(seen(0, 10, 5), "mails"), "0,96 50,4 100,50")
    assert.strictEqual(curveOf(seen(0, 0), "mails"), "0,96 100,96")
    assert.strictEqual(curveOf(seen(1), "mails"), "0,4 100,4")
    assert.strictEqual(curveOf([], "mails"), "")
    assert.strictEqual(highestOf(seen(0, 10, 5), "mails"), 10)
    const [next] = seen(7)
    const many = withSample(seen(...Array.from({ length: mostSamples }, () => 1)), next ?? assert.fail())
    assert.strictEqual(many.length, mostSamples)
    assert.strictEqual(many.at(-1), next)
  })

  it("is how many events come in a minute, over the last one, once some seconds were seen", () => {
    const recorded = (...counts: ReadonlyArray<number | undefined>): ReadonlyArray<Sample> =>
      counts.map((count, index) => ({
        at: index * 5000,
        ages: {},
        ...(count === undefined ? {} : { recorded: count })
      }))
    assert.strictEqual(recordedPerMinute(recorded(100, 105, 110)), 60)
    assert.strictEqual(recordedPerMinute(recorded(undefined, 100, 103, 106)), 36)
    // Thirteen readings span a minute, so the value before them does not count.
    assert.strictEqual(recordedPerMinute(recorded(0, ...Array.from({ length: 13 }, (_, n) => 1000 + n))), 12)
    assert.isUndefined(recordedPerMinute(recorded(100, 105)))
    assert.isUndefined(recordedPerMinute(recorded(100, 105, undefined)))
    assert.isUndefined(recordedPerMinute(recorded(100, 105, 3)))
    assert.isUndefined(recordedPerMinute([]))
  })
})
