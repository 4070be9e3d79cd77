import type { EndpointStatus } from "../model/EndpointStatus.ts"

/** The transition of an endpoint when a person sets a status. */
export type EndpointTransition = "none" | "enable" | "pause" | "disable" | "refused"

const transitions: Readonly<Record<EndpointStatus, Readonly<Record<EndpointStatus, EndpointTransition>>>> = {
  enabled: { enabled: "none", paused: "pause", disabled: "disable" },
  paused: { enabled: "enable", paused: "none", disabled: "disable" },
  // Its queue is canceled, so there is nothing to pause: it must be enabled first.
  disabled: { enabled: "enable", paused: "refused", disabled: "none" }
}

/** The transitions that an administrator may make (contract, States and transitions, Outgoing webhook endpoint). */
export const transitionTo = (from: EndpointStatus, to: EndpointStatus): EndpointTransition => transitions[from][to]
