import { Effect } from "effect"
import type { Sealing } from "../../../platform/sql/Sealing.ts"
import type { EndpointId } from "../../model/EndpointId.ts"
import type { OwnHeaders } from "../../send/OwnHeaders.ts"
import { openHeaders } from "../../send/SealedHeaders.ts"
import type { LaneState } from "./Lease.ts"

const none = Effect.succeed<OwnHeaders>({})

/** The headers of an endpoint's own, in lower case. Dies if a seal does not open because its key is missing. */
export type HeaderCache = (lane: LaneState) => Effect.Effect<OwnHeaders>

/** Opens the headers of one endpoint, as a take read them: once for all attempts of that take. */
export const headerCache = (sealing: Sealing["Service"], endpoint_id: EndpointId): HeaderCache => {
  const opened = new WeakMap<LaneState, OwnHeaders>()
  return (lane) => {
    if (lane.headers === null) return none
    const known = opened.get(lane)
    if (known !== undefined) return Effect.succeed(known)
    return Effect.tap(
      openHeaders(sealing, endpoint_id, lane.headers),
      (headers) => Effect.sync(() => opened.set(lane, headers))
    )
  }
}
