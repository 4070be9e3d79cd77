import { NodeServices } from "@effect/platform-node"
import { assert, describe, it, layer } from "@effect/vitest"
import { ConfigProvider, Effect, FileSystem, type Schema } from "effect"
import { checkSettings } from "../../../../src/cli/settings/Settings.ts"
import { configuredCatalog } from "../../../../src/commerce/billing/catalog/BillingCatalog.ts"
import { isOffered, planOf } from "../../../../src/commerce/billing/catalog/Entitlement.ts"
import type { PlanCatalog } from "../../../../src/commerce/billing/catalog/PlanCatalog.ts"
import { runTurma } from "../../../harness/Turma.ts"

const withVariables = <A, E>(effect: Effect.Effect<A, E>, variables: Record<string, string>) =>
  Effect.provide(effect, ConfigProvider.layer(ConfigProvider.fromUnknown(variables)))

type Json = typeof Schema.Json.Type

const plan = { key: "basic", name: "Basic", monthly_price_cents: 100, addons: ["pack"], grants: {} }
const addon = { key: "pack", name: "Pack", monthly_price_cents: 50, removable: true, grants: {} }
const catalog = {
  currency: "EUR",
  plans: [plan],
  addons: [addon],
  resources: [{ key: "answers", name: "Answers", kind: "metered" }, { key: "help", name: "Help", kind: "flag" }]
}
const granting = (grants: Json) => ({ ...catalog, plans: [{ ...plan, grants }] })

const writtenTo = Effect.fnUntraced(function*(text: string) {
  const fs = yield* FileSystem.FileSystem
  const file = `${yield* fs.makeTempDirectoryScoped()}/catalog.json`
  yield* fs.writeFileString(file, text)
  return file
})

/** The error message for a file with this text. */
const refusalOf = Effect.fnUntraced(function*(text: string, variables: Record<string, string> = {}) {
  const BILLING_CATALOG = yield* writtenTo(text)
  const { message } = yield* Effect.flip(withVariables(configuredCatalog, { ...variables, BILLING_CATALOG }))
  return message
})

const faults: ReadonlyArray<readonly [what: string, catalog: Json, said: string]> = [
  ["no plan", { ...catalog, plans: [] }, "plans"],
  ["a currency that is none", { ...catalog, currency: "euro" }, "currency must be "],
  [
    "a price in parts of a cent",
    { ...catalog, addons: [{ ...addon, monthly_price_cents: 0.5 }] },
    "addons[0].monthly_price_cents must be "
  ],
  [
    "a field that there is not",
    { ...catalog, plans: [{ ...plan, price: 1 }] },
    "`plans[0].price` is not a known field"
  ],
  [
    "a name that no table can keep",
    { ...catalog, addons: [{ ...addon, name: "a\u0000" }] },
    "addons[0].name must not "
  ],
  [
    "a field whose name is no line",
    { ...catalog, "plan\n\u001b[31m": 1 },
    "`plan\ufffd\ufffd[31m` is not a known field"
  ],
  ["a grant that is only called like something of the language's", granting({ constructor: true }), "plans[0].grants."],
  [
    "more add-ons than a status should show",
    { ...catalog, addons: Array.from({ length: 101 }, (_, index) => ({ ...addon, key: `pack-${index}` })) },
    "addons must have "
  ],
  ["a plan twice", { ...catalog, plans: [plan, plan] }, "plans[1].key is there twice"],
  ["an add-on twice", { ...catalog, addons: [addon, addon] }, "addons[1].key is there twice"],
  [
    "a resource twice",
    { ...catalog, resources: [...catalog.resources, catalog.resources[0] ?? null] },
    "resources[2].key is there twice"
  ],
  [
    "a plan with an add-on that there is not",
    { ...catalog, plans: [{ ...plan, addons: ["pack", "gone"] }] },
    "plans[0].addons[1] names no add-on"
  ],
  [
    "a plan with an add-on twice",
    { ...catalog, plans: [{ ...plan, addons: ["pack", "pack"] }] },
    "plans[0].addons[1] is there twice"
  ],
  ["a grant of a resource that there is not", granting({ gone: true }), "plans[0].grants.gone names no resource"],
  ["a flag with an allowance", granting({ help: { allowance: 1 } }), "plans[0].grants.help takes true"],
  ["a metered resource without one", granting({ answers: true }), "plans[0].grants.answers takes an allowance"],
  [
    "a price beyond what has no end",
    granting({ answers: { allowance: null, overage_price_cents: 1 } }),
    "plans[0].grants.answers.overage_price_cents has nothing to bill"
  ],
  [
    "an add-on with a price beyond",
    { ...catalog, addons: [{ ...addon, grants: { answers: { allowance: 1, overage_price_cents: 1 } } }] },
    "addons[0].grants.answers.overage_price_cents is for plans only"
  ],
  [
    "a price at Stripe twice",
    { ...catalog, plans: [{ ...plan, stripe_price: "price_1" }], addons: [{ ...addon, stripe_price: "price_1" }] },
    "addons[0].stripe_price is there twice"
  ]
]

