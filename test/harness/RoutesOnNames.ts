import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Layer } from "effect"
import type { Dns } from "effect/net"
import { RoutesLayer } from "../../src/App.ts"
import { PublicUrls } from "../../src/platform/http/ServerSettings.ts"
import { Sealing } from "../../src/platform/sql/Sealing.ts"
import { Endpoints } from "../../src/webhooks/endpoint/Endpoints.ts"
import { EndpointsRepo } from "../../src/webhooks/endpoint/EndpointsRepo.ts"
import { OwnInboxes } from "../../src/webhooks/endpoint/OwnInboxes.ts"
import { LaneChanges } from "../../src/webhooks/engine/lane/LaneChanges.ts"
import { DeliveryQueueRepo } from "../../src/webhooks/engine/queue/DeliveryQueueRepo.ts"
import { QueueCancellation } from "../../src/webhooks/engine/queue/QueueCancellation.ts"
import { WebhookRules } from "../../src/webhooks/model/WebhookSettings.ts"
import { Addresses } from "../../src/webhooks/send/Addresses.ts"
import { PostgresLayer } from "./Postgres.ts"

/** The routes of the app, with this DNS for the names of webhook receivers. */
export const routesOnNames = (dns: Layer.Layer<Dns.Dns>) =>
  RoutesLayer.pipe(Layer.provide(
    // Fresh, because the app's own instances use the real DNS.
    Layer.fresh(Endpoints.layerNoDeps).pipe(
      Layer.provide([
        Layer.fresh(Addresses.layerNoDeps).pipe(Layer.provide([dns, PublicUrls.layer])),
        EndpointsRepo.layer,
        OwnInboxes.layer,
        DeliveryQueueRepo.layer,
        LaneChanges.layer,
        NodeCrypto.layerSecureRandom,
        QueueCancellation.layer
      ]),
      // The instances of the app.
      Layer.provide(Layer.orDie(Layer.mergeAll(PostgresLayer, Sealing.layer, WebhookRules.layer)))
    )
  ))
