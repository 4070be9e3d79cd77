import { DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { ServicesLayer } from "../../../../src/App.ts"
import { Mappings } from "../../../../src/commerce/sales/mapping/Mappings.ts"
import type { Buyer, SaleFact, SoldPurchase } from "../../../../src/commerce/sales/platform/Platform.ts"
import { Purchases, type Settlement } from "../../../../src/commerce/sales/purchase/Purchases.ts"
import type { ClubId } from "../../../../src/identity/ids/ClubId.ts"
import { QueuedWork } from "../../../../src/platform/jobs/QueuedWork.ts"
import { configLayer } from "../../../harness/App.ts"
import { makeCatalogDelivery, makeClub } from "../../../harness/Makers.ts"
import { PostgresLayer } from "../../../harness/Postgres.ts"

/** Purchases and their services, on their own database. */
export const SalesLayer = ServicesLayer.pipe(Layer.provideMerge(PostgresLayer), Layer.provide(configLayer()))

/** A club that sells Hotmart's product 788921, which gives a delivery. */
export const openShop = Effect.fn("openShop")(function*(
  given: { readonly default_access_days?: number | null; readonly access_days?: number | null } = {}
) {
  const { access_days = null, ...rest } = given
  const club = yield* makeClub()
  const delivery = yield* makeCatalogDelivery(club, rest)
  const mappings = yield* Mappings
  yield* mappings.create(club.id, {
    platform: "hotmart",
    external_product_id: "788921",
    external_offer_id: null,
    delivery_id: delivery.id,
    cohort_id: null,
    access_days
  }).pipe(Effect.orDie)
  return { club, delivery }
})

/** A moment of the day on which everything here happens. */
export const at = (clock: string, day = "2026-03-02") => DateTime.makeUnsafe(`${day}T${clock}:00.000Z`)

export const bia: Buyer = { name: "Bia Lima", email: "bia.lima@example.com", document: null }

/** One charge in the form of a platform's fact. */
export const chargeOf = (external_id: string, given: Partial<SoldPurchase> = {}): SoldPurchase => ({
  external_id,
  amount_cents: 14_950,
  currency: "BRL",
  payment_method: "CREDIT_CARD",
  recurrence: null,
  lateness_key: null,
  period_end: null,
  ...given
})

export const sold = {
  buyer: bia,
  products: [{ external_id: "788921", name: "Violão do zero", offer_external_id: "launch" }],
  subscription: null
}

const platform_event_id = "01993f2a-7c00-7a10-8c4e-5b1d2f3a4c5d"

/** Work with its own id, though all events here share one id. */
export const newWork = () => new QueuedWork(randomUUID(), at("23:00", "2026-12-31"))

/** Sends one fact as the queue does, in its own transaction. */
export const tell = Effect.fn("tell")(function*(club: { readonly id: ClubId }, ...facts: ReadonlyArray<SaleFact>) {
  const sql = yield* SqlClient.SqlClient
  const purchases = yield* Purchases
  const received_at = at("23:00", "2026-12-31")
  const event_id = platform_event_id
  return yield* sql
    .withTransaction(purchases.settle({
      club_id: club.id,
      platform: "hotmart",
      event_id,
      received_at,
      work: newWork(),
      facts
    }))
})

/** Sends facts one after another. Like the queue, it sends waiting facts again once a purchase becomes known. */
export const tellAll = Effect.fn("tellAll")(function*(
  club: { readonly id: ClubId },
  facts: ReadonlyArray<SaleFact>
) {
  const waiting: Array<SaleFact> = []
  const outcomes: Array<Settlement["outcome"]> = []
  for (const fact of facts) {
    const settled = yield* tell(club, fact)
    outcomes.push(settled.outcome)
    if (settled.outcome === "unmapped") waiting.push(fact)
    if (settled.newNames.length === 0) continue
    for (const fact of waiting.splice(0)) if ((yield* tell(club, fact)).outcome === "unmapped") waiting.push(fact)
  }
  return outcomes
})

const Row = Schema.Record(Schema.String, Schema.Unknown)
const decodeRows = Schema.decodeUnknownEffect(Schema.Array(Row))

/** The result of sales in a club, without ids and without the times of writes. */
export const stateOf = Effect.fn("stateOf")(function*(club: { readonly id: ClubId }) {
  const sql = yield* SqlClient.SqlClient
  const rows = (query: ReturnType<typeof sql<object>>) => Effect.flatMap(query, decodeRows)
  return {
    students: yield* rows(sql`select email, name from students where club_id = ${club.id} order by email`),
    purchases: yield* rows(sql`
      select external_id, status, product_external_id, product_name, offer_external_id, amount_cents::int, currency,
        payment_method, recurrence, period_end, paid_at, refunded_at, charged_back_at, dispute_won_at,
        subscription_id is not null as of_subscription
      from purchases where club_id = ${club.id} order by external_id`),
    subscriptions: yield* rows(sql`
      select external_id, status, plan_name, current_period_end, past_due_since, canceled_at
      from subscriptions where club_id = ${club.id} order by external_id`),
    enrollments: yield* rows(sql`
      select delivery_id, source, expires_at, revoked_at is not null as revoked, revoke_reason
      from enrollments where club_id = ${club.id} order by delivery_id`)
  }
})

/** The recorded events of a club, sorted by name. A change of an expiry also shows the former expiry. */
export const eventsOf = Effect.fn("eventsOf")(function*(club: { readonly id: ClubId }) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* Effect.flatMap(
    sql`
      select type, subject ->> 'previous_expires_at' as previous_expires_at from event_outbox
      where club_id = ${club.id} order by type, subject ->> 'previous_expires_at'`,
    decodeRows
  )
  return rows.map(({ previous_expires_at, type }) =>
    previous_expires_at === null ? `${type}` : `${type} from ${previous_expires_at}`
  )
})

/** The times of a club's sale events as `type moment`, in the order of their moments. */
export const momentsOf = Effect.fn("momentsOf")(function*(club: { readonly id: ClubId }) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* Effect.flatMap(
    sql`
      select type, occurred_at from event_outbox
      where club_id = ${club.id} and (type like 'purchase.%' or type like 'subscription.%')
      order by occurred_at, type`,
    Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ type: Schema.String, occurred_at: Schema.Date })))
  )
  return rows.map(({ occurred_at, type }) => `${type} ${occurred_at.toISOString()}`)
})
