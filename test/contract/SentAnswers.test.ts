import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { HttpApi } from "effect/http-api"
import { Api } from "../../src/Api.ts"
import { NoStore } from "../../src/platform/http/NoStore.ts"
import { appLayer } from "../harness/App.ts"
import { operations } from "../harness/Document.ts"
import { exchange } from "../harness/Exchange.ts"
import { localFolder } from "../platform/storage/local/LocalFolder.ts"
import { askedWith, everything, inOrder } from "./EveryOperation.ts"

// Driven by the contract: how answers are sent. A page of an allowed origin can read them, in a coding that it accepts.
// An answer that may hold a secret is never compressed.

const { folder } = localFolder()
const origin = "https://app.example.com"
const unknown = "018f0000-0000-7000-8000-000000000001"

const secret = new Set<string>()
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, middleware }) => {
    const name = `${endpoint.method} ${endpoint.path}`.replace(/:(\w+)/g, "{$1}")
    if ([...middleware].some(({ key }) => key === NoStore.key)) secret.add(name)
  }
})

const settings = { DATA_DIR: folder, BILLING_PROVIDER: "local", ALLOWED_ORIGINS: origin }

layer(appLayer(settings))("Every operation", (it) => {
  it.effect("answers a page of an allowed origin, compressed only where the answer may be kept", () =>
    Effect.gen(function*() {
      const world = yield* everything
      const compressed = new Set<string>()
      const answered = new Set<string>()
      for (const operation of inOrder(operations)) {
        const { body, path, tokens } = askedWith(operation, world, { webhookDeliveryId: unknown, eventId: unknown })
        for (const token of tokens) {
          const headers = { Origin: origin, "Accept-Encoding": "br" }
          const answer = yield* exchange(operation.method, path, { token, body, headers })
          const { "cache-control": kept, "content-encoding": coding, "content-type": type, vary } = answer.headers
          assert.strictEqual(answer.headers["access-control-allow-origin"], origin, operation.name)
          assert.match(vary ?? "", /^Origin(?:, Accept-Encoding)?(?:, Accept-Language)?$/, operation.name)
          assert.isTrue(answer.status < 400 || vary?.endsWith("Accept-Language"), operation.name)
          assert.isTrue(answer.status < 400 || kept === "no-store", operation.name)
          if (answer.status < 300) answered.add(operation.name)
          if (secret.has(operation.name)) assert.strictEqual(kept, "no-store", operation.name)
          if (coding === undefined) continue
          compressed.add(operation.name)
          assert.notStrictEqual(kept, "no-store", operation.name)
          assert.match(type ?? "", /^application\/json/, operation.name)
          if (operation.method !== "GET") continue
          const plain = yield* exchange("GET", path, { token })
          assert.deepStrictEqual(JSON.parse(answer.text), JSON.parse(plain.text), operation.name)
        }
      }
      assert.isAtLeast([...secret].filter((name) => answered.has(name)).length, 50)
      assert.isAtLeast(compressed.size, 1)
      assert.deepStrictEqual([...compressed].filter((name) => secret.has(name)), [])
    }))

  it.effect("with a tag is one whose answer may be kept, and the document says so", () =>
    Effect.sync(() => {
      const tagged = operations.filter(({ responses }) => responses["304"] !== undefined)
      assert.isAtLeast(tagged.length, 5)
      for (const { method, name, parameters, responses } of tagged) {
        assert.strictEqual(method, "GET")
        assert.isFalse(secret.has(name), name)
        assert.isTrue(parameters.some((one) => one.name === "If-None-Match" && one.in === "header"), name)
        for (const status of ["200", "304"]) assert.property(responses[status]?.headers, "ETag", name)
        assert.isUndefined(responses["304"]?.content)
      }
      const others = operations.filter(({ responses }) => responses["304"] === undefined)
      assert.isFalse(others.some(({ parameters }) => parameters.some(({ name }) => name === "If-None-Match")))
    }))
})
