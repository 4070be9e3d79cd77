import { NodeServices } from "@effect/platform-node"
import { assert } from "@effect/vitest"
import { Context, DateTime, Effect, Fiber, FileSystem, Layer, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { StripeSettings } from "../../../../src/commerce/billing/settings/BillingSettings.ts"
import { Changes } from "../../../../src/commerce/billing/stripe/Changes.ts"
import { Overages } from "../../../../src/commerce/billing/stripe/mirror/Overages.ts"
import { StripeEvents } from "../../../../src/commerce/billing/stripe/StripeEvents.ts"
import { stripeApiLayer } from "../../../../src/commerce/billing/stripe/StripeLayer.ts"
import { appLayer, at, foundClub, listAt, send } from "../../../harness/App.ts"
import { PostgresLayer } from "../../../harness/Postgres.ts"
import { bodyOf } from "../../../harness/stripe/Handlers.ts"
import type { EventState } from "../../../harness/stripe/State.ts"
import { signed, startStripeServer, type StripeServer } from "../../../harness/StripeServer.ts"
import { catalog } from "./Catalog.ts"

export const webhookSecret = "whsec_test_of_turma"
export const secretKey = "sk_test_of_turma"

/** Stripe for tests. Workers send it changes only if a test tells them to. */
export class FakeStripe extends Context.Service<FakeStripe, StripeServer>()("test/FakeStripe") {}

const catalogFile = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-catalog-" })
  yield* fs.writeFileString(`${folder}/catalog.json`, JSON.stringify(catalog))
  return `${folder}/catalog.json`
}).pipe(Effect.provide(NodeServices.layer))

const withDashboard = { DASHBOARD_URL: "https://dashboard.turma.example" }

/** The whole service with its own Stripe, on this database. `urls` are the addresses of the service and the apps. */
export const stripeLayerOn = (database: typeof PostgresLayer, urls: Record<string, string> = withDashboard) =>
  Layer.unwrap(Effect.gen(function*() {
    const server = yield* startStripeServer
    Object.assign(server.state.prices, {
      price_starter: 2900,
      price_growth: 9900,
      price_pack: 1900,
      price_priority: 4900,
      price_onboarding: 500
    })
    const chosen: StripeSettings = {
      key: Redacted.make(secretKey),
      webhook_secret: Redacted.make(webhookSecret),
      base_url: server.base_url
    }
    return Layer.mergeAll(Changes.layer, StripeEvents.layer, Overages.layer).pipe(
      Layer.provide(stripeApiLayer(chosen)),
      Layer.provideMerge(appLayer({
        BILLING_PROVIDER: "stripe",
        BILLING_CATALOG: yield* catalogFile,
        STRIPE_SECRET_KEY: secretKey,
        STRIPE_WEBHOOK_SECRET: webhookSecret,
        STRIPE_BASE_URL: server.base_url,
        ...urls,
        ADMIN_SESSION_IDLE: "3000 days",
        ADMIN_SESSION_MAX: "3000 days"
      }, { database })),
      Layer.merge(Layer.succeed(FakeStripe, server))
    )
  }))

/** The whole service with its own Stripe. */
export const stripeLayer = stripeLayerOn(PostgresLayer)

/** Moves Stripe's clock and ours to this second. */
const setClock = Effect.fnUntraced(function*(seconds: number) {
  const { state } = yield* FakeStripe
  state.now = seconds
  yield* TestClock.setTime(seconds * 1000)
})

/** The first second of the tests, a round one. */
const begin = Date.UTC(2026, 8, 1) / 1000

/** Moves both clocks on by this many seconds. */
export const pass = Effect.fnUntraced(function*(seconds: number) {
  const { state } = yield* FakeStripe
  yield* setClock(Math.max(state.now, Math.floor((yield* DateTime.now).epochMilliseconds / 1000), begin) + seconds)
})

/** Sends an event as Stripe does. */
export const tell = Effect.fnUntraced(function*(event: EventState) {
  const payload = JSON.stringify(bodyOf(event))
  const now = Math.floor((yield* DateTime.now).epochMilliseconds / 1000)
  return yield* send("POST", "/internal/billing/stripe", {
    body: payload,
    headers: { "stripe-signature": signed(payload, webhookSecret, now) }
  })
})

/** Handles due events and changes until the queues are empty. */
export const settle = Effect.gen(function*() {
  const changes = yield* Changes
  const stripeEvents = yield* StripeEvents
  const once = Effect.zipWith(stripeEvents.tick, changes.tick, (events, told) => events + told)
  yield* Effect.repeat(once, { while: (done) => done > 0 })
})

/** Moves the clocks on and handles due events and changes. */
export const settleAfter = (seconds: number) => Effect.andThen(pass(seconds), settle)

/** Sends every unsent event of Stripe, in the order in which they happened. */
export const tellAll = Effect.gen(function*() {
  const { state } = yield* FakeStripe
  yield* Effect.forEach(state.events.splice(0), tell, { discard: true })
  yield* settle
})

/** Begins a checkout for the plan and returns its address. */
export const beginCheckout = Effect.fnUntraced(function*(
  { path, token }: { readonly path: string; readonly token: string },
  plan = "starter"
) {
  const { json, status, text } = yield* send("POST", `${path}/billing/checkout`, { token, body: { plan } })
  assert.strictEqual(status, 200, text)
  return String(at(json, "data", "url"))
})