layer(NodeServices.layer, { excludeTestServices: true })("A catalog", (it) => {
  it.effect("is what BILLING_CATALOG names", () =>
    Effect.gen(function*() {
      const BILLING_CATALOG = yield* writtenTo(JSON.stringify(catalog))
      assert.deepStrictEqual<unknown>(yield* withVariables(configuredCatalog, { BILLING_CATALOG }), catalog)
    }))

  it.effect.each(faults)(
    "with %s is refused, and what is wrong and where is said",
    ([, wrong, said]) =>
      Effect.gen(function*() {
        const message = yield* refusalOf(JSON.stringify(wrong))
        assert.include(message, `BILLING_CATALOG: expected a JSON file of plans, add-ons and resources, but ${said}`)
        assert.include(message, ", for example BILLING_CATALOG=/etc/turma/catalog.json")
        assert.notInclude(message, "\n")
      })
  )

  it.effect("that is not JSON, or not there, is refused without what is in the file", () =>
    Effect.gen(function*() {
      const message = yield* refusalOf("s3cret: x")
      assert.include(message, "the file is not JSON: see line 1, column 1")
      assert.notInclude(message, "s3cret")
      const missing = withVariables(configuredCatalog, { BILLING_CATALOG: "/nowhere/catalog.json" })
      assert.include((yield* Effect.flip(missing)).message, "the file cannot be read: there is no such file")
    }))

  it.effect("needs a price at Stripe for everything, where Stripe charges it", () =>
    Effect.gen(function*() {
      const stripe = { BILLING_PROVIDER: "stripe" }
      const plans = [{ ...plan, stripe_price: "price_1" }]
      assert.include(yield* refusalOf(JSON.stringify(catalog), stripe), "plans[0].stripe_price is missing")
      assert.include(
        yield* refusalOf(JSON.stringify({ ...catalog, plans }), stripe),
        "addons[0].stripe_price is missing"
      )
      const BILLING_CATALOG =
        yield* writtenTo(JSON.stringify({ ...catalog, plans, addons: [{ ...addon, stripe_price: "price_2" }] }))
      assert.lengthOf((yield* withVariables(configuredCatalog, { ...stripe, BILLING_CATALOG })).plans, 1)
    }))

  it.effect("is looked through with all other settings", () =>
    Effect.gen(function*() {
      const BILLING_CATALOG = yield* writtenTo("[]")
      const { errors } = yield* Effect.flip(withVariables(checkSettings, { BILLING_CATALOG }))
      assert.deepStrictEqual(errors.map(({ variable }) => variable), ["BILLING_CATALOG"])
    }))

  it.effect("that is wrong ends the start in one line", () =>
    Effect.gen(function*() {
      const BILLING_CATALOG = yield* writtenTo(JSON.stringify({ ...catalog, plans: [plan, plan] }))
      const { code, stderr, stdout } = yield* runTurma({ env: { BILLING_CATALOG } })
      assert.deepStrictEqual([code, stdout], [2, ""])
      assert.match(stderr, /^turma: BILLING_CATALOG: expected .*plans\[1\]\.key is there twice, for example .*\n$/)
    }))
})

describe("The built-in catalog", () => {
  const withBuiltIn = (check: (catalog: PlanCatalog) => void) => Effect.map(withVariables(configuredCatalog, {}), check)

  it.effect("starts clubs on a plan with a priced add-on that can be added and removed", () =>
    withBuiltIn((catalog) => {
      const [first] = catalog.plans
      const some = catalog.addons.filter(({ key, monthly_price_cents, removable }) =>
        removable && monthly_price_cents > 0 && isOffered(catalog, first.key, key)
      )
      assert.isNotEmpty(some)
    }))

  it.effect("has an add-on that is not in that plan, and one that cannot be removed", () =>
    withBuiltIn(({ addons, plans: [first] }) => {
      assert.isTrue(addons.some(({ key }) => !first.addons.includes(key)))
      assert.isTrue(addons.some(({ removable }) => !removable))
    }))

  it.effect("has the answers of the assistant, limited on the first plan and billed beyond on another", () =>
    withBuiltIn((catalog) => {
      assert.deepInclude(catalog.resources, { key: "assistant_messages", name: "Assistant answers", kind: "metered" })
      assert.deepStrictEqual(catalog.plans[0].grants["assistant_messages"], { allowance: 500 })
      assert.deepStrictEqual(planOf(catalog, "growth")?.grants["assistant_messages"], {
        allowance: 5000,
        overage_price_cents: 3
      })
    }))
})
