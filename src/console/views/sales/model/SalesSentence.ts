// The state of sales, as parts of a sentence. Pure.

/** The fields of an address that decide whether it accepts sales. */
export interface AddressState {
  readonly enabled: boolean
  readonly secret_set: boolean
  readonly token_only: boolean
}

/** How an address stands. Without a secret everything is refused, unless its URL alone is proof enough. */
export const addressState = (
  { enabled, secret_set, token_only }: AddressState
): "off" | "refusing" | "open" | "taking" => {
  if (!enabled) return "off"
  if (secret_set) return "taking"
  return token_only ? "open" : "refusing"
}

/** The known facts about the sales of a club. */
export interface SalesKnown {
  readonly addresses: ReadonlyArray<AddressState>
  /** Number of events that wait for a mapping, by product. */
  readonly waiting: ReadonlyArray<{ readonly events: number }>
  /** Number of events that failed lately. */
  readonly failed: number
}

/** The troubles of a club's sales, the worst first. Empty if all is well. */
export type Trouble =
  | { readonly kind: "unconnected" }
  | { readonly kind: "failed" | "waiting" | "refusing"; readonly count: number }

/** The current troubles of a club's sales. */
export const troublesOf = ({ addresses, failed, waiting }: SalesKnown): ReadonlyArray<Trouble> => {
  const refusing = addresses.filter((address) => addressState(address) === "refusing").length
  const events = waiting.reduce((sum, product) => sum + product.events, 0)
  return [
    ...(addresses.length === 0 ? [{ kind: "unconnected" } as const] : []),
    ...(failed > 0 ? [{ kind: "failed", count: failed } as const] : []),
    ...(events > 0 ? [{ kind: "waiting", count: events } as const] : []),
    ...(refusing > 0 ? [{ kind: "refusing", count: refusing } as const] : [])
  ]
}

/** From how long ago on events are listed, by what the address says. */
const periods: Readonly<Record<string, number>> = { "24h": 86_400_000, "7d": 604_800_000, "30d": 2_592_000_000 }

/** The length of the period in the address. Undefined for any other name. */
export const periodNamed = (name: string): number | undefined =>
  Object.hasOwn(periods, name) ? periods[name] : undefined
