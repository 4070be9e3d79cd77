import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Webhook } from "standardwebhooks"
import { Sealing } from "../../src/platform/sql/Sealing.ts"
import { bindingOfSecret } from "../../src/webhooks/model/EndpointId.ts"
import { answered, FakeNetwork } from "../harness/FakeNetwork.ts"
import { makeClub } from "../harness/Makers.ts"
import { deliveryRow, makeDelivery, makeEndpoint } from "../harness/Webhooks.ts"
import { engineLayer, soon } from "./engine/dispatch/Engine.ts"

// Contract, Request and Signature, as the dispatcher keeps them.

const keyBefore = new Uint8Array(32).fill(9)
const SealingBefore = Sealing.layerKeys(Redacted.make(keyBefore)).pipe(Layer.provide(SecureRandom.layerWebCrypto))
const variables = { APP_SECRET_KEY_PREVIOUS: Buffer.from(keyBefore).toString("base64") }

layer(engineLayer(variables))("A secret that was sealed with the key before", (it) => {
  it.effect("still signs", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const network = yield* FakeNetwork
      const endpoint = yield* makeEndpoint(yield* makeClub())
      const sealed = yield* Effect.flatMap(
        Sealing,
        ({ seal }) => seal(endpoint.secret, bindingOfSecret(endpoint.id))
      ).pipe(Effect.provide(SealingBefore))
      yield* sql`update webhook_endpoints set secret = ${sealed} where id = ${endpoint.id}`
      const { body, id } = yield* makeDelivery(endpoint)
      yield* soon(deliveryRow(id), ({ status }) => status === "succeeded")
      const headers = network.posted[0]?.headers ?? {}
      const now = yield* DateTime.now
      assert.strictEqual(headers["webhook-timestamp"], `${Math.floor(DateTime.toEpochMillis(now) / 1000)}`)
      const expected = new Webhook(Buffer.from(endpoint.secret).toString("base64")).sign(
        headers["webhook-id"] ?? "",
        DateTime.toDateUtc(now),
        body
      )
      assert.strictEqual(headers["webhook-signature"], expected)
    }))
})

layer(engineLayer())("The webhook-id of an event", (it) => {
  it.effect("is the same in every attempt and at every endpoint, and webhook-timestamp is of each attempt", () =>
    Effect.gen(function*() {
      const network = yield* FakeNetwork
      const club = yield* makeClub()
      const [one, other] = [yield* makeEndpoint(club), yield* makeEndpoint(club, { url: "https://other.example/" })]
      network.respond = ({ url }) => answered(url === one.url ? 500 : 204)
      const { event_id, id } = yield* makeDelivery(one)
      const copy = yield* makeDelivery(other, { event_id })
      yield* soon(deliveryRow(copy.id), ({ status }) => status === "succeeded")
      yield* soon(deliveryRow(id), ({ attempts_count }) => attempts_count === 1)
      yield* TestClock.adjust("10 seconds")
      yield* soon(deliveryRow(id), ({ attempts_count }) => attempts_count === 2)
      assert.deepStrictEqual(network.posted.map(({ headers }) => headers["webhook-id"]), Array(3).fill(event_id))
      const times = network.posted.filter(({ url }) => url === one.url).map(({ headers }) =>
        Number(headers["webhook-timestamp"])
      )
      assert.isAtLeast((times[1] ?? 0) - (times[0] ?? 0), 5)
    }))
})
