import { Schema } from "effect"

/** UUIDv7. */
export const EndpointId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("WebhookEndpointId"))
export type EndpointId = typeof EndpointId.Type

/** Whether an endpoint is sent to (contract, States and transitions). */
export const EndpointStatus = Schema.Literals(["enabled", "paused", "disabled"])
export type EndpointStatus = typeof EndpointStatus.Type

/** Sealed secrets open only as a secret of this endpoint, the newest or a previous one. */
export const bindingOfSecret = (id: EndpointId): string => `webhook_endpoints:${id}:secret`
