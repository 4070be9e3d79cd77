import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Mappings } from "../../../../src/commerce/sales/mapping/Mappings.ts"
import type { SoldProduct } from "../../../../src/commerce/sales/platform/Platform.ts"
import { AppLayer, at, foundClub, listAt, outcome, send, tokenAs } from "../../../harness/App.ts"
import { makeCatalogDelivery, makeCohort } from "../../../harness/Makers.ts"
import { SpansLayer, statements } from "../../../harness/Statements.ts"
import {
  drain,
  eventsOf,
  hooksLayer,
  type OpenHook,
  openHook,
  outcomesOf,
  post,
  sale,
  Teller
} from "../inbound/Hooks.ts"

const unknownId = "0190a000-0000-7000-8000-000000000001"

type Club = Pick<Effect.Success<ReturnType<typeof foundClub>>, "id" | "path" | "token">

const create = ({ path, token }: Club, body: Record<string, unknown>) =>
  send("POST", `${path}/product-mappings`, {
    token,
    body: { platform: "hotmart", external_product_id: "4711", ...body }
  })

const idOf = (answer: { readonly json: unknown }) => String(at(answer.json, "data", "id"))

const ask = ({ path, token }: Club, method: "GET" | "PATCH" | "POST" | "DELETE", rest: string, body?: unknown) =>
  send(method, `${path}/product-mappings${rest}`, { token, ...(body === undefined ? {} : { body }) })

const sold = (external_id: string, offer_external_id: string | null = null): SoldProduct => ({
  external_id,
  name: null,
  offer_external_id
})

