import type { EndpointStatus } from "../model/EndpointStatus.ts"

/** What setting a status means to an endpoint. */
export type EndpointMove = "none" | "enable" | "pause" | "disable" | "refused"

const moves: Readonly<Record<EndpointStatus, Readonly<Record<EndpointStatus, EndpointMove>>>> = {
  enabled: { enabled: "none", paused: "pause", disabled: "disable" },
  paused: { enabled: "enable", paused: "none", disabled: "disable" },
  // There is nothing left to accumulate for: it must be enabled first.
  disabled: { enabled: "enable", paused: "refused", disabled: "none" }
}

/** Contract, States and transitions, Outgoing webhook endpoint: what an administrator may set. */
export const moveTo = (from: EndpointStatus, to: EndpointStatus): EndpointMove => moves[from][to]
