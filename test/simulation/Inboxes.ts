import { createHash } from "node:crypto"
import { type Change, type Row, rowsOf } from "./Journal.ts"
import { type Network, pathOf, type Post } from "./Network.ts"
import { deliveryOf, type Shadow } from "./Shadow.ts"

/** The hash that inboxes keep of a message's id. */
const hashOf = (event: string) => `\\x${createHash("sha256").update(event).digest("hex")}`

interface Inbox {
  received: number
  erasures: number
  /** The last removal of a student of the club, in epoch milliseconds. */
  erasedAt: number
  /** Number of requests kept for each message. */
  readonly kept: Map<string, number>
}

/** Checks that inboxes keep each request once, numbered without gaps, and nothing about removed students. */
export class Inboxes {
  /** Paths of inboxes, by their ids, as the API showed them. */
  readonly paths = new Map<string, string>()
  readonly #inboxes = new Map<string, Inbox>()
  readonly #rows = new Map<string, Row>()
  readonly #network: Network

  constructor(network: Network) {
    this.#network = network
  }

  /** The problems with these changes. The shadow has the state before them. */
  judge(shadow: Shadow, changes: ReadonlyArray<Change>, now: number): ReadonlyArray<string> {
    const problems: Array<string> = []
    const before = new Map(this.#rows)
    for (const { is, was, what } of changes) {
      if (what === "webhook_inboxes" && is !== undefined) problems.push(...this.#judgeInbox(is, now))
      if (what === "webhook_inbox_requests") this.#keep(is, was)
      if (what === "webhook_inbox_requests" && is !== undefined) problems.push(...this.#judgeRequest(is))
      if (what === "webhook_attempts" && is !== undefined && was === undefined) {
        problems.push(...this.#judgeAttempt(is, shadow, changes))
      }
    }
    const removed = new Set(rowsOf(changes, "erased_students").map((row) => row["club_id"]))
    const left = [...before].filter(([place, row]) => removed.has(row["club_id"]) && this.#rows.get(place) === row)
    for (const [place] of left) problems.push(`${place} is kept although a student was removed`)
    return problems
  }

  #keep(is: Row | undefined, was: Row | undefined): void {
    const row = is ?? was
    const place = `Request ${row?.["slot"]} of inbox ${row?.["inbox_id"]}`
    if (is === undefined) this.#rows.delete(place)
    else this.#rows.set(place, is)
  }

  #judgeInbox(is: Row, now: number): ReadonlyArray<string> {
    const id = `${is["id"]}`
    const known = this.#inboxes.get(id) ?? { received: 0, erasures: 0, erasedAt: 0, kept: new Map() }
    this.#inboxes.set(id, known)
    if (Number(is["erasures"]) > known.erasures) known.erasedAt = now
    known.erasures = Number(is["erasures"])
    const received = Number(is["received"])
    const isNext = received === known.received || received === known.received + 1
    known.received = received
    return isNext ? [] : [`Inbox ${id} has received ${received} requests`]
  }

  #posts(inbox: string, message: string): ReadonlyArray<Post> {
    const path = this.paths.get(inbox)
    return this.#network.posts.filter(({ headers, url }) =>
      pathOf(url) === path && hashOf(headers["webhook-id"] ?? "") === message
    )
  }

  #judgeRequest(is: Row): ReadonlyArray<string> {
    const [inbox, message] = [`${is["inbox_id"]}`, `${is["message"]}`]
    const known = this.#inboxes.get(inbox)
    const count = (known?.kept.get(message) ?? 0) + 1
    known?.kept.set(message, count)
    const problems: Array<string> = []
    if (Number(is["number"]) !== known?.received) {
      problems.push(`Inbox ${inbox} gives the number ${is["number"]} to what it received as ${known?.received}`)
    }
    if (this.paths.has(inbox) && this.#posts(inbox, message).length < count) {
      problems.push(`Inbox ${inbox} keeps a request that nobody made`)
    }
    return problems
  }

  // An inbox has kept every request it answered, unless a student was removed.
  #judgeAttempt(is: Row, shadow: Shadow, changes: ReadonlyArray<Change>): ReadonlyArray<string> {
    const id = `${is["delivery_id"]}`
    const born = changes.findLast((change) => change.what === "webhook_deliveries" && change.is?.["id"] === id)?.is
    const delivery = shadow.deliveries.get(id) ?? (born && deliveryOf(born))
    const path = pathOf(shadow.endpoints.get(delivery?.endpoint ?? "")?.url ?? "https://nobody.example/")
    const inbox = [...this.paths].find(([, one]) => one === path)?.[0]
    const isAnswered = is["status_code"] !== null && is["connection_reused"] === null && is["status_code"] !== 404
    if (delivery === undefined || inbox === undefined || !isAnswered) return []
    const { erasedAt = 0, kept } = this.#inboxes.get(inbox) ?? {}
    const isErased = erasedAt >= Date.parse(`${is["started_at"]}`) || shadow.erased.has(delivery.student ?? "")
    const isKept = kept?.has(hashOf(delivery.event)) === true
    return isKept || isErased ? [] : [`Inbox ${inbox} has answered event ${delivery.event} and not kept it`]
  }
}