layer(AppLayer.pipe(Layer.provideMerge(SpansLayer)))("A product mapping", (it) => {
  it.effect("says what a product gives access to", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const delivery = yield* makeCatalogDelivery(club)
      const cohort = yield* makeCohort(club, delivery)
      const answer = yield* create(club, { delivery_id: delivery.id })
      assert.strictEqual(answer.status, 201)
      const { created_at, id, ...rest } = Object(at(answer.json, "data"))
      assert.strictEqual(created_at, DateTime.formatIso(yield* DateTime.now))
      assert.deepStrictEqual(rest, {
        platform: "hotmart",
        external_product_id: "4711",
        external_offer_id: null,
        delivery_id: delivery.id,
        cohort_id: null,
        access_days: null,
        unmapped_events: 0
      })
      const changed = yield* ask(club, "PATCH", `/${id}`, { cohort_id: cohort.id, access_days: 365 })
      assert.deepStrictEqual(at(changed.json, "data"), {
        ...rest,
        id,
        created_at,
        cohort_id: cohort.id,
        access_days: 365
      })
      assert.deepStrictEqual((yield* ask(club, "GET", `/${id}`)).json, changed.json)
      const { unmapped_events: _, ...listed } = Object(at(changed.json, "data"))
      assert.deepStrictEqual(listAt((yield* ask(club, "GET", "")).json, "data"), [listed])
      assert.strictEqual((yield* ask(club, "DELETE", `/${id}`)).status, 204)
      for (const method of ["GET", "DELETE"] as const) {
        assert.deepStrictEqual(outcome(yield* ask(club, method, `/${id}`)), [404, "not_found"])
      }
    }))

  it.effect("is there once for a product, an offer and a delivery", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const [one, other] = [yield* makeCatalogDelivery(club), yield* makeCatalogDelivery(club)]
      assert.strictEqual((yield* create(club, { delivery_id: one.id })).status, 201)
      assert.deepStrictEqual(outcome(yield* create(club, { delivery_id: one.id })), [409, "mapping_exists"])
      const offer = yield* create(club, { delivery_id: one.id, external_offer_id: "vip" })
      assert.strictEqual(offer.status, 201)
      assert.strictEqual((yield* create(club, { delivery_id: other.id })).status, 201)
      const merged = yield* ask(club, "PATCH", `/${idOf(offer)}`, { external_offer_id: null })
      assert.deepStrictEqual(outcome(merged), [409, "mapping_exists"])
    }))

  it.effect("names a delivery of the club and a cohort of the delivery", () =>
    Effect.gen(function*() {
      const [club, foreign] = [yield* foundClub(), yield* foundClub()]
      const [one, other] = [yield* makeCatalogDelivery(club), yield* makeCatalogDelivery(club)]
      const archived = yield* makeCatalogDelivery(club, { archived_at: yield* DateTime.now })
      const [cohort, strange] = [yield* makeCohort(club, other), yield* makeCatalogDelivery(foreign)]
      for (const delivery_id of [unknownId, archived.id, strange.id]) {
        assert.deepStrictEqual(outcome(yield* create(club, { delivery_id })), [422, "delivery_unknown"])
      }
      for (const cohort_id of [unknownId, cohort.id]) {
        const answer = yield* create(club, { delivery_id: one.id, cohort_id })
        assert.deepStrictEqual(outcome(answer), [422, "cohort_of_other_delivery"])
      }
      const made = yield* create(club, { delivery_id: other.id, cohort_id: cohort.id })
      const moved = yield* ask(club, "PATCH", `/${idOf(made)}`, { delivery_id: one.id, access_days: 7 })
      assert.deepStrictEqual(outcome(moved), [422, "cohort_of_other_delivery"])
      assert.isNull(at((yield* ask(club, "GET", `/${idOf(made)}`)).json, "data", "access_days"))
      const free = yield* ask(club, "PATCH", `/${idOf(made)}`, { delivery_id: one.id, cohort_id: null })
      assert.strictEqual(at(free.json, "data", "delivery_id"), one.id)
    }))

  it.effect.each([
    { external_product_id: "" },
    { external_product_id: "x".repeat(201) },
    { external_offer_id: "" },
    { access_days: 0 },
    { access_days: 36_501 },
    { access_days: 1.5 },
    { platform: "other" },
    { extra: 1 }
  ])("is not made with %j", (body) =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { id: delivery_id } = yield* makeCatalogDelivery(club)
      assert.deepStrictEqual(outcome(yield* create(club, { delivery_id, ...body })), [422, "validation_failed"])
    }))

  it.effect("applies to the product, and with an offer to that offer alone", () =>
    Effect.gen(function*() {
      const mappings = yield* Mappings
      const [club, foreign] = [yield* foundClub(), yield* foundClub()]
      const [one, other] = [yield* makeCatalogDelivery(club), yield* makeCatalogDelivery(club)]
      const all = idOf(yield* create(club, { delivery_id: one.id }))
      const vip = idOf(yield* create(club, { delivery_id: other.id, external_offer_id: "vip" }))
      const second = idOf(yield* create(club, { delivery_id: one.id, external_product_id: "4712" }))
      yield* create(club, { delivery_id: one.id, platform: "kiwify" })
      const found = (...products: ReadonlyArray<SoldProduct>) =>
        Effect.map(mappings.of(club.id, "hotmart", products), (rows) => rows.map(({ id }): string => id))
      assert.deepStrictEqual(yield* found(sold("4711")), [all])
      assert.deepStrictEqual(yield* found(sold("4711", "basic")), [all])
      assert.deepStrictEqual(yield* found(sold("4711", "vip")), [vip, all])
      assert.deepStrictEqual(yield* found(sold("4711", "vip"), sold("4711", "vip"), sold("4712")), [vip, all, second])
      // An offer belongs to its product alone.
      assert.deepStrictEqual(yield* found(sold("4711", "basic"), sold("4712", "vip")), [all, second])
      assert.deepStrictEqual(yield* found(sold("4713")), [])
      assert.deepStrictEqual(yield* found(), [])
      assert.deepStrictEqual(yield* mappings.of(foreign.id, "hotmart", [sold("4711")]), [])
      assert.lengthOf(yield* statements(mappings.of(club.id, "hotmart", [sold("4711")])), 1)
    }))

  it.effect("is read by every member and written by the administration", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { id: delivery_id } = yield* makeCatalogDelivery(club)
      const id = idOf(yield* create(club, { delivery_id }))
      for (const role of ["editor", "support", "viewer"] as const) {
        const member = { ...club, token: yield* tokenAs(club, role) }
        assert.strictEqual((yield* ask(member, "GET", "")).status, 200)
        assert.strictEqual((yield* ask(member, "GET", `/${id}`)).status, 200)
        assert.strictEqual((yield* create(member, { delivery_id })).status, 403)
        for (const [method, rest] of [["PATCH", ""], ["DELETE", ""], ["POST", "/reprocess"]] as const) {
          assert.strictEqual((yield* ask(member, method, `/${id}${rest}`, {})).status, 403)
        }
      }
    }))
})

