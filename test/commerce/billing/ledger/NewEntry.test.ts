import { assert, describe, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import { ContractedAddonId, EntryId } from "../../../../src/commerce/billing/account/Account.ts"
import { periodAt } from "../../../../src/commerce/billing/account/Period.ts"
import {
  carriedCredit,
  credits,
  overages,
  planCharge,
  renewals,
  totalOf
} from "../../../../src/commerce/billing/ledger/NewEntry.ts"
import { catalogOf } from "../catalog/Catalogs.ts"

const catalog = catalogOf({ plan: 2900, pack: 1900, help: 0, unit: 3 })
const at = (text: string) => DateTime.makeUnsafe(text)
const april = periodAt(at("2026-04-01Z"), at("2026-04-01Z"))
const addon_id = ContractedAddonId.make("0190a000-0000-7000-8000-000000000001")
const id = EntryId.make("0190a000-0000-7000-8000-000000000002")

const addonOf = (addon_key: string) => ({ id: addon_id, addon_key, contracted_at: april.start, external_id: null })
const accountOf = (plan_key: string, ...addons: ReadonlyArray<string>) => ({ plan_key, addons: addons.map(addonOf) })
const shown = (
  entries: ReadonlyArray<{ readonly kind: string; readonly key: string; readonly amount_cents: number }>
) => entries.map(({ amount_cents, key, kind }) => [kind, key, amount_cents])

describe("A period that begins", () => {
  it("costs the plan and each add-on, for the whole of it", () => {
    const entries = renewals(catalog, accountOf("basic", "pack"), april)
    assert.deepStrictEqual(shown(entries), [["plan", "basic", 2900], ["addon", "pack", 1900]])
    for (const { ends_at, starts_at } of entries) {
      assert.deepStrictEqual([starts_at, ends_at], [april.start, april.end])
    }
    assert.deepStrictEqual(entries.map(({ addon_id }) => addon_id), [null, addon_id])
  })

  it("costs nothing where plan and add-ons are free, or not in the catalog any more", () => {
    assert.deepStrictEqual(renewals(catalog, accountOf("small", "help"), april), [])
    assert.deepStrictEqual(renewals(catalog, accountOf("gone", "gone"), april), [])
  })

  it("costs the rest of another plan when it changes", () => {
    const { amount_cents, name } = planCharge(catalog, "basic", april, at("2026-04-16Z"))
    assert.deepStrictEqual([name, amount_cents], ["Basic", 1450])
  })
})

describe("A period that ended", () => {
  const overage = (plan_key: string, used: number, ...addons: ReadonlyArray<string>) =>
    shown(overages(catalog, accountOf(plan_key, ...addons), new Map([["answers", used]]), april))

  it("costs what was used beyond the allowance of plan and add-ons", () => {
    assert.deepStrictEqual(overage("basic", 11), [["overage", "answers", 3]])
    assert.deepStrictEqual(overage("basic", 25, "pack"), [["overage", "answers", 30]])
  })

  it("costs nothing more within the allowance, with a plan that bills none, or with one that is gone", () => {
    for (const entries of [overage("basic", 10), overage("small", 11), overage("gone", 11)]) {
      assert.deepStrictEqual(entries, [])
    }
  })
})

describe("Credit", () => {
  const charge = {
    id,
    key: "pack",
    name: "Pack",
    amount_cents: 1900,
    starts_at: april.start,
    ends_at: april.end,
    addon_id
  }

  it("is what the rest of the time was paid with, below zero, and names its charge", () => {
    assert.deepStrictEqual(credits([charge], at("2026-04-16Z")), [{
      kind: "credit",
      key: "pack",
      name: "Pack",
      amount_cents: -950,
      starts_at: at("2026-04-16Z"),
      ends_at: april.end,
      addon_id,
      credited_id: id
    }])
  })

  it("is given for each charge that covers the moment, and for none that is over or was for nothing", () => {
    const charges = [charge, { ...charge, ends_at: at("2026-04-16Z") }, { ...charge, amount_cents: 0 }]
    assert.deepStrictEqual(shown(credits(charges, at("2026-04-16Z"))), [["credit", "pack", -950]])
    assert.deepStrictEqual(credits([charge], april.end), [])
  })

  it("is all of a charge for a time that has not begun", () => {
    const [credit] = credits([charge], at("2026-03-01Z"))
    assert.deepStrictEqual([credit?.amount_cents, credit?.starts_at], [-1900, april.start])
  })
})

describe("An invoice", () => {
  it.prop(
    "comes to its lines, and what would be below zero is carried, to the cent",
    [Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: -1_000_000_000, maximum: 1_000_000_000 })))],
    ([amounts]) => {
      const { carried_cents, total_cents } = totalOf(amounts)
      assert.isAtLeast(total_cents, 0)
      assert.isAtLeast(carried_cents, 0)
      assert.isTrue(total_cents === 0 || carried_cents === 0)
      assert.strictEqual(total_cents - carried_cents, amounts.reduce((sum, amount) => sum + amount, 0))
    }
  )

  it("carries what is left with a line that lifts it to zero, and the same as credit for the next", () => {
    const { line, open } = carriedCredit(1, april)
    assert.deepStrictEqual(shown([line, open]), [["carried", "carried", 1], ["credit", "carried", -1]])
  })
})
