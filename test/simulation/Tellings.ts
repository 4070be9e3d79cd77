import { type Change, type Row, rowsOf } from "./Journal.ts"
import { type Endpoint, type Lane, laneOf, type Shadow } from "./Shadow.ts"
import { Told } from "./Told.ts"

/** Number of administrators of each club. */
const administrators = 2
export const hour = 3_600_000
export const day = 24 * hour
/** Milliseconds without an accepted delivery, from the first failed attempt on. */
export const disableAfter = 5 * day

/** Checks that notices to administrators are true and go out once. */
export class Tellings {
  readonly told = new Told()
  readonly #saw: (what: string) => void

  constructor(saw: (what: string) => void) {
    this.#saw = saw
  }

  /** The problems with these changes. The shadow has the state before them. */
  judge(shadow: Shadow, changes: ReadonlyArray<Change>, now: number): ReadonlyArray<string> {
    const disabled = changes.filter(({ is, was, what }) =>
      what === "webhook_endpoints" && is?.["disabled_reason"] === "failing" && was?.["disabled_reason"] !== "failing"
    )
    const mails = changes.filter(({ was, what }) => what === "mails" && was === undefined).length
    const problems: Array<string> = []
    let expected = disabled.length * administrators
    for (const { is, was, what } of changes) {
      const endpoint = shadow.endpoints.get(`${is?.["endpoint_id"]}`)
      if (is === undefined || endpoint === undefined) continue
      const isNotice = what === "webhook_notices" && was === undefined && is["kind"] !== "disabled"
      const isSecret = what === "webhook_previous_secrets" && is["end_told"] === true && was?.["end_told"] === false
      // The notice that it is disabled goes out even after other notices.
      const isDisabling = what === "webhook_notices" && is["kind"] === "disabled" && was?.["kind"] !== "disabled"
      if (isDisabling) this.told.keep(endpoint.id, { kind: "disabled", at: Date.parse(`${is["at"]}`) })
      if (isNotice) problems.push(...this.#judgeNotice(endpoint, is, shadow, changes))
      if (isSecret) this.#saw("told that a secret ends")
      if (isSecret && !(Date.parse(`${is["expires_at"]}`) <= now + hour)) {
        problems.push("A secret is told to end too soon")
      }
      if ((isNotice || isSecret) && endpoint.notices) expected += administrators
    }
    if (mails !== expected) problems.push(`There are ${mails} mails about endpoints, and should be ${expected}`)
    return [...problems, ...disabled.flatMap((change) => this.#judgeDisabled(change, changes, shadow, now))]
  }

  // A process that was frozen meanwhile sends the notice that it was about to send, with the time of then.
  #judgeNotice(
    { id, status }: Endpoint,
    is: Row,
    shadow: Shadow,
    changes: ReadonlyArray<Change>
  ): ReadonlyArray<string> {
    const kind = `${is["kind"]}`
    const now = Date.parse(`${is["at"]}`)
    this.#saw(`told that it is ${kind}`)
    const before = this.told.of(id)
    const isFirst = !this.told.isFresh(id, now)
    this.told.keep(id, { kind, at: now })
    const lane = shadow.lanes.get(id)
    const lanes = [
      ...lane === undefined ? [] : [lane],
      ...rowsOf(changes, "webhook_lanes").map(laneOf).filter(({ endpoint }) => endpoint === id)
    ]
    const isSo = ({ failingSince, failures, heldSince }: Lane) => {
      const since = before.filter(({ at }) => at >= (kind === "held" ? heldSince ?? 0 : failingSince ?? 0))
      if (kind === "held") return heldSince !== null && heldSince <= now - hour && since.length === 0
      if (kind === "recovered") return failures === 0 && ["held", "disabling"].includes(before.at(-1)?.kind ?? "")
      const isSoon = failingSince !== null && failingSince <= now - disableAfter + day
      return isSoon && !since.some((one) => one.kind === "disabling")
    }
    return isFirst && status === "enabled" && lanes.some(isSo)
      ? []
      : [`Endpoint ${id} is told to be ${kind} after ${JSON.stringify(before)}, ${JSON.stringify(lane)}`]
  }

  // Disabling an endpoint that accepts nothing notifies the owner and the admin of the club, once.
  #judgeDisabled(change: Change, changes: ReadonlyArray<Change>, shadow: Shadow, now: number): ReadonlyArray<string> {
    const id = `${change.is?.["id"]}`
    const problems: Array<string> = []
    this.#saw(rowsOf(changes, "webhook_attempts").length > 0 ? "disabled, failing" : "disabled, failing, by time alone")
    if (change.was?.["status"] !== "enabled") problems.push(`Endpoint ${id} is disabled and was not enabled`)
    // A worker that thaws may record an attempt of days ago, and disable, before another worker looks.
    const recorded = changes.slice(0, changes.indexOf(change))
      .findLast(({ is, what }) => what === "webhook_lanes" && is?.["endpoint_id"] === id)?.is
    const lane = recorded === undefined ? shadow.lanes.get(id) : laneOf(recorded)
    const since = lane?.failingSince ?? now
    if (since > now - disableAfter) problems.push(`Endpoint ${id} is disabled, and fails since ${since}`)
    return problems
  }
}
