import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { at, listAt, outcome, send } from "../../../harness/App.ts"
import {
  drain,
  eventsOf,
  hooksLayer,
  hottok,
  type OpenHook,
  openHook,
  post,
  sale,
  storeSales,
  Teller
} from "./Hooks.ts"

const nested = (levels: number) => `{"event":"X","deep":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`

const ofValues = (values: number) => `{"event":"X","values":[${"0,".repeat(values)}0]}`

const listed = ({ hook_id, path, token }: OpenHook) =>
  Effect.map(
    send("GET", `${path}/inbound-webhooks/${hook_id}/events?limit=100`, { token }),
    ({ json }) => listAt(json, "data")
  )

const read = Effect.fnUntraced(function*(hook: OpenHook) {
  const [latest] = yield* listed(hook)
  return yield* send("GET", `${hook.path}/inbound-events/${at(latest, "id")}`, { token: hook.token })
})

layer(hooksLayer(new Teller()))("A sales hook that is sent something odd", (it) => {
  it.effect("takes a body of a hundred levels, which can be read again", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      assert.strictEqual((yield* post(hook.post, nested(100))).status, 200)
      const answer = yield* read(hook)
      assert.strictEqual(answer.status, 200)
      assert.deepStrictEqual(at(answer.json, "data", "body"), JSON.parse(nested(100)))
    }))

  it.effect("takes a body of very many values, which can be read again", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      assert.strictEqual((yield* post(hook.post, ofValues(10_000))).status, 200)
      const answer = yield* read(hook)
      assert.deepInclude(at(answer.json, "data"), { event_name: "X", outcome: "ignored" })
      assert.deepStrictEqual(at(answer.json, "data", "body"), JSON.parse(ofValues(10_000)))
    }))

  it.effect.each([
    ["of 101 levels", nested(101)],
    ["of 120,000 levels", nested(120_000)],
    ["of 255,000 lists without an end", "[".repeat(255_000)],
    ["of more values than are read", ofValues(20_000)]
  ])("refuses a body %s, and keeps nothing of it", ([, body]) =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      assert.deepStrictEqual(outcome(yield* post(hook.post, body)), [413, "payload_too_large"])
      assert.lengthOf(yield* listed(hook), 0)
    }))

  it.effect("shows all but the body of what was taken before such bodies were refused, and fails it", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      yield* storeSales(hook, [{ ...sale(), ...JSON.parse(nested(101)) }, {
        ...sale(),
        ...JSON.parse(ofValues(20_000))
      }])
      yield* drain
      assert.deepStrictEqual(
        (yield* eventsOf(hook)).map(({ detail, outcome }) => [outcome, detail]),
        [
          ["failed", "The body has too many lists and objects within one another: at most 100"],
          ["failed", "The body has too many values: send fewer at a time"]
        ]
      )
      const answer = yield* read(hook)
      assert.strictEqual(answer.status, 200)
      assert.strictEqual(at(answer.json, "data", "body"), null)
    }))

  it.effect("takes a number that no number can hold, and shows all of it but the body", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      assert.strictEqual((yield* post(hook.post, `{"event":"X","price":[1,{"of":-1e400}]}`)).status, 200)
      const answer = yield* read(hook)
      assert.strictEqual(answer.status, 200)
      assert.deepInclude(at(answer.json, "data"), { event_name: "X", outcome: "ignored", body: null })
    }))

  it.effect("shows a body without the platform's secret, where the platform writes that into it", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      const body = sale()
      const sent = yield* send("POST", hook.post, { body: { ...body, hottok } })
      assert.strictEqual(sent.status, 200)
      const answer = yield* read(hook)
      assert.notInclude(answer.text, hottok)
      assert.deepStrictEqual(at(answer.json, "data", "body"), { ...body, hottok: null })
    }))

  it.effect("keeps what makes no sense, for a person to look at, and says nothing of what is in it", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      const buyer = { email: "bia@buyer.example" }
      const bodies = [
        [null, "unknown", "ignored"],
        [["PURCHASE_APPROVED"], "unknown", "ignored"],
        [{ event: "__proto__" }, "__proto__", "ignored"],
        [{ event: "constructor" }, "constructor", "ignored"],
        [{ event: "\u0000\ud800" }, "\ufffd\ufffd", "ignored"],
        [{ event: "PURCHASE_APPROVED" }, "PURCHASE_APPROVED", "failed"],
        [
          { event: "PURCHASE_APPROVED", data: { buyer, purchase: { transaction: "a\u0000" } } },
          "PURCHASE_APPROVED",
          "failed"
        ],
        [
          { event: "PURCHASE_APPROVED", data: { buyer, purchase: { transaction: "\ud800" } } },
          "PURCHASE_APPROVED",
          "failed"
        ],
        [
          { event: "PURCHASE_APPROVED", data: { buyer, purchase: { transaction: "x".repeat(201) } } },
          "PURCHASE_APPROVED",
          "failed"
        ],
        [{ event: "PURCHASE_APPROVED", data: { buyer, product: { id: 1e300 } } }, "PURCHASE_APPROVED", "failed"]
      ] as const
      for (const [body] of bodies) assert.strictEqual((yield* post(hook.post, JSON.stringify(body))).status, 200)
      const kept = (yield* listed(hook)).toReversed()
      assert.deepStrictEqual(
        kept.map((event) => [at(event, "event_name"), at(event, "outcome")]),
        bodies.map(([, name, outcome]) => [name, outcome])
      )
      assert.notInclude(JSON.stringify(kept), "xxx")
    }))
})
