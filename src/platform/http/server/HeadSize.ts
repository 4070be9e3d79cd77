import type { IncomingMessage } from "node:http"

/** In bytes: how much the URL and the headers of a request may have together. */
const largest = 16_384

/**
 * In bytes: how much of them Node reads, as much as large proxies pass on. For a request between the two limits we know
 * the origin, so the page that sent it can read the refusal.
 */
export const mostRead = 65_536

/** The answer to a larger head. */
export const headTooLarge = {
  status: 431,
  code: "headers_too_large",
  message: "The URL and the headers are too large: send fewer or shorter ones"
} as const

/** True if the URL and the headers are larger than they may be. */
export const hasLargeHead = ({ rawHeaders, url = "" }: IncomingMessage): boolean => {
  let size = url.length
  // As they came, so in characters of a byte each.
  for (const text of rawHeaders) size += text.length
  return size > largest
}
