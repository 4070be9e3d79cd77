// The service's overview for operators, read from any answer. Pure.

/** The waiting entries of a queue. */
interface Backlog {
  readonly depth: number
  readonly capped: boolean
  readonly oldest_seconds: number
}

/** A queue by its name. */
export interface Queue extends Backlog {
  readonly name: string
}

/** An endpoint that is held, of those that have failed longest. */
interface HeldEndpoint {
  readonly club_id: string
  readonly endpoint_id: string
  readonly holds: number
  readonly failing_since: string
  readonly hold_until: string | undefined
}

/** A worker that has lanes of webhooks. */
interface LaneWorker {
  readonly worker: string
  readonly pid: number
  readonly lanes: number
  readonly since: string
  readonly until: string
}

/** An endpoint for which much waits. */
export interface Lane {
  readonly club_id: string
  readonly endpoint_id: string
  readonly depth: number
  readonly capped: boolean
  readonly oldest_pending_at: string | undefined
  readonly hold_until: string | undefined
  /** The end of the lease of the named worker. Undefined if no worker has leased it. */
  readonly leased_until: string | undefined
  readonly worker: string
  readonly pid: number
}

/** The results of the attempts of a quarter of an hour. `capped` if some were not counted. */
export interface Quarter {
  readonly at: string
  readonly accepted: number
  readonly failed: number
  readonly given_up: number
  readonly capped: boolean
  readonly per_second: { readonly accepted: number; readonly failed: number }
}

/** The least number, if counting ended before all were counted. */
interface Counted {
  readonly count: number
  readonly capped: boolean
}

/** How outgoing webhooks stand. */
export interface Webhooks {
  readonly deliveries: Backlog
  readonly held: Counted
  readonly longest: ReadonlyArray<HeldEndpoint>
  readonly disabled: Counted
  readonly workers: ReadonlyArray<LaneWorker>
  /** True if there are more leases than were counted, so that a worker may have more lanes. */
  readonly workersCapped: boolean
  /** The deepest first. */
  readonly lanes: ReadonlyArray<Lane>
  /** The newest first. */
  readonly quarters: ReadonlyArray<Quarter>
}

/** The work under way, of the most that may be. */
export interface Load {
  readonly used: number
  readonly of: number
}

/** The state of the service. Parts that did not answer in time are undefined. */
export interface Overview {
  readonly version: string
  readonly now: string
  readonly database: boolean
  /** Null without Redis. */
  readonly redis: boolean | null
  readonly processes: ReadonlyArray<{ readonly pid: number; readonly answers: boolean }> | undefined
  readonly shared: Load
  readonly exclusive: Load
  readonly queues: ReadonlyArray<Queue> | undefined
  readonly webhooks: Webhooks | undefined
  /** Facts that were recorded since somebody counts. */
  readonly recorded: number | undefined
}

const at = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>(
    (found, name) =>
      typeof found === "object" && found !== null
        ? Object.entries(found).find(([key]) => key === name)?.[1]
        : undefined,
    value
  )

const textAt = (value: unknown, ...path: ReadonlyArray<string>): string => {
  const found = at(value, ...path)
  return typeof found === "string" ? found : ""
}

const numberAt = (value: unknown, ...path: ReadonlyArray<string>): number => {
  const found = at(value, ...path)
  return typeof found === "number" ? found : 0
}

const isTrue = (value: unknown, ...path: ReadonlyArray<string>) => at(value, ...path) === true

const listAt = (value: unknown, ...path: ReadonlyArray<string>): ReadonlyArray<unknown> | undefined => {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : undefined
}

const backlogOf = (value: unknown): Backlog => ({
  depth: numberAt(value, "depth"),
  capped: isTrue(value, "capped"),
  oldest_seconds: numberAt(value, "oldest_seconds")
})

const countedOf = (value: unknown): Counted => ({ count: numberAt(value, "count"), capped: isTrue(value, "capped") })

const momentAt = (value: unknown, name: string) => textAt(value, name) || undefined

