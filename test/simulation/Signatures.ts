import { createPublicKey, verify } from "node:crypto"
import { Webhook } from "standardwebhooks"
import type { Post } from "./Network.ts"
import type { PreviousSecret } from "./Shadow.ts"
import type { Secrets, Versions } from "./Versions.ts"

/** The bytes before the 32 bytes of an Ed25519 public key in its usual form (RFC 8410). */
const head = Buffer.from("302a300506032b6570032100", "hex")

const isSignedBy = (publicKey: string | undefined, signed: Buffer, signature: string): boolean => {
  if (publicKey === undefined) return false
  const key = createPublicKey({
    key: Buffer.concat([head, Buffer.from(publicKey, "hex")]),
    format: "der",
    type: "spki"
  })
  return verify(null, signed, key, Buffer.from(signature.slice("v1a,".length), "base64"))
}

/** Expects one signature of a kind by the newest secret, and one by each previous secret within its own 24 hours. */
const judgeCount = (
  kind: string,
  signatures: ReadonlyArray<string>,
  { previous, replaced }: Pick<Versions, "previous" | "replaced">,
  now: number
): ReadonlyArray<string> => {
  // The worker may know only some of the rotations of this moment.
  const fewest = 1 + previous.filter(({ expires }) => expires > now).length
  const most = fewest + replaced.filter(({ expires }) => expires > now).length
  return signatures.length < fewest || signatures.length > most
    ? [`sent with ${signatures.length} signatures of ${kind} instead of ${fewest} to ${most}`]
    : []
}

/** True if neighbours in a row made these signatures. The first ones of the row may be too new for the worker. */
const areSigned = (
  signatures: ReadonlyArray<string>,
  isSigned: (place: number, signature: string) => boolean,
  tooNew: number
): boolean =>
  Array.from({ length: tooNew + 1 }, (_, first) => first)
    .some((first) => signatures.every((signature, index) => isSigned(first + index, signature)))

const judgeSecrets = (
  { body, headers: { "webhook-id": id = "", "webhook-timestamp": timestamp = "" } }: Post,
  signatures: ReadonlyArray<string>,
  versions: Versions,
  secrets: Secrets,
  now: number
): ReadonlyArray<string> => {
  const problems = [...judgeCount("HMAC", signatures, versions, now)]
  const known = secrets.get(versions.endpoints[0]?.id ?? "")
  if (known === null || known === undefined) return problems
  const text = Buffer.from(body).toString()
  const expected = known.map((secret) => new Webhook(secret).sign(id, new Date(Number(timestamp) * 1000), text))
  const isRight = areSigned(signatures, (place, signature) => expected[place] === signature, versions.replaced.length)
  return isRight ? problems : [...problems, "sent with a wrong signature"]
}

const judgeKeys = (
  { body, headers: { "webhook-id": id = "", "webhook-timestamp": timestamp = "" } }: Post,
  signatures: ReadonlyArray<string>,
  { endpoints, previous, replaced }: Versions,
  now: number
): ReadonlyArray<string> => {
  const hasKey = ({ publicKey }: PreviousSecret) => publicKey !== null
  const own = { previous: previous.filter(hasKey), replaced: replaced.filter(hasKey) }
  const older = [...own.previous, ...own.replaced].toSorted((one, other) => other.number - one.number)
  const all = [...endpoints.toReversed(), ...older].flatMap(({ publicKey }) => publicKey === null ? [] : [publicKey])
  const keys = [...new Set(all)]
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body])
  const isRight = areSigned(
    signatures,
    (place, signature) => isSignedBy(keys[place], signed, signature),
    own.replaced.length
  )
  return [...judgeCount("Ed25519", signatures, own, now), ...isRight ? [] : ["sent with a wrong signature of Ed25519"]]
}

/**
 * The problems with the signatures of a request. Those by secrets come first, the endpoint's setting decides the kinds,
 * and each is right. Receivers have these secrets and public keys.
 */
export const judgeSignatures = (
  post: Post,
  versions: Versions,
  secrets: Secrets,
  now: number
): ReadonlyArray<string> => {
  const { "webhook-signature": header = "", "webhook-timestamp": timestamp = "" } = post.headers
  const signatures = header.split(" ")
  const bySecrets = signatures.filter((one) => one.startsWith("v1,"))
  const byKeys = signatures.filter((one) => one.startsWith("v1a,"))
  const problems: Array<string> = []
  if (timestamp !== `${Math.floor(post.at / 1000)}`) problems.push(`sent with the timestamp ${timestamp}`)
  if ([...bySecrets, ...byKeys].join(" ") !== header) problems.push(`sent with the signatures ${header}`)
  const is = byKeys.length === 0 ? "hmac" : "both"
  const wanted = versions.endpoints.map(({ signing }) => signing)
  if (!wanted.includes(is)) problems.push(`signed with ${is}, not with ${wanted.join(" or ")}`)
  problems.push(...judgeSecrets(post, bySecrets, versions, secrets, now))
  if (is === "both") problems.push(...judgeKeys(post, byKeys, versions, now))
  return problems
}
