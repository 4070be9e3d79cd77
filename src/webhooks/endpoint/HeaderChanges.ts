import { Effect, Redacted } from "effect"
import type { Sealing } from "../../platform/sql/Sealing.ts"
import type { EndpointId } from "../model/EndpointId.ts"
import { type AskedHeaders, changed, judgeHeaders, type OwnHeaders } from "../send/OwnHeaders.ts"
import { openHeaders, sealHeaders } from "../send/SealedHeaders.ts"
import { noHeaders, type SealedHeaders } from "./EndpointsRepo.ts"

const isSame = (one: OwnHeaders, other: OwnHeaders) => JSON.stringify(one) === JSON.stringify(other)

const revealed = (asked: AskedHeaders) =>
  Object
    .fromEntries(Object.entries(asked).map(([name, value]) => [name, value === null ? null : Redacted.value(value)]))

/** The requested headers, sealed. Undefined if they change nothing. Null asks for no headers. */
export const headerChanges = Effect.fnUntraced(function*(
  sealing: Sealing["Service"],
  id: EndpointId,
  before: Uint8Array | null,
  asked: AskedHeaders | null
) {
  // This works even if no key of ours opens the old headers any more.
  if (asked === null) return before === null ? undefined : noHeaders
  const opened = yield* openHeaders(sealing, id, before)
  const changes = yield* Effect.fromResult(judgeHeaders(revealed(asked)))
  const after = yield* Effect.fromResult(changed(opened, changes))
  if (isSame(opened, after)) return undefined
  const sealed: SealedHeaders = { sealed: yield* sealHeaders(sealing, id, after), names: Object.keys(after) }
  return sealed
})
