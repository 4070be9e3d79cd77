import { Redacted } from "effect"
import type { Dice } from "./Dice.ts"
import { filters } from "./Filters.ts"

// Settings of an endpoint other than its address and its types. Most have their default.

const names = ["x-api-key", "X-Tenant"]

/** Names of endpoints' own headers, as requests have them. */
export const ownNames: ReadonlySet<string> = new Set(names.map((name) => name.toLowerCase()))

/** Rates low enough to matter in a month of few events. */
const rates = [1, 2, 5, 50]

/** Headers that an administrator sets; null removes one. */
export const someHeaders = (dice: Dice): Readonly<Record<string, string | null>> =>
  Object.fromEntries(dice.some(names, 0.6).map((
    name
  ) => [name, dice.chance(0.3) ? null : `value ${dice.between(1, 1000)}`]))

/** The headers in the form that the API takes. */
export const redacted = (headers: Readonly<Record<string, string | null>>) =>
  Object
    .fromEntries(Object.entries(headers).map(([name, value]) => [name, value === null ? null : Redacted.make(value)]))

/** The headers that requests have after this change. */
export const merged = (
  before: Readonly<Record<string, string>>,
  changes: Readonly<Record<string, string | null>>
): Readonly<Record<string, string>> => {
  const after = new Map(Object.entries(before))
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) after.delete(name.toLowerCase())
    else after.set(name.toLowerCase(), value)
  }
  return Object.fromEntries(after)
}

export const someLimits = (dice: Dice) => ({
  max_per_second: dice.pick([null, ...rates]) ?? null,
  max_in_flight: dice.pick([null, 1, 3]) ?? null
})

const signings = ["hmac", "both"] as const

export const someSigning = (dice: Dice) => dice.pick(signings) ?? "hmac"

export const someFilter = (dice: Dice) => dice.pick(filters) ?? null

/** Settings of a new endpoint. */
export const someSettings = (dice: Dice) => ({
  ...(dice.chance(0.3) ? someLimits(dice) : {}),
  ...(dice.chance(0.4) ? { signing: someSigning(dice) } : {}),
  ...(dice.chance(0.3) ? { filter: someFilter(dice) } : {}),
  ...(dice.chance(0.2) ? { notices: false } : {})
})
