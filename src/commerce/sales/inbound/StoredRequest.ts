import { Option, Schema } from "effect"
import { utf8Option } from "../../../platform/text/Utf8.ts"
import type { InboundRequest } from "../platform/Platform.ts"

const Head = Schema.fromJsonString(Schema.Struct({
  headers: Schema.Record(Schema.String, Schema.String),
  query: Schema.String
}))
const decodeHead = Schema.decodeUnknownOption(Head)

const lengthBytes = 4

/** The part of a request that is stored: all that a platform may read from it. */
type StoredRequest = Pick<InboundRequest, "headers" | "query" | "body">

/** As one block of bytes: the length of the head, the head, and the body as it came. */
export const encodeRequest = ({ body, headers, query }: StoredRequest): Uint8Array => {
  const head = Buffer.from(JSON.stringify({ headers: { ...headers }, query: `${query}` }))
  const length = Buffer.alloc(lengthBytes)
  length.writeUInt32BE(head.length)
  return Buffer.concat([length, head, body])
}

/** The request that `encodeRequest` turned into these bytes; empty for any other bytes. */
export const decodeRequest = (bytes: Uint8Array): Option.Option<StoredRequest> => {
  const block = Buffer.from(bytes)
  if (block.length < lengthBytes) return Option.none()
  const end = lengthBytes + block.readUInt32BE()
  return Option.map(Option.flatMap(utf8Option(block.subarray(lengthBytes, end)), decodeHead), ({ headers, query }) => ({
    headers,
    query: new URLSearchParams(query),
    body: block.subarray(end)
  }))
}
