import { Effect } from "effect"
import { isUtf8 } from "node:buffer"

/** In bytes. The line breaks of a slice are replaced within a few milliseconds. */
const slice = 32 * 1024

/** UTF-16 with its byte order mark, else UTF-8 where valid, else Windows-1252, in which Excel writes CSV. */
const encodingOf = (bytes: Uint8Array) => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le"
  return isUtf8(bytes) ? "utf-8" : "windows-1252"
}

// Not with `replace`, which makes trees of strings: joining them at the end would take as long as all slices together.
const withLineFeeds = (text: string) => text.split("\r\n").join("\n").split("\r").join("\n")

/** The text of a file, with line breaks as LF. Yields to other fibers between two slices. */
export const textOf = Effect.fnUntraced(function*(bytes: Uint8Array) {
  const decoder = new TextDecoder(encodingOf(bytes))
  const parts: Array<string> = []
  let pending = ""
  for (let from = 0; from < bytes.length; from += slice) {
    const part = pending + decoder.decode(bytes.subarray(from, from + slice), { stream: true })
    // Its LF may be in the next slice.
    pending = part.endsWith("\r") ? "\r" : ""
    parts.push(withLineFeeds(part.slice(0, part.length - pending.length)))
    yield* Effect.yieldNow
  }
  return parts.join("") + withLineFeeds(pending + decoder.decode())
})
