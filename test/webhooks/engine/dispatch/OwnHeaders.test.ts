import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Sealing } from "../../../../src/platform/sql/Sealing.ts"
import { sealHeaders } from "../../../../src/webhooks/send/SealedHeaders.ts"
import { FakeNetwork } from "../../../harness/FakeNetwork.ts"
import { makeClub } from "../../../harness/Makers.ts"
import { attemptRows, deliveryRow, makeDelivery, makeEndpoint } from "../../../harness/Webhooks.ts"
import { engineLayer, soon } from "./Engine.ts"

layer(engineLayer())("An endpoint with headers of its own", (it) => {
  it.effect("gets them with every request, beside those of the contract, and no attempt keeps them", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const network = yield* FakeNetwork
      const endpoint = yield* makeEndpoint(yield* makeClub(), { status: "paused" })
      // A row may be older than the rule that refuses a name.
      const own = {
        "x-api-key": "k-zulu",
        "user-agent": "other",
        "webhook_signature": "v1,x",
        "x_forwarded_for": "::1"
      }
      const sealed = yield* sealHeaders(yield* Sealing, endpoint.id, own)
      yield* sql`
        update webhook_endpoints set status = 'enabled', headers = ${sealed}, header_names = '{user-agent,x-api-key}'
        where id = ${endpoint.id}`
      const made = [yield* makeDelivery(endpoint), yield* makeDelivery(endpoint)]
      for (const { id } of made) yield* soon(deliveryRow(id), ({ status }) => status === "succeeded")
      for (const { headers } of network.posted) {
        const { "user-agent": agent, "webhook-signature": signature, "x-api-key": key } = headers
        assert.deepStrictEqual([agent, key], ["Turma-webhooks/1", "k-zulu"])
        assert.match(signature ?? "", /^v1,/)
        assert.notIncludeMembers(Object.keys(headers), ["webhook_signature", "x_forwarded_for"])
      }
      for (const { id } of made) assert.notInclude(JSON.stringify(yield* attemptRows(id)), "zulu")
    }))
})
