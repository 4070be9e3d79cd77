import { brandedId } from "../../platform/schema/brandedId.ts"

/** UUIDv7. */
export const EndpointId = brandedId("WebhookEndpointId")
export type EndpointId = typeof EndpointId.Type

/** Sealed secrets open only as a secret of this endpoint, the newest or a previous one. */
export const bindingOfSecret = (id: EndpointId): string => `webhook_endpoints:${id}:secret`

/** The same of its private keys. */
export const bindingOfSigningKey = (id: EndpointId): string => `webhook_endpoints:${id}:signing_key`
