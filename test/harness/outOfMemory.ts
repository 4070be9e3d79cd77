// Loaded before the service with `--import`: on SIGUSR2 the process allocates memory until V8 ends it. Fractions have no
// pointers in them, so the collector has little to look at.
const kept: Array<ReadonlyArray<number>> = []

process.on("SIGUSR2", () => {
  while (true) kept.push(Array.from<number>({ length: 1_000_000 }).fill(kept.length + 0.5))
})
