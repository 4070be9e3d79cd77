import { Option, Schema } from "effect"
import type { InboundRequest } from "../platform/Platform.ts"

const Head = Schema.fromJsonString(Schema.Struct({
  headers: Schema.Record(Schema.String, Schema.String),
  query: Schema.String
}))
const decodeHead = Schema.decodeUnknownOption(Head)

const lengthBytes = 4

/** What of a request is kept: all that a platform may read from it. */
type Kept = Pick<InboundRequest, "headers" | "query" | "body">

/** One block of bytes: the length of the head, the head, and the body as it came. */
export const pack = ({ body, headers, query }: Kept): Uint8Array => {
  const head = Buffer.from(JSON.stringify({ headers: { ...headers }, query: query.toString() }))
  const length = Buffer.alloc(lengthBytes)
  length.writeUInt32BE(head.length)
  return Buffer.concat([length, head, body])
}

/** What `pack` was given; none for what it did not make. */
export const unpack = (bytes: Uint8Array): Option.Option<Kept> => {
  const block = Buffer.from(bytes)
  if (block.length < lengthBytes) return Option.none()
  const end = lengthBytes + block.readUInt32BE()
  return Option.map(decodeHead(block.toString("utf8", lengthBytes, end)), ({ headers, query }) => ({
    headers,
    query: new URLSearchParams(query),
    body: block.subarray(end)
  }))
}

/** Levels of JSON that can be shown: no platform comes near, and what writes JSON walks it by recursion. */
const mostLevels = 100

const childrenOf = (json: Schema.Json): ReadonlyArray<Schema.Json> =>
  typeof json === "object" && json !== null ? Object.values(json) : []

const isTooLarge = (json: Schema.Json) => typeof json === "number" && !Number.isFinite(json)

/**
 * Whether it can be written as JSON again: nested at most 100 levels deep, and without a number that is too large for one.
 * It is walked level by level, and not by recursion itself.
 */
export const canBeShown = (json: Schema.Json): boolean => {
  let level: ReadonlyArray<Schema.Json> = [json]
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > mostLevels || level.some(isTooLarge)) return false
    level = level.flatMap(childrenOf)
  }
  return true
}
