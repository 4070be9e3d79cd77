import { Effect, Schema } from "effect"
import type { Sealing } from "../../platform/sql/Sealing.ts"
import { ownText } from "../../platform/text/Utf8.ts"
import type { EndpointId } from "../model/EndpointId.ts"
import { isDenied, type OwnHeaders } from "./OwnHeaders.ts"

/** Sealed headers open only as those of this endpoint. */
export const bindingOfHeaders = (id: EndpointId): string => `webhook_endpoints:${id}:headers`

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Record(Schema.String, Schema.String)))

const encoder = new TextEncoder()

/** The stored form. Null without headers. */
export const sealHeaders = (
  sealing: Sealing["Service"],
  id: EndpointId,
  headers: OwnHeaders
): Effect.Effect<Uint8Array | null> =>
  Object.keys(headers).length === 0
    ? Effect.succeed(null)
    : sealing.seal(encoder.encode(JSON.stringify(headers)), bindingOfHeaders(id))

// A row may be older than the rule that refuses a name.
const allowed = (headers: OwnHeaders): OwnHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !isDenied(name)))

/** The opened headers, without names that the rules refuse by now. Dies if no key of ours opens it. */
export const openHeaders = (
  sealing: Sealing["Service"],
  id: EndpointId,
  sealed: Uint8Array | null
): Effect.Effect<OwnHeaders> =>
  sealed === null
    ? Effect.succeed({})
    : Effect.orDie(Effect.flatMap(sealing.open(sealed, bindingOfHeaders(id)), (plain) =>
      Effect.map(decode(ownText(plain)), allowed)))
