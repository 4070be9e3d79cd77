import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { appLayer, at, foundClub, listAt, outcome, send } from "../../harness/App.ts"

const open = Effect.gen(function*() {
  const { path, token } = yield* foundClub()
  const addons = `${path}/billing/addons`
  return {
    path,
    token,
    status: Effect.map(send("GET", `${path}/billing`, { token }), ({ json }) => at(json, "data")),
    contract: (key: string) => send("POST", addons, { token, body: { key } }),
    remove: (key: string) => send("DELETE", `${addons}/${key}`, { token })
  }
})

const keysOf = (list: ReadonlyArray<unknown>) => list.map((one) => at(one, "key"))

layer(appLayer({ BILLING_PROVIDER: "local" }))("A club with a plan", (it) => {
  it.effect("starts on the catalog's first one, with what that gives", () =>
    Effect.gen(function*() {
      const { status } = yield* open
      const shown = yield* status
      assert.deepInclude(shown, { managed: true, portal_available: false, plan: { key: "starter", name: "Starter" } })
      assert.deepInclude(at(shown, "resources", 0), { key: "assistant_messages", allowance: 500, balance: 500 })
    }))

  it.effect("has an add-on from its contracting to its removal", () =>
    Effect.gen(function*() {
      const { contract, remove, status } = yield* open
      const before = yield* status
      const contracted = yield* contract("assistant_pack")
      assert.strictEqual(contracted.status, 201)
      assert.deepStrictEqual(keysOf(listAt(contracted.json, "data", "addons")), ["assistant_pack"])
      assert.deepInclude(at(contracted.json, "data", "resources", 0), { allowance: 1500, balance: 1500 })
      assert.deepStrictEqual(yield* status, at(contracted.json, "data"))
      const removed = yield* remove("assistant_pack")
      assert.strictEqual(removed.status, 200)
      assert.deepStrictEqual(removed.json, before)
      assert.deepStrictEqual(yield* status, before)
    }))

  it.effect("contracts an add-on once, and only one that its plan has", () =>
    Effect.gen(function*() {
      const { contract } = yield* open
      yield* contract("assistant_pack")
      assert.deepStrictEqual(outcome(yield* contract("assistant_pack")), [409, "addon_already_contracted"])
      assert.deepStrictEqual(outcome(yield* contract("priority_support")), [409, "addon_unavailable"])
      assert.deepStrictEqual(outcome(yield* contract("nothing")), [404, "addon_not_found"])
    }))

  it.effect("removes an add-on once, and only one that can be", () =>
    Effect.gen(function*() {
      const { contract, remove } = yield* open
      yield* contract("assistant_pack")
      yield* contract("onboarding")
      yield* remove("assistant_pack")
      assert.deepStrictEqual(outcome(yield* remove("assistant_pack")), [409, "addon_not_contracted"])
      assert.deepStrictEqual(outcome(yield* remove("priority_support")), [409, "addon_not_contracted"])
      assert.deepStrictEqual(outcome(yield* remove("onboarding")), [409, "addon_not_removable"])
      assert.deepStrictEqual(outcome(yield* remove("nothing")), [404, "addon_not_found"])
    }))

  it.effect("has no add-on of a key that is none, however it is written", () =>
    Effect.gen(function*() {
      const { contract, remove } = yield* open
      yield* contract("assistant_pack")
      const keys = ["a%2Fb", "..%2Finvoices", "__proto__", "constructor", "%00", "ASSISTANT_PACK", "assistant_pack%20"]
      for (const key of [...keys, "a".repeat(10_000), "%E0%A4%A", "%ED%A0%80"]) {
        assert.deepStrictEqual(outcome(yield* remove(key)), [404, "addon_not_found"])
      }
      assert.deepStrictEqual(outcome(yield* contract("constructor")), [404, "addon_not_found"])
      for (const key of ["__proto__", "assistant_pack\n", "a".repeat(65)]) {
        assert.deepStrictEqual(outcome(yield* contract(key)), [422, "validation_failed"])
      }
    }))

  it.effect("has a contracting repeated with its key done once", () =>
    Effect.gen(function*() {
      const { path, token } = yield* open
      const once = send("POST", `${path}/billing/addons`, {
        token,
        body: { key: "assistant_pack" },
        headers: { "idempotency-key": "one" }
      })
      const [first, second] = [yield* once, yield* once]
      assert.deepStrictEqual([first.status, second.status, second.text], [201, 201, first.text])
      const { json } = yield* send("GET", `${path}/billing/invoices`, { token })
      assert.lengthOf(listAt(json, "data"), 2)
    }))

  it.effect("has no portal where no money is moved", () =>
    Effect.gen(function*() {
      const { path, token } = yield* open
      const portal = yield* send("POST", `${path}/billing/portal`, { token })
      assert.deepStrictEqual(outcome(portal), [501, "billing_portal_unavailable"])
    }))

  it.effect("is shown the credit of what it removed on the upcoming invoice", () =>
    Effect.gen(function*() {
      const { contract, path, remove, token } = yield* open
      yield* contract("assistant_pack")
      yield* remove("assistant_pack")
      const { json } = yield* send("GET", `${path}/billing/invoices/upcoming`, { token })
      const lines = listAt(json, "data", "lines").map((line) => [at(line, "kind"), at(line, "key")])
      assert.deepStrictEqual(lines, [["plan", "starter"], ["credit", "assistant_pack"]])
      const amounts = listAt(json, "data", "lines").map((line) => Number(at(line, "amount_cents")))
      assert.isBelow(amounts[1] ?? 0, 0)
      assert.strictEqual(at(json, "data", "total_cents"), amounts.reduce((sum, amount) => sum + amount, 0))
    }))
})
