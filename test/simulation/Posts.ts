import { Webhook } from "standardwebhooks"
import type { Change } from "./Journal.ts"
import { pathOf, type Post } from "./Network.ts"
import {
  type Delivery,
  deliveryOf,
  type Endpoint,
  endpointOf,
  type Lane,
  laneOf,
  type PreviousSecret,
  previousSecretOf,
  type Shadow
} from "./Shadow.ts"
import { bodyAge } from "./Transitions.ts"

/** Secrets of an endpoint as the API showed them, newest first; null once one was never shown. */
export type Secrets = ReadonlyMap<string, ReadonlyArray<string> | null>

/** All that rows were while a request may have been decided on. */
interface Versions {
  readonly endpoints: ReadonlyArray<Endpoint>
  /** Secrets that were replaced before the changes, and those that were by them. */
  readonly previous: ReadonlyArray<PreviousSecret>
  readonly replaced: ReadonlyArray<PreviousSecret>
  readonly lanes: ReadonlyArray<Lane>
  readonly deliveries: ReadonlyArray<Delivery>
}

/** What is known when requests are judged. */
export interface Known {
  readonly now: number
  /** Before the changes. */
  readonly shadow: Shadow
  readonly changes: ReadonlyArray<Change>
  readonly secrets: Secrets
  /** Nobody has died or stood still lately, so every lane has one owner. */
  readonly isCalm: boolean
}

const versionsOf = (post: Post, { changes, shadow }: Known): Versions => {
  const path = pathOf(post.url)
  const event = post.headers["webhook-id"]
  const rows = (table: string) => changes.flatMap(({ is, what }) => what === table && is !== undefined ? [is] : [])
  const endpoints = [...shadow.endpoints.values(), ...rows("webhook_endpoints").map(endpointOf)]
    .filter(({ url }) => pathOf(url) === path)
  const ids = new Set(endpoints.map(({ id }) => id))
  const lanes = [...shadow.lanes.values(), ...rows("webhook_lanes").map(laneOf)]
    .filter(({ endpoint }) => ids.has(endpoint))
  const deliveries = [...shadow.deliveries.values(), ...rows("webhook_deliveries").map(deliveryOf)]
    .filter((delivery) => ids.has(delivery.endpoint) && delivery.event === event)
  const ofThese = ({ endpoint }: PreviousSecret) => ids.has(endpoint)
  const previous = [...shadow.previousSecrets.values()].filter(ofThese)
  const replaced = rows("webhook_previous_secrets").map(previousSecretOf).filter(ofThese)
  return { endpoints, previous, replaced, lanes, deliveries }
}

const judgeState = (post: Post, { deliveries, endpoints }: Versions, now: number): ReadonlyArray<string> => {
  const problems: Array<string> = []
  if (!endpoints.some(({ deletedAt, status }) => status === "enabled" && deletedAt === null)) {
    problems.push("sent to an endpoint that is not enabled")
  }
  if (!endpoints.some(({ url }) => url === post.url)) problems.push("sent to another URL than the endpoint has")
  if (deliveries.length === 0) problems.push("sent without a delivery")
  if (!deliveries.some(({ state }) => state.next_attempt_at !== null)) problems.push("sent though nothing is owed")
  if (!deliveries.some(({ state }) => !state.body_erased)) problems.push("sent a body that is erased")
  if (!deliveries.some(({ created }) => created > now - bodyAge)) problems.push("sent a body that is past its age")
  return problems
}

const judgeHold = (post: Post, { deliveries, lanes }: Versions, now: number): ReadonlyArray<string> => {
  if (!lanes.every(({ holds }) => holds > 0)) return []
  const problems: Array<string> = []
  if (post.beside > 0) problems.push("sent beside another while the endpoint is held")
  const waits = lanes.every(({ holdUntil }) => holdUntil !== null && holdUntil > now)
  if (waits && deliveries.every(({ state }) => state.trigger === "schedule")) {
    problems.push("sent before the hold was over")
  }
  return problems
}

// One for the newest secret and one for each that is within its own 24 hours; of rotations right now the worker knows some.
const judgeSignature = (
  post: Post,
  { endpoints, previous, replaced }: Versions,
  secrets: Secrets,
  now: number
): ReadonlyArray<string> => {
  const { "webhook-id": id = "", "webhook-signature": header = "", "webhook-timestamp": timestamp = "" } = post.headers
  const signatures = header.split(" ")
  const problems: Array<string> = []
  if (timestamp !== `${Math.floor(post.at / 1000)}`) problems.push(`sent with the timestamp ${timestamp}`)
  const fewest = 1 + previous.filter(({ expires }) => expires > now).length
  const most = fewest + replaced.filter(({ expires }) => expires > now).length
  if (signatures.length < fewest || signatures.length > most) {
    problems.push(`sent with ${signatures.length} signatures instead of ${fewest} to ${most}`)
  }
  const known = secrets.get(endpoints[0]?.id ?? "")
  if (known === null || known === undefined) return problems
  const text = Buffer.from(post.body).toString()
  const expected = known.map((secret) => new Webhook(secret).sign(id, new Date(Number(timestamp) * 1000), text))
  // A rotation may have come after the worker read the secrets.
  const first = expected.indexOf(signatures[0] ?? "")
  const isKnown = signatures.every((signature, index) => expected[first + index] === signature)
  if (first < 0 || first > replaced.length || !isKnown) problems.push("sent with a wrong signature")
  return problems
}

const judgeBody = (post: Post, bodies: Map<string, string>): ReadonlyArray<string> => {
  const id = post.headers["webhook-id"] ?? ""
  const text = Buffer.from(post.body).toString()
  const before = bodies.get(id)
  bodies.set(id, text)
  if (before !== undefined) return before === text ? [] : ["sent another body than before"]
  const { id: said } = Object(JSON.parse(text))
  return said === id ? [] : ["sent a body with another id"]
}

/** What is wrong with a request. `bodies` keeps what was sent of each event. */
export const judgePost = (post: Post, known: Known, bodies: Map<string, string>): ReadonlyArray<string> => {
  const versions = versionsOf(post, known)
  const signed = judgeSignature(post, versions, known.secrets, known.now)
  const sent = judgeBody(post, bodies)
  // Who has lost a lane without knowing may act on what it was told before.
  if (!known.isCalm) return [...signed, ...sent]
  return [...judgeState(post, versions, known.now), ...judgeHold(post, versions, known.now), ...signed, ...sent]
}
