import { DateTime } from "effect"
import type { Account, ContractedAddonId, EntryId } from "../account/Account.ts"
import type { Period } from "../account/Period.ts"
import { accountEntitlement, addonOf, planOf, type PlanWithAddons, unitsBeyond } from "../catalog/Entitlement.ts"
import type { Addon, PlanCatalog } from "../catalog/PlanCatalog.ts"
import type { LineKind } from "./Invoice.ts"
import { remainingAt } from "./Proration.ts"

/** A line of the ledger before it has an id. Credit is below zero. */
export interface NewEntry {
  readonly kind: LineKind
  readonly key: string
  readonly name: string
  /** Integer cents of the catalog's currency. */
  readonly amount_cents: number
  readonly starts_at: DateTime.Utc
  readonly ends_at: DateTime.Utc
  readonly addon_id: ContractedAddonId | null
  /** The charge whose rest a credit gives back. */
  readonly credited_id: EntryId | null
}

const noReference = { addon_id: null, credited_id: null }

const covering = ({ end, start }: Period) => ({ starts_at: start, ends_at: end })

const isCharged = ({ amount_cents }: NewEntry) => amount_cents !== 0

/** The price of a plan from a moment of the period to its end; without the moment, for the whole period. */
export const planCharge = (catalog: PlanCatalog, plan_key: string, period: Period, from = period.start): NewEntry => {
  const plan = planOf(catalog, plan_key)
  return {
    kind: "plan",
    key: plan_key,
    name: plan?.name ?? plan_key,
    amount_cents: remainingAt(plan?.monthly_price_cents ?? 0, period, from),
    ...covering({ start: from, end: period.end }),
    ...noReference
  }
}

/** The price of an add-on, contracted now, for the rest of the period. */
export const addonCharge = (
  addon: Addon,
  addon_id: ContractedAddonId,
  period: Period,
  now: DateTime.Utc
): NewEntry => ({
  kind: "addon",
  key: addon.key,
  name: addon.name,
  amount_cents: remainingAt(addon.monthly_price_cents, period, now),
  ...covering({ start: now, end: period.end }),
  addon_id,
  credited_id: null
})

/**
 * The charges of a period that begins: the plan and each add-on. Omits free ones and ones that have left the catalog.
 */
export const renewals = (
  catalog: PlanCatalog,
  account: Pick<Account, "addons" | "plan_key">,
  period: Period
): ReadonlyArray<NewEntry> =>
  [
    planCharge(catalog, account.plan_key, period),
    ...account.addons.flatMap(({ addon_key, id }) => {
      const addon = addonOf(catalog, addon_key)
      return addon === undefined ? [] : [addonCharge(addon, id, period, period.start)]
    })
  ].filter(isCharged)

/** The use beyond the allowance in a period that ended, if the plan has a price for it. `used`: units in it. */
export const overages = (
  catalog: PlanCatalog,
  account: PlanWithAddons,
  used: ReadonlyMap<string, number>,
  period: Period
): ReadonlyArray<NewEntry> =>
  catalog.resources.filter(({ kind }) => kind === "metered").map(({ key, name }): NewEntry => {
    const entitlement = accountEntitlement(catalog, account, key)
    return {
      kind: "overage",
      key,
      name,
      amount_cents: unitsBeyond(entitlement, used.get(key) ?? 0) * (entitlement.overage_price_cents ?? 0),
      ...covering(period),
      ...noReference
    }
  }).filter(isCharged)

/** The units that `overages` charges, by resource. */
export const unitsBilled = (
  catalog: PlanCatalog,
  account: PlanWithAddons,
  used: ReadonlyMap<string, number>
): ReadonlyMap<string, number> =>
  new Map([...used].flatMap(([key, units]) => {
    const entitlement = accountEntitlement(catalog, account, key)
    const over = entitlement.overage_price_cents === null ? 0 : unitsBeyond(entitlement, units)
    return over === 0 ? [] : [[key, over]]
  }))

/** A paid charge, with its subject. */
export interface CreditableCharge {
  readonly id: EntryId
  readonly key: string
  readonly name: string
  readonly amount_cents: number
  readonly starts_at: DateTime.Utc
  readonly ends_at: DateTime.Utc
  readonly addon_id: ContractedAddonId | null
}

/** Credits the part of each charge that is for the time after a moment (contract, Endpoints 3). */
export const credits = (charges: ReadonlyArray<CreditableCharge>, now: DateTime.Utc): ReadonlyArray<NewEntry> =>
  charges.flatMap(({ addon_id, amount_cents, ends_at, id, key, name, starts_at }) => {
    const rest = remainingAt(amount_cents, { start: starts_at, end: ends_at }, now)
    const from = DateTime.max(now, starts_at)
    return rest === 0
      ? []
      : [{ kind: "credit", key, name, amount_cents: -rest, starts_at: from, ends_at, addon_id, credited_id: id }]
  })

/** The total of an invoice's lines. It is never below zero: the rest is carried to the next invoice. */
export const totalOf = (
  amounts: ReadonlyArray<number>
): { readonly total_cents: number; readonly carried_cents: number } => {
  const sum = amounts.reduce((left, right) => left + right, 0)
  return { total_cents: Math.max(0, sum), carried_cents: Math.max(0, -sum) }
}

/**
 * Carries credit over when the lines of an invoice add up to less than zero. One line raises the invoice to zero, and
 * open credit goes to the next invoice. The two cancel out, so the ledger's sum does not change.
 */
export const carriedCredit = (
  carried_cents: number,
  period: Period
): { readonly line: NewEntry; readonly open: NewEntry } => {
  const entry = { key: "carried", name: "Credit carried forward", ...covering(period), ...noReference }
  return {
    line: { kind: "carried", amount_cents: carried_cents, ...entry },
    open: { kind: "credit", amount_cents: -carried_cents, ...entry }
  }
}
