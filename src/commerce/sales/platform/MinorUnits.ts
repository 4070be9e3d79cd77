/** The largest amount that is read: ten thousand million of most currencies. */
export const mostMinorUnits = 1_000_000_000_000

// ISO 4217. `Intl` follows common usage instead: there a Colombian peso or a rupiah has no cents.
const decimals: ReadonlyMap<string, number> = new Map([
  ...[
    "BIF",
    "CLP",
    "DJF",
    "GNF",
    "ISK",
    "JPY",
    "KMF",
    "KRW",
    "PYG",
    "RWF",
    "UGX",
    "UYI",
    "VND",
    "VUV",
    "XAF",
    "XOF",
    "XPF"
  ]
    .map((code) => [code, 0] as const),
  ...["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"].map((code) => [code, 3] as const)
])

/**
 * A decimal amount in the currency's minor unit, half a unit rounded up (ISO 4217; two decimals for an unknown
 * currency). Computed on the text, because no binary number equals 1.005. Null for a negative or too large amount.
 */
export const minorUnits = (decimal: string | null, currency: string | null): number | null => {
  const [, whole, fraction = ""] = /^(\d{1,13})(?:\.(\d{1,40}))?$/.exec(decimal ?? "") ?? []
  if (whole === undefined) return null
  const places = decimals.get(currency ?? "") ?? 2
  const units = Number(whole + fraction.slice(0, places).padEnd(places, "0")) +
    ((fraction[places] ?? "0") >= "5" ? 1 : 0)
  return units <= mostMinorUnits ? units : null
}