/** The club buys these prices at Stripe, in its own checkout. Stripe has not sent the event yet. */
export const buy = Effect.fnUntraced(function*(
  club: { readonly path: string; readonly token: string },
  prices: ReadonlyArray<string> = ["price_starter"],
  customer?: string
) {
  const { state } = yield* FakeStripe
  return state.buy(yield* beginCheckout(club), prices, customer)
})

/** A club with a plan that it bought at Stripe. */
export const subscribedClub = Effect.fnUntraced(function*(
  ...prices: ReadonlyArray<string>
) {
  yield* pass(60)
  const club = yield* foundClub()
  const subscription = yield* buy(club, prices.length === 0 ? undefined : prices)
  yield* tellAll
  return { ...club, subscription }
})
export type Subscribed = Effect.Success<ReturnType<typeof subscribedClub>>

export const billingOf = ({ path, token }: Pick<Subscribed, "path" | "token">) =>
  Effect.map(send("GET", `${path}/billing`, { token }), ({ json }) => at(json, "data"))

export const contract = ({ path, token }: Subscribed, key = "pack") =>
  send("POST", `${path}/billing/addons`, { token, body: { key } })

export const remove = ({ path, token }: Subscribed, key = "pack") =>
  send("DELETE", `${path}/billing/addons/${key}`, { token })

/** Runs the work while nobody pays an invoice. */
export const unpaid = Effect.fnUntraced(function*<A, E, R>(work: Effect.Effect<A, E, R>) {
  const { state } = yield* FakeStripe
  state.pays = false
  const done = yield* work
  state.pays = true
  return done
})

/** Records that the club used this many answers in its first period. */
export const used = Effect.fnUntraced(function*({ id, subscription }: Subscribed, units: number) {
  const sql = yield* SqlClient.SqlClient
  const period_start = new Date(subscription.start * 1000)
  yield* sql`
    insert into billing_usage ${sql.insert({ club_id: id, resource_key: "answers", period_start, used: units })}`
})

const Entry = Schema.Struct({
  kind: Schema.String,
  amount_cents: Schema.Int,
  invoiced: Schema.Boolean,
  of_charge: Schema.Boolean
})

/** The club's ledger. */
export const entriesOf = Effect.fnUntraced(function*({ id }: Pick<Subscribed, "id">) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    select kind, amount_cents::float8 as amount_cents, invoice_id is not null as invoiced,
      credited_id is not null as of_charge
    from billing_entries where club_id = ${id} order by id`
  return yield* Schema.decodeUnknownEffect(Schema.Array(Entry))(rows)
})

export const creditsOf = (club: Pick<Subscribed, "id">) =>
  Effect.map(
    entriesOf(club),
    (entries) => entries.filter(({ kind }) => kind === "credit").map((one) => one.amount_cents)
  )

/** The past and next credits and charges at Stripe for the club's invoices. */
export const itemsAtStripe = Effect.fnUntraced(function*({ subscription }: Subscribed) {
  const { state } = yield* FakeStripe
  return state.invoiceItems.filter(({ customer }) => customer === subscription.customer).map(({ amount }) => amount)
})

/** Status and total of each invoice, newest first. */
export const invoicesOf = ({ path, token }: { readonly path: string; readonly token: string }) =>
  Effect.map(
    send("GET", `${path}/billing/invoices?limit=100`, { token }),
    ({ json }) => listAt(json, "data").map((one) => [at(one, "status"), at(one, "total_cents")])
  )

/** The club's invoice at Stripe that nobody has paid. */
export const openInvoiceOf = Effect.fnUntraced(function*({ subscription }: Subscribed) {
  const { state } = yield* FakeStripe
  const open = [...state.invoices.values()].find((one) => one.status === "open" && one.subscription === subscription.id)
  return open ?? assert.fail("nothing is open")
})

/** The keys of the club's add-ons. */
export const addonsOf = (club: { readonly path: string; readonly token: string }) =>
  Effect.map(billingOf(club), (status) => listAt(status, "addons").map((addon) => at(addon, "key")))

/** Runs the work while Stripe may be silent. Each silence lasts until the client gives up. */
export const patiently = Effect.fnUntraced(function*<A, E, R>(work: Effect.Effect<A, E, R>) {
  const server = yield* FakeStripe
  const fiber = yield* Effect.forkChild(work)
  while (fiber.pollUnsafe() === undefined) {
    if (server.silences.splice(0).length > 0) yield* TestClock.adjust("11 seconds")
    else yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
  }
  return yield* Fiber.join(fiber)
})

/** The count of the add-on's items at Stripe, and of the invoices for them. */
export const packsAtStripe = Effect.fnUntraced(function*({ subscription }: Subscribed) {
  const { state } = yield* FakeStripe
  const items = subscription.items.filter(({ price }) => price === "price_pack")
  const charged = [...state.invoices.values()].filter((invoice) =>
    invoice.subscription === subscription.id && invoice.lines.length === 1 && invoice.lines[0]?.price === "price_pack"
  )
  return [items.length, charged.length]
})
