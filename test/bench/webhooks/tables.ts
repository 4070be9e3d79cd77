/** A small Markdown table: the first column says of what, the others are numbers. */
export const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [head, head.map((_, column) => column === 0 ? "---" : "---:"), ...rows].map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n")

const sortedOf = (values: ReadonlyArray<number>) => values.toSorted((a, b) => a - b)

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = sortedOf(values)
  const below = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0
  return (below + (sorted[Math.ceil((sorted.length - 1) / 2)] ?? 0)) / 2
}

/** The least value that at least this share of the values does not exceed. */
export const percentile = (values: ReadonlyArray<number>, share: number): number => {
  const sorted = sortedOf(values)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
}

/** `50000` as `50 000`. */
export const spaced = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, " ")

/** Whether an aim is met, as it is printed. */
export const met = (is: boolean): string => is ? "met" : "missed"
