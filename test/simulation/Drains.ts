import { type Change, rowsOf } from "./Journal.ts"
import { type Network, pathOf } from "./Network.ts"
import { deliveryOf, endpointOf, laneOf, type Shadow } from "./Shadow.ts"
import { bodyAge } from "./Transitions.ts"

/**
 * The problems with drains that end by themselves. Each delivery that was due when the endpoint was enabled must be
 * sent or under way. The shadow has the state before the changes.
 */
export const judgeDrains = (
  shadow: Shadow,
  changes: ReadonlyArray<Change>,
  network: Network,
  now: number
): ReadonlyArray<string> => {
  const versions = Map.groupBy(rowsOf(changes, "webhook_deliveries").map(deliveryOf), ({ id }) => id)
  const settings = Map.groupBy(rowsOf(changes, "webhook_endpoints").map(endpointOf), ({ id }) => id)
  return changes.flatMap(({ is, was, what }) => {
    if (what !== "webhook_lanes" || is === undefined || was === undefined) return []
    const { drainUntil, endpoint } = laneOf(was)
    if (drainUntil === null || laneOf(is).drainUntil !== null) return []
    const known = shadow.endpoints.get(endpoint)
    // A person can also end the drain by pausing or disabling the endpoint.
    const isEnabled = [known, ...settings.get(endpoint) ?? []].every((one) => one?.status === "enabled")
    if (known === undefined || !isEnabled) return []
    const open = new Set(network.underWay(pathOf(known.url)).map(({ headers }) => headers["webhook-id"]))
    return [...shadow.deliveries.values()].filter((delivery) =>
      delivery.endpoint === endpoint && delivery.created > now - bodyAge && !open.has(delivery.event) &&
      [delivery, ...versions.get(delivery.id) ?? []].every(({ state: { next_attempt_at } }) =>
        next_attempt_at !== null && next_attempt_at.epochMilliseconds <= drainUntil
      )
    ).map(({ id }) => `The drain of endpoint ${endpoint} ends, and ${id} still waits`)
  })
}
