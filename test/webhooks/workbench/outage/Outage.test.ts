import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, DateTime, Duration, Effect, Exit, Layer, Schema } from "effect"
import { WebhookRules } from "../../../../src/webhooks/model/WebhookSettings.ts"
import { Heap } from "../../../../src/webhooks/workbench/outage/Heap.ts"
import { runOutage, waitsOf } from "../../../../src/webhooks/workbench/outage/outageRun.ts"
import { simulateOutage } from "../../../../src/webhooks/workbench/outage/simulateOutage.ts"

const RulesLayer = (env: Record<string, string> = {}) =>
  WebhookRules.layer.pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env }))))

const noon = DateTime.makeUnsafe("2026-04-01T12:00:00Z")

const simulate = (
  duration: Duration.Input,
  events_per_hour: number,
  given: { readonly attempt_seconds?: number; readonly retry_after_seconds?: number } = {}
) =>
  WebhookRules.use((rules) =>
    simulateOutage({ from: noon, to: DateTime.addDuration(noon, duration), events_per_hour, ...given }, rules)
  )

const after = (duration: Duration.Input) => DateTime.addDuration(noon, duration)

const secondsTo = (at: DateTime.Utc) => Duration.toSeconds(DateTime.distance(noon, at))

describe("An outage that is simulated", () => {
  it.effect("goes through the schedule for one event", () =>
    Effect.gen(function*() {
      const { attempts, delay, delivered, held_from, sample } = yield* simulate("10 hours", 0.1)
      assert.deepStrictEqual([delivered, attempts, held_from?.epochMilliseconds], [
        1,
        7,
        after(Duration.seconds(5 + 5 * 60 + 30 * 60 + 2 * 3600)).epochMilliseconds
      ])
      const waits = [5, 305, 2105, 9305, 27_305, 63_305]
      assert.deepStrictEqual(sample[0]?.attempts.map(secondsTo), [0, ...waits])
      assert.deepStrictEqual(delay, { p50_seconds: 63_305, p95_seconds: 63_305, max_seconds: 63_305 })
    }).pipe(Effect.provide(RulesLayer())))

  it.effect("gives an event up after eight attempts, and then its endpoint is disabled 5 days after the first", () =>
    Effect.gen(function*() {
      const found = yield* simulate("6 days", 0.01)
      // The second event comes after 100 hours, and its eighth attempt would come after the fifth day.
      assert.deepInclude(found, { events: 2, failed: 1, canceled: 1, attempts: 8 + 7, not_kept: 0 })
      assert.deepStrictEqual(found.disabled_at, after("5 days"))
    }).pipe(Effect.provide(RulesLayer())))

  it.effect("cancels what waits when the endpoint is disabled, and keeps nothing from then on", () =>
    Effect.gen(function*() {
      const found = yield* simulate("6 days", 1)
      assert.deepStrictEqual(found.disabled_at, after("5 days"))
      assert.deepInclude(found, { events: 144, delivered: 0, expired: 0, not_kept: 24, last_delivered_at: null })
      assert.strictEqual(found.failed + found.canceled, 120)
      assert.deepStrictEqual(found.landings, [])
    }).pipe(Effect.provide(RulesLayer())))

  it.effect("holds after five failures, makes one attempt at a time, and delays what comes after it", () =>
    Effect.gen(function*() {
      const found = yield* simulate("3 hours", 60)
      assert.deepInclude(found, { events: 180, delivered: 180, failed: 0, disabled_at: null })
      assert.isAbove(found.delayed_after, 0)
      const held = found.held_from?.epochMilliseconds ?? 0
      assert.isBelow(held, after("5 minutes").epochMilliseconds)
      const until = found.held_until?.epochMilliseconds ?? 0
      assert.isAtLeast(until, after("3 hours").epochMilliseconds)
      assert.isAtMost(until, after("4 hours").epochMilliseconds)
      // Five attempts fail, and then come probes after 1, 2, 4 … 60 minutes: far fewer than events.
      assert.isBelow(found.attempts, 180 + 20)
    }).pipe(Effect.provide(RulesLayer())))

  it.effect("waits at least as long as answers ask to", () =>
    Effect.gen(function*() {
      const { sample } = yield* simulate("30 minutes", 1, { retry_after_seconds: 7200 })
      assert.deepStrictEqual(sample[0]?.attempts.map(secondsTo), [0, 7200])
    }).pipe(Effect.provide(RulesLayer())))

  it.effect("takes the time that attempts take, as many at once as a lane may have", () =>
    Effect.gen(function*() {
      const { sample } = yield* simulate("1 hour", 3600, { attempt_seconds: 15 })
      // The first five attempts end after 15 seconds. Until then another one begins each second.
      const started = sample.filter(({ attempts: [first] }) => first !== undefined && secondsTo(first) < 30)
      assert.isAbove(started.length, 0)
    }).pipe(Effect.provide(RulesLayer())))

  it.effect("lets what waits for too long expire, where an endpoint may fail for longer than that", () =>
    Effect.gen(function*() {
      const found = yield* simulate("30 days", 0.05)
      assert.isAbove(found.expired, 0)
    }).pipe(Effect.provide(RulesLayer({ WEBHOOK_DISABLE_AFTER: "60 days", WEBHOOK_PENDING_TTL: "1 day" }))))

  it.effect("is refused where it does not last, lasts too long or has too many events", () =>
    Effect.gen(function*() {
      const failure = (duration: Duration.Input, rate: number) => Effect.flip(simulate(duration, rate))
      assert.strictEqual((yield* failure(0, 1))._tag, "OutageEnds")
      assert.strictEqual((yield* failure("32 days", 1))._tag, "OutageEnds")
      assert.strictEqual((yield* failure("3 hours", 3600))._tag, "OutageTooLarge")
      assert.isTrue(Exit.isSuccess(yield* Effect.exit(simulate("2 hours", 3600))))
    }).pipe(Effect.provide(RulesLayer())))

  it.effect.prop(
    "accounts for every event, whatever it is",
    {
      hours: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 200 })),
      rate: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 30 })),
      takes: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 15 }))
    },
    ({ hours, rate, takes }) =>
      Effect.gen(function*() {
        const rules = yield* WebhookRules
        const hour = 3_600_000
        const outage = { from: 0, to: hours * hour, interval: hour / rate, takes: takes * 1000, retryAfter: null }
        const { disabledAt, journeys } = runOutage(outage, rules, yield* waitsOf(rules, null))
        for (const { attempts, created, ended, outcome } of journeys) {
          assert.notStrictEqual(outcome, "pending")
          assert.isAtMost(attempts.length, 8)
          assert.isAtLeast(ended, created)
          assert.deepStrictEqual(attempts, attempts.toSorted((one, other) => one - other))
          if (outcome === "delivered") assert.isAtLeast(attempts.at(-1) ?? 0, outage.to)
          if (disabledAt !== null) assert.isBelow(created, disabledAt)
        }
        const found = yield* simulate(`${hours} hours`, rate, { attempt_seconds: takes })
        assert.strictEqual(
          found.delivered + found.failed + found.canceled + found.expired + found.not_kept,
          found.events
        )
        assert.strictEqual(found.landings.reduce((sum, { delivered }) => sum + delivered, 0), found.delivered)
        assert.isAtMost(found.landings.length, 48)
        assert.isAtMost(found.sample.length, 20)
        return true
      }).pipe(Effect.provide(RulesLayer()))
  )
})

describe("A heap", () => {
  it.prop("gives what comes first, first", { numbers: Schema.Array(Schema.Int) }, ({ numbers }) => {
    const heap = new Heap<number>((one, other) => one < other)
    for (const number of numbers) heap.add(number)
    const taken = numbers.map(() => heap.take())
    assert.deepStrictEqual(taken, numbers.toSorted((one, other) => one - other))
    assert.isUndefined(heap.take())
  })
})
