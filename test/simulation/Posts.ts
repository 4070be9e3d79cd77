import { isDeepStrictEqual } from "node:util"
import type { Post } from "./Network.ts"
import { judgeSignatures } from "./Signatures.ts"
import { bodyAge } from "./Transitions.ts"
import { type Known, type OwnHeaders, type Versions, versionsOf } from "./Versions.ts"

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
  if (waits && deliveries.every(({ recovery, state }) => state.trigger === "schedule" || recovery !== null)) {
    problems.push("sent before the hold was over")
  }
  return problems
}

/** Headers that the service sends with every request. */
const always = ["content-type", "user-agent", "webhook-id", "webhook-signature", "webhook-timestamp"]

const judgeHeaders = (post: Post, { endpoints }: Versions, headers: OwnHeaders): ReadonlyArray<string> => {
  const missing = always.filter((name) => !post.headers[name])
  const problems = missing.map((name) => `sent without ${name}`)
  const possible = headers.get(endpoints[0]?.id ?? "")
  if (possible === undefined) return problems
  const own = Object.fromEntries(Object.entries(post.headers).filter(([name]) => !always.includes(name)))
  return possible.some((one) => isDeepStrictEqual(one, own))
    ? problems
    : [...problems, `sent with the headers ${JSON.stringify(own)}, not with ${JSON.stringify(possible)}`]
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

/** The problems with a request. `bodies` keeps the body that was sent for each event. */
export const judgePost = (post: Post, known: Known, bodies: Map<string, string>): ReadonlyArray<string> => {
  const versions = versionsOf(post, known)
  const signed = judgeSignatures(post, versions, known.secrets, known.now)
  const sent = judgeBody(post, bodies)
  // A process that lost a lane without knowing may act on old data.
  if (!known.isCalm) return [...signed, ...sent]
  return [
    ...judgeState(post, versions, known.now),
    ...judgeHold(post, versions, known.now),
    ...signed,
    ...judgeHeaders(post, versions, known.headers),
    ...sent
  ]
}
