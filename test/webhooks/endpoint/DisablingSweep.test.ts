import { assert, it, layer } from "@effect/vitest"
import { DateTime, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Disabling, disablingLayer } from "../../../src/webhooks/endpoint/Disabling.ts"
import { LaneChanges } from "../../../src/webhooks/engine/lane/LaneChanges.ts"
import { makeClub, makeMember } from "../../harness/Makers.ts"
import { warmPool } from "../../harness/Pool.ts"
import { untilBlocked, whileHeld } from "../../harness/Waiting.ts"
import { ago, type MadeEndpoint } from "../engine/retention/Rows.ts"
import { endpointNow, failingSince, mails, setLane, TestLayer } from "./Failing.ts"

// Contract, Outgoing webhook endpoint, fourth row: an endpoint without a further attempt.

const sweep = Effect.flatMap(Disabling, ({ disableOverdue }) => disableOverdue)

const statusOf = (endpoint: MadeEndpoint) => Effect.map(endpointNow(endpoint), (row) => row?.status)

layer(TestLayer)("A sweep", (it) => {
  it.effect("disables as failing, with mail, what has accepted nothing for 5 days although nothing is sent to it", () =>
    Effect.gen(function*() {
      const endpoint = yield* failingSince(ago("5 days"))
      const owner = yield* makeMember(endpoint.club, "owner")
      const later = yield* failingSince(DateTime.add(ago("5 days"), { milliseconds: 1 }))
      yield* mails
      assert.strictEqual(yield* sweep, 1)
      assert.deepInclude(yield* endpointNow(endpoint), { status: "disabled", disabled_reason: "failing" })
      assert.deepStrictEqual((yield* mails).map(({ recipient }) => recipient), [owner.email])
      assert.strictEqual(yield* statusOf(later), "enabled")
      assert.strictEqual(yield* sweep, 0)
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* sweep, 1)
      assert.strictEqual(yield* statusOf(later), "disabled")
    }))

  it.effect("leaves alone what is paused, disabled, deleted, or has had no failed attempt since it was enabled", () =>
    Effect.gen(function*() {
      const paused = yield* failingSince(ago("9 days"), { status: "paused" })
      const manual = { status: "disabled", disabled_reason: "manual", disabled_at: DateTime.toDateUtc(ago("1 day")) }
      const disabled = yield* failingSince(ago("9 days"), manual)
      const deleted = yield* failingSince(ago("9 days"), { deleted_at: DateTime.toDateUtc(ago("1 day")) })
      const enabled = yield* failingSince(ago("9 days"))
      yield* Effect.flatMap(LaneChanges, ({ enable }) => enable(enabled))
      const all = [paused, disabled, deleted, enabled]
      const before = yield* Effect.forEach(all, endpointNow)
      assert.strictEqual(yield* sweep, 0)
      assert.deepStrictEqual(yield* Effect.forEach(all, endpointNow), before)
    }))

  it.effect("finds again what was paused and then failed for 5 days more", () =>
    Effect.gen(function*() {
      const endpoint = yield* failingSince(ago("9 days"))
      const lanes = yield* LaneChanges
      yield* lanes.suspend(endpoint)
      yield* lanes.enable(endpoint)
      yield* setLane(endpoint, { failing_since: DateTime.toDateUtc(ago("5 days")) })
      assert.strictEqual(yield* sweep, 1)
    }))

  it.effect("leaves what accepts something at that moment", () =>
    Effect.gen(function*() {
      yield* warmPool
      const endpoint = yield* failingSince(ago("5 days"))
      const sweeping = yield* whileHeld(
        setLane(endpoint, { failing_since: null }),
        Effect.tap(Effect.forkChild(sweep), () => untilBlocked())
      )
      assert.strictEqual(yield* Fiber.join(sweeping), 0)
      assert.strictEqual(yield* statusOf(endpoint), "enabled")
    }))

  it.effect("disables each once, with one mail, however many workers sweep, and more than it finds at once", () =>
    Effect.gen(function*() {
      yield* warmPool
      const club = yield* makeClub()
      const owner = yield* makeMember(club, "owner")
      const others = yield* Effect.forEach(
        Array.from({ length: 101 }),
        () => failingSince(ago("6 days")),
        { concurrency: 8 }
      )
      yield* failingSince(ago("6 days"), { club })
      yield* mails
      const counts = yield* Effect.all([sweep, sweep, sweep], { concurrency: "unbounded" })
      assert.strictEqual(counts.reduce((sum, count) => sum + count, 0), 102)
      assert.deepStrictEqual((yield* mails).map(({ recipient }) => recipient), [owner.email])
      assert.deepStrictEqual(new Set(yield* Effect.forEach(others, statusOf)), new Set(["disabled"]))
    }))

  it.effect("passes over what cannot be disabled, and comes back to it", () =>
    Effect.gen(function*() {
      const [first, second] = [yield* failingSince(ago("8 days")), yield* failingSince(ago("7 days"))]
      const sql = yield* SqlClient.SqlClient
      yield* makeMember(first.club, "owner")
      const url = "https://hooks.example/in"
      yield* sql`update webhook_endpoints set url = '' where id = ${first.endpoint_id}`
      assert.strictEqual(yield* sweep, 1)
      assert.deepStrictEqual([yield* statusOf(first), yield* statusOf(second)], ["enabled", "disabled"])
      yield* sql`update webhook_endpoints set url = ${url} where id = ${first.endpoint_id}`
      assert.strictEqual(yield* sweep, 1)
    }))
})

it.effect("The worker sweeps twice a minute, for the first time half a minute after its start", () =>
  Effect.gen(function*() {
    let sweeps = 0
    const disableOverdue = Effect.sync(() => ++sweeps)
    const Counting = Layer.succeed(Disabling, { disableFailing: () => Effect.succeed(false), disableOverdue })
    yield* Layer.build(disablingLayer({ every: "30 seconds" }).pipe(Layer.provide(Counting)))
    yield* TestClock.adjust("29 seconds")
    assert.strictEqual(sweeps, 0)
    yield* TestClock.adjust("1 second")
    assert.strictEqual(sweeps, 1)
    yield* TestClock.adjust("1 minute")
    assert.strictEqual(sweeps, 3)
  }))
