import { assert, layer } from "@effect/vitest"
import { ConfigProvider, DateTime, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Mailer } from "../../../src/platform/mail/Mailer.ts"
import { Disabling } from "../../../src/webhooks/endpoint/Disabling.ts"
import { LaneChanges } from "../../../src/webhooks/engine/lane/LaneChanges.ts"
import { makeClub, makeMember } from "../../harness/Makers.ts"
import { warmPool } from "../../harness/Pool.ts"
import { ago, deliveryNow, ended, type MadeEndpoint, makeDelivery, saturday } from "../engine/retention/Rows.ts"
import { endpointNow, failingSince, mails, setLane, TestLayer } from "./Failing.ts"

const disable = (endpoint: MadeEndpoint, epoch = 3) =>
  Effect.flatMap(Disabling, ({ disableFailing }) => disableFailing(endpoint, epoch))

layer(TestLayer)("An endpoint that has accepted nothing for 5 days", (it) => {
  it.effect("is disabled as failing, rests, and its queue is canceled", () =>
    Effect.gen(function*() {
      const endpoint = yield* failingSince(ago("5 days"))
      yield* setLane(endpoint, { due_at: DateTime.toDateUtc(saturday) })
      const waiting = yield* makeDelivery(endpoint, ago("1 day"))
      const sent = yield* makeDelivery(endpoint, ago("6 days"), ended("succeeded"))
      assert.isTrue(yield* disable(endpoint))
      const disabled_at = DateTime.toDateUtc(saturday)
      assert.deepStrictEqual(yield* endpointNow(endpoint), {
        status: "disabled",
        disabled_reason: "failing",
        disabled_at,
        due_at: null
      })
      assert.deepInclude(yield* deliveryNow(waiting), { status: "canceled", cancel_reason: "endpoint_disabled" })
      assert.strictEqual((yield* deliveryNow(sent)).status, "succeeded")
    }))

  it.effect("has a notice to every owner and admin of its club, and to nobody else", () =>
    Effect.gen(function*() {
      const endpoint = yield* failingSince(ago("5 days"))
      const owners = [yield* makeMember(endpoint.club, "owner"), yield* makeMember(endpoint.club, "owner")]
      const admin = yield* makeMember(endpoint.club, "admin")
      yield* Effect.forEach(["editor", "support", "viewer"] as const, (role) => makeMember(endpoint.club, role))
      yield* makeMember(yield* makeClub(), "owner")
      yield* mails
      yield* disable(endpoint)
      const recipients = (yield* mails).map(({ recipient }) => recipient)
      assert.deepStrictEqual(recipients, [...owners, admin].map(({ email }) => email).toSorted())
    }))

  it.effect("is named by its host alone, in the club's language, with what was canceled and where to go", () =>
    Effect.gen(function*() {
      const club = yield* makeClub({ locale: "en", name: "Guitar Club" })
      const endpoint = yield* failingSince(ago("5 days"), { club })
      yield* makeDelivery(endpoint, ago("1 day"))
      yield* makeDelivery(endpoint, ago("2 days"))
      yield* makeMember(club, "owner")
      yield* mails
      yield* disable(endpoint)
      const [mail] = yield* mails
      assert.strictEqual(mail?.subject, "A webhook endpoint of the club Guitar Club was disabled")
      assert.include(mail?.text, "The webhook endpoint at hooks.example has accepted nothing for 5 days")
      assert.include(mail?.text, "2 deliveries that were waiting were canceled.")
      const link = `https://turma.example/console/${club.organization_id}/webhooks/${endpoint.endpoint_id}`
      assert.include(mail?.text, link)
      for (const part of [mail?.text, mail?.html]) assert.notInclude(part, "s3cret")
    }))

  it.effect("is shown in the dashboard, where there is one elsewhere", () =>
    Effect.gen(function*() {
      const club = yield* makeClub({ locale: "en" })
      const endpoint = yield* failingSince(ago("5 days"), { club })
      yield* makeMember(club, "owner")
      yield* mails
      const env = { PUBLIC_URL: "https://turma.example", DASHBOARD_URL: "https://dashboard.example" }
      const withDashboard = Layer.fresh(Disabling.layer)
        .pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env }))))
      yield* Effect.provide(disable(endpoint), withDashboard)
      const link = `https://dashboard.example/webhooks?club=${club.organization_id}&endpoint=${endpoint.endpoint_id}`
      assert.include((yield* mails)[0]?.text, link)
    }))

  it.effect("is disabled once, with one mail to each, however many find it failing", () =>
    Effect.gen(function*() {
      yield* warmPool
      const endpoint = yield* failingSince(ago("5 days"))
      const owner = yield* makeMember(endpoint.club, "owner")
      yield* mails
      const answers = yield* Effect.all(Array.from({ length: 8 }, () => disable(endpoint)), {
        concurrency: "unbounded"
      })
      assert.strictEqual(answers.filter((answer) => answer).length, 1)
      assert.deepStrictEqual((yield* mails).map(({ recipient }) => recipient), [owner.email])
    }))

  it.effect("stays enabled, with its queue, where the mail cannot be written down", () =>
    Effect.gen(function*() {
      const endpoint = yield* failingSince(ago("5 days"))
      yield* makeMember(endpoint.club, "owner")
      const waiting = yield* makeDelivery(endpoint, ago("1 day"))
      const Broken = Layer.mock(Mailer, { enqueue: () => Effect.die(new Error("no disk")) })
      const broken = Layer.fresh(Disabling.layer).pipe(
        Layer.provide(Broken),
        Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env: {} })))
      )
      yield* Effect.exit(Effect.provide(disable(endpoint), broken))
      assert.strictEqual((yield* endpointNow(endpoint))?.status, "enabled")
      assert.strictEqual((yield* deliveryNow(waiting)).status, "pending")
    }))
})

