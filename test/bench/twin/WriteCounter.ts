import type { FastifyReply } from "fastify"
import { rateLimited } from "./Refusal.ts"

const windowMillis = 60_000
const capacity = 100_000

interface Window {
  used: number
  readonly closes_at: number
}

/** Counts in fixed windows of one minute, in memory. Writes headers to every answer, and throws if a window is full. */
export const makeWriteCounter = (policy: string, limit: number) => {
  const windows = new Map<string, Window>()

  // All windows have the same length, so the Map keeps them in the order in which they close.
  const sweep = (now: number) => {
    for (const [key, window] of windows) {
      if (window.closes_at > now && windows.size < capacity) return
      windows.delete(key)
    }
  }

  const open = (key: string, now: number): Window => {
    windows.delete(key)
    sweep(now)
    const window = { used: 0, closes_at: now + windowMillis }
    windows.set(key, window)
    return window
  }

  return (key: string, reply: FastifyReply) => {
    const now = performance.now()
    const known = windows.get(key)
    const window = known === undefined || known.closes_at <= now ? open(key, now) : known
    const accepted = window.used < limit
    if (accepted) window.used += 1
    const seconds = Math.max(1, Math.ceil((window.closes_at - now) / 1000))
    reply.header("ratelimit-policy", `"${policy}";q=${limit};w=${windowMillis / 1000}`)
    reply.header("ratelimit", `"${policy}";r=${limit - window.used};t=${seconds}`)
    if (accepted) return
    reply.header("retry-after", String(seconds))
    throw rateLimited()
  }
}
