import { timeOf } from "../../src/platform/sql/Uuid7.ts"
import { judgeAddressing } from "./Addressing.ts"
import { judgeBreakers } from "./Breakers.ts"
import { type Change, rowsOf } from "./Journal.ts"
import { type Network, pathOf } from "./Network.ts"
import { judgePost } from "./Posts.ts"
import { attemptOf, type Delivery, type Endpoint, endpointOf, type Lane, laneOf, Shadow } from "./Shadow.ts"
import { bodyAge, judge, messageAge, nameOf, show, transitionsOf } from "./Transitions.ts"
import { hitch, looks } from "./Worker.ts"

/** The moment of a check. */
interface Moment {
  readonly now: number
  readonly isCalm: boolean
}

const perLane = 16
/** Of each club. */
const administrators = 2
/** Milliseconds without an accepted delivery, from the first failed attempt on. */
export const disableAfter = 5 * 86_400_000
/** For so long an endpoint whose time is over may still be enabled. */
const disabledWithin = 60_000
/** Milliseconds between a moment at which something may be done and the second look, which finds it. */
const patience = 2 * (looks.dispatch + hitch)

/** Within so many milliseconds of one attempt the rate of a lane allows the next. */
const tokenWithin = (rate: number) => Math.max(1000 / rate, 100)

/** The invariants of the engine, asked after every step. */
export class Checks {
  readonly problems: Array<string> = []
  /** How often what came about. */
  readonly seen = new Map<string, number>()
  readonly shadow = new Shadow()
  /** Secrets of endpoints as the API showed them, newest first; null once one was lost on the way. */
  readonly secrets = new Map<string, ReadonlyArray<string> | null>()
  /** What was asked of the API and may not be done yet. */
  readonly resent = new Set<string>()
  readonly recovered = new Map<string, number>()
  /** Every fact that ever was in the outbox. */
  readonly recorded = new Set<string>()
  readonly #network: Network
  readonly #bodies = new Map<string, string>()
  readonly #addressed = new Set<string>()
  readonly #waitingSince = new Map<string, number>()
  /** Requests that were judged. */
  judged = 0

  constructor(network: Network) {
    this.#network = network
  }

