import { assert, layer } from "@effect/vitest"
import { Effect, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Mappings } from "../../../../src/commerce/sales/mapping/Mappings.ts"
import type { PurchaseFact, SaleFact } from "../../../../src/commerce/sales/platform/Platform.ts"
import { Purchases } from "../../../../src/commerce/sales/purchase/Purchases.ts"
import type { ClubId } from "../../../../src/identity/ids/ClubId.ts"
import { makeCatalogDelivery } from "../../../harness/Makers.ts"
import { at, chargeOf, eventsOf, momentsOf, newWork, openShop, SalesLayer, sold, stateOf, tell } from "./SalesLayer.ts"

const eventId = (n: number) => `01993f2a-7c00-7a10-8c4e-${String(n).padStart(12, "0")}`

const buyer = (name: string) => ({ name, email: `${name}@buyer.example`, document: null })

const approvedFor = (name: string, charge: string, given: Partial<PurchaseFact> = {}): PurchaseFact => ({
  ...sold,
  kind: "approved",
  at: at("10:00"),
  buyer: buyer(name),
  purchase: chargeOf(charge),
  ...given
})

/** Sends one event for each fact, all in one transaction. Returns the numbers of the settled ones. */
const tellTogether = Effect.fnUntraced(function*(club: { readonly id: ClubId }, ...facts: ReadonlyArray<SaleFact>) {
  const sql = yield* SqlClient.SqlClient
  const purchases = yield* Purchases
  const clubPlatform = { club_id: club.id, platform: "hotmart" as const }
  const received_at = at("23:00", "2026-12-31")
  const received = facts.map((fact, n) => ({
    ...clubPlatform,
    event_id: eventId(n),
    received_at,
    work: newWork(),
    facts: [fact]
  }))
  const { newNames, students } = yield* sql.withTransaction(purchases.settleNew(clubPlatform, received))
  return {
    newNames,
    settled: received.flatMap(({ event_id }, n) => students.has(event_id) ? [n] : [])
  }
})

const Stored = Schema.Struct({ platform_event_id: Schema.String, external_id: Schema.String })

