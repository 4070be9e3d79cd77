import type { Change } from "./Journal.ts"
import { attemptOf, type Lane, laneOf, type Shadow } from "./Shadow.ts"

const holdAfter = 5
const longestHold = 3_600_000
const firstHold = 60_000

const judgeState = ({ failingSince, failures, holdUntil, holds }: Lane): ReadonlyArray<string> => {
  const problems: Array<string> = []
  if ((failures > 0) !== (failingSince !== null)) problems.push("it fails since never, or since when it does not fail")
  if ((holds > 0) !== (holdUntil !== null)) problems.push("it is held until never, or until when it is not held")
  if ((holds > 0) !== (failures >= holdAfter)) problems.push(`it is held ${holds} times after ${failures} failures`)
  return problems
}

/**
 * The problems with the breakers after these changes. A breaker counts only recorded failures, and its times are ends
 * of attempts.
 */
export const judgeBreakers = (shadow: Shadow, changes: ReadonlyArray<Change>): ReadonlyArray<string> => {
  const attempts = changes.flatMap(({ is, was, what }) =>
    what === "webhook_attempts" && was === undefined && is !== undefined ? [attemptOf(is)] : []
  )
  const born =
    new Map(changes.flatMap(({ is, was, what }) =>
      what === "webhook_deliveries" && was === undefined && is !== undefined
        ? [[`${is["id"]}`, `${is["endpoint_id"]}`]]
        : []
    ))
  const endpointOf = (delivery: string) => shadow.deliveries.get(delivery)?.endpoint ?? born.get(delivery)
  const before = new Map<string, Lane>()
  const after = new Map<string, Lane>()
  for (const { is, was, what } of changes) {
    if (what !== "webhook_lanes" || is === undefined || was === undefined) continue
    const lane = laneOf(was)
    if (!before.has(lane.endpoint)) before.set(lane.endpoint, lane)
    after.set(lane.endpoint, laneOf(is))
  }
  return [...after].flatMap(([endpoint, is]) => {
    const was = before.get(endpoint) ?? is
    const failed = attempts.filter(({ delivery, error }) => error !== null && endpointOf(delivery) === endpoint)
    const problems = [...judgeState(is)]
    if (is.failures > was.failures + failed.length) {
      problems.push(`its failures rise from ${was.failures} to ${is.failures} by ${failed.length} attempts`)
    }
    if (is.holds > was.holds + failed.length) problems.push(`it is held ${is.holds} times instead of ${was.holds}`)
    if (is.failingSince !== null && is.failingSince !== was.failingSince) {
      if (!failed.some(({ ended }) => ended === is.failingSince)) problems.push("it fails since a moment of no attempt")
    }
    if (is.holdUntil !== null && is.holdUntil !== was.holdUntil) {
      const hold = Math.min(firstHold * 2 ** (is.holds - 1), longestHold)
      if (!failed.some(({ ended }) => ended + hold === is.holdUntil)) problems.push(`its hold is not of ${hold} ms`)
    }
    return problems.map((problem) => `The breaker of ${endpoint}: ${problem}, ${JSON.stringify(is)}`)
  })
}
