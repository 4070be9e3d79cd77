import { DateTime } from "effect"
import { catalog } from "./Ledgers.ts"

/** A charge of the model, or a credit if it is below zero. Times in milliseconds. */
interface Entry {
  readonly kind: string
  readonly key: string
  readonly amount: number
  readonly start: number
  readonly end: number
}

interface Invoice {
  readonly total: number
  readonly lines: ReadonlyArray<Entry>
}

const priceOf = (key: string) =>
  [...catalog.plans, ...catalog.addons].find((one) => one.key === key)?.monthly_price_cents ?? 0

/** Independent of the tested code: it computes fractions in whole numbers, and rounds cents up for the rest. */
const rest = (amount: number, start: number, end: number, at: number) =>
  amount - Number(BigInt(amount) * BigInt(Math.max(0, at - start)) / BigInt(end - start))

/** A club's account by the contract, in memory, with one change after another. */
export class LedgerModel {
  readonly invoices: Array<Invoice> = []
  readonly entries: Array<Entry> = []
  readonly addons = new Map<string, Array<Entry>>()
  open: Array<Entry> = []
  private planCharges: Array<Entry> = []
  private months = 1
  /** Units in each month. Months count from 0. */
  private readonly used = new Map<number, number>()
  readonly anchor: DateTime.Utc
  plan: string

  constructor(anchor: DateTime.Utc, plan: string) {
    this.anchor = anchor
    this.plan = plan
    this.planCharges = this.invoice([this.charge("plan", plan, this.start(0))])
  }

  private readonly start = (month: number) => DateTime.toEpochMillis(DateTime.add(this.anchor, { months: month }))
  private readonly charge = (kind: string, key: string, at: number): Entry => {
    const [start, end] = [this.start(this.months - 1), this.start(this.months)]
    return { kind, key, amount: rest(priceOf(key), start, end, at), start: at, end }
  }

  private readonly allowance = () => ({ small: 10, large: 20 }[this.plan] ?? 0) + (this.addons.has("pack") ? 5 : 0)

  /** The use until then beyond the allowance, if the plan bills it. It leaves the count, so later calls skip it. */
  private readonly overage = (month: number, end: number): ReadonlyArray<Entry> => {
    const beyond = Math.max(0, (this.used.get(month) ?? 0) - this.allowance())
    const start = this.start(month)
    if (this.plan === "large") this.used.set(month, (this.used.get(month) ?? 0) - beyond)
    return this.plan === "large" ? [{ kind: "overage", key: "answers", amount: 3 * beyond, start, end }] : []
  }

  /** Takes all of the units, or no unit if they exceed the allowance. */
  readonly use = (units: number, at: number) => {
    let month = 0
    while (this.start(month + 1) <= at) month += 1
    const used = (this.used.get(month) ?? 0) + units
    const passes = this.plan === "large" || used <= this.allowance()
    if (passes) this.used.set(month, used)
    return passes
  }

  private readonly invoice = (charges: ReadonlyArray<Entry>): Array<Entry> => {
    const charged = charges.filter(({ amount }) => amount > 0)
    if (charged.length === 0) return []
    const lines = [...charged, ...this.open]
    const sum = lines.reduce((left, { amount }) => left + amount, 0)
    this.entries.push(...charged)
    this.open = []
    if (sum < 0) {
      const [start, end] = [this.start(this.months - 1), this.start(this.months)]
      const carried = { key: "carried", start, end }
      lines.push({ kind: "carried", amount: -sum, ...carried })
      this.open = [{ kind: "credit", amount: sum, ...carried }]
      this.entries.push({ kind: "carried", amount: -sum, ...carried }, ...this.open)
    }
    this.invoices.push({ total: Math.max(0, sum), lines })
    return [...charged]
  }

  private readonly giveBack = (charges: ReadonlyArray<Entry>, at: number) => {
    for (const { amount, end, key, start } of charges) {
      if (end <= at) continue
      const credit = { kind: "credit", key, amount: -rest(amount, start, end, at), start: at, end }
      this.open.push(credit)
      this.entries.push(credit)
    }
  }

  /** Begins every month up to then. */
  readonly pass = (at: number) => {
    while (this.start(this.months) <= at) {
      this.months += 1
      const begun = this.start(this.months - 1)
      const charged = this.invoice([
        ...this.overage(this.months - 2, begun),
        this.charge("plan", this.plan, begun),
        ...[...this.addons.keys()].map((key) => this.charge("addon", key, begun))
      ])
      this.planCharges.push(...charged.filter(({ kind }) => kind === "plan"))
      for (const [key, charges] of this.addons) charges.push(...charged.filter((one) => one.key === key))
    }
  }

  readonly contract = (key: string, at: number) => {
    this.pass(at)
    this.addons.set(key, this.invoice([this.charge("addon", key, at)]))
  }

  readonly remove = (key: string, at: number) => {
    this.pass(at)
    this.giveBack(this.addons.get(key) ?? [], at)
    this.addons.delete(key)
  }

  readonly give = (plan: string, at: number) => {
    this.pass(at)
    if (plan === this.plan) return
    const over = this.overage(this.months - 1, at)
    this.giveBack(this.planCharges, at)
    this.plan = plan
    this.planCharges = this.invoice([...over, this.charge("plan", plan, at)]).filter(({ kind }) => kind === "plan")
  }
}
