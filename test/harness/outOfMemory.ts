// Loaded before the service with `--import`: on SIGUSR2 the process allocates memory until V8 ends it.
const kept: Array<ReadonlyArray<number>> = []

process.on("SIGUSR2", () => {
  while (true) kept.push(Array.from({ length: 100_000 }, (_, at) => at + kept.length))
})
