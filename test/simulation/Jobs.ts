import { type Change, type Row, rowsOf } from "./Journal.ts"
import {
  type Delivery,
  deliveryOf,
  type Endpoint,
  endpointOf,
  type Lane,
  laneOf,
  type Move,
  moveOf,
  type Recovery,
  recoveryOf,
  type Shadow
} from "./Shadow.ts"
import { bodyAge } from "./Transitions.ts"

/** Number of deliveries that a job may move at once after a pause, on top of its rate. */
const burstOf = (rate: number) => Math.max(1, rate / 2)

/** Milliseconds within which an attempt ends that was under way when its delivery was canceled. */
export const grace = 20_000

const next: Readonly<Record<Recovery["status"], ReadonlyArray<Recovery["status"]>>> = {
  counting: ["counting", "previewed", "running", "canceled"],
  previewed: ["previewed", "running", "canceled"],
  running: ["running", "paused", "completed", "canceled"],
  paused: ["paused", "running", "canceled"],
  completed: [],
  canceled: ["canceled"]
}

/** True if a recovery may include the delivery. */
export const isRecoverable = ({ created, state }: Delivery, now: number): boolean =>
  (state.status === "failed" || (state.status === "canceled" && state.cancel_reason === "endpoint_disabled")) &&
  created > now - bodyAge && !state.body_erased

/** True if the job sends the delivery now. */
const isMeant = (job: Recovery, delivery: Delivery, now: number): boolean =>
  delivery.endpoint === job.endpoint && isRecoverable(delivery, now) && delivery.created >= job.since &&
  (job.until === null || delivery.created < job.until) && (job.types === null || job.types.includes(delivery.type)) &&
  delivery.state.finished_at !== null && delivery.state.finished_at.epochMilliseconds <= job.created

type Outcome = "succeeded" | "failed" | "canceled" | "none"

const outcomeOf = ({ attempts }: Move, { state }: Delivery): Outcome => {
  if (state.status === "pending") return "none"
  if (state.status === "succeeded") return "succeeded"
  return state.status === "failed" || state.attempts_count > attempts ? "failed" : "canceled"
}

/** The state of a job that its row does not have. */
interface Known {
  /** Deliveries that it still has to send. */
  readonly left: Set<string>
  readonly moved: Set<string>
  /** The id that was moved last, in the order of the job. */
  last: string | undefined
  /** Number of moves that its rate allows now. */
  tokens: number
  tokensAt: number
  /** The highest rate since its last move; null if it was unlimited. */
  rate: number | null
  /** Moves that it made, and moves that it counted as ended, since the last write of its row. */
  slice: Array<Move>
  ended: Array<Move>
}

/** All versions of rows before and during some changes. */
class Around {
  readonly #shadow: Shadow
  readonly #deliveries: Map<string, Array<Delivery>>
  readonly #lanes: ReadonlyArray<Lane>
  readonly now: number

  constructor(shadow: Shadow, changes: ReadonlyArray<Change>, now: number) {
    this.#shadow = shadow
    this.now = now
    this.#lanes = rowsOf(changes, "webhook_lanes").map(laneOf)
    this.#deliveries = Map.groupBy(rowsOf(changes, "webhook_deliveries").map(deliveryOf), ({ id }) => id)
  }

