import { Effect } from "effect"
import { isUtf8 } from "node:buffer"

/** In bytes. So many line breaks are changed within a few milliseconds. */
const slice = 32 * 1024

/** UTF-8, UTF-16 where its mark says so, or else Windows-1252, in which Excel writes CSV. */
const encodingOf = (bytes: Uint8Array) => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le"
  return isUtf8(bytes) ? "utf-8" : "windows-1252"
}

// Not with `replace`, whose texts are trees of what was replaced: to join those takes as long as all slices together.
const withLineFeeds = (text: string) => text.split("\r\n").join("\n").split("\r").join("\n")

/** The text of a file. Line breaks become LF. Others have the processor between two slices. */
export const textOf = Effect.fnUntraced(function*(bytes: Uint8Array) {
  const decoder = new TextDecoder(encodingOf(bytes))
  const parts: Array<string> = []
  let held = ""
  for (let from = 0; from < bytes.length; from += slice) {
    const part = held + decoder.decode(bytes.subarray(from, from + slice), { stream: true })
    // The LF that belongs to it may come with the next slice.
    held = part.endsWith("\r") ? "\r" : ""
    parts.push(withLineFeeds(part.slice(0, part.length - held.length)))
    yield* Effect.yieldNow
  }
  return parts.join("") + withLineFeeds(held + decoder.decode())
})
