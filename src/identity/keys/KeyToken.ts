import { Effect, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { crc32 } from "node:zlib"

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** Characters of the part that names a key, of its 32 random bytes in base62, and of its checksum. */
const lengths = { prefix: 8, secret: 43, checksum: 6 }

const shape = /^turma_[0-9A-Za-z]{8}_[0-9A-Za-z]{49}$/

const base62 = (value: bigint, length: number): string => {
  let text = ""
  for (let rest = value; rest > 0n; rest /= 62n) text = digits.charAt(Number(rest % 62n)) + text
  return text.padStart(length, "0")
}

const numberOf = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).toString("hex")}`)

const checksumOf = (text: string) => base62(BigInt(crc32(text)), lengths.checksum)

/** A key's token, which is shown once, and the part by which lists name the key. */
interface MadeKeyToken {
  readonly token: Redacted.Redacted
  readonly prefix: string
}

const makePrefix = Effect.gen(function*() {
  const random = yield* SecureRandom.SecureRandom
  const bytes = yield* Effect.orDie(random.randomBytes(8))
  return base62(numberOf(bytes), lengths.prefix).slice(-lengths.prefix)
})

/** Another token of the key with this prefix. */
export const keyTokenOf = Effect.fnUntraced(function*(prefix: string) {
  const random = yield* SecureRandom.SecureRandom
  const secret = base62(numberOf(yield* Effect.orDie(random.randomBytes(32))), lengths.secret)
  const text = `turma_${prefix}_${secret}`
  const made: MadeKeyToken = { token: Redacted.make(`${text}${checksumOf(text)}`, { label: "key" }), prefix }
  return made
})

/**
 * A token: `turma_`, 8 characters that name the key, `_`, 32 random bytes in base62 and 6 characters of CRC-32 over all
 * before them. A scanner can check it, so it mistakes no other word for a token, and people know its owner.
 */
export const makeKeyToken = Effect.flatMap(makePrefix, keyTokenOf)

/** True if a bearer token is a club's key, not a session's token. Others need no look-up. */
export const isKeyToken = (token: Redacted.Redacted): boolean => {
  const text = Redacted.value(token)
  return shape.test(text) && checksumOf(text.slice(0, -lengths.checksum)) === text.slice(-lengths.checksum)
}
