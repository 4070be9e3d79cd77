/** A small Markdown table. The first column has names, the others have numbers. */
export const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [head, head.map((_, column) => column === 0 ? "---" : "---:"), ...rows].map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n")

const sortedOf = (values: ReadonlyArray<number>) => values.toSorted((a, b) => a - b)

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = sortedOf(values)
  const below = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0
  return (below + (sorted[Math.ceil((sorted.length - 1) / 2)] ?? 0)) / 2
}

/** The least value that is at least as large as this share of the values. */
export const percentile = (values: ReadonlyArray<number>, share: number): number => {
  const sorted = sortedOf(values)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
}

/** `50000` as `50 000`. */
export const spaced = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, " ")

/** The word for an aim in reports. */
export const met = (is: boolean): string => is ? "met" : "missed"
