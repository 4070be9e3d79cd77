// Loaded before the service with `--import`: counts large Maps that are built as copies. The services of all layers are
// a Map of some hundred entries, and copying it for each request costs time. Each SIGUSR2 prints the count since the
// last.

/** Number of entries from which a copy counts. */
const large = 60

let made = 0

class CountingMap<K, V> extends Map<K, V> {
  constructor(entries?: Iterable<readonly [K, V]> | null) {
    super(entries)
    if (this.size > large) made += 1
  }
}

globalThis.Map = CountingMap

process.on("SIGUSR2", () => {
  process.stdout.write(`large maps: ${made}\n`)
  made = 0
})
