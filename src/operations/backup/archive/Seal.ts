import { Redacted } from "effect"
import { createCipheriv, createDecipheriv, createHash, randomBytes, scrypt, timingSafeEqual } from "node:crypto"
import { refuse } from "./BackupError.ts"

// A sealed archive begins with:
// - `turma-sealed` and a line feed
// - the version (1 byte)
// - the parameters of scrypt: the logarithm of N, r, p (1 byte each) and a salt (16)
// - a mark of the passphrase (16) Then come chunks of 64 KiB, the last one shorter or as long. Each is AES-256-GCM with
//   its tag (16) behind it. A nonce is the number of the chunk (11 bytes) and whether it is the last (1). Each chunk is
//   bound to the bytes before the first. So a chunk cannot be removed, moved, exchanged or added.
const magic = Buffer.from("turma-sealed\n")
const version = 1
const saltLength = 16
const markLength = 16

/** Bytes before the first chunk. */
export const headerLength = magic.length + 4 + saltLength + markLength

/** Bytes of a chunk before it is sealed; the last one may have fewer. */
export const chunkLength = 64 * 1024

/** Bytes that sealing adds to a chunk. */
export const tagLength = 16

const algorithm = "aes-256-gcm"

/** The cost of scrypt: N = 2^cost. 128 MiB and about half a second, once for each archive. */
interface Cost {
  readonly cost: number
  readonly r: number
  readonly p: number
}

const usual: Cost = { cost: 17, r: 8, p: 1 }

/** What scrypt may take. */
const mostMemory = 256 * 1024 * 1024

/** More than this nobody writes: a changed file must not make us take all memory or hours. */
const isBearable = ({ cost, p, r }: Cost) =>
  cost >= 10 && cost <= 20 && r >= 1 && r <= 16 && p >= 1 && p <= 4 && 128 * 2 ** cost * r <= mostMemory

/** The passphrase of an archive. The key of its chunks and the mark are other bytes of what scrypt makes of it. */
const derive = (passphrase: Redacted.Redacted, salt: Uint8Array, { cost, p, r }: Cost) =>
  new Promise<{ readonly key: Buffer; readonly mark: Buffer }>((resolve, reject) => {
    const [length, maxmem] = [32 + markLength, 256 * r * (2 ** cost + p)]
    // The same letters typed on another machine may be other code points.
    const text = Redacted.value(passphrase).normalize("NFC")
    scrypt(text, salt, length, { N: 2 ** cost, r, p, maxmem }, (error, bytes) => {
      if (error !== null) return reject(error)
      resolve({ key: bytes.subarray(0, 32), mark: bytes.subarray(32) })
    })
  })

const nonceOf = (number: number, isLast: boolean) => {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(number, 5, 6)
  nonce.writeUInt8(isLast ? 1 : 0, 11)
  return nonce
}

type Bytes = AsyncIterable<Uint8Array>

/** Pieces of exactly this length, and then the rest: at least one piece, each with whether it is the last. */
const pieces = async function*(source: Bytes, length: number) {
  let buffered: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of source) {
    buffered.push(chunk)
    size += chunk.length
    // Bytes that fill a piece to its end may be the last.
    if (size <= length) continue
    let rest = Buffer.concat(buffered)
    for (; rest.length > length; rest = rest.subarray(length)) {
      yield { bytes: rest.subarray(0, length), isLast: false }
    }
    buffered = [rest]
    size = rest.length
  }
  yield { bytes: Buffer.concat(buffered), isLast: true }
}

/** Seals what comes, a chunk at a time. */
export const sealing = (passphrase: Redacted.Redacted, cost: Cost = usual) =>
  async function*(source: Bytes): AsyncGenerator<Uint8Array> {
    const salt = randomBytes(saltLength)
    const { key, mark } = await derive(passphrase, salt, cost)
    const header = Buffer.concat([magic, Buffer.of(version, cost.cost, cost.r, cost.p), salt, mark])
    const binding = createHash("sha256").update(header).digest()
    yield header
    let number = 0
    for await (const { bytes, isLast } of pieces(source, chunkLength)) {
      const cipher = createCipheriv(algorithm, key, nonceOf(number, isLast)).setAAD(binding)
      yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
      number += 1
    }
  }

