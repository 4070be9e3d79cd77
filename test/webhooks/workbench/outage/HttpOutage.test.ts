import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { at, outcome, send } from "../../../harness/App.ts"
import { foundOnSaturday, WebhooksLayer } from "../../Registering.ts"

const from = "2026-04-01T09:00:00Z"

const simulate = Effect.fnUntraced(function*(body: Record<string, unknown>) {
  const { path, token } = yield* foundOnSaturday
  return yield* send("POST", `${path}/webhook-endpoints/simulate`, { token, body })
})

layer(WebhooksLayer)("Simulating an outage", (it) => {
  it.effect("answers what becomes of its events, without an endpoint", () =>
    Effect.gen(function*() {
      const answer = yield* simulate({ from, to: "2026-04-01T09:00:04Z", events_per_hour: 1800 })
      assert.strictEqual(answer.status, 200)
      assert.deepStrictEqual<unknown>(at(answer.json, "data"), {
        events: 2,
        delivered: 2,
        failed: 0,
        canceled: 0,
        expired: 0,
        not_kept: 0,
        delayed_after: 0,
        attempts: 4,
        last_delivered_at: "2026-04-01T09:00:07.000Z",
        delay: { p50_seconds: 5, p95_seconds: 5, max_seconds: 5 },
        held_from: null,
        held_until: null,
        disabled_at: null,
        landings: [{ at: "2026-04-01T09:00:00.000Z", delivered: 2 }],
        sample: [
          {
            created_at: "2026-04-01T09:00:00.000Z",
            attempts: ["2026-04-01T09:00:00.000Z", "2026-04-01T09:00:05.000Z"],
            outcome: "delivered",
            ended_at: "2026-04-01T09:00:05.000Z"
          },
          {
            created_at: "2026-04-01T09:00:02.000Z",
            attempts: ["2026-04-01T09:00:02.000Z", "2026-04-01T09:00:07.000Z"],
            outcome: "delivered",
            ended_at: "2026-04-01T09:00:07.000Z"
          }
        ]
      })
    }))

  it.effect.each([
    [{ to: from, events_per_hour: 1 }, "outage_length_invalid"],
    [{ to: "2026-06-01T09:00:00Z", events_per_hour: 1 }, "outage_length_invalid"],
    [{ to: "2026-04-02T09:00:00Z", events_per_hour: 3600 }, "outage_too_large"],
    [{ to: "2026-04-02T09:00:00Z", events_per_hour: 0 }, "validation_failed"],
    [{ to: "2026-04-02T09:00:00Z", events_per_hour: 1, attempt_seconds: 16 }, "validation_failed"],
    [{ to: "2026-04-02T09:00:00Z" }, "validation_failed"]
  ] as const)("of %j is 422 %s", ([body, code]) =>
    Effect.gen(function*() {
      assert.deepStrictEqual(outcome(yield* simulate({ from, ...body })), [422, code])
    }))
})