layer(SalesLayer)("New sales that are settled together", (it) => {
  const shop = Effect.tap(openShop(), () => TestClock.setTime(at("14:00").epochMilliseconds))

  it.effect("end as one by one: students, purchases, access and events", () =>
    Effect.gen(function*() {
      const facts = [
        approvedFor("ana", "HP1"),
        approvedFor("bia", "HP2", { at: at("11:00") }),
        approvedFor("ana", "HP3", { at: at("12:00"), purchase: chargeOf("HP3", { amount_cents: 5000, recurrence: 1 }) })
      ]
      const [one, other] = [yield* shop, yield* shop]
      const mappings = yield* Mappings
      for (const { club } of [one, other]) {
        // An offer with more access than the product.
        const more = yield* makeCatalogDelivery(club, { default_access_days: 30 })
        const terms = { delivery_id: more.id, cohort_id: null, access_days: 90 }
        const product = { external_product_id: "788921", external_offer_id: "launch" }
        yield* mappings.create(club.id, { platform: "hotmart", ...product, ...terms })
      }
      yield* Effect.forEach(facts, (fact) => tell(one.club, fact), { discard: true })
      assert.deepStrictEqual(yield* tellTogether(other.club, ...facts), {
        settled: [0, 1, 2],
        newNames: ["HP1", "HP2", "HP3"]
      })
      const endOf = Effect.fnUntraced(function*({ club }: typeof one) {
        const { enrollments, ...state } = yield* stateOf(club)
        return {
          ...state,
          enrollments: enrollments.map(Struct.omit(["delivery_id"])),
          events: yield* eventsOf(club),
          moments: yield* momentsOf(club)
        }
      })
      assert.deepStrictEqual(yield* endOf(other), yield* endOf(one))
    }))

  it.effect("leave out whatever is not the first event of a single purchase", () =>
    Effect.gen(function*() {
      const { club } = yield* shop
      yield* tell(club, approvedFor("ana", "KNOWN"))
      const purchases = yield* Purchases
      const sql = yield* SqlClient.SqlClient
      const linked = { kind: "linked", alias: "ALIAS", external_id: "LINKED" } as const
      yield* tell(club, linked)
      const told = yield* tellTogether(
        club,
        approvedFor("ana", "KNOWN"),
        approvedFor("bia", "TWICE"),
        approvedFor("bia", "TWICE"),
        approvedFor("bia", "ALIAS"),
        approvedFor("bia", "LINKED"),
        approvedFor("caio", "MONTHLY", { subscription: { external_id: "S1", plan_name: null } }),
        approvedFor("caio", "UNMAPPED", { products: [{ external_id: "1", name: null, offer_external_id: null }] }),
        approvedFor("caio", "NOTHING", { products: [] }),
        { ...approvedFor("caio", "BACK"), kind: "refunded" },
        { ...linked, alias: "OTHER" },
        approvedFor("duda", "NEW")
      )
      assert.deepStrictEqual(told, { settled: [10], newNames: ["NEW"] })
      const { purchases: stored, students } = yield* stateOf(club)
      assert.deepStrictEqual(stored.map(({ external_id }) => external_id), ["KNOWN", "NEW"])
      assert.deepStrictEqual(students.map(({ name }) => name), ["ana", "duda"])
      const two = { club_id: club.id, platform: "hotmart", event_id: eventId(1), received_at: at("15:00") } as const
      const work = newWork()
      const facts = [approvedFor("bia", "A"), approvedFor("bia", "B")]
      const settled = yield* sql.withTransaction(purchases.settleNew(two, [{ ...two, work, facts }]))
      assert.strictEqual(settled.students.size, 0)
    }))

  it.effect("make known the aliases of their purchases, too", () =>
    Effect.gen(function*() {
      const { club } = yield* shop
      yield* tell(club, { kind: "linked", alias: "PI", external_id: "IN" })
      assert.deepStrictEqual(yield* tellTogether(club, approvedFor("ana", "PI"), approvedFor("bia", "HP1")), {
        settled: [0, 1],
        newNames: ["IN", "HP1", "PI"]
      })
    }))

  it.effect("mail each buyer who never bought before one way in", () =>
    Effect.gen(function*() {
      const { club } = yield* shop
      const sql = yield* SqlClient.SqlClient
      yield* tell(club, approvedFor("ana", "HP0"))
      const mails = Effect.map(sql`select 1 from mails`, (rows) => rows.length)
      const before = yield* mails
      yield* tellTogether(
        club,
        approvedFor("ana", "HP1"),
        approvedFor("bia", "HP2"),
        approvedFor("bia", "HP3"),
        approvedFor("caio", "HP4")
      )
      assert.strictEqual(yield* mails, before + 2)
    }))

  it.effect("name each its own event in the history of the access", () =>
    Effect.gen(function*() {
      const { club } = yield* shop
      const sql = yield* SqlClient.SqlClient
      yield* tellTogether(club, approvedFor("ana", "HP1"), approvedFor("bia", "HP2"))
      const rows = yield* sql`
        select a.platform_event_id, p.external_id from access_events a
        join enrollments e on e.club_id = a.club_id and e.id = a.enrollment_id
        join purchases p on p.club_id = e.club_id and p.id = e.purchase_id
        where a.club_id = ${club.id} order by p.external_id`
      assert.deepStrictEqual(yield* Schema.decodeUnknownEffect(Schema.Array(Stored))(rows), [
        { platform_event_id: eventId(0), external_id: "HP1" },
        { platform_event_id: eventId(1), external_id: "HP2" }
      ])
    }))

  it.effect("give what is free to whom they make a student", () =>
    Effect.gen(function*() {
      const { club } = yield* shop
      yield* makeCatalogDelivery(club, { free: true })
      yield* tellTogether(club, approvedFor("ana", "HP1"), approvedFor("bia", "HP2"))
      const { enrollments } = yield* stateOf(club)
      assert.deepStrictEqual(enrollments.map(({ source }) => source).toSorted(), [
        "free",
        "free",
        "purchase",
        "purchase"
      ])
    }))
})
