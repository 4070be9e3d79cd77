import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Exit } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { type Arrival, makeArrivals } from "../../../../src/commerce/sales/inbound/Arrivals.ts"
import { InboundEventId } from "../../../../src/commerce/sales/inbound/InboundEvent.ts"
import { AppLayer } from "../../../harness/App.ts"
import { eventsOf, type OpenHook, openHook, sha256 } from "./Hooks.ts"

const arrivalAt = Effect.fnUntraced(function*(hook: OpenHook, body: string, given: Partial<Arrival> = {}) {
  const random = yield* SecureRandom.SecureRandom
  const id = InboundEventId.make(yield* random.uuidV7())
  const arrival: Arrival = {
    club_id: hook.id,
    id,
    inbound_webhook_id: hook.hook_id,
    platform: "hotmart",
    event_name: "PURCHASE_APPROVED",
    external_event_id: null,
    order_key: null,
    purchase_ref: null,
    products: [],
    person_email: null,
    outcome: null,
    detail: null,
    body_hash: sha256(body),
    raw: new Uint8Array([1, 2, 3]),
    received_at: yield* DateTime.now,
    trace: null,
    ...given
  }
  return arrival
}, Effect.provide(SecureRandom.layerWebCrypto))

/** How many transactions have stored the events of a club. */
const commitsOf = Effect.fnUntraced(function*(hook: OpenHook) {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql`select distinct xmin::text from inbound_events where club_id = ${hook.id}`).length
})

layer(AppLayer)("Requests that arrive at the same moment", (it) => {
  it.effect("are stored in a few commits, each with what is its own", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      const { store } = yield* makeArrivals
      const products = [
        { external_id: "a \"b\" \\", offer_external_id: null, name: null },
        { external_id: "null", offer_external_id: "{o}", name: "Curso, \"A\"" }
      ]
      const arrivals = yield* Effect.forEach(
        Array.from({ length: 40 }, (_, n) => n),
        (n) => arrivalAt(hook, `body ${n}`, { purchase_ref: `HP${n}`, products: products.slice(0, n % 3) })
      )
      const stored = yield* Effect.forEach(arrivals, store, { concurrency: "unbounded" })
      assert.deepStrictEqual(stored, Array(40).fill(true))
      assert.isBelow(yield* commitsOf(hook), 10)
      for (const { id, offer_ids, order_key, product_ids, product_names, purchase_ref } of yield* eventsOf(hook)) {
        const arrival = arrivals.find((arrival) => arrival.id === id)
        assert.deepStrictEqual([order_key, purchase_ref], [`event:${id}`, arrival?.purchase_ref ?? null])
        assert.deepStrictEqual(product_ids, arrival?.products.map(({ external_id }) => external_id))
        assert.deepStrictEqual(product_names, arrival?.products.map(({ name }) => name))
        assert.deepStrictEqual(offer_ids, arrival?.products.map(({ offer_external_id }) => offer_external_id))
      }
    }))

  it.effect("are not refused because of one that the database refuses", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      const { store } = yield* makeArrivals
      const arrivals = yield* Effect.forEach(["a", "b", "c", "b"], (body, n) =>
        arrivalAt(hook, body, n === 0 ? { event_name: "x".repeat(121) } : {}))
      const exits = yield* Effect.forEach(arrivals, (arrival) =>
        Effect.exit(store(arrival)), { concurrency: "unbounded" })
      const [refused, ...others] = exits
      assert.isTrue(refused !== undefined && Exit.isFailure(refused))
      assert.deepStrictEqual(others, [Exit.succeed(true), Exit.succeed(true), Exit.succeed(false)])
      assert.lengthOf(yield* eventsOf(hook), 2)
    }))
})
