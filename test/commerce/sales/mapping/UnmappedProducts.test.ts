import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { InboundEvents } from "../../../../src/commerce/sales/inbound/InboundEvents.ts"
import { UnmappedProducts } from "../../../../src/commerce/sales/mapping/UnmappedProducts.ts"
import { InboundQueue } from "../../../../src/commerce/sales/queue/InboundQueue.ts"
import { AppLayer, at, enrolledStudent, listAt, outcome, send, tokenAs } from "../../../harness/App.ts"
import { makeCatalogDelivery } from "../../../harness/Makers.ts"
import { readingMuch } from "../../../harness/RowsRead.ts"
import { SpansLayer, statements } from "../../../harness/Statements.ts"
import { vacuumed } from "../../../harness/Vacuumed.ts"
import { drain, type OpenHook, openHook, outcomesOf, post, sale } from "../inbound/Hooks.ts"

const SalesLayer = InboundQueue.layer({ concurrency: 4 }).pipe(
  Layer.provideMerge(AppLayer),
  Layer.provideMerge(SpansLayer)
)

const read = ({ path, token }: Pick<OpenHook, "path" | "token">, query = "") =>
  send("GET", `${path}/unmapped-products${query}`, { token })

const listed = (hook: OpenHook, query = "") => Effect.map(read(hook, query), ({ json }) => listAt(json, "data"))

/** Product, offer and number of events of each listed product. */
const shortly = (hook: OpenHook) =>
  Effect.map(listed(hook), (products) =>
    products.map((product) => [
      at(product, "external_product_id"),
      at(product, "external_offer_id"),
      at(product, "events")
    ]))

const map = Effect.fnUntraced(function*(hook: OpenHook, body: Record<string, unknown>) {
  const answer = yield* send("POST", `${hook.path}/product-mappings`, {
    token: hook.token,
    body: { platform: "hotmart", ...body }
  })
  assert.strictEqual(answer.status, 201, answer.text)
  return `${hook.path}/product-mappings/${at(answer.json, "data", "id")}`
})

const sell = Effect.fnUntraced(function*(hook: OpenHook, ...sales: ReadonlyArray<Parameters<typeof sale>[0]>) {
  for (const given of sales) yield* post(hook.post, sale(given))
  yield* drain
})

