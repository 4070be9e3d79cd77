/** The result of `take`. `closes_in` is in milliseconds, above 0 and at most the length of the window. */
export interface TakeResult {
  readonly accepted: boolean
  /** Requests that the open window has let through, this one included. */
  readonly used: number
  readonly closes_in: number
}

interface Window {
  used: number
  readonly closes_at: number
}

/** Fixed windows in memory. Callers pass the time, in milliseconds of a monotonic clock. */
export interface FixedWindows {
  take(now: number, id: string, limit: number, length: number): TakeResult
  /** Takes back one counted request of the open window, if there is one. */
  giveBack(now: number, id: string): void
  size(): number
}

/** Open windows of one length in memory at most; about 20 MB when an attacker fills them. */
export const memoryCapacity = 100_000

/**
 * Windows of one length close in the order in which they opened, which is the order of a Map. So closed ones are
 * removed from its front. When `capacity` windows of a length are open, a new one replaces the oldest.
 */
export const makeFixedWindows = (capacity: number): FixedWindows => {
  const byLength = new Map<number, Map<string, Window>>()

  const sweep = (windows: Map<string, Window>, now: number) => {
    for (const [id, window] of windows) {
      if (window.closes_at > now && windows.size < capacity) return
      windows.delete(id)
    }
  }

  const open = (windows: Map<string, Window>, now: number, id: string, length: number) => {
    windows.delete(id)
    sweep(windows, now)
    windows.set(id, { used: 1, closes_at: now + length })
    return { accepted: true, used: 1, closes_in: length }
  }

  return {
    take(now, id, limit, length) {
      const windows = byLength.get(length) ?? new Map<string, Window>()
      byLength.set(length, windows)
      const window = windows.get(id)
      if (window === undefined || window.closes_at <= now) return open(windows, now, id, length)
      const accepted = window.used < limit
      if (accepted) window.used += 1
      return { accepted, used: window.used, closes_in: window.closes_at - now }
    },
    giveBack(now, id) {
      for (const windows of byLength.values()) {
        const window = windows.get(id)
        if (window !== undefined && window.closes_at > now && window.used > 0) window.used -= 1
      }
    },
    size: () => Array.from(byLength.values(), (windows) => windows.size).reduce((sum, size) => sum + size, 0)
  }
}
