import { type Network, pathOf } from "./Network.ts"
import { recoveryTimes } from "./RecoveryTimes.ts"
import type { Lane, Shadow } from "./Shadow.ts"
import { bodyAge } from "./Transitions.ts"

/** Possible work, and the lane that it waits in. */
export interface Waiting {
  readonly lane: Lane | undefined
  readonly key: string
}

const perLane = 16

/** Milliseconds after one attempt within which the rate of a lane allows the next. */
const tokenWithin = (rate: number) => Math.max(1000 / rate, 100)

/** Possible work that waits, in all clubs. */
export const waitingOf = (shadow: Shadow, network: Network, now: number): ReadonlyArray<Waiting> => {
  const { deliveries, endpoints, lanes, outbox } = shadow
  const late = [...deliveries.values()].flatMap((delivery) => {
    const { next_attempt_at, trigger } = delivery.state
    if (next_attempt_at === null || next_attempt_at.epochMilliseconds > now) return []
    const endpoint = endpoints.get(delivery.endpoint)
    const lane = lanes.get(delivery.endpoint)
    if (endpoint === undefined || endpoint.status !== "enabled" || endpoint.deletedAt !== null) return []
    if (delivery.created <= now - bodyAge) return []
    const path = pathOf(endpoint.url)
    const open = network.underWay(path)
    const isHeld = lane !== undefined && lane.holds > 0
    const waitsForHold = trigger === "schedule" || delivery.recovery !== null
    if (open.some(({ headers }) => headers["webhook-id"] === delivery.event)) return []
    if (open.length >= Math.min(perLane, lane?.atOnce ?? perLane) || (isHeld && open.length > 0)) return []
    if (lane !== undefined && lane.rate !== null && network.lastAt(path) > now - tokenWithin(lane.rate)) return []
    const rate = delivery.recovery === null ? null : lane?.recoveryRate ?? null
    if (rate !== null && network.lastAt(path) > now - tokenWithin(rate)) return []
    if (isHeld && waitsForHold && (lane.holdUntil ?? 0) > now) return []
    return [{ lane, key: `Delivery ${delivery.id}` }]
  })
  const recoveries = [...recoveryTimes(shadow, now)].filter(([, at]) => at <= now)
    .map(([id]) => ({ lane: undefined, key: `Recovery ${id}` }))
  const facts = [...outbox.values()].filter(({ due }) => due <= now)
    .map(({ id }) => ({ lane: undefined, key: `Event ${id}` }))
  return [...late, ...recoveries, ...facts]
}
