import { isDeepStrictEqual } from "node:util"
import { timeOf } from "../../src/platform/sql/Uuid7.ts"
import { phaseNames } from "../../src/webhooks/model/AttemptPhases.ts"
import { judgeAddressing } from "./Addressing.ts"
import { judgeBreakers } from "./Breakers.ts"
import { Conditions } from "./Conditions.ts"
import { judgeDrains } from "./Drains.ts"
import { Feeds } from "./Feeds.ts"
import { Grades } from "./Grades.ts"
import { Inboxes } from "./Inboxes.ts"
import { Jobs } from "./Jobs.ts"
import { type Change, rowsOf } from "./Journal.ts"
import { Limits } from "./Limits.ts"
import { type Network, pathOf, type Post } from "./Network.ts"
import { judgePost } from "./Posts.ts"
import {
  type Attempt,
  attemptOf,
  type Delivery,
  type Endpoint,
  endpointOf,
  type Lane,
  moveOf,
  Shadow
} from "./Shadow.ts"
import { disableAfter, Tellings } from "./Tellings.ts"
import { bodyAge, judge, messageAge, nameOf, show, transitionsOf } from "./Transitions.ts"
import { Untold } from "./Untold.ts"
import { type Waiting, waitingOf } from "./Waiting.ts"
import { hitch, looks } from "./Worker.ts"

/** The phases of an attempt are those that its sender saw. They take at most as long as the attempt. */
const judgePhases = ({ delivery, ended, isReused, number, phases, started }: Attempt, { result }: Post) => {
  const sent = phaseNames.map((name) => result.phases?.[name] ?? null)
  const sum = phases.reduce<number>((all, phase) => all + Number(phase ?? 0), 0)
  return sum <= ended - started && isReused === result.connection_reused && isDeepStrictEqual(phases, sent)
    ? []
    : [
      `Attempt ${number} of ${delivery} took ${ended - started} ms, with the phases ${phases.join()} of ${sent.join()}`
    ]
}

/** The moment of a check. */
interface Moment {
  readonly now: number
  readonly isCalm: boolean
}

/** Milliseconds for which an endpoint may stay enabled after its time is over. */
const disabledWithin = 60_000
/** Milliseconds from the moment at which work is possible until the second look, which finds it. */
const patience = 2 * (looks.dispatch + hitch)

/** The invariants of the engine, checked after every step. */
export class Checks {
  readonly problems: Array<string> = []
  /** Number of times that each event happened, by its name. */
  readonly seen = new Map<string, number>()
  readonly shadow = new Shadow()
  /** Secrets of endpoints as the API showed them, newest first; null once an answer with one was lost. */
  readonly secrets = new Map<string, ReadonlyArray<string> | null>()
  /** Requests to the API that may still be under way: deliveries to resend, and recoveries by endpoint. */
  readonly resent = new Set<string>()
  readonly recovered = new Map<string, number>()
  /** Every fact that ever was in the outbox. */
  readonly recorded = new Set<string>()
  /** Possible own headers of endpoints. If the API did not answer a change, several are possible. */
  readonly headers = new Map<string, ReadonlyArray<Readonly<Record<string, string>>>>()
  readonly conditions = new Conditions()
  readonly feeds = new Feeds()
  readonly grades = new Grades((what) => this.saw(what))
  readonly inboxes: Inboxes
  readonly #jobs = new Jobs()
  readonly #limits = new Limits()
  readonly #tellings = new Tellings((what) => this.saw(what))
  readonly untold = new Untold(this.#tellings.told)
  readonly #network: Network
  readonly #bodies = new Map<string, string>()
  readonly #addressed = new Set<string>()
  readonly #waitingSince = new Map<string, number>()
  /** Number of requests judged so far. */
  judged = 0

  constructor(network: Network) {
    this.#network = network
    this.inboxes = new Inboxes(network)
  }

  /** Judges the changes and requests since the last time. */
  changed(changes: ReadonlyArray<Change>, moment: Moment): void {
    this.#posts(changes, moment)
    const { shadow } = this
    this.problems.push(
      ...judgeAddressing(changes, moment.now, this.#addressed),
      ...judgeBreakers(shadow, changes),
      ...this.feeds.judge(changes),
      ...(moment.isCalm ? judgeDrains(shadow, changes, this.#network, moment.now) : []),
      ...this.#jobs.judge(shadow, changes, moment.now),
      ...this.grades.judge(changes),
      ...this.inboxes.judge(shadow, changes, moment.now),
      ...this.#tellings.judge(shadow, changes, moment.now)
    )
    this.untold.changed(shadow, changes, moment.now)
    this.#transitions(changes, moment.now)
    for (const row of rowsOf(changes, "event_outbox")) this.recorded.add(`${row["id"]}`)
    for (const change of changes) {
      if (change.what === "webhook_lanes" && change.was?.["holds"] !== change.is?.["holds"]) this.saw("hold")
      this.conditions.keep(change)
      this.shadow.apply(change)
    }
    this.#erasure(moment.now)
    this.#attempts(changes)
  }

  #posts(changes: ReadonlyArray<Change>, { isCalm, now }: Moment): void {
    const posts = this.#network.posts.slice(this.judged)
    this.judged = this.#network.posts.length
    const { headers, secrets, shadow } = this
    const limited = this.#limits.judge(posts, { changes, isCalm, now, shadow })
    for (const post of posts) {
      const known = { now, shadow, changes, headers, secrets, isCalm }
      for (const problem of [...judgePost(post, known, this.#bodies), ...limited.get(post) ?? []]) {
        this.problems.push(`Request ${post.number} by ${post.sender.name} to ${post.url}: ${problem}`)
      }
    }
  }

  #transitions(changes: ReadonlyArray<Change>, now: number): void {
    // This includes endpoints that had such a state for a moment only.
    const endpoints = [...this.shadow.endpoints.values(), ...rowsOf(changes, "webhook_endpoints").map(endpointOf)]
    const ids = (is: (endpoint: Endpoint) => boolean) => new Set(endpoints.filter(is).map(({ id }) => id))
    const removed = rowsOf(changes, "erased_students").map((row) => `${row["student_id"]}`)
    const moved = new Set(rowsOf(changes, "webhook_recovery_moves").map((row) => moveOf(row).delivery))
    const reasons = {
      now,
      moved,
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

  // The partition of a row past its age may be dropped. The journal does not record that.
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
      const { url } = this.shadow.endpoints.get(delivery?.endpoint ?? "") ?? { url: undefined }
      const post = this.#network.posts.findLast((one) =>
        one.at === attempt.started && one.headers["webhook-id"] === delivery?.event &&
        one.result.error === attempt.error &&
        url !== undefined && pathOf(one.url) === pathOf(url)
      )
      if (post === undefined) this.problems.push(`Attempt ${attempt.number} of ${attempt.delivery} was never made`)
      else this.problems.push(...judgePhases(attempt, post))
    }
  }

  waiting(now: number): ReadonlyArray<Waiting> {
    return waitingOf(this.shadow, this.#network, now)
  }

  /**
   * Checks progress while workers run and every lane has a living owner (`isWorked`). Work waits until the second look
   * at most. An endpoint that accepts nothing stays enabled for at most a minute. Administrators get the notices that
   * are due.
   */
  alive(
    { isWorked, now, settled }: { readonly isWorked: boolean; readonly now: number; readonly settled: number }
  ): void {
    const late = this.untold.late(this.shadow, { now, settled })
    if (isWorked) this.problems.push(...late)
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
