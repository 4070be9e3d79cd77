import { assert, describe, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import { type Account, ContractedAddonId } from "../../../src/commerce/billing/Account.ts"
import { Catalog } from "../../../src/commerce/billing/Catalog.ts"
import { grantedOf, statusOf } from "../../../src/commerce/billing/Entitlements.ts"
import { ClubId } from "../../../src/identity/ids/ClubId.ts"

const catalog = Catalog.make({
  currency: "USD",
  plans: [
    { key: "free", name: "Free", monthly_price_cents: 0, addons: ["pack"], grants: {} },
    {
      key: "pro",
      name: "Pro",
      monthly_price_cents: 2900,
      addons: ["pack", "all", "help"],
      grants: { answers: { allowance: 10, overage_price_cents: 3 }, help: true }
    },
    { key: "team", name: "Team", monthly_price_cents: 9900, addons: ["help"], grants: { answers: { allowance: 10 } } }
  ],
  addons: [
    { key: "pack", name: "Pack", monthly_price_cents: 500, removable: true, grants: { answers: { allowance: 5 } } },
    { key: "all", name: "All", monthly_price_cents: 900, removable: true, grants: { answers: { allowance: null } } },
    { key: "help", name: "Help", monthly_price_cents: 700, removable: false, grants: { help: true } }
  ],
  resources: [
    { key: "answers", name: "Answers", kind: "metered" },
    { key: "help", name: "Help", kind: "flag" }
  ]
})

const anchor = DateTime.makeUnsafe("2026-01-31Z")
const now = DateTime.makeUnsafe("2026-02-10Z")

const accountOf = (plan_key: string, ...addons: ReadonlyArray<string>): Account => ({
  club_id: ClubId.make("0190a000-0000-7000-8000-000000000001"),
  plan_key,
  anchor,
  invoiced_until: now,
  customer_id: null,
  subscription_id: null,
  addons: addons.map((addon_key, index) => ({
    id: ContractedAddonId.make(`0190a000-0000-7000-8000-00000000001${index}`),
    addon_key,
    contracted_at: anchor,
    external_id: null
  }))
})

const status = (account: Account, used = 0) => statusOf(catalog, account, new Map([["answers", used]]), now, false)
const answers = (account: Account, used: number) => status(account, used).resources[0]
const flag = (account: Account) => status(account).resources[1]
const offer = (account: Account, key: string) => status(account).available_addons.find((addon) => addon.key === key)

const none = { unlimited: false, allowance: 0, balance: 0, used: 0, overage: 0, bills: false }

describe("A club with a plan", () => {
  it("is told its period, plan and add-ons", () => {
    const { addons, managed, period_end, period_start, plan, portal_available } = status(accountOf("pro", "pack"))
    assert.deepStrictEqual([managed, portal_available], [true, false])
    assert.deepStrictEqual([period_start, period_end], [anchor, DateTime.makeUnsafe("2026-02-28Z")])
    assert.deepStrictEqual(plan, { key: "pro", name: "Pro" })
    assert.deepStrictEqual(addons, [{ key: "pack", name: "Pack" }])
  })

  it("is told so where there is a portal", () => {
    assert.isTrue(statusOf(catalog, accountOf("pro"), new Map(), now, true).portal_available)
  })

  it("keeps what the catalog does not have any more, by its key and without what it gave", () => {
    const { addons, available_addons, plan, resources } = status(accountOf("old", "older"))
    assert.deepStrictEqual([plan, addons], [{ key: "old", name: "old" }, [{ key: "older", name: "older" }]])
    assert.deepStrictEqual(available_addons.map(({ key }) => key), ["pack", "all", "help"])
    assert.deepStrictEqual(resources.map(({ granted }) => granted), [false, false])
  })

  it("has nothing that is only called like something of the language's", () => {
    assert.deepStrictEqual(grantedOf(catalog, "constructor", ["tostring"], "constructor"), {
      granted: false,
      allowance: 0,
      overage_price_cents: null
    })
    assert.isFalse(grantedOf(catalog, "pro", ["pack"], "constructor").granted)
  })
})

describe("An add-on of the catalog", () => {
  it("is offered where the plan has it", () => {
    assert.deepStrictEqual(offer(accountOf("pro"), "pack"), {
      key: "pack",
      name: "Pack",
      monthly_price_cents: 500,
      contracted: false,
      removable: false,
      unavailable_reason: null,
      required_plans: []
    })
  })

  it("names the plans that have it where the club's has it not", () => {
    const { required_plans, unavailable_reason } = offer(accountOf("free"), "help") ?? {}
    assert.deepStrictEqual([unavailable_reason, required_plans], ["not_in_plan", ["Pro", "Team"]])
  })

  it("can be removed once it is contracted, unless the catalog says otherwise", () => {
    const account = accountOf("pro", "pack", "help")
    assert.deepInclude(offer(account, "pack"), { contracted: true, removable: true })
    assert.deepInclude(offer(account, "help"), { contracted: true, removable: false })
    assert.deepInclude(offer(account, "all"), { contracted: false, removable: false })
  })

  it("stays contracted and removable with a plan that has it not", () => {
    assert.deepInclude(offer(accountOf("team", "pack"), "pack"), {
      contracted: true,
      removable: true,
      unavailable_reason: "not_in_plan"
    })
  })
})

describe("A metered resource", () => {
  it("has the allowance of plan and add-ons together, and what is left of it", () => {
    assert.deepInclude(answers(accountOf("team", "pack"), 4), {
      granted: true,
      unlimited: false,
      allowance: 15,
      balance: 11,
      used: 4,
      overage: 0,
      bills: false
    })
  })

  it("has nothing left beyond it, and says how much is beyond and whether that is billed", () => {
    assert.deepInclude(answers(accountOf("pro"), 12), { balance: 0, used: 12, overage: 2, bills: true })
    assert.deepInclude(answers(accountOf("team"), 12), { balance: 0, used: 12, overage: 2, bills: false })
  })

  it("without end has no numbers but what was used, and bills nothing", () => {
    assert.deepInclude(answers(accountOf("pro", "all"), 12), {
      granted: true,
      unlimited: true,
      allowance: 0,
      balance: 0,
      used: 12,
      overage: 0,
      bills: false
    })
  })

  it("is not granted where neither plan nor add-on gives it, and is with an add-on alone", () => {
    assert.deepInclude(answers(accountOf("free"), 0), { granted: false, ...none })
    assert.deepInclude(answers(accountOf("free", "pack"), 0), { granted: true, allowance: 5, bills: false })
  })

  it.prop(
    "is used, left and beyond in numbers that fit together",
    { used: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 })), plan: Schema.Literals(["pro", "team"]) },
    ({ plan, used }) => {
      const { allowance = 0, balance = 0, overage = 0 } = answers(accountOf(plan, "pack"), used) ?? {}
      assert.strictEqual(allowance - used, balance - overage)
      assert.isTrue(balance === 0 || overage === 0)
    }
  )
})

describe("A flag", () => {
  it("is granted by the plan or by an add-on, and has no numbers", () => {
    for (const account of [accountOf("pro"), accountOf("team", "help")]) {
      assert.deepStrictEqual(flag(account), { key: "help", name: "Help", kind: "flag", granted: true, ...none })
    }
    assert.deepInclude(flag(accountOf("team")), { granted: false, ...none })
  })
})