  /** A delivery before the changes and by each of them. */
  delivery(id: string): ReadonlyArray<Delivery> {
    const before = this.#shadow.deliveries.get(id)
    return [...before === undefined ? [] : [before], ...this.#deliveries.get(id) ?? []]
  }

  deliveries(): ReadonlyArray<ReadonlyArray<Delivery>> {
    const ids = new Set([...this.#shadow.deliveries.keys(), ...this.#deliveries.keys()])
    return [...ids].map((id) => this.delivery(id))
  }

  lane(endpoint: string): ReadonlyArray<Lane> {
    const before = this.#shadow.lanes.get(endpoint)
    return [...before === undefined ? [] : [before], ...this.#lanes.filter((lane) => lane.endpoint === endpoint)]
  }
}

const isIdle = ({ ended, slice }: Known) => ended.length + slice.length === 0

/** Checks that recoveries send each delivery once, within their rate, and count all of them. */
export class Jobs {
  readonly #known = new Map<string, Known>()

  /** The problems with these changes. The shadow has the state before them. */
  judge(shadow: Shadow, changes: ReadonlyArray<Change>, now: number): ReadonlyArray<string> {
    const around = new Around(shadow, changes, now)
    const endpoints = new Map(shadow.endpoints)
    return changes.flatMap(({ is, was, what }): ReadonlyArray<string> => {
      if (what === "webhook_endpoints" && is !== undefined) endpoints.set(`${is["id"]}`, endpointOf(is))
      if (what === "webhook_deliveries" && is !== undefined) this.#leave(`${is["id"]}`)
      if (what === "webhook_recovery_moves") this.#note(is, was)
      if (what !== "webhook_recoveries" || is === undefined) return []
      const job = recoveryOf(is)
      const before = was === undefined ? undefined : recoveryOf(was)
      const known = this.#known.get(job.id) ?? this.#begin(job, now)
      const problems = before === undefined ? [] : [
        ...this.#judgeStep(before, job, known, endpoints.get(job.endpoint)),
        ...this.#judgeCount(before, job, known, around),
        ...this.#judgeSlice(before, known, around),
        ...this.#judgeOutcomes(before, job, known, around)
      ]
      if (job.status === "completed" && isIdle(known)) problems.push(...this.#judgeEnd(job, known, around))
      known.rate = known.rate === null || job.rate === null ? null : Math.max(known.rate, job.rate)
      known.slice = []
      known.ended = []
      return problems.map((problem) => `Recovery ${job.id}: ${problem}`)
    })
  }

  #begin({ id, rate }: Recovery, now: number): Known {
    const tokens = rate === null ? 0 : burstOf(rate)
    const begun = { left: new Set<string>(), moved: new Set<string>(), last: undefined, tokens, tokensAt: now, rate }
    const known: Known = { ...begun, slice: [], ended: [] }
    this.#known.set(id, known)
    return known
  }

  // A job may move a delivery that something else has changed, but need not.
  #leave(delivery: string): void {
    for (const { left } of this.#known.values()) left.delete(delivery)
  }

  #note(is: Row | undefined, was: Row | undefined): void {
    const move = is ?? was
    const known = move === undefined ? undefined : this.#known.get(moveOf(move).recovery)
    if (is !== undefined && was === undefined) known?.slice.push(moveOf(is))
    if (was !== undefined && is === undefined) known?.ended.push(moveOf(was))
  }

  #judgeStep(before: Recovery, job: Recovery, { slice }: Known, endpoint: Endpoint | undefined): ReadonlyArray<string> {
    const problems: Array<string> = []
    if (!next[before.status].includes(job.status)) problems.push(`it is ${job.status} after ${before.status}`)
    if (job.moved - before.moved !== slice.length) {
      problems.push(`it counts ${job.moved - before.moved} of ${slice.length} that it moves`)
    }
    if (slice.length === 0) return problems
    if (before.status !== "running") problems.push(`it moves while it is ${before.status}`)
    if (endpoint?.status !== "enabled" || endpoint.deletedAt !== null) {
      problems.push(`it moves while its endpoint is ${endpoint?.status}`)
    }
    return problems
  }

  // A delivery that changes at this moment may be counted or not.
  #judgeCount(before: Recovery, job: Recovery, known: Known, around: Around): ReadonlyArray<string> {
    if (before.status !== "counting" || (job.status !== "previewed" && job.status !== "running")) return []
    const found = around.deliveries().map((versions) => versions.map((one) => isMeant(job, one, around.now)))
    const most = found.filter((meant) => meant.includes(true)).length
    for (const versions of around.deliveries()) {
      const [first] = versions
      if (first !== undefined && versions.every((one) => isMeant(job, one, around.now))) known.left.add(first.id)
    }
    return job.total < known.left.size || job.total > most
      ? [`its preview counts ${job.total} of ${known.left.size} to ${most}`]
      : []
  }

  #judgeSlice(job: Recovery, known: Known, around: Around): ReadonlyArray<string> {
    const { moved, slice } = known
    const problems: Array<string> = []
    if (slice.length === 0) return problems
    for (const { attempts, delivery } of slice) {
      if (moved.has(delivery)) problems.push(`it moves ${delivery} twice`)
      moved.add(delivery)
      const isRight = around.delivery(delivery)
        .some((one) => isMeant(job, one, around.now) && one.state.attempts_count === attempts)
      if (!isRight) problems.push(`it moves ${delivery}, which it is not to send`)
    }
    const ids = slice.map(({ delivery }) => delivery).toSorted()
    const [lowest = "", highest = ""] = [ids.at(0), ids.at(-1)]
    const { last } = known
    const isInOrder = last === undefined || (job.isNewestFirst ? highest < last : lowest > last)
    if (!isInOrder) problems.push(`it moves ${ids.join()} after ${last}`)
    known.last = job.isNewestFirst ? lowest : highest
    const lanes = around.lane(job.endpoint)
    const isHeld = lanes.every(({ holds }) => holds > 0)
    const waits = lanes.every(({ holdUntil }) => holdUntil !== null && holdUntil > around.now)
    // A person asks for the first attempt of a recovery, so it waits for nothing.
    const most = waits && job.moved > 0 ? 0 : 1
    if (isHeld && slice.length > most) problems.push(`it moves ${slice.length} while its endpoint is held`)
    return [...problems, ...this.#judgeRate(job.rate, known, around.now)]
  }

  #judgeRate(own: number | null, known: Known, now: number): ReadonlyArray<string> {
    const rate = own === null || known.rate === null ? null : Math.max(own, known.rate)
    known.rate = own
    known.tokens = rate === null
      ? burstOf(own ?? 1)
      : Math.min(burstOf(rate), known.tokens + rate * (now - known.tokensAt) / 1000) - known.slice.length
    known.tokensAt = now
    return known.tokens < -1e-6 ? [`it moves faster than ${rate} a second`] : []
  }

