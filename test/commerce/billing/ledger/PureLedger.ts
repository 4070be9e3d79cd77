import { DateTime, Schema } from "effect"
import { type Account, ContractedAddonId, EntryId } from "../../../../src/commerce/billing/account/Account.ts"
import { type Period, periodAt } from "../../../../src/commerce/billing/account/Period.ts"
import { addonOf } from "../../../../src/commerce/billing/catalog/Entitlement.ts"
import type { PlanCatalog } from "../../../../src/commerce/billing/catalog/PlanCatalog.ts"
import {
  addonCharge,
  carriedCredit,
  credits,
  type NewEntry,
  overages,
  renewals,
  totalOf
} from "../../../../src/commerce/billing/ledger/NewEntry.ts"
import { ClubId } from "../../../../src/identity/ids/ClubId.ts"
import { after, Wait } from "../account/Times.ts"

// An account in memory that follows the pure rules of the ledger, as a provider must.

const Key = Schema.Literals(["pack", "help"])
const Step = Schema.Union([
  Schema.Struct({ do: Schema.Literal("contract"), key: Key }),
  Schema.Struct({ do: Schema.Literal("remove"), key: Key }),
  Schema.Struct({ do: Schema.Literal("use"), units: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20 })) }),
  Schema.Struct({ do: Schema.Literal("wait"), millis: Wait })
])
/** The changes of an account, and the passing of time. */
export const Steps = Schema.Array(Step).check(Schema.isMaxLength(40))

interface Entry extends NewEntry {
  readonly id: EntryId
  /** The number of the invoice, from 0; null if the entry goes on the next invoice. */
  readonly invoice: number | null
}

/** The time span of an add-on or the plan. `until` is null while it lasts. */
export interface Span {
  readonly key: string
  readonly from: DateTime.Utc
  readonly until: DateTime.Utc | null
}

export interface State {
  readonly account: Account
  readonly now: DateTime.Utc
  readonly entries: ReadonlyArray<Entry>
  /** The total of each invoice, in cents. */
  readonly totals: ReadonlyArray<number>
  readonly used: number
  /** The cost of use beyond the allowance in each period that ended. */
  readonly beyond: ReadonlyArray<number>
  readonly spans: ReadonlyArray<Span>
}

const idOf = (number: number) => `0190a000-0000-7000-8000-${String(number).padStart(12, "0")}`

const withEntries = (state: State, entries: ReadonlyArray<NewEntry>, invoice: number | null): State => ({
  ...state,
  entries: [
    ...state.entries,
    ...entries.map((entry, index) => ({ ...entry, id: EntryId.make(idOf(state.entries.length + index)), invoice }))
  ]
})

/** Makes an invoice of these charges and all open credit. Without charges it makes no invoice. */
const invoiced = (state: State, charges: ReadonlyArray<NewEntry>, period: Period): State => {
  if (charges.length === 0) return state
  const number = state.totals.length
  const taken = { ...state, entries: state.entries.map((entry) => ({ ...entry, invoice: entry.invoice ?? number })) }
  const charged = withEntries(taken, charges, number)
  const lines = charged.entries.filter(({ invoice }) => invoice === number)
  const { carried_cents, total_cents } = totalOf(lines.map(({ amount_cents }) => amount_cents))
  const { line, open } = carriedCredit(carried_cents, period)
  const whole = carried_cents === 0 ? charged : withEntries(withEntries(charged, [line], number), [open], null)
  return { ...whole, totals: [...state.totals, total_cents] }
}

/** A new club on the catalog's first plan. */
const opened = (catalog: PlanCatalog, at: DateTime.Utc): State => {
  const period = periodAt(at, at)
  const account: Account = {
    club_id: ClubId.make(idOf(0)),
    plan_key: catalog.plans[0].key,
    anchor: at,
    invoiced_until: period.end,
    customer_id: null,
    subscription_id: null,
    addons: []
  }
  const spans = [{ key: account.plan_key, from: at, until: null }]
  const state = { account, now: at, entries: [], totals: [], used: 0, beyond: [], spans }
  return invoiced(state, renewals(catalog, account, period), period)
}

/** Makes the invoices of all periods that have begun. */
const caughtUp = (catalog: PlanCatalog, state: State): State => {
  const { account, now, used } = state
  if (DateTime.isGreaterThan(account.invoiced_until, now)) return state
  const ended = periodAt(account.anchor, after(account.invoiced_until, -1))
  const begun = periodAt(account.anchor, account.invoiced_until)
  const over = overages(catalog, account, new Map([["answers", used]]), ended)
  const charged = invoiced(state, [...over, ...renewals(catalog, account, begun)], begun)
  return caughtUp(catalog, {
    ...charged,
    account: { ...account, invoiced_until: begun.end },
    used: 0,
    beyond: [...state.beyond, ...over.map(({ amount_cents }) => amount_cents)]
  })
}

const contracted = (catalog: PlanCatalog, state: State, key: string): State => {
  const { account, now } = state
  const addon = addonOf(catalog, key)
  if (addon === undefined || account.addons.some(({ addon_key }) => addon_key === key)) return state
  const id = ContractedAddonId.make(idOf(state.spans.length))
  const period = periodAt(account.anchor, now)
  const charge = addonCharge(addon, id, period, now)
  return {
    ...invoiced(state, charge.amount_cents === 0 ? [] : [charge], period),
    account: {
      ...account,
      addons: [...account.addons, { id, addon_key: key, contracted_at: now, external_id: null }]
    },
    spans: [...state.spans, { key, from: now, until: null }]
  }
}

const removed = (state: State, key: string): State => {
  const { account, entries, now } = state
  const gone = account.addons.find(({ addon_key }) => addon_key === key)
  if (gone === undefined) return state
  const charges = entries.filter(({ addon_id, kind }) => kind === "addon" && addon_id === gone.id)
  return {
    ...withEntries(state, credits(charges, now), null),
    account: { ...account, addons: account.addons.filter((addon) => addon !== gone) },
    spans: state.spans.map((span) => span.key === key && span.until === null ? { ...span, until: now } : span)
  }
}

/** Runs one step, after all invoices that became due before it. */
export const stepped = (catalog: PlanCatalog, before: State, step: typeof Step.Type): State => {
  const now = step.do === "wait" ? after(before.now, step.millis) : before.now
  const state = caughtUp(catalog, { ...before, now })
  if (step.do === "contract") return contracted(catalog, state, step.key)
  if (step.do === "remove") return removed(state, step.key)
  return step.do === "use" ? { ...state, used: state.used + step.units } : state
}

/** The account after all steps. */
export const endOf = (catalog: PlanCatalog, at: DateTime.Utc, steps: typeof Steps.Type): State =>
  steps.reduce((state, step) => stepped(catalog, state, step), opened(catalog, at))
