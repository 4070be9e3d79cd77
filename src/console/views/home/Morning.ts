import { isNearLimit } from "../../club/NearLimit.ts"

// The matters of a club that need attention, from the API's answers. Pure.

/** The state of a matter: `bad` and `waiting` need somebody, and the others are news. */
export type Weight = "good" | "bad" | "waiting" | "quiet"

/** A count that may be of a first page alone: then there are more. */
export interface Count {
  readonly count: number
  readonly isMore: boolean
}

interface Page<A> {
  readonly data: ReadonlyArray<A>
  readonly next_cursor?: string | null
}

/** Number of items of a page that match. */
export const countIn = <A>({ data, next_cursor }: Page<A>, is: (item: A) => boolean = () => true): Count => {
  const count = data.filter(is).length
  return { count, isMore: count === data.length && next_cursor !== null && next_cursor !== undefined }
}

interface Endpoint {
  readonly status: "enabled" | "paused" | "disabled"
  readonly disabled_reason: "failing" | "manual" | null
  readonly hold_until: string | null
  readonly consecutive_failures: number
}

/** The endpoints of webhooks by how they are; each is in one of these. */
export interface Endpoints {
  readonly stopped: number
  readonly held: number
  readonly failing: number
  readonly paused: number
  readonly well: number
}

const kindOf = ({ consecutive_failures, disabled_reason, hold_until, status }: Endpoint): keyof Endpoints => {
  if (status === "disabled") return disabled_reason === "failing" ? "stopped" : "paused"
  if (status === "paused") return "paused"
  if (hold_until !== null) return "held"
  return consecutive_failures > 0 ? "failing" : "well"
}

/** Number of endpoints in each state. */
export const endpointsOf = (all: ReadonlyArray<Endpoint>): Endpoints => {
  const counted = { stopped: 0, held: 0, failing: 0, paused: 0, well: 0 }
  for (const endpoint of all) counted[kindOf(endpoint)]++
  return counted
}

/** How webhooks are on the whole. */
export const weightOf = ({ failing, held, paused, stopped, well }: Endpoints): Weight => {
  if (stopped + held > 0) return "bad"
  if (failing > 0) return "waiting"
  return well > 0 ? "good" : paused > 0 ? "waiting" : "quiet"
}

interface EndpointSeries {
  readonly points: ReadonlyArray<{ readonly succeeded: number; readonly failed: number }>
}

/** The results of the attempts of every endpoint. */
export interface Attempts {
  readonly failed: number
  readonly all: number
}

/** The attempts of all endpoints together. */
export const attemptsOf = (series: ReadonlyArray<EndpointSeries>): Attempts => {
  const points = series.flatMap((one) => one.points)
  const failed = points.reduce((sum, point) => sum + point.failed, 0)
  return { failed, all: points.reduce((sum, point) => sum + point.succeeded, failed) }
}

/** A few attempts fail and succeed later; more than one of twenty is somebody's to look at. */
export const weightOfAttempts = ({ all, failed }: Attempts): Weight =>
  all === 0 ? "quiet" : failed * 20 > all ? "waiting" : "good"

interface Resource {
  readonly name: string
  readonly kind: "flag" | "metered"
  readonly granted: boolean
  readonly unlimited: boolean
  readonly allowance: number
  readonly balance: number
  readonly bills: boolean
}

/**
 * The resources of a plan that are used up, and those that nearly are. A resource with billed overage stays out: nobody
 * is refused it.
 */
export const usedUp = (
  resources: ReadonlyArray<Resource>
): { readonly over: ReadonlyArray<string>; readonly near: ReadonlyArray<string> } => {
  const limited = resources.filter(({ bills, granted, kind, unlimited }) =>
    kind === "metered" && granted && !unlimited && !bills
  )
  const names = (is: (resource: Resource) => boolean) => limited.filter(is).map(({ name }) => name)
  return {
    over: names(({ balance }) => balance <= 0),
    near: names(({ allowance, balance }) => balance > 0 && isNearLimit(allowance - balance, allowance))
  }
}

/** A matter of the overview, as soon as it is known. */
export interface Matter {
  readonly weight: Weight
}

/** Number of matters that need somebody. */
export const wanting = (matters: ReadonlyArray<Matter>): number =>
  matters.filter(({ weight }) => weight === "bad" || weight === "waiting").length
