import { Effect } from "effect"
import { isUtf8 } from "node:buffer"
import { ownTurn } from "../../../platform/processes/OwnTurn.ts"
import { longestRow } from "./Import.ts"

// A CSV says nothing of its encoding, so the bytes decide, for the whole file. Nothing is lost: a byte that the encoding
// has no character for becomes half of a surrogate pair, which no valid text has. A record with one is not well-formed.

type Encoding = "utf-8" | "windows-1252" | "utf-16le" | "utf-16be"

/** In bytes. Reading a slice takes less than a millisecond. */
const slice = 32 * 1024

/** In bytes: a row that is longer is refused, however its letters are read. */
const longestLine = 3 * longestRow + slice

/** In bytes: the header of a file, which always has ASCII letters. */
const sample = 4096

const [lineFeed, carriageReturn] = [0x0a, 0x0d]
const isLineBreak = (byte: number | undefined) => byte === lineFeed || byte === carriageReturn

/** Bytes that Windows-1252 has no character for. */
const undefinedBytes = [0x81, 0x8d, 0x8f, 0x90, 0x9d]

/** At least one of so many letters of a list of students is ASCII: its header and its addresses are. */
const share = 8

/** UTF-16 by its byte order mark, or by which half of its ASCII letters is zero. Other encodings have hardly any zeros. */
const utf16Of = (bytes: Uint8Array): Encoding | undefined => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le"
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be"
  const head = bytes.subarray(0, sample)
  let [even, odd] = [0, 0]
  for (const [at, byte] of head.entries()) {
    if (byte === 0 && at % 2 === 0) even += 1
    if (byte === 0 && at % 2 === 1) odd += 1
  }
  const [most, least] = [Math.max(even, odd), Math.min(even, odd)]
  if (most < 2 || most * 2 * share < head.length || least * share > most) return undefined
  return even > odd ? "utf-16be" : "utf-16le"
}

/** The end of a slice: behind a line break, and further away than usual only for a long line. */
const endOfSlice = (bytes: Uint8Array, from: number): number => {
  const usual = Math.min(from + slice, bytes.length)
  if (usual === bytes.length) return usual
  for (let at = usual; at > from; at -= 1) if (isLineBreak(bytes[at - 1])) return at
  const last = Math.min(from + longestLine, bytes.length)
  for (let at = usual; at < last; at += 1) if (isLineBreak(bytes[at])) return at + 1
  // Between two letters of UTF-8, which have three bytes at most behind their first.
  for (let back = 0; back < 4; back += 1) if (((bytes[last - back] ?? 0) & 0xc0) !== 0x80) return last - back
  return last
}

interface Line {
  readonly start: number
  readonly end: number
}

/** The lines that have other bytes than ASCII, their line breaks included. */
function* foreignLines(bytes: Uint8Array): Generator<Line> {
  let [start, isForeign] = [0, false]
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte >= 0x80) isForeign = true
    if (!isLineBreak(byte) && at < bytes.length - 1) continue
    if (isForeign) yield { start, end: at + 1 }
    start = at + 1
    isForeign = false
  }
}

/** UTF-8, or Windows-1252 if more lines are invalid UTF-8 than valid. ASCII lines are both and do not count. */
const byVote = Effect.fnUntraced(function*(bytes: Uint8Array): Effect.fn.Return<Encoding> {
  let [utf8, other] = [0, 0]
  for (let from = 0; from < bytes.length;) {
    const end = endOfSlice(bytes, from)
    const part = bytes.subarray(from, end)
    for (const line of foreignLines(part)) {
      if (isUtf8(part.subarray(line.start, line.end))) utf8 += 1
      else other += 1
    }
    from = end
    yield* ownTurn
  }
  return other > utf8 ? "windows-1252" : "utf-8"
})

const encodingOf = (bytes: Uint8Array) => {
  const utf16 = utf16Of(bytes)
  if (utf16 !== undefined) return Effect.succeed(utf16)
  return isUtf8(bytes) ? Effect.succeed<Encoding>("utf-8") : byVote(bytes)
}

/** Each byte that is not ASCII as half of a surrogate pair. */
const oddText = (bytes: Uint8Array): string => {
  const units = new Uint16Array(bytes.length)
  for (const [at, byte] of bytes.entries()) units[at] = byte < 0x80 ? byte : 0xdc00 + byte
  return Buffer.from(units.buffer).toString("utf16le")
}

/** True if a line is not in this encoding. A line of UTF-8 in a file of Windows-1252 would have wrong letters. */
const isOdd = (line: Uint8Array, encoding: Encoding) =>
  encoding === "utf-8" ? !isUtf8(line) : isUtf8(line) || undefinedBytes.some((byte) => line.includes(byte))

const decoded = (bytes: Uint8Array, encoding: Encoding) => new TextDecoder(encoding, { fatal: true }).decode(bytes)

/** The text of a slice that ends behind a line break. */
const lettersOf = (bytes: Uint8Array, encoding: Encoding): string => {
  if (encoding === "utf-8" && isUtf8(bytes)) return decoded(bytes, encoding)
  const parts: Array<string> = []
  let from = 0
  for (const { end, start } of foreignLines(bytes)) {
    if (!isOdd(bytes.subarray(start, end), encoding)) continue
    parts.push(decoded(bytes.subarray(from, start), encoding), oddText(bytes.subarray(start, end)))
    from = end
  }
  return parts.join("") + decoded(bytes.subarray(from), encoding)
}

/** The text of a slice of UTF-16. If the file ends within a character, the rest is odd. */
const unitsOf = (bytes: Uint8Array, encoding: Encoding): string => {
  const whole = Buffer.from(bytes.subarray(0, bytes.length - bytes.length % 2))
  const text = (encoding === "utf-16be" ? whole.swap16() : whole).toString("utf16le")
  return bytes.length % 2 === 0 ? text : `${text}\udc80`
}

// Not with `replace`, which makes trees of strings: joining them at the end would take as long as all slices together.
const withLineFeeds = (text: string) => text.split("\r\n").join("\n").split("\r").join("\n")

/**
 * The text of a file, with line breaks as LF. It is UTF-16 if its mark or its zeros say so, and UTF-8 if valid.
 * Otherwise most of its lines decide between UTF-8 and Windows-1252, in which Excel writes CSV. A line in another
 * encoding gets halves of surrogate pairs as letters. Yields to other fibers between two slices.
 */
export const textOf = Effect.fnUntraced(function*(bytes: Uint8Array) {
  const encoding = yield* encodingOf(bytes)
  const isWide = encoding === "utf-16le" || encoding === "utf-16be"
  const parts: Array<string> = []
  let pending = ""
  for (let from = 0; from < bytes.length;) {
    const end = isWide ? Math.min(from + slice, bytes.length) : endOfSlice(bytes, from)
    const read = bytes.subarray(from, end)
    const letters = isWide ? unitsOf(read, encoding) : lettersOf(read, encoding)
    const part = pending + (from === 0 && letters.startsWith("\ufeff") ? letters.slice(1) : letters)
    // Its LF may be in the next slice.
    pending = part.endsWith("\r") ? "\r" : ""
    parts.push(withLineFeeds(part.slice(0, part.length - pending.length)))
    from = end
    yield* ownTurn
  }
  return parts.join("") + withLineFeeds(pending)
})