layer(TestLayer)("An endpoint stays as it is", (it) => {
  const staysAs = Effect.fnUntraced(function*(status: string, endpoint: MadeEndpoint, epoch?: number) {
    yield* makeMember(endpoint.club, "owner")
    const waiting = yield* makeDelivery(endpoint, ago("1 day"))
    const before = yield* endpointNow(endpoint)
    assert.isFalse(yield* disable(endpoint, epoch))
    assert.deepStrictEqual(yield* endpointNow(endpoint), before)
    assert.strictEqual(before?.status, status)
    assert.strictEqual((yield* deliveryNow(waiting)).status, "pending")
    assert.deepStrictEqual(yield* mails, [])
  })

  it.effect("a millisecond before the 5 days are over", () =>
    Effect.gen(function*() {
      yield* staysAs("enabled", yield* failingSince(DateTime.add(ago("5 days"), { milliseconds: 1 })))
    }))

  it.effect("while it is idle: nothing has failed since it last accepted something", () =>
    Effect.gen(function*() {
      const endpoint = yield* failingSince(ago("9 days"))
      yield* setLane(endpoint, { failing_since: null })
      yield* staysAs("enabled", endpoint)
    }))

  it.effect("where somebody has reset its breaker meanwhile", () =>
    Effect.gen(function*() {
      yield* staysAs("enabled", yield* failingSince(ago("9 days")), 2)
    }))

  it.effect("where it was enabled again meanwhile", () =>
    Effect.gen(function*() {
      const endpoint = yield* failingSince(ago("9 days"))
      yield* Effect.flatMap(LaneChanges, ({ enable }) => enable(endpoint))
      yield* staysAs("enabled", endpoint)
      yield* staysAs("enabled", endpoint, 4)
    }))

  it.effect("while it is paused", () =>
    Effect.gen(function*() {
      yield* staysAs("paused", yield* failingSince(ago("9 days"), { status: "paused" }))
    }))

  it.effect("once somebody has disabled it", () =>
    Effect.gen(function*() {
      const manual = { status: "disabled", disabled_reason: "manual", disabled_at: DateTime.toDateUtc(ago("1 day")) }
      yield* staysAs("disabled", yield* failingSince(ago("9 days"), manual))
    }))

  it.effect("once it is deleted", () =>
    Effect.gen(function*() {
      const deleted = { deleted_at: DateTime.toDateUtc(ago("1 day")) }
      yield* staysAs("enabled", yield* failingSince(ago("9 days"), deleted))
    }))
})

layer(TestLayer)("As time passes", (it) => {
  it.effect("a failing endpoint is disabled at 5 days sharp", () =>
    Effect.gen(function*() {
      const endpoint = yield* failingSince(ago("4 days"))
      yield* TestClock.adjust("23 hours")
      assert.isFalse(yield* disable(endpoint))
      yield* TestClock.adjust("1 hour")
      assert.isTrue(yield* disable(endpoint))
    }))

  it.effect("it has one notice in 5 days at most, however soon it is enabled again and fails", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const endpoint = yield* failingSince(ago("5 days"))
      yield* makeMember(endpoint.club, "owner")
      yield* disable(endpoint)
      assert.lengthOf(yield* mails, 1)
      for (const epoch of [4, 5]) {
        yield* sql`
          update webhook_endpoints set status = 'enabled', disabled_reason = null, disabled_at = null
          where id = ${endpoint.endpoint_id}`
        yield* Effect.flatMap(LaneChanges, ({ enable }) => enable(endpoint))
        assert.isFalse(yield* disable(endpoint, epoch))
        yield* setLane(endpoint, { failing_since: DateTime.toDateUtc(yield* DateTime.now) })
        yield* TestClock.adjust(Duration.subtract(Duration.days(5), Duration.millis(1)))
        assert.isFalse(yield* disable(endpoint, epoch))
        assert.deepStrictEqual(yield* mails, [])
        yield* TestClock.adjust("1 millis")
        assert.isTrue(yield* disable(endpoint, epoch))
        assert.lengthOf(yield* mails, 1)
      }
    }))
})
