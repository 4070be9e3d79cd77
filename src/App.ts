import { Duration, Effect, Layer, Schedule } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { accessEraser } from "./access/AccessEraser.ts"
import { accessEvents } from "./access/AccessEvents.ts"
import { Enrollments } from "./access/Enrollments.ts"
import { EnrollmentsHttp } from "./access/Http.ts"
import { Lapses, lapsesLayer } from "./access/Lapses.ts"
import { Api } from "./Api.ts"
import { AuthenticationLayer } from "./auth/AuthenticationHttp.ts"
import { authEraser } from "./auth/AuthEraser.ts"
import { CredentialRequests } from "./auth/credentials/CredentialRequests.ts"
import { Credentials } from "./auth/credentials/Credentials.ts"
import { CredentialWorkerLayer } from "./auth/credentials/CredentialWorker.ts"
import { OneTimeTokens } from "./auth/credentials/OneTimeTokens.ts"
import { SignInAttempts } from "./auth/credentials/SignInAttempts.ts"
import { AdminAuthHttp, PasswordsHttp, SessionsHttp, StudentAuthHttp } from "./auth/Http.ts"
import { SessionStore } from "./auth/sessions/SessionStore.ts"
import { Catalog } from "./catalog/Catalog.ts"
import { CatalogDeliveries } from "./catalog/CatalogDeliveries.ts"
import { Cohorts } from "./catalog/Cohorts.ts"
import { DeliveryItems } from "./catalog/DeliveryItems.ts"
import { FreeDeliveriesLayer } from "./catalog/FreeDeliveries.ts"
import { DeliveriesHttp, RegistrationLinksHttp, RegistrationsHttp } from "./catalog/Http.ts"
import { RegistrationLinks } from "./catalog/RegistrationLinks.ts"
import { Registrations } from "./catalog/Registrations.ts"
import { Clubs } from "./clubs/Clubs.ts"
import { AccountHttp, ClubsHttp } from "./clubs/Http.ts"
import { Members } from "./clubs/Members.ts"
import { sweepInvitations } from "./clubs/MembersRepo.ts"
import { Communities } from "./community/Communities.ts"
import { communityItems } from "./community/CommunityItems.ts"
import { CommunityHttp } from "./community/Http.ts"
import { Events } from "./events/Events.ts"
import { EventSources } from "./events/EventSources.ts"
import { Gamifications } from "./gamification/Gamifications.ts"
import { GamificationHttp } from "./gamification/Http.ts"
import { Points } from "./gamification/Points.ts"
import { pointsEraser } from "./gamification/PointsEraser.ts"
import { Health } from "./health/Health.ts"
import { HealthHttp } from "./health/Http.ts"
import { allowedMethods, routesOf } from "./http/AllowedMethods.ts"
import { docsLayer } from "./http/Docs.ts"
import { envelopeLayer } from "./http/Envelope.ts"
import { IdempotencyLayer } from "./http/IdempotencyHttp.ts"
import { IdempotencyKeys, sweepIdempotencyKeys } from "./http/IdempotencyKeys.ts"
import { NoStoreLayer } from "./http/NoStore.ts"
import { RequestErrorsLayer } from "./http/RequestErrors.ts"
import { NamedRouteLayer } from "./http/RequestLog.ts"
import { ClientAddress } from "./limits/ClientAddress.ts"
import { RateLimitsLayer } from "./limits/Http.ts"
import { RateLimiter } from "./limits/RateLimiter.ts"
import { WriteCounters } from "./limits/WriteCounters.ts"
import { Mailer } from "./mail/Mailer.ts"
import { MailWorkerLayer } from "./mail/MailQueue.ts"
import { MailTransport } from "./mail/Transport.ts"
import { salesEraser } from "./sales/Eraser.ts"
import { InboundEventsHttp, InboundWebhooksHttp, PlatformHooksHttp, ProductMappingsHttp } from "./sales/Http.ts"
import { InboundEvents } from "./sales/inbound/InboundEvents.ts"
import { InboundWebhooks } from "./sales/inbound/InboundWebhooks.ts"
import { Reception } from "./sales/inbound/Reception.ts"
import { Mappings } from "./sales/mapping/Mappings.ts"
import { Purchases } from "./sales/purchase/Purchases.ts"
import { saleEvents } from "./sales/purchase/SaleEvents.ts"
import { SalesWorkersLayer } from "./sales/Workers.ts"
import { databaseSettings } from "./sql/DatabaseSettings.ts"
import { Sealing } from "./sql/Sealing.ts"
import { Admission } from "./students/Admission.ts"
import { answerEraser } from "./students/AnswerEraser.ts"
import { Directory } from "./students/Directory.ts"
import { documentRenewalLayer } from "./students/DocumentRenewal.ts"
import { StudentExportHttp } from "./students/export/Http.ts"
import { StudentExport } from "./students/export/StudentExport.ts"
import { StudentsHttp } from "./students/Http.ts"
import { StudentImportsHttp } from "./students/import/Http.ts"
import { ImportBodiesLayer } from "./students/import/ImportBodies.ts"
import { importEraser } from "./students/import/ImportEraser.ts"
import { ImportWorkerLayer } from "./students/import/ImportWorker.ts"
import { StudentImports, sweepImports } from "./students/import/StudentImports.ts"
import { Removal, sweepErasures } from "./students/Removal.ts"
import { StudentErasers } from "./students/StudentErasers.ts"
import { studentEvents } from "./students/StudentEvents.ts"
import { MetricsRouteLayer } from "./telemetry/Metrics.ts"
import { Deliveries } from "./webhooks/delivery/Deliveries.ts"
import { History } from "./webhooks/delivery/History.ts"
import { Endpoints } from "./webhooks/endpoint/Endpoints.ts"
import { WebhookDeliveriesHttp, WebhookEndpointsHttp } from "./webhooks/Http.ts"
import { ErasureLayer } from "./webhooks/retention/Erasure.ts"
import { WebhookRules } from "./webhooks/WebhookSettings.ts"
import { WebhookWorkersLayer } from "./webhooks/Workers.ts"

