import { timestampOf } from "../../../client/Time.ts"
import type { Diagnosis } from "./Standing.ts"

// What is known of a recovery: from when on it reaches, and how far it is. Pure.

const hour = 3_600_000

/** How far back the API recovers, in hours. */
export const mostHours = 720

/** From when on what is `hours` old at most is recovered, never further back than the API goes. */
export const recoverySince = (hours: number, opened: number, now: number): string =>
  timestampOf(Math.max(opened - hours * hour, now - mostHours * hour))

/**
 * How many were sent again at least. The queue has others too, so all that is known is that no more of them wait than
 * there are in it; and of one that is not counted to its end, nothing.
 */
export const sentAtLeast = (
  total: number,
  { queue_depth, queue_depth_capped }: Pick<Diagnosis, "queue_depth" | "queue_depth_capped">
): number => queue_depth_capped ? 0 : Math.max(0, total - queue_depth)