layer(SalesLayer)("Products that no mapping takes", (it) => {
  it.effect("are listed with their names, and with how many events wait since when", () =>
    Effect.gen(function*() {
      const [hook, other] = [yield* openHook(), yield* openHook()]
      yield* sell(other, { product: 9 })
      yield* post(hook.post, sale({ product: 1 }))
      const first = DateTime.formatIso(yield* DateTime.now)
      yield* TestClock.adjust("1 hour")
      yield* sell(hook, { product: 1 })
      assert.deepStrictEqual(yield* outcomesOf(hook), ["unmapped", "unmapped"])
      assert.deepStrictEqual(yield* listed(hook), [{
        platform: "hotmart",
        external_product_id: "1",
        external_offer_id: "basic",
        name: "Violão do Zero",
        events: 2,
        first_received_at: first,
        last_received_at: DateTime.formatIso(yield* DateTime.now)
      }])
    }))

  it.effect("are what is left over by the mappings, offer by offer", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      yield* sell(hook, { product: 1, offer: "basic" }, { product: 1, offer: "vip" }, { product: 2, offer: "vip" })
      assert.deepStrictEqual(yield* shortly(hook), [["1", "basic", 1], ["1", "vip", 1], ["2", "vip", 1]])
      const { id: delivery_id } = yield* makeCatalogDelivery(hook)
      yield* map(hook, { external_product_id: "1", external_offer_id: "vip", delivery_id })
      assert.deepStrictEqual(yield* shortly(hook), [["1", "basic", 1], ["2", "vip", 1]])
      yield* map(hook, { external_product_id: "1", delivery_id })
      yield* map(hook, { external_product_id: "2", delivery_id, platform: "kiwify" })
      assert.deepStrictEqual(yield* shortly(hook), [["2", "vip", 1]])
    }))

  it.effect("are gone for good once what waited is processed", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      yield* sell(hook, { product: 1, email: "a@buyer.example" }, { product: 2, email: "b@buyer.example" })
      const { id: delivery_id } = yield* makeCatalogDelivery(hook)
      const mapping = yield* map(hook, { external_product_id: "1", delivery_id })
      yield* send("POST", `${mapping}/reprocess`, { token: hook.token })
      yield* drain
      assert.deepStrictEqual(yield* outcomesOf(hook), ["processed", "unmapped"])
      yield* send("DELETE", mapping, { token: hook.token })
      assert.deepStrictEqual(yield* shortly(hook), [["2", "basic", 1]])
    }))

  it.effect("are those too whose deliveries are all archived", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      const delivery = yield* makeCatalogDelivery(hook)
      yield* map(hook, { external_product_id: "1", delivery_id: delivery.id })
      const sql = yield* SqlClient.SqlClient
      yield* sql`update deliveries set archived_at = created_at where club_id = ${hook.id}`
      yield* sell(hook, { product: 1 })
      assert.deepStrictEqual(yield* shortly(hook), [["1", "basic", 1]])
    }))

  it.effect("are counted while their events wait and have a body", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      yield* sell(hook, { product: 1 }, { product: 1 }, { product: 1 }, { product: 2 })
      const sql = yield* SqlClient.SqlClient
      const [one, two, three, four] = yield* sql<{ id: string }>`
        select id from inbound_events where club_id = ${hook.id} order by id`
      const change = (id: string | undefined, set: string) =>
        sql`update inbound_events set ${sql.literal(set)} where club_id = ${hook.id} and id = ${id ?? ""}`
      yield* change(one?.id, "raw = null")
      assert.deepStrictEqual(yield* shortly(hook), [["1", "basic", 2], ["2", "basic", 1]])
      yield* change(two?.id, "outcome = 'failed'")
      assert.deepStrictEqual(yield* shortly(hook), [["1", "basic", 1], ["2", "basic", 1]])
      yield* change(two?.id, "outcome = 'unmapped'")
      yield* change(two?.id, "detail = 'A'")
      assert.deepStrictEqual(yield* shortly(hook), [["1", "basic", 2], ["2", "basic", 1]])
      yield* sql`delete from inbound_events where club_id = ${hook.id} and id in (${three?.id ?? ""}, ${
        four?.id ?? ""
      })`
      assert.deepStrictEqual(yield* shortly(hook), [["1", "basic", 1]])
    }))

  it.effect("are counted once for an event that names them twice, and each of several", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      yield* sell(hook, { product: 7 })
      const sql = yield* SqlClient.SqlClient
      yield* sql`update inbound_events set outcome = 'failed' where club_id = ${hook.id}`
      yield* sql`
        update inbound_events set outcome = 'unmapped', product_ids = '{b,a,b,a,""}', offer_ids = '{x,null,x,"",y}',
          product_names = null
        where club_id = ${hook.id}`
      assert.deepStrictEqual(yield* shortly(hook), [["a", null, 1], ["b", "x", 1]])
      assert.deepStrictEqual((yield* listed(hook)).map((product) => at(product, "name")), [null, null])
    }))

  it.effect("come page by page, each once", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      yield* sell(hook, { product: 3 }, { product: 1, offer: "b" }, { product: 2 }, { product: 1, offer: "a" })
      const { id: delivery_id } = yield* makeCatalogDelivery(hook)
      yield* map(hook, { external_product_id: "2", delivery_id })
      const seen: Array<unknown> = []
      let cursor = ""
      do {
        const { json } = yield* read(hook, `?limit=1${cursor}`)
        seen.push(...listAt(json, "data").map((product) => at(product, "external_offer_id")))
        const next = at(json, "next_cursor")
        cursor = next === null ? "" : `&cursor=${String(next)}`
      } while (cursor !== "" && seen.length < 9)
      assert.deepStrictEqual(seen, ["a", "b", "basic"])
      for (const place of [{ id: "1" }, { platform: "hotmart", product: "\u0000", offer: null }]) {
        const forged = Buffer.from(JSON.stringify(place)).toString("base64url")
        assert.deepStrictEqual(outcome(yield* read(hook, `?cursor=${forged}`)), [400, "invalid_cursor"])
      }
    }))

  it.effect("are read by every member and by no student", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      for (const role of ["viewer", "support", "editor"] as const) {
        assert.strictEqual((yield* read({ ...hook, token: yield* tokenAs(hook, role) })).status, 200)
      }
      const { token } = yield* enrolledStudent(hook)
      assert.strictEqual((yield* read({ ...hook, token })).status, 401)
    }))
})

