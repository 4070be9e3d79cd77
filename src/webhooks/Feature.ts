import { Effect, Layer } from "effect"
import { EventErasure } from "../events/EventErasure.ts"
import { Deliveries } from "./delivery/Deliveries.ts"
import { History } from "./delivery/History.ts"
import { Endpoints } from "./endpoint/Endpoints.ts"
import { WebhookDeliveriesHttp, WebhookEndpointsHttp } from "./Http.ts"
import { ErasureLayer } from "./retention/Erasure.ts"
import { WebhookRules } from "./WebhookSettings.ts"
import { WebhookWorkersLayer } from "./Workers.ts"

/** Outgoing webhooks: signed, retried, held back, recovered, never lost. */
export const webhooks = {
  services: Layer.mergeAll(Deliveries.layer, Endpoints.layer, History.layer).pipe(
    Layer.provideMerge(WebhookRules.layer)
  ),
  routes: Layer.merge(WebhookDeliveriesHttp, WebhookEndpointsHttp),
  workers: WebhookWorkersLayer,
  eventErasure: Effect.provide(EventErasure, ErasureLayer)
}
