import { Duration, Effect, Layer } from "effect"
import { JsonBodiesLayer } from "./http/JsonBodies.ts"
import { NoStoreLayer } from "./http/NoStore.ts"
import { RequestErrorsLayer } from "./http/RequestErrors.ts"
import { ConditionalLayer } from "./http/server/EntityTag.ts"
import { IdempotencyLayer } from "./idempotency/IdempotencyHttp.ts"
import { IdempotencyKeys, sweepIdempotencyKeys } from "./idempotency/IdempotencyKeys.ts"
import { ClockGuard } from "./jobs/ClockGuard.ts"
import { PlannerStatisticsLayer } from "./jobs/PlannerStatistics.ts"
import { WorkWatchLayer } from "./jobs/WorkWatch.ts"
import { sweepKeyHolders } from "./keys/KeyHolders.ts"
import { Mailer } from "./mail/Mailer.ts"
import { MailWorkerLayer } from "./mail/MailQueue.ts"
import { waitingMails } from "./mail/MailSignal.ts"
import { MailTransport } from "./mail/MailTransport.ts"
import { assetRoutes, assetsLayer } from "./pages/Asset.ts"
import { pageAssets } from "./pages/Look.ts"
import { sealedPlatform } from "./sealedPlatform.ts"
import { databaseSettings } from "./sql/DatabaseSettings.ts"
import { Sealing } from "./sql/Sealing.ts"
import { servedRoutes, StorageLayer, StorageRoutesLayer } from "./storage/driver/StorageLayer.ts"
import { PartSweepLayer, uploadSweepLayer } from "./storage/driver/UploadSweep.ts"
import { LocalFiles } from "./storage/local/LocalFiles.ts"
import { SignedUrls } from "./storage/local/SignedUrls.ts"

const TransportLayer = Layer.unwrap(Effect.map(databaseSettings.DATA_DIR.read, MailTransport.layer))

/**
 * The parts that know no feature: sealing, mails, files, and the middleware of every request. Also the guard of the
 * clock, the watch of queues, and counts of tables for PostgreSQL's plans.
 */
export const platform = {
  services: Layer.mergeAll(IdempotencyLayer, StorageLayer).pipe(
    Layer.provideMerge(Layer.mergeAll(IdempotencyKeys.layer, LocalFiles.layer, Mailer.layer, SignedUrls.layer)),
    Layer.provideMerge(Layer.mergeAll(
      ClockGuard.layer,
      ConditionalLayer,
      JsonBodiesLayer,
      NoStoreLayer,
      RequestErrorsLayer,
      Sealing.layer,
      WorkWatchLayer
    ))
  ),
  routes: Layer.merge(StorageRoutesLayer, assetsLayer(pageAssets)),
  addresses: Effect.map(servedRoutes, (ofStorage) => [...ofStorage, ...assetRoutes(pageAssets)]),
  workers: Layer.mergeAll(
    MailWorkerLayer.pipe(Layer.provide(TransportLayer)),
    PartSweepLayer,
    PlannerStatisticsLayer,
    uploadSweepLayer({ every: Duration.hours(1) })
  ),
  sweeps: [sweepIdempotencyKeys, sweepKeyHolders],
  sealed: sealedPlatform,
  queues: [waitingMails]
}