  #judgeOutcomes(before: Recovery, job: Recovery, { ended }: Known, around: Around): ReadonlyArray<string> {
    const possible = ended.map((move) => around.delivery(move.delivery).map((one) => outcomeOf(move, one)))
    const counted = (["succeeded", "failed", "canceled"] as const).map((outcome) => {
      const least = possible.filter((outcomes) => outcomes.every((one) => one === outcome)).length
      const most = possible.filter((outcomes) => outcomes.includes(outcome)).length
      const count = job[outcome] - before[outcome]
      return { count, isRight: count >= least && count <= most }
    })
    const sum = counted.reduce((all, { count }) => all + count, 0)
    return sum === ended.length && counted.every(({ isRight }) => isRight)
      ? []
      : [`it counts ${counted.map(({ count }) => count).join("+")} of ${JSON.stringify(possible)}`]
  }

  #judgeEnd(job: Recovery, { left, moved }: Known, around: Around): ReadonlyArray<string> {
    const problems: Array<string> = []
    const forgotten = [...left].filter((id) =>
      !moved.has(id) && around.delivery(id).every((one) => isMeant(job, one, around.now))
    )
    if (forgotten.length > 0) problems.push(`it is completed, and has not sent ${forgotten.join()}`)
    if (!job.reachedEnd || job.moved !== job.succeeded + job.failed + job.canceled || job.moved !== moved.size) {
      problems.push(`it is completed with ${JSON.stringify(job)}, and has moved ${moved.size}`)
    }
    return problems
  }
}
