import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, FileSystem, Layer, Redacted, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { BillingCatalog } from "../../../../src/commerce/billing/catalog/BillingCatalog.ts"
import { PlanCatalog } from "../../../../src/commerce/billing/catalog/PlanCatalog.ts"
import { BillingProvider } from "../../../../src/commerce/billing/provider/BillingProvider.ts"
import { StripeBillingLayer } from "../../../../src/commerce/billing/stripe/StripeBilling.ts"
import { stripeApiLayer } from "../../../../src/commerce/billing/stripe/StripeLayer.ts"
import { ClockGuard } from "../../../../src/platform/jobs/ClockGuard.ts"
import { connectionsLayer } from "../../../../src/platform/sql/Connections.ts"
import { freePort } from "../../../harness/FreePort.ts"
import { makeClub } from "../../../harness/Makers.ts"
import { freshDatabaseUrl } from "../../../harness/Postgres.ts"
import { startStripeServer, type StripeServer } from "../../../harness/StripeServer.ts"
import { ask, startApi, startTurma } from "../../../harness/Turma.ts"
import { catalog } from "./Catalog.ts"
import { secretKey, webhookSecret } from "./World.ts"

// Takes long: the test kills processes during their calls to Stripe.

const Numbers = Schema.Array(Schema.Struct({ number: Schema.Int }))

/** One number of each row. */
const numbersOf = (statement: Effect.Effect<ReadonlyArray<unknown>, unknown>) =>
  Effect.map(
    Effect.orDie(Effect.flatMap(statement, Schema.decodeUnknownEffect(Numbers))),
    (rows) => rows.map(({ number }) => number)
  )

const settings = Effect.fnUntraced(function*(url: Redacted.Redacted, base_url: string) {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-catalog-" })
  yield* fs.writeFileString(`${folder}/catalog.json`, JSON.stringify(catalog))
  return {
    DATABASE_URL: Redacted.value(url),
    APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
    BILLING_PROVIDER: "stripe",
    BILLING_CATALOG: `${folder}/catalog.json`,
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_BASE_URL: base_url
  }
})

/** Billing in a process that cannot reach Stripe: other processes send its changes. */
const unheardBilling = Effect.map(freePort, (port) =>
  StripeBillingLayer.pipe(
    Layer.provide(stripeApiLayer({
      key: Redacted.make(secretKey),
      webhook_secret: Redacted.make(webhookSecret),
      base_url: `http://127.0.0.1:${port}`
    })),
    Layer.provide([ClockGuard.layer, Layer.succeed(BillingCatalog, Schema.decodeUnknownSync(PlanCatalog)(catalog))])
  ))

/** Ends the wait for the next attempt, and the lease of a killed process. */
const hurry = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql`
    update billing_changes set next_attempt_at = created_at, leased_until = created_at where status = 'pending'`)

const pending = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => numbersOf(sql`select count(*)::int as number from billing_changes where status = 'pending'`)
)

const worker = (env: Record<string, string>) => startTurma({ env: { ...env, ROLE: "worker" } })

/** Kills a process after Stripe carried out this call but before its answer. A day passes: Stripe forgets keys. */
const killedAt = Effect.fnUntraced(function*(
  server: StripeServer,
  env: Record<string, string>,
  method: string,
  path: string
) {
  server.fail(method, path, "held")
  yield* hurry
  const lost = yield* worker(env)
  yield* server.untilHeld
  yield* lost.end("SIGKILL")
  server.held.splice(0).forEach((release) => release())
  server.state.said.clear()
})

/** Another process sends the pending changes. */
const resumed = Effect.fnUntraced(function*<A>(
  env: Record<string, string>,
  seen: Effect.Effect<A, never, SqlClient.SqlClient>,
  isSeen: (seen: A) => boolean
) {
  yield* hurry
  const other = yield* worker(env)
  // Pauses between reads, because the process starts at the same time.
  const schedule = Schedule.spaced("100 millis")
  yield* Effect.repeat(pending, { until: ([left]) => left === 0, schedule })
  yield* Effect.repeat(seen, { until: isSeen, schedule })
  const { code, stderr, stdout } = yield* other.end()
  assert.strictEqual(code, 0)
  assert.notMatch(stdout + stderr, /sk_test|whsec/)
})

const amountsOf = (kind: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => numbersOf(sql`select amount_cents::int as number from billing_entries where kind = ${kind}`)
  )

/** A club with a plan at Stripe. Stripe's clock shows the real time. */
const subscribed = Effect.fnUntraced(function*({ state }: StripeServer) {
  const sql = yield* SqlClient.SqlClient
  Object.assign(state.prices, { price_starter: 2900, price_pack: 1900 })
  const now = DateTime.toEpochMillis(yield* DateTime.now)
  state.now = Math.floor(now / 1000) - 3600
  const club = yield* makeClub()
  const { anchor, customer, end, id } = state.subscribe(["price_starter"])
  yield* sql`
    insert into billing_accounts ${
    sql.insert({
      club_id: club.id,
      provider: "stripe",
      plan_key: "starter",
      anchor: new Date(anchor * 1000),
      invoiced_until: new Date(end * 1000),
      customer_id: customer,
      subscription_id: id,
      created_at: new Date(anchor * 1000)
    })
  }`
  state.now += 3600
  return club
})

layer(NodeServices.layer, { excludeTestServices: true })("Processes with Stripe", (it) => {
  it.effect("that are killed while Stripe is told charge once and credit once", () =>
    Effect.gen(function*() {
      const server = yield* startStripeServer
      const url = yield* freshDatabaseUrl
      const env = yield* settings(url, server.base_url)
      const ours = yield* unheardBilling
      yield* Effect.gen(function*() {
        const club = yield* subscribed(server)
        const billing = yield* BillingProvider
        yield* billing.contract(club.id, "pack")
        assert.deepStrictEqual(yield* pending, [1])
        yield* killedAt(server, env, "POST", "/v1/subscription_items")
        // The mirror also has the charge, although no process got the answer.
        yield* resumed(env, amountsOf("addon"), (charges) => charges.length > 0)
        yield* billing.remove(club.id, "pack")
        yield* killedAt(server, env, "DELETE", "/v1/subscription_items")
        yield* killedAt(server, env, "POST", "/v1/invoiceitems")
        yield* resumed(env, Effect.void, () => true)
        const charges = yield* amountsOf("addon")
        const credits = yield* amountsOf("credit")
        assert.deepStrictEqual([charges.length, credits.length], [1, 1])
        assert.deepStrictEqual(server.state.invoiceItems.map(({ amount }) => amount), credits)
        const items = [...server.state.subscriptions.values()].flatMap(({ items }) => items.map(({ price }) => price))
        assert.deepStrictEqual(items, ["price_starter"])
        assert.lengthOf([...server.state.invoices.values()], 2)
      }).pipe(Effect.provide(ours.pipe(Layer.provideMerge(connectionsLayer({ url, connections: 4 })))))
      // Five processes start and end one after the other.
    }))

  it.effect("start, answer and end where Stripe is not reached", () =>
    Effect.gen(function*() {
      const env = yield* settings(yield* freshDatabaseUrl, `http://127.0.0.1:${yield* freePort}`)
      const api = yield* startApi({ env: { ...env, ROLE: "all" } })
      assert.strictEqual((yield* ask(`${api.url}/v1/health`)).status, 200)
      const event = yield* ask(`${api.url}/internal/billing/stripe`, { method: "POST", body: "{}" })
      assert.strictEqual(event.status, 401)
      assert.strictEqual((yield* api.end()).code, 0)
    }))
})