/** How facts become events, one entry for each feature that has any. */
const EventSourcesLayer = EventSources.layer([accessEvents, saleEvents, studentEvents])

/** What deliveries can contain, one entry for each feature that brings anything. */
const DeliveryItemsLayer = DeliveryItems.layer([communityItems])

/** How each feature forgets a student. Those that hold something first are in the order in which it is held. */
const StudentErasersLayer = StudentErasers.layer([
  authEraser,
  accessEraser,
  importEraser,
  salesEraser,
  pointsEraser,
  answerEraser
])

/** Every service, still asking for the database. The one list a new feature is added to. */
export const ServicesLayer = Layer.mergeAll(
  CatalogDeliveries.layer,
  Clubs.layer,
  Cohorts.layer,
  Communities.layer,
  Credentials.layer,
  Deliveries.layer,
  Directory.layer,
  Endpoints.layer,
  Gamifications.layer,
  Health.layer,
  History.layer,
  InboundEvents.layer,
  InboundWebhooks.layer,
  Members.layer,
  OneTimeTokens.layer,
  Points.layer,
  Purchases.layer,
  Reception.layer,
  RegistrationLinks.layer,
  Registrations.layer,
  Removal.layer,
  SignInAttempts.layer,
  StudentExport.layer,
  StudentImports.layer
).pipe(
  Layer.provideMerge(Layer.mergeAll(Admission.layer, CredentialRequests.layer, StudentErasersLayer)),
  Layer.provideMerge(Layer.mergeAll(Enrollments.layer, Mappings.layer)),
  Layer.provideMerge(Events.layer),
  Layer.provideMerge(Layer.mergeAll(Catalog.layer, DeliveryItemsLayer, EventSourcesLayer, ErasureLayer)),
  Layer.provideMerge(
    Layer.mergeAll(IdempotencyKeys.layer, Mailer.layer, SessionStore.layer, RateLimiter.layer, WriteCounters.layer)
  ),
  Layer.provideMerge(Layer.mergeAll(ClientAddress.layer, Sealing.layer, WebhookRules.layer))
)

/** What every request passes: who asks, how often, once or twice, and how failures look. */
const MiddlewareLayer = Layer.mergeAll(
  AuthenticationLayer,
  IdempotencyLayer,
  ImportBodiesLayer,
  NoStoreLayer,
  RateLimitsLayer,
  RequestErrorsLayer
)

const allowed = allowedMethods([
  ...routesOf(Api),
  { method: "GET", path: "/docs" },
  { method: "GET", path: "/openapi.json" }
])

/** Every route, still asking for the services. */
export const RoutesLayer = HttpApiBuilder.layer(Api, { openapiPath: "/openapi.json" }).pipe(
  Layer.provide([
    AccountHttp,
    AdminAuthHttp,
    ClubsHttp,
    CommunityHttp,
    DeliveriesHttp,
    EnrollmentsHttp,
    GamificationHttp,
    HealthHttp,
    InboundEventsHttp,
    InboundWebhooksHttp,
    PasswordsHttp,
    PlatformHooksHttp,
    ProductMappingsHttp,
    RegistrationLinksHttp,
    RegistrationsHttp,
    SessionsHttp,
    StudentAuthHttp,
    StudentExportHttp,
    StudentImportsHttp,
    StudentsHttp,
    WebhookDeliveriesHttp,
    WebhookEndpointsHttp
  ]),
  Layer.provide(MiddlewareLayer),
  Layer.merge(docsLayer(Api, "/docs")),
  Layer.merge(MetricsRouteLayer),
  Layer.provide(NamedRouteLayer),
  Layer.merge(envelopeLayer(allowed))
)

const swept = (what: string, sweep: typeof sweepInvitations) =>
  Effect.catchCause(sweep, (cause) => Effect.logError(`Expired ${what} were not deleted`, cause))

const SweeperLayer = Layer.effectDiscard(
  swept("idempotency keys", sweepIdempotencyKeys).pipe(
    Effect.andThen(swept("invitations", sweepInvitations)),
    Effect.andThen(swept("imports of students", sweepImports)),
    Effect.andThen(swept("receipts of removals", sweepErasures)),
    Effect.repeat(Schedule.spaced(Duration.hours(1))),
    Effect.forkScoped
  )
)

const TransportLayer = Layer.unwrap(Effect.map(databaseSettings.DATA_DIR.read, MailTransport.layer))

/** What runs beside the server, or without one. Any number of processes may run it. */
export const WorkersLayer = Layer.mergeAll(
  CredentialWorkerLayer,
  documentRenewalLayer,
  FreeDeliveriesLayer,
  ImportWorkerLayer,
  lapsesLayer({ every: Duration.minutes(1) }).pipe(Layer.provide(Lapses.layer)),
  SweeperLayer,
  MailWorkerLayer.pipe(Layer.provide(TransportLayer)),
  SalesWorkersLayer,
  WebhookWorkersLayer
)
