import type { IncomingMessage } from "node:http"

/** In bytes: how much the URL and the headers of a request may have together. */
const largest = 16_384

/**
 * In bytes: how much of them Node reads, which is what large proxies pass on. Of a request between the two the origin is
 * known, so that the page that sent it can read the refusal.
 */
export const mostRead = 65_536

/** What is answered to more. */
export const headTooLarge = {
  status: 431,
  code: "headers_too_large",
  message: "The URL and the headers are too large: send fewer or shorter ones"
} as const

/** Whether the URL and the headers are larger than they may be. */
export const hasLargeHead = ({ rawHeaders, url = "" }: IncomingMessage): boolean => {
  let size = url.length
  // As they came, so in characters of a byte each.
  for (const text of rawHeaders) size += text.length
  return size > largest
}