const opened = (key: Uint8Array, nonce: Uint8Array, binding: Uint8Array, bytes: Uint8Array): Buffer | undefined => {
  if (bytes.length < tagLength) return undefined
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagLength })
    .setAAD(binding)
    .setAuthTag(bytes.subarray(-tagLength))
  const plain = decipher.update(bytes.subarray(0, -tagLength))
  try {
    return Buffer.concat([plain, decipher.final()])
  } catch {
    // A tag that does not match is all that it throws for.
    return undefined
  }
}

const openHeader = async (header: Buffer, passphrase: Redacted.Redacted | undefined) => {
  if (passphrase === undefined) throw refuse("it is sealed with a passphrase: set BACKUP_PASSPHRASE")
  const [own = 0, cost = 0, r = 0, p = 0] = header.subarray(magic.length)
  if (own !== version) throw refuse(`it is sealed in a way (${own}) that this version of Turma does not know`)
  if (!isBearable({ cost, r, p })) throw refuse("it is damaged, or no backup of Turma")
  const salt = header.subarray(magic.length + 4, magic.length + 4 + saltLength)
  const { key, mark } = await derive(passphrase, salt, { cost, r, p })
  if (!timingSafeEqual(mark, header.subarray(-markLength))) {
    throw refuse("BACKUP_PASSPHRASE is not the passphrase that it was sealed with")
  }
  return { key, binding: createHash("sha256").update(header).digest() }
}

/** The first bytes as one piece, fewer at the end of the stream, and then the rest. */
const headFirst = async function*(source: Bytes, length: number): AsyncGenerator<Uint8Array> {
  let head: Buffer | undefined = Buffer.alloc(0)
  for await (const chunk of source) {
    if (head === undefined) {
      yield chunk
      continue
    }
    head = Buffer.concat([head, chunk])
    if (head.length < length) continue
    yield head.subarray(0, length)
    if (head.length > length) yield head.subarray(length)
    head = undefined
  }
  if (head !== undefined) yield head
}

/** What opens an archive. */
export interface Opening {
  readonly passphrase?: Redacted.Redacted | undefined
  /** Takes an unsealed archive although there is a passphrase. Anyone who may write to the place can have made it. */
  readonly takesUnsealed?: boolean
}

/**
 * Opens what comes where it is sealed, and hands on what is not as it is where that is wanted. Throws a `BackupError` for
 * a passphrase that is another one, and for whatever was changed, cut off, moved or added.
 */
export const opening = ({ passphrase, takesUnsealed = false }: Opening) =>
  async function*(source: Bytes): AsyncGenerator<Uint8Array> {
    const rest = headFirst(source, headerLength)
    const first = await rest.next()
    const head = Buffer.from(first.value ?? [])
    if (!head.subarray(0, magic.length).equals(magic)) {
      if (passphrase !== undefined && !takesUnsealed) {
        throw refuse("it is not sealed, though BACKUP_PASSPHRASE is set: --unsealed takes it all the same")
      }
      yield head
      yield* rest
      return
    }
    if (head.length < headerLength) throw refuse("it ends in the middle")
    const { binding, key } = await openHeader(head, passphrase)
    let number = 0
    for await (const { bytes, isLast } of pieces(rest, chunkLength + tagLength)) {
      const plain = opened(key, nonceOf(number, isLast), binding, bytes)
      if (plain === undefined) {
        throw refuse(isLast ? "it ends in the middle, or its end was changed" : "it was changed after it was sealed")
      }
      yield plain
      number += 1
    }
  }
