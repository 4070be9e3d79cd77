import { grace } from "./Jobs.ts"
import type { Recovery, Shadow } from "./Shadow.ts"

/** The time from which a look at a recovery finds work, in epoch milliseconds; infinity while it waits for others. */
const usefulAt = (shadow: Shadow, job: Recovery, now: number): number => {
  const { dueAt, endpoint, id, moved, reachedEnd, status } = job
  if (dueAt === null) return Infinity
  const moves = [...shadow.moves.values()].filter(({ recovery }) => recovery === id)
  const lane = shadow.lanes.get(endpoint)
  const { deletedAt = null, status: isSet = "enabled" } = shadow.endpoints.get(endpoint) ?? {}
  const isGone = isSet === "disabled" || deletedAt !== null
  const isHeld = lane !== undefined && lane.holds > 0
  const isHeldUp = isSet === "paused" || (isHeld && moved > 0 && ((lane.holdUntil ?? 0) > now || moves.length > 0))
  const mayMove = status === "running" && !reachedEnd && !isHeldUp
  if (status === "counting" || mayMove || moves.length === 0 && !isHeldUp || (isGone && status !== "canceled")) {
    return dueAt
  }
  const ends = moves.map(({ attempts, delivery }) => {
    const state = shadow.deliveries.get(delivery)?.state
    if (state === undefined || state.status === "pending") return Infinity
    return state.attempts_count > attempts ? dueAt : (state.finished_at?.epochMilliseconds ?? 0) + grace
  })
  return Math.max(dueAt, Math.min(...ends, Infinity))
}

/** Recoveries, each with the time from which a look at it finds work. */
export const recoveryTimes = (shadow: Shadow, now: number): ReadonlyMap<string, number> =>
  new Map([...shadow.recoveries.values()].map((job) => [job.id, usefulAt(shadow, job, now)]))
