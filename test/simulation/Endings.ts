import { DateTime } from "effect"
import type { Checks } from "./Checks.ts"
import { type Network, pathOf } from "./Network.ts"

/**
 * The problems at the end, when every receiver is healthy and every endpoint is enabled. Nothing may wait. Receivers
 * must have accepted every delivery that counts as succeeded.
 */
export const judgeEnd = ({ grades, shadow }: Checks, network: Network): ReadonlyArray<string> => {
  const problems: Array<string> = []
  const accepted = new Set(network.posts.filter(({ result }) => result.error === null)
    .map(({ headers, url }) => `${headers["webhook-id"]} ${pathOf(url)}`))
  for (const { id } of shadow.outbox.values()) problems.push(`Event ${id} was never assembled`)
  for (const { endpoint, event, id, state } of shadow.deliveries.values()) {
    const { deletedAt, status, url } = shadow.endpoints.get(endpoint) ??
      { deletedAt: null, status: "enabled", url: "https://gone.example/" }
    const isOpen = status === "enabled" && deletedAt === null
    if (isOpen && state.next_attempt_at !== null) {
      problems.push(`Delivery ${id} still waits for ${DateTime.formatIso(state.next_attempt_at)}`)
    }
    if (state.status === "succeeded" && !accepted.has(`${event} ${pathOf(url)}`)) {
      problems.push(`Delivery ${id} counts as succeeded, and nobody accepted it`)
    }
    const attempts = shadow.attempts.get(id) ?? []
    if (attempts.length !== state.attempts_count) {
      problems.push(`Delivery ${id} counts ${state.attempts_count} attempts of ${attempts.length}`)
    }
  }
  for (const { id, status } of shadow.recoveries.values()) {
    if (status === "counting" || status === "running") problems.push(`Recovery ${id} is ${status} for ever`)
  }
  for (const { key } of shadow.moves.values()) problems.push(`Recovery and delivery ${key} are never taken note of`)
  for (const at of grades.due()) problems.push(`A grading is due since ${new Date(at).toISOString()}`)
  for (const lane of shadow.lanes.values()) {
    if (lane.lease !== null) problems.push(`Lane ${lane.endpoint} is never given back`)
  }
  return problems
}