  /** Judges what was committed and sent since the last time. */
  changed(changes: ReadonlyArray<Change>, moment: Moment): void {
    this.#posts(changes, moment)
    this.problems.push(...judgeAddressing(changes, this.#addressed), ...judgeBreakers(this.shadow, changes))
    this.#transitions(changes, moment.now)
    this.#disabling(changes, moment.now)
    for (const row of rowsOf(changes, "event_outbox")) this.recorded.add(`${row["id"]}`)
    for (const change of changes) {
      if (change.what === "webhook_lanes" && change.was?.["holds"] !== change.is?.["holds"]) this.saw("hold")
      this.shadow.apply(change)
    }
    this.#erasure(moment.now)
    this.#attempts(changes)
  }

  #posts(changes: ReadonlyArray<Change>, { isCalm, now }: Moment): void {
    const posts = this.#network.posts.slice(this.judged)
    this.judged = this.#network.posts.length
    for (const post of posts) {
      const known = { now, shadow: this.shadow, changes, secrets: this.secrets, isCalm }
      for (const problem of judgePost(post, known, this.#bodies)) {
        this.problems.push(`Request ${post.number} by ${post.sender.name} to ${post.url}: ${problem}`)
      }
    }
  }

  #transitions(changes: ReadonlyArray<Change>, now: number): void {
    // Also those that were so for a moment only.
    const endpoints = [...this.shadow.endpoints.values(), ...rowsOf(changes, "webhook_endpoints").map(endpointOf)]
    const ids = (is: (endpoint: Endpoint) => boolean) => new Set(endpoints.filter(is).map(({ id }) => id))
    const removed = rowsOf(changes, "erased_students").map((row) => `${row["student_id"]}`)
    const reasons = {
      now,
      resent: this.resent,
      recovered: this.recovered,
      disabled: ids(({ status }) => status === "disabled"),
      deleted: ids(({ deletedAt }) => deletedAt !== null),
      erased: new Set([...this.shadow.erased, ...removed])
    }
    for (const { attempt, is, was } of transitionsOf(changes)) {
      this.saw(nameOf(was.state, is.state, attempt))
      const problem = judge(was, is, attempt, reasons)
      if (problem === undefined) continue
      const by = attempt === undefined ? "" : ` by ${JSON.stringify(attempt)}`
      this.problems.push(`Delivery ${is.id}: ${show(was.state)} became ${show(is.state)}${by}: ${problem}`)
    }
  }

  /** Enabled endpoints that have accepted nothing for the whole time. */
  overdue(now: number): ReadonlyArray<Lane> {
    return [...this.shadow.lanes.values()].filter(({ endpoint, failingSince }) => {
      const { deletedAt = null, status } = this.shadow.endpoints.get(endpoint) ?? {}
      return failingSince !== null && failingSince <= now - disableAfter && status === "enabled" && deletedAt === null
    })
  }

  // Who disables an endpoint that accepts nothing tells the owner and the admin of the club, once.
  #disabling(changes: ReadonlyArray<Change>, now: number): void {
    const disabled = changes.filter(({ is, was, what }) =>
      what === "webhook_endpoints" && is?.["disabled_reason"] === "failing" && was?.["disabled_reason"] !== "failing"
    )
    const mails = changes.filter(({ was, what }) => what === "mails" && was === undefined)
    const told = this.#notices(changes)
    if (mails.length !== administrators * (disabled.length + told)) {
      this.problems.push(`${mails.length} mails tell of ${disabled.length} disabled endpoints and ${told} notices`)
    }
    for (const change of disabled) {
      const id = `${change.is?.["id"]}`
      this.saw(
        rowsOf(changes, "webhook_attempts").length > 0 ? "disabled, failing" : "disabled, failing, by time alone"
      )
      if (change.was?.["status"] !== "enabled") this.problems.push(`Endpoint ${id} is disabled and was not enabled`)
      // A worker that goes on may record what it saw days ago, and disable, before anybody looks.
      const recorded = changes.slice(0, changes.indexOf(change))
        .findLast(({ is, what }) => what === "webhook_lanes" && is?.["endpoint_id"] === id)?.is
      const lane = recorded === undefined ? this.shadow.lanes.get(id) : laneOf(recorded)
      const since = lane?.failingSince ?? now
      if (since > now - disableAfter) this.problems.push(`Endpoint ${id} is disabled, and fails since ${since}`)
    }
  }