layer(SalesLayer)("Of many events", (it) => {
  const filled = Effect.fnUntraced(function*() {
    const sql = yield* SqlClient.SqlClient
    const hook = yield* openHook()
    yield* sql`
      insert into inbound_webhooks (
        club_id, id, platform, name, enabled, token_only, token, token_hash, created_at, updated_at
      )
      select club_id, gen_random_uuid(), 'kiwify', name, true, true, token, sha256(convert_to(n::text, 'UTF8')),
        created_at, updated_at
      from inbound_webhooks cross join generate_series(1, 9) n where club_id = ${hook.id}`
    yield* sql`
      insert into inbound_events (
        club_id, id, inbound_webhook_id, platform, event_name, body_hash, order_key, product_ids, offer_ids, raw,
        received_at, outcome, finished_at
      )
      select w.club_id, ('018f0000-' || lpad(to_hex(n), 4, '0') || '-7' || substr(gen_random_uuid()::text, 16))::uuid,
        w.id, w.platform, 'A', sha256(convert_to(n::text, 'UTF8')), n::text, array['p' || n % 400], array[null],
        convert_to(repeat(md5(n::text), 30), 'UTF8'), w.created_at,
        case when n in (7, 9000) then 'failed' when n % 2 = 0 then 'unmapped' else 'processed' end, w.created_at
      from generate_series(1, 20000) n
      join (select *, row_number() over (order by id) as place from inbound_webhooks where club_id = ${hook.id}) w
        on w.place = 1 + n % 10`
    yield* vacuumed("inbound_events", "unmapped_products")
    return hook
  })

  it.effect("a page reads little more than what it shows, in one statement", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const hook = yield* filled()
      const products = yield* UnmappedProducts
      const { listAll } = yield* InboundEvents
      const page = { limit: 25 }
      const work: Record<string, Effect.Effect<unknown, unknown>> = {
        "unmapped products": products.list(hook.id, page),
        "all events": listAll(hook.id, page),
        "events of a rare outcome": listAll(hook.id, { ...page, outcome: "failed" }),
        "events of a platform": listAll(hook.id, { ...page, platform: "hotmart" }),
        "events of another platform": listAll(hook.id, { ...page, platform: "stripe" }),
        "events of an address": listAll(hook.id, { ...page, inbound_webhook_id: hook.hook_id }),
        "events that wait": listAll(hook.id, { ...page, outcome: "pending" }),
        "events until long ago": listAll(hook.id, { ...page, until: DateTime.makeUnsafe("1971-01-01T00:00:00Z") }),
        "events since a moment to come": listAll(hook.id, {
          ...page,
          since: DateTime.makeUnsafe("2100-01-01T00:00:00Z")
        })
      }
      for (const [name, asked] of Object.entries(work)) {
        assert.lengthOf(yield* statements(asked), 1, name)
        for (const mode of ["force_custom_plan", "force_generic_plan"]) {
          const planned = Effect.andThen(sql`set local plan_cache_mode = ${sql.literal(mode)}`, asked)
          assert.deepStrictEqual(yield* readingMuch(planned, 400), [], `${name}, ${mode}`)
        }
      }
      const failed = yield* listAll(hook.id, { ...page, outcome: "failed" })
      assert.lengthOf(failed.data, 2)
    }))
})