const teller = new Teller()
teller.answer = () => Effect.succeed({ outcome: "unmapped" })

layer(hooksLayer(teller))("Events that wait for a mapping", (it) => {
  const unmapped = Effect.fn("unmapped")(function*(hook: OpenHook) {
    yield* post(hook.post, sale({ product: 1, offer: "basic" }))
    yield* post(hook.post, sale({ product: 1, offer: "vip" }))
    yield* post(hook.post, sale({ product: 2, offer: "vip" }))
    yield* drain
  })

  it.effect("are counted and put back into the queue by the mapping that applies to them", () =>
    Effect.gen(function*() {
      const [hook, other] = [yield* openHook(), yield* openHook()]
      yield* unmapped(hook)
      yield* unmapped(other)
      const { id: delivery_id } = yield* makeCatalogDelivery(hook)
      const vip = yield* create(hook, { external_product_id: "1", external_offer_id: "vip", delivery_id })
      const all = yield* create(hook, { external_product_id: "1", delivery_id })
      const none = yield* create(hook, { external_product_id: "1", platform: "eduzz", delivery_id })
      const counts = [vip, all, none].map(({ json }) => at(json, "data", "unmapped_events"))
      assert.deepStrictEqual(counts, [1, 2, 0])
      const answer = yield* ask(hook, "POST", `/${idOf(vip)}/reprocess`)
      assert.deepStrictEqual([answer.status, answer.json], [202, { data: { requeued: 1 } }])
      assert.deepStrictEqual(yield* outcomesOf(hook), ["unmapped", null, "unmapped"])
      assert.strictEqual(at((yield* ask(hook, "GET", `/${idOf(all)}`)).json, "data", "unmapped_events"), 1)
      const others = yield* ask(hook, "POST", `/${idOf(all)}/reprocess`)
      assert.deepStrictEqual(others.json, { data: { requeued: 1 } })
      teller.answer = () => Effect.succeed({ outcome: "processed" })
      yield* drain
      assert.deepStrictEqual(yield* outcomesOf(hook), ["processed", "processed", "unmapped"])
      assert.deepStrictEqual(yield* outcomesOf(other), ["unmapped", "unmapped", "unmapped"])
      const again = yield* ask(hook, "POST", `/${idOf(all)}/reprocess`)
      assert.deepStrictEqual(again.json, { data: { requeued: 0 } })
      teller.answer = () => Effect.succeed({ outcome: "unmapped" })
    }))

  it.effect("are passed over once their body is deleted", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      yield* unmapped(hook)
      const sql = yield* SqlClient.SqlClient
      yield* sql`update inbound_events set raw = null where club_id = ${hook.id}`
      const { id: delivery_id } = yield* makeCatalogDelivery(hook)
      const all = yield* create(hook, { external_product_id: "1", delivery_id })
      assert.strictEqual(at(all.json, "data", "unmapped_events"), 0)
      assert.deepStrictEqual((yield* ask(hook, "POST", `/${idOf(all)}/reprocess`)).json, { data: { requeued: 0 } })
      assert.isEmpty((yield* eventsOf(hook)).filter(({ due_at }) => due_at !== null))
    }))

  it.effect("are nothing to another club's mapping", () =>
    Effect.gen(function*() {
      const [hook, other] = [yield* openHook(), yield* openHook()]
      yield* unmapped(hook)
      const { id: delivery_id } = yield* makeCatalogDelivery(other)
      const theirs = idOf(yield* create(other, { external_product_id: "1", delivery_id }))
      assert.deepStrictEqual(outcome(yield* ask(hook, "POST", `/${theirs}/reprocess`)), [404, "not_found"])
      assert.deepStrictEqual((yield* ask(other, "POST", `/${theirs}/reprocess`)).json, { data: { requeued: 0 } })
    }))
})