  // What is told beside: one a day and endpoint, and each end of a secret once. Answers how many.
  #notices(changes: ReadonlyArray<Change>): number {
    const noted = changes.filter(({ is, was, what }) =>
      what === "webhook_notices" && is !== undefined && was === undefined
    )
      .filter(({ is }) => is?.["kind"] !== "disabled")
    const secrets = changes.filter(({ is, was, what }) =>
      what === "webhook_previous_secrets" && is?.["end_told"] === true && was?.["end_told"] === false
    )
    for (const { is } of noted) this.saw(`told that it is ${is?.["kind"]}`)
    if (secrets.length > 0) this.saw("told that a secret ends")
    return noted.length + secrets.length
  }

  // What is past its age may be gone with its partition, of which the journal does not tell.
  #erasure(now: number): void {
    const { attempts, deliveries, erased, messages } = this.shadow
    const isGone = ({ student, type }: { readonly student: string | null; readonly type: string }) =>
      student !== null && erased.has(student) && type !== "student.removed"
    for (const message of messages.values()) {
      const mayBeDropped = timeOf(message.id).epochMilliseconds <= now - messageAge
      if (isGone(message) && message.hasBody && message.created > now - bodyAge && !mayBeDropped) {
        this.problems.push(`The body of ${message.id} is about a removed student`)
      }
    }
    for (const delivery of deliveries.values()) {
      if (!isGone(delivery)) continue
      if (delivery.state.next_attempt_at !== null) {
        this.problems.push(`Delivery ${delivery.id} is about a removed student`)
      }
      if (attempts.get(delivery.id)?.some(({ ended, hasResponse }) => hasResponse && ended > now - bodyAge)) {
        this.problems.push(`Delivery ${delivery.id} keeps a response about a removed student`)
      }
    }
  }

  #attempts(changes: ReadonlyArray<Change>): void {
    for (const { is, was, what } of changes) {
      if (what !== "webhook_attempts" || is === undefined || was !== undefined) continue
      const attempt = attemptOf(is)
      const all = this.shadow.attempts.get(attempt.delivery) ?? []
      const numbers = all.map(({ number }) => number).toSorted((a, b) => a - b)
      if (numbers.some((number, index) => number !== index + 1)) {
        this.problems.push(`Delivery ${attempt.delivery} has the attempts ${numbers.join()}`)
      }
      if (all.filter(({ trigger }) => trigger === "schedule").length > 8) {
        this.problems.push(`Delivery ${attempt.delivery} has more than eight scheduled attempts`)
      }
      const delivery = this.shadow.deliveries.get(attempt.delivery)
      const isPosted = this.#network.posts.some(({ at, headers }) =>
        at === attempt.started && headers["webhook-id"] === delivery?.event
      )
      if (!isPosted) this.problems.push(`Attempt ${attempt.number} of ${attempt.delivery} was never made`)
    }
  }

  /** What could be done and waits, of one club or of another. */
  waiting(now: number): ReadonlyArray<{ readonly lane: Lane | undefined; readonly key: string }> {
    const { deliveries, endpoints, lanes, outbox } = this.shadow
    const late = [...deliveries.values()].flatMap((delivery) => {
      const { next_attempt_at, trigger } = delivery.state
      if (next_attempt_at === null || next_attempt_at.epochMilliseconds > now) return []
      const endpoint = endpoints.get(delivery.endpoint)
      const lane = lanes.get(delivery.endpoint)
      if (endpoint === undefined || endpoint.status !== "enabled" || endpoint.deletedAt !== null) return []
      if (delivery.created <= now - bodyAge) return []
      const path = pathOf(endpoint.url)
      const open = this.#network.underWay(path)
      const isHeld = lane !== undefined && lane.holds > 0
      if (open.some(({ headers }) => headers["webhook-id"] === delivery.event)) return []
      if (open.length >= Math.min(perLane, lane?.atOnce ?? perLane) || (isHeld && open.length > 0)) return []
      if (lane !== undefined && lane.rate !== null && this.#network.lastAt(path) > now - tokenWithin(lane.rate)) {
        return []
      }
      if (isHeld && trigger === "schedule" && (lane.holdUntil ?? 0) > now) return []
      return [{ lane, key: `Delivery ${delivery.id}` }]
    })
    const facts = [...outbox.values()].filter(({ due }) => due <= now)
      .map(({ id }) => ({ lane: undefined, key: `Event ${id}` }))
    return [...late, ...facts]
  }

  /**
   * Nothing waits for longer than until the next look around, as long as there are workers and every lane has a living
   * owner (`isWorked`), and nobody who accepts nothing stays enabled for longer than a minute.
   */
  alive({ isWorked, now }: { readonly isWorked: boolean; readonly now: number }): void {
    for (const { endpoint, failingSince } of isWorked ? this.overdue(now - disabledWithin) : []) {
      this.problems.push(`Endpoint ${endpoint} is still enabled, and fails since ${failingSince}`)
    }
    const waiting = isWorked ? this.waiting(now) : []
    const before = new Map(this.#waitingSince)
    this.#waitingSince.clear()
    for (const { key, lane } of waiting) {
      const since = before.get(key) ?? now
      this.#waitingSince.set(key, since)
      if (since < now - patience) {
        const state = this.shadow.deliveries.get(key.replace("Delivery ", ""))?.state
        this.problems.push(`${key} waits: ${state === undefined ? "" : show(state)}, lane ${JSON.stringify(lane)}`)
      }
    }
  }

  saw(what: string): void {
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1)
  }

  /** Deliveries of an endpoint. */
  of(endpoint: string): ReadonlyArray<Delivery> {
    return [...this.shadow.deliveries.values()].filter((delivery) => delivery.endpoint === endpoint)
  }
}
