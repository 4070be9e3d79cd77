import { Effect, Layer } from "effect"
import { type HttpBody, HttpServerResponse } from "effect/http"
import { hash } from "node:crypto"
import { Conditional } from "../Conditional.ts"

/** A strong tag: the same for the same bytes, and only for them. */
const tagOf = (body: HttpBody.Uint8Array) => `"${hash("sha256", body.text ?? body.body, "base64url").slice(0, 22)}"`

/** The tag of the same content in other bytes, such as compressed ones. */
export const weakTag = (tag: string): string => tag.startsWith("W/") ? tag : `W/${tag}`

/** A success whose body is at hand, with its tag, and with what says how long it is good for. */
export const withTag = (
  response: HttpServerResponse.HttpServerResponse,
  cacheControl: string
): HttpServerResponse.HttpServerResponse =>
  response.status === 200 && response.body._tag === "Uint8Array"
    ? HttpServerResponse.setHeaders(response, { etag: tagOf(response.body), "cache-control": cacheControl })
    : response

const nextTag = /[\t ,]*((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")[\t ]*(?=,|$)/y

/** True if `If-None-Match` names this tag. The comparison is weak (RFC 9110, 13.1.2): it ignores `W/`. */
export const namesTag = (ifNoneMatch: string, tag: string): boolean => {
  if (ifNoneMatch.trim() === "*") return true
  const wanted = weakTag(tag)
  nextTag.lastIndex = 0
  for (let found = nextTag.exec(ifNoneMatch); found !== null; found = nextTag.exec(ifNoneMatch)) {
    if (weakTag(found[1] ?? "") === wanted) return true
  }
  return false
}

/** Answers `Conditional`. That nothing has changed is found where answers leave, when their coding is known. */
export const ConditionalLayer = Layer.succeed(
  Conditional,
  (httpEffect) => Effect.map(httpEffect, (response) => withTag(response, "private, no-cache"))
)
