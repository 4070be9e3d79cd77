import { Effect } from "effect"
import { Headers, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { compress, isCompressible } from "./Compression.ts"
import { codingFor } from "./ContentCoding.ts"
import { namesTag, weakTag } from "./EntityTag.ts"

const ofTheBody = ["content-type", "content-length", "content-range", "content-disposition", "accept-ranges"]

const notModified = ({ headers }: HttpServerResponse.HttpServerResponse) =>
  HttpServerResponse.empty({ status: 304, headers: Headers.removeMany(headers, ofTheBody) })

/**
 * The request headers that an answer depends on: always the origin, the coding if it could have one, and the language
 * if it has sentences.
 */
export const varyOf = (answer: HttpServerResponse.HttpServerResponse, isWorded = false): string => {
  const coding = isCompressible(answer) ? "Origin, Accept-Encoding" : "Origin"
  const own = answer.headers["vary"]
  const known = isWorded && own?.includes("Accept-Language") !== true ? `${coding}, Accept-Language` : coding
  return own === undefined ? known : `${own}, ${known}`
}

/**
 * An answer in fewer bytes, if the client takes that: a 304 if it has the same bytes already, or a compressed body.
 * Undefined if the answer leaves as it is, which costs nothing.
 */
export const negotiated = (
  { headers, method }: HttpServerRequest.HttpServerRequest,
  answer: HttpServerResponse.HttpServerResponse
): Effect.Effect<HttpServerResponse.HttpServerResponse> | undefined => {
  const { "accept-encoding": accepted, "if-none-match": knownTags } = headers
  if (accepted === undefined && knownTags === undefined) return undefined
  const coding = accepted === undefined || method === "HEAD" || !isCompressible(answer)
    ? undefined
    : codingFor(accepted)
  const tag = answer.headers["etag"]
  const tagged = tag === undefined || coding === undefined
    ? answer
    : HttpServerResponse.setHeader(answer, "etag", weakTag(tag))
  const isUnmodified = knownTags !== undefined && tag !== undefined && (method === "GET" || method === "HEAD") &&
    answer.status < 300 && namesTag(knownTags, tag)
  if (isUnmodified) return Effect.succeed(notModified(tagged))
  return coding === undefined ? undefined : compress(tagged, coding)
}
