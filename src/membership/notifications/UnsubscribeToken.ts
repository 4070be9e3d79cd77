import { Redacted } from "effect"
import { createHmac, timingSafeEqual } from "node:crypto"
import { OrganizationId } from "../../identity/ids/ClubId.ts"
import { StudentId } from "../../identity/ids/StudentId.ts"

type Key = Redacted.Redacted<Uint8Array>

/** The keys that sign: the first signs new tokens, and the others still count. */
export type UnsubscribeKeys = readonly [current: Key, ...previous: ReadonlyArray<Key>]

/** The student who gets the mails, by the public id of the club. */
export interface Subscriber {
  readonly organization_id: OrganizationId
  readonly student_id: StudentId
}

// Two UUIDs of 16 bytes and a signature of 32.
const idLength = 16
const length = 2 * idLength + 32

const bytesOf = (uuid: string) => Buffer.from(uuid.replaceAll("-", ""), "hex")

const uuidOf = (bytes: Uint8Array) =>
  Buffer.from(bytes).toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")

const signatureOf = (key: Key, ids: Uint8Array) => createHmac("sha256", Redacted.value(key)).update(ids).digest()

/**
 * The token of the link that ends a student's mails: 86 letters. It does nothing else and never expires, since an old mail
 * has a link too. Nothing is stored for it.
 */
export const makeUnsubscribeToken = (
  [current]: UnsubscribeKeys,
  { organization_id, student_id }: Subscriber
): Redacted.Redacted => {
  const ids = Buffer.concat([bytesOf(organization_id), bytesOf(student_id)])
  return Redacted.make(Buffer.concat([ids, signatureOf(current, ids)]).toString("base64url"), { label: "token" })
}

/** The student of a token that one of these keys signed; undefined for any other text. */
export const subscriberOf = (keys: UnsubscribeKeys, token: Redacted.Redacted): Subscriber | undefined => {
  const text = Redacted.value(token)
  const bytes = Buffer.from(text, "base64url")
  // A text has one spelling: the decoder passes over letters that are in no alphabet.
  if (bytes.length !== length || bytes.toString("base64url") !== text) return undefined
  const [ids, signature] = [bytes.subarray(0, 2 * idLength), bytes.subarray(2 * idLength)]
  if (!keys.some((key) => timingSafeEqual(signature, signatureOf(key, ids)))) return undefined
  return {
    organization_id: OrganizationId.make(uuidOf(ids.subarray(0, idLength))),
    student_id: StudentId.make(uuidOf(ids.subarray(idLength)))
  }
}
