import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { InboundQueue } from "../../src/commerce/sales/queue/InboundQueue.ts"
import { signatureOf } from "../../src/webhooks/send/Signature.ts"
import { at, foundClub, send } from "../harness/App.ts"
import { makeCatalogDelivery } from "../harness/Makers.ts"
import { ConsoleAppLayer } from "./Visit.ts"

/** The console, and the queue of events from sales platforms, which the tests drive. */
export const SalesLayer = InboundQueue.layer({ concurrency: 4 }).pipe(Layer.provideMerge(ConsoleAppLayer))

const key = Buffer.alloc(32, 7)

/** The secret with which a club's own shop signs. */
export const secret = `whsec_${key.toString("base64")}`

/** Works until no event is due. */
export const work = Effect.flatMap(InboundQueue, ({ tick }) => Effect.repeat(tick, { while: (done) => done > 0 }))

/** A club with a delivery. */
export const openClub = Effect.gen(function*() {
  const club = yield* foundClub()
  const delivery = yield* makeCatalogDelivery(club, { name: "Violão em casa" })
  return { ...club, delivery, page: `/console/${club.organization_id}/sales` }
})

/** Sends a sale, signed by Standard Webhooks. */
export const sell = Effect.fnUntraced(function*(
  post: string,
  given: { readonly id: string; readonly name: string; readonly email: string; readonly product?: string }
) {
  const { email, id, name, product = "violao" } = given
  const body = JSON.stringify({
    type: "purchase.approved",
    occurred_at: "2026-11-21T12:00:00Z",
    customer: { name, email },
    purchase: { id, amount_cents: 14_950, currency: "BRL" },
    product: { id: product, name: `Violão <b>do zero</b> ${product}` }
  })
  const seconds = yield* Effect.clockWith(({ currentTimeMillis }) =>
    Effect.map(currentTimeMillis, (millis) => Math.floor(millis / 1000))
  )
  const answer = yield* send("POST", post, {
    body,
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": String(seconds),
      "webhook-signature": signatureOf(key, id, seconds, Buffer.from(body))
    }
  })
  assert.strictEqual(answer.status, 200, answer.text)
})

/** A club with its own shop; `post` is the path that the shop writes to. */
export const openShop = Effect.gen(function*() {
  const club = yield* openClub
  const { json } = yield* send("POST", `${club.path}/inbound-webhooks`, {
    token: club.token,
    body: { platform: "generic", name: "Minha loja 🎻", secret }
  })
  return { ...club, post: new URL(String(at(json, "data", "url"))).pathname }
})
