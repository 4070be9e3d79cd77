/** True if a benchmark only has to show that it still runs: `npm run check:bench` sets it. */
export const isTiny = process.env["BENCH_TINY"] === "true"

/** The amount that a benchmark fills, repeats or waits for: `full`, or `tiny` if it only has to show that it runs. */
export const sized = (full: number, tiny: number): number => isTiny ? tiny : full