const laneOf = (value: unknown): Lane => ({
  club_id: textAt(value, "club_id"),
  endpoint_id: textAt(value, "endpoint_id"),
  depth: numberAt(value, "depth"),
  capped: isTrue(value, "capped"),
  oldest_pending_at: momentAt(value, "oldest_pending_at"),
  hold_until: momentAt(value, "hold_until"),
  leased_until: momentAt(value, "leased_until"),
  worker: textAt(value, "worker"),
  pid: numberAt(value, "pid")
})

const quarterOf = (value: unknown): Quarter => ({
  at: textAt(value, "at"),
  accepted: numberAt(value, "accepted"),
  failed: numberAt(value, "failed"),
  given_up: numberAt(value, "given_up"),
  capped: isTrue(value, "capped"),
  per_second: { accepted: numberAt(value, "per_second", "accepted"), failed: numberAt(value, "per_second", "failed") }
})

const webhooksOf = (value: unknown): Webhooks => ({
  deliveries: backlogOf(at(value, "deliveries")),
  held: countedOf(at(value, "held")),
  disabled: countedOf(at(value, "disabled")),
  longest: (listAt(value, "held", "longest") ?? []).map((one) => ({
    club_id: textAt(one, "club_id"),
    endpoint_id: textAt(one, "endpoint_id"),
    holds: numberAt(one, "holds"),
    failing_since: textAt(one, "failing_since"),
    hold_until: momentAt(one, "hold_until")
  })),
  workers: (listAt(value, "leases", "workers") ?? []).map((one) => ({
    worker: textAt(one, "worker"),
    pid: numberAt(one, "pid"),
    lanes: numberAt(one, "lanes"),
    since: textAt(one, "since"),
    until: textAt(one, "until")
  })),
  workersCapped: isTrue(value, "leases", "capped"),
  lanes: (listAt(value, "lanes") ?? []).map(laneOf),
  quarters: (listAt(value, "attempts") ?? []).map(quarterOf)
})

/** The overview in an answer. */
export const overviewOf = (answer: unknown): Overview => {
  const data = at(answer, "data")
  const webhooks = at(data, "webhooks")
  return {
    version: textAt(data, "version"),
    now: textAt(data, "now"),
    database: isTrue(data, "database", "reachable"),
    redis: typeof at(data, "redis") === "object" && at(data, "redis") !== null
      ? isTrue(data, "redis", "reachable")
      : null,
    processes: listAt(data, "processes")?.map((one) => ({
      pid: numberAt(one, "pid"),
      answers: isTrue(one, "answers")
    })),
    shared: {
      used: numberAt(data, "pool", "shared", "statements"),
      of: numberAt(data, "pool", "shared", "connections")
    },
    exclusive: {
      used: numberAt(data, "pool", "exclusive", "in_use"),
      of: numberAt(data, "pool", "exclusive", "connections")
    },
    queues: listAt(data, "queues")?.map((one) => ({ name: textAt(one, "name"), ...backlogOf(one) })),
    webhooks: typeof webhooks === "object" && webhooks !== null ? webhooksOf(webhooks) : undefined,
    recorded: typeof at(data, "events", "recorded") === "number" ? numberAt(data, "events", "recorded") : undefined
  }
}

/** From how many seconds on what waits has waited long. */
export const longWait = 60

/** The troubles that an operator should know, the worst first. */
export type Trouble = "database" | "redis" | "unknown" | "processes" | "waiting" | "held"

/** The current troubles, the worst first. */
export const troublesOf = ({ database, processes, queues, redis, webhooks }: Overview): ReadonlyArray<Trouble> => {
  const waits = [...queues ?? [], ...(webhooks === undefined ? [] : [webhooks.deliveries])]
  const found: ReadonlyArray<readonly [Trouble, boolean]> = [
    ["database", !database],
    ["redis", redis === false],
    ["unknown", queues === undefined || webhooks === undefined || processes === undefined],
    ["processes", processes?.some(({ answers }) => !answers) ?? false],
    ["waiting", waits.some(({ oldest_seconds }) => oldest_seconds >= longWait)],
    ["held", (webhooks?.held.count ?? 0) > 0]
  ]
  return found.filter(([, isSo]) => isSo).map(([trouble]) => trouble)
}
