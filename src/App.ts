import { Duration, Effect, Layer, Schedule } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "./Api.ts"
import { AuthenticationLayer } from "./auth/AuthenticationHttp.ts"
import { CredentialRequests } from "./auth/credentials/CredentialRequests.ts"
import { Credentials } from "./auth/credentials/Credentials.ts"
import { CredentialWorkerLayer } from "./auth/credentials/CredentialWorker.ts"
import { OneTimeTokens } from "./auth/credentials/OneTimeTokens.ts"
import { SignInAttempts } from "./auth/credentials/SignInAttempts.ts"
import { AdminAuthHttp, PasswordsHttp, SessionsHttp, StudentAuthHttp } from "./auth/Http.ts"
import { SessionStore } from "./auth/sessions/SessionStore.ts"
import { Clubs } from "./clubs/Clubs.ts"
import { AccountHttp, ClubsHttp } from "./clubs/Http.ts"
import { Members } from "./clubs/Members.ts"
import { sweepInvitations } from "./clubs/MembersRepo.ts"
import { Communities } from "./community/Communities.ts"
import { CommunityHttp } from "./community/Http.ts"
import { Events } from "./events/Events.ts"
import { EventSources } from "./events/EventSources.ts"
import { Gamifications } from "./gamification/Gamifications.ts"
import { GamificationHttp } from "./gamification/Http.ts"
import { Points } from "./gamification/Points.ts"
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
import { databaseSettings } from "./sql/DatabaseSettings.ts"
import { Sealing } from "./sql/Sealing.ts"
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
const EventSourcesLayer = EventSources.layer([studentEvents])

/** Every service, still asking for the database. The one list a new feature is added to. */
export const ServicesLayer = Layer.mergeAll(
  Clubs.layer,
  Communities.layer,
  Credentials.layer,
  Deliveries.layer,
  Endpoints.layer,
  Gamifications.layer,
  Health.layer,
  History.layer,
  IdempotencyKeys.layer,
  Members.layer,
  OneTimeTokens.layer,
  Points.layer,
  SignInAttempts.layer
).pipe(
  Layer.provideMerge(CredentialRequests.layer),
  Layer.provideMerge(Events.layer),
  Layer.provideMerge(Layer.mergeAll(EventSourcesLayer, ErasureLayer)),
  Layer.provideMerge(Layer.mergeAll(Mailer.layer, SessionStore.layer, RateLimiter.layer, WriteCounters.layer)),
  Layer.provideMerge(Layer.mergeAll(ClientAddress.layer, Sealing.layer, WebhookRules.layer))
)

/** What every request passes: who asks, how often, once or twice, and how failures look. */
const MiddlewareLayer = Layer.mergeAll(
  AuthenticationLayer,
  IdempotencyLayer,
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
    GamificationHttp,
    HealthHttp,
    PasswordsHttp,
    SessionsHttp,
    StudentAuthHttp,
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
    Effect.repeat(Schedule.spaced(Duration.hours(1))),
    Effect.forkScoped
  )
)

const TransportLayer = Layer.unwrap(Effect.map(databaseSettings.DATA_DIR.read, MailTransport.layer))

/** What runs beside the server, or without one. Any number of processes may run it. */
export const WorkersLayer = Layer.mergeAll(
  CredentialWorkerLayer,
  SweeperLayer,
  MailWorkerLayer.pipe(Layer.provide(TransportLayer)),
  WebhookWorkersLayer
)
