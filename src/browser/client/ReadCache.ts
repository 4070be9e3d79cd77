import { session } from "./Api.ts"
import { language } from "./Language.ts"
import { tabSubject } from "./Tabs.ts"

/** Something that was read, and is kept by its key. */
export interface CachedRead {
  /** True while a view shows it. */
  readonly isUsed: () => boolean
  readonly isRunning: () => boolean
  /** True if it was refused because the session had ended. */
  readonly isRefused: () => boolean
  /** Reads it anew; what is known stays until the answer. */
  readonly refresh: () => void
  /** Forgets what is known, and ends what is being read. */
  readonly clear: () => void
  /** True if it stays after a change, for a reader who comes back to it. */
  readonly survivesChanges: boolean
}

/** A shelf: the kept entries of one sort. */
export interface ReadCache<K extends CachedRead> {
  /** The entry of this key. Without one it keeps `shown`, or else a new one from `make`. */
  readonly take: (key: string, make: () => K, shown?: K) => K
}

const readCaches: Array<Map<string, CachedRead>> = []

/** Room for so many that nobody looks at: those that were used longest ago go first. */
export const makeReadCache = <K extends CachedRead>(most: number): ReadCache<K> => {
  const kept = new Map<string, K>()
  readCaches.push(kept)
  const forget = () => {
    for (const [key, one] of kept) {
      if (kept.size <= most) return
      if (!one.isUsed()) kept.delete(key)
    }
  }
  return {
    take: (key, make, shown) => {
      const found = kept.get(key) ?? shown ?? make()
      // The last that was used stands last.
      kept.delete(key)
      kept.set(key, found)
      forget()
      return found
    }
  }
}

const below = (prefixes: ReadonlyArray<string>) =>
  readCaches.flatMap((kept) =>
    [...kept].flatMap(([key, one]) => prefixes.some((prefix) => key.startsWith(prefix)) ? [{ kept, key, one }] : [])
  )

/** The used entries below these keys. A reader gets the others anew later. */
const usedBelow = (prefixes: ReadonlyArray<string>) =>
  below(prefixes).flatMap(({ kept, key, one }) => {
    if (one.isUsed()) return [one]
    if (!one.survivesChanges) kept.delete(key)
    return []
  })

/**
 * Something below these keys changed. Entries on the page are read anew now, the others when they come back to a page.
 * Entries of a page that the reader has just left count as unused: they may show a deleted record.
 */
export const changedHere = (...prefixes: ReadonlyArray<string>): void =>
  // A new address is shown in a task of this kind, which waits before this one.
  queueMicrotask(() => {
    for (const one of usedBelow(prefixes)) one.refresh()
  })

/** The same in this browser's other tabs alone. */
export const tell = (...prefixes: ReadonlyArray<string>): void => tabs.tell(prefixes)

/** The same in all of this browser's tabs. */
export const changed = (...prefixes: ReadonlyArray<string>): void => {
  changedHere(...prefixes)
  tell(...prefixes)
}

/** Forgets everything, since somebody else is here now: what is looked at is asked for anew. */
export const forgetAll = (): void => {
  for (const kept of readCaches) {
    for (const [key, one] of kept) {
      one.clear()
      if (!one.isUsed()) kept.delete(key)
      else if (session.peek() === "open") one.refresh()
    }
  }
}

const used = () => readCaches.flatMap((kept) => [...kept.values()].filter((one) => one.isUsed()))

/** Refreshes everything on the page for a reader who comes back. */
const lookAgain = () => {
  if (document.visibilityState !== "visible" || session.peek() === "closed") return
  for (const one of used()) if (!one.isRunning()) one.refresh()
}

// Requests refused after the session ended run again in the next session.
session.subscribe((now) => {
  if (now === "open") { for (const one of used()) if (one.isRefused()) one.refresh() }
})

let spoken = language.peek()

// Answers of the service are in the language of their request.
language.subscribe((now) => {
  if (now === spoken) return
  spoken = now
  changedHere("")
})

document.addEventListener("visibilitychange", lookAgain)
addEventListener("focus", lookAgain)
addEventListener("online", lookAgain)

/** Changes that another tab announces. A hidden page reads nothing: it refreshes when its reader comes back. */
const tabs = tabSubject("changed", (prefixes) => {
  const isSeen = document.visibilityState === "visible"
  // An answer under way may be from before the change.
  for (const one of usedBelow(prefixes)) if (isSeen || one.isRunning()) one.refresh()
})
