import { Schema } from "effect"

/** True if an endpoint is sent to (contract, States and transitions). */
export const EndpointStatus = Schema.Literals(["enabled", "paused", "disabled"])
export type EndpointStatus = typeof EndpointStatus.Type
