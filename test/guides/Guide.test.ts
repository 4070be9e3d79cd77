import { NodeServices } from "@effect/platform-node"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer, Logger, Result } from "effect"
import { eventTypes } from "../../src/events/EventTypes.ts"
import { parseFilter } from "../../src/webhooks/endpoint/filter/Filter.ts"
import { matches } from "../../src/webhooks/endpoint/filter/matches.ts"
import { webhookSettings } from "../../src/webhooks/model/WebhookSettings.ts"
import { signatureHeader } from "../../src/webhooks/send/Signature.ts"
import { WebhookWorkersLayer } from "../../src/webhooks/WebhookWorkers.ts"
import { appLayer, at, configLayer, foundClub, send } from "../harness/App.ts"
import { eventually } from "../harness/Eventually.ts"
import { type ReceivedRequest, startReceiver } from "../harness/Receiver.ts"
import { caFile, testCa } from "../harness/Tls.ts"
import { blocks, guide } from "./Guides.ts"
import { isSkippedIn, languages, startReceiverIn } from "./Receivers.ts"

const receivers = guide("receivers")

const ca = testCa()

const TestLayer = Layer.unwrap(Effect.map(caFile(ca), (file) => {
  const variables = { WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8", WEBHOOK_EXTRA_CA_FILE: file }
  return WebhookWorkersLayer.pipe(
    Layer.provideMerge(appLayer(variables)),
    Layer.provide(configLayer(variables)),
    Layer.provideMerge(NodeServices.layer),
    Layer.provide(Logger.layer([]))
  )
}))

/** A club with an endpoint at a proxy that speaks TLS, in front of a receiver. */
const registered = Effect.gen(function*() {
  const front = yield* startReceiver({ ca })
  const club = yield* foundClub()
  const { json } = yield* send("POST", `${club.path}/webhook-endpoints`, {
    token: club.token,
    body: { url: front.url, event_types: ["student.created"] }
  })
  const endpoint = `${club.path}/webhook-endpoints/${String(at(json, "data", "id"))}`
  return { club, front, endpoint, secret: String(at(json, "data", "secret")) }
})

const test = Effect.fnUntraced(function*({ club, endpoint }: Effect.Success<typeof registered>) {
  const { json } = yield* send("POST", `${endpoint}/test`, { token: club.token })
  return `${endpoint}/deliveries/${String(at(json, "data", "id"))}`
})

const signedByAnother = (headers: ReceivedRequest["headers"], body: Buffer) =>
  signatureHeader(
    [new TextEncoder().encode("another".repeat(5))],
    headers["webhook-id"] ?? "",
    Number(headers["webhook-timestamp"]),
    body
  )

/** Forwards a request unchanged. */
const passOn = async (url: string, { body, headers }: Pick<ReceivedRequest, "body" | "headers">) => {
  const kept = Object.entries(headers).filter(([name]) => /^(?:content-type|user-agent|webhook-)/.test(name))
  const sent = {
    method: "POST",
    body: new Uint8Array(body),
    headers: { ...Object.fromEntries(kept), connection: "close" }
  }
  const { status } = await fetch(url, sent)
  return status
}

layer(TestLayer, { excludeTestServices: true })("the guide's receiver", (it) => {
  for (const language of languages) {
    const run = (does: string, effect: Parameters<typeof it.effect>[1]) =>
      it.effect.skipIf(isSkippedIn(language))(`in ${language} ${does}`, effect)

    run("keeps each event that Turma sends once", () =>
      Effect.gen(function*() {
        const given = yield* registered
        const receiver = yield* startReceiverIn(language, given.secret)
        given.front.answerWith(async (request) => ({ status: await passOn(receiver.url, request) }))
        const delivery = yield* test(given)
        const read = send("GET", delivery, { token: given.club.token })
        yield* eventually(read, ({ json }) => at(json, "data", "status") === "succeeded")
        const [request] = given.front.requests
        const id = request?.headers["webhook-id"]
        assert.deepStrictEqual(receiver.kept(), [`${request?.body}`])

        yield* send("POST", `${delivery}/resend`, { token: given.club.token })
        const { json } = yield* eventually(read, ({ json }) => at(json, "data", "attempts_count") === 2)
        assert.strictEqual(at(json, "data", "attempts", 1, "status_code"), 204)
        assert.strictEqual(receiver.kept().length, 1)
        assert.strictEqual(receiver.said(), `webhook.test ${id} is new\nwebhook.test ${id} is known\n`)
      }))

    run(
      "keeps nothing that Turma did not send like that just now",
      () =>
        Effect.gen(function*() {
          const given = yield* registered
          const receiver = yield* startReceiverIn(language, given.secret)
          yield* test(given)
          const { body, headers } = yield* given.front.next
          const { "webhook-signature": _, ...unsigned } = headers
          const { "webhook-id": __, ...withoutId } = headers
          const forged = [
            { headers, body: Buffer.from(`${body}`.replace("webhook.test", "purchase.paid")) },
            { headers: { ...headers, "webhook-id": "another" }, body },
            { headers: { ...headers, "webhook-timestamp": `${Number(headers["webhook-timestamp"]) - 301}` }, body },
            { headers: { ...headers, "webhook-signature": "nonsense" }, body },
            { headers: unsigned, body },
            { headers: { ...headers, "webhook-signature": signedByAnother(headers, body) }, body },
            { headers: withoutId, body },
            { headers: { ...headers, "webhook-timestamp": "9".repeat(400) }, body },
            { headers: { ...headers, "webhook-timestamp": "soon" }, body },
            { headers, body: Buffer.from([0xff, 0xfe]) }
          ]
          for (const request of forged) {
            assert.strictEqual(yield* Effect.promise(() => passOn(receiver.url, request)), 401)
          }
          assert.deepStrictEqual([receiver.kept(), receiver.said()], [[], ""])
          assert.strictEqual(yield* Effect.promise(() => passOn(receiver.url, { headers, body })), 204)
        })
    )

    run(
      "verifies with the secret from before a rotation and with the new one",
      () =>
        Effect.gen(function*() {
          const given = yield* registered
          const rotated = yield* send("POST", `${given.endpoint}/rotate-secret`, { token: given.club.token })
          const before = yield* startReceiverIn(language, given.secret)
          const after = yield* startReceiverIn(language, String(at(rotated.json, "data", "secret")))
          yield* test(given)
          const request = yield* given.front.next
          assert.strictEqual(yield* Effect.promise(() => passOn(before.url, request)), 204)
          assert.strictEqual(yield* Effect.promise(() => passOn(after.url, request)), 204)
        })
    )
  }

  it.effect("gets the headers that the guide lists, and those of the transport", () =>
    Effect.gen(function*() {
      const given = yield* registered
      yield* test(given)
      const { headers } = yield* given.front.next
      const transport = new Set(["accept-encoding", "connection", "content-length", "host"])
      const table = [...receivers.matchAll(/^\| `([a-z-]+)` \| (?:`(.*?)`)?/gm)]
      assert.sameMembers(
        Object.keys(headers).filter((name) => !transport.has(name)),
        table.map(([, name]) => name)
      )
      for (const [, name = "", value] of table.slice(0, 2)) assert.strictEqual(headers[name], value)
    }))
})

describe("the guide", () => {
  const brief = (durations: string) =>
    durations.split(",").map((one) => one.replaceAll(/ (s|min|h)(?:econd|ute|our)s?/g, " $1")).join(", ")

  it("shows the example of the catalog", () => {
    const [shown = ""] = blocks(receivers, "json")
    assert.strictEqual(
      shown.trim(),
      JSON.stringify(eventTypes.find(({ type }) => type === "student.created")?.example, undefined, 2)
    )
  })

  it("shows a filter that is one, and compares nothing that tells of a person", () => {
    const shown: unknown = JSON.parse(blocks(receivers, "json").find((block) => block.includes(`"field"`)) ?? "null")
    const body = eventTypes.find(({ type }) => type === "purchase.paid")?.example
    assert.isTrue(Result.isSuccess(Result.map(parseFilter(shown), (filter) => assert.isTrue(matches(filter, body)))))
    assert.notInclude(JSON.stringify(shown), "data.student")
  })

  it("names the times and numbers that hold by default", () => {
    const words = receivers.replaceAll(/\s+/g, " ").replaceAll("10 h and 10 h", "10 h, 10 h")
    const { fallback: waits } = webhookSettings.WEBHOOK_RETRY_SCHEDULE
    assert.include(
      words,
      `A delivery has ${waits.split(",").length + 1} attempts. The waits between them are ${brief(waits)}, each ±10 %`
    )
    assert.strictEqual(webhookSettings.WEBHOOK_RETRY_JITTER.fallback, "0.1")
    for (
      const said of [
        `It answers 2xx within ${webhookSettings.WEBHOOK_ATTEMPT_TIMEOUT.fallback}`,
        `longer, up to ${webhookSettings.WEBHOOK_RETRY_AFTER_MAX.fallback}.`,
        `After ${webhookSettings.WEBHOOK_HOLD_AFTER.fallback} failed attempts in a row`,
        `the first after ${webhookSettings.WEBHOOK_HOLD_BASE.fallback},`,
        `each time, up to ${webhookSettings.WEBHOOK_HOLD_MAX.fallback}.`,
        `has accepted nothing for ${webhookSettings.WEBHOOK_DISABLE_AFTER.fallback} since an attempt failed is disabled`,
        `for at least ${webhookSettings.WEBHOOK_BODY_RETENTION.fallback}: a body can be sent again for that long`,
        `for ${webhookSettings.WEBHOOK_SECRET_OVERLAP.fallback} every request`
      ]
    ) {
      assert.include(words, said)
    }
  })
})
