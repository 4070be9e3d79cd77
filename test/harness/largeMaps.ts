// Loaded before the service with `--import`: counts the Maps that are made as copies of much. What all layers provide is a
// Map of some hundred entries, and to copy it for each request is felt. Each SIGUSR2 says how many there were since the last.

/** Entries from which on a copy counts. */
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
