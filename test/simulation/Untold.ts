import type { Condition } from "./Conditions.ts"
import { type Change, rowsOf } from "./Journal.ts"
import { type Endpoint, endpointOf, laneOf, type PreviousSecret, type Shadow } from "./Shadow.ts"
import { day, disableAfter, hour } from "./Tellings.ts"
import type { Told } from "./Told.ts"
import { looks } from "./Worker.ts"

interface Known extends Condition {
  readonly secrets: ReadonlyArray<PreviousSecret>
}

const isOpen = ({ deletedAt, status }: Endpoint) => status === "enabled" && deletedAt === null

/** The notices that are due, each with its own name. Another hold is another notice, and its wait starts anew. */
const dueOf = ({ endpoint, lane, secrets }: Known, told: Told, now: number): ReadonlyArray<string> => {
  if (!isOpen(endpoint)) return []
  const { id } = endpoint
  const ending = secrets.filter(({ expires, isTold }) => !isTold && expires > now && expires <= now + hour)
    .map(({ key }) => `The end of secret ${key}`)
  // An endpoint gets one notice in 24 hours. Later ones wait.
  if (told.isFresh(id, now)) return ending
  const { failingSince, failures, heldSince, succeededAt } = lane
  const notices = told.of(id)
  const isToldSince = (since: number, ...kinds: ReadonlyArray<string>) =>
    notices.some(({ at, kind }) => at >= since && kinds.includes(kind))
  const isSoon = failingSince !== null && failingSince <= now - disableAfter + day
  if (isSoon) return isToldSince(failingSince, "disabling") ? ending : [...ending, `${id}, disabling ${failingSince}`]
  if (heldSince !== null && heldSince <= now - hour && !isToldSince(heldSince, "held", "disabling")) {
    return [...ending, `${id}, held ${heldSince}`]
  }
  const last = notices.at(-1)
  const isAwaited = last !== undefined && (last.kind === "held" || last.kind === "disabling")
  return isAwaited && failures === 0 && succeededAt !== null && last.at <= succeededAt
    ? [...ending, `${id}, recovered from ${last.kind} ${last.at}`]
    : ending
}

/** Checks that administrators get all notices that are due. */
export class Untold {
  readonly #told: Told
  /** The time since which each notice was due without a break. */
  #since: ReadonlyMap<string, number> = new Map()

  constructor(told: Told) {
    this.#told = told
  }

  /**
   * A worker that looks amid these changes may see any mix of them. If a notice is not due in every mix, its wait
   * starts anew. The shadow has the state before the changes.
   */
  changed(shadow: Shadow, changes: ReadonlyArray<Change>, now: number): void {
    const endpoints = Map.groupBy(rowsOf(changes, "webhook_endpoints").map(endpointOf), ({ id }) => id)
    const lanes = Map.groupBy(rowsOf(changes, "webhook_lanes").map(laneOf), ({ endpoint }) => endpoint)
    const secrets = [...shadow.previousSecrets.values()]
    for (const id of new Set([...endpoints.keys(), ...lanes.keys()])) {
      const [known, lane] = [shadow.endpoints.get(id), shadow.lanes.get(id)]
      if (known === undefined || lane === undefined) continue
      const own = secrets.filter(({ endpoint }) => endpoint === id)
      const due = [known, ...endpoints.get(id) ?? []].flatMap((endpoint) =>
        [lane, ...lanes.get(id) ?? []].map((one) => dueOf({ endpoint, lane: one, secrets: own }, this.#told, now))
      )
      const kept = [...this.#since].filter(([what]) => !what.includes(id) || due.every((all) => all.includes(what)))
      this.#since = new Map(kept)
    }
  }

  /**
   * Notices that have been due for longer than the time between two looks of a worker. Since `settled` the same workers
   * run without a stop, so each has looked meanwhile.
   */
  late(shadow: Shadow, { now, settled }: { readonly now: number; readonly settled: number }): ReadonlyArray<string> {
    const due = this.#known(shadow).flatMap((known) => dueOf(known, this.#told, now))
    this.#since = new Map(due.map((what) => [what, Math.max(this.#since.get(what) ?? now, settled)]))
    return [...this.#since].filter(([, since]) => since <= now - looks.notices)
      .map(([what, since]) => `${what} is not told since ${new Date(since).toISOString()}`)
  }

  /** True if a look finds a notice to send. */
  isWaiting(): boolean {
    return this.#since.size > 0
  }

  /** Starts of the last hour of secrets whose notice is not sent yet. */
  endings({ endpoints, previousSecrets }: Shadow): ReadonlyArray<number> {
    return [...previousSecrets.values()].flatMap(({ endpoint, expires, isTold }) => {
      const known = endpoints.get(endpoint)
      return isTold || known === undefined || !isOpen(known) ? [] : [expires - hour]
    })
  }

  #known({ endpoints, lanes, previousSecrets }: Shadow): ReadonlyArray<Known> {
    const secrets = Map.groupBy(previousSecrets.values(), ({ endpoint }) => endpoint)
    return [...endpoints.values()].flatMap((endpoint) => {
      const lane = lanes.get(endpoint.id)
      return lane === undefined ? [] : [{ endpoint, lane, secrets: secrets.get(endpoint.id) ?? [] }]
    })
  }
}
