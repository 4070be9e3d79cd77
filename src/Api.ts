import { HttpApi, OpenApi } from "effect/http-api"
import { EnrollmentsApi } from "./access/Api.ts"
import { AdminAuthApi, PasswordsApi, SessionsApi, StudentAuthApi } from "./auth/Api.ts"
import { DeliveriesApi, RegistrationLinksApi, RegistrationsApi } from "./catalog/Api.ts"
import { AccountApi, ClubsApi } from "./clubs/Api.ts"
import { CommunityApi } from "./community/Api.ts"
import { eventTypes } from "./events/Catalog.ts"
import { GamificationApi } from "./gamification/Api.ts"
import { HealthApi } from "./health/Api.ts"
import { polishDocument } from "./http/OpenApiDocument.ts"
import { RequestErrors } from "./http/RequestErrors.ts"
import { audiencesOf, webhooksOf } from "./OpenApi.ts"
import { InboundEventsApi, InboundWebhooksApi, PlatformHooksApi, ProductMappingsApi } from "./sales/Api.ts"
import { StudentsApi } from "./students/Api.ts"
import { StudentExportApi } from "./students/export/Api.ts"
import { StudentImportsApi } from "./students/import/Api.ts"
import { version } from "./version.ts"
import { WebhookDeliveriesApi, WebhookEndpointsApi } from "./webhooks/Api.ts"

const contract = HttpApi.make("turma")
  .add(
    HealthApi,
    AdminAuthApi,
    StudentAuthApi,
    PasswordsApi,
    SessionsApi,
    AccountApi,
    ClubsApi,
    GamificationApi,
    CommunityApi,
    DeliveriesApi,
    RegistrationLinksApi,
    RegistrationsApi,
    EnrollmentsApi,
    StudentsApi,
    StudentImportsApi,
    StudentExportApi,
    InboundWebhooksApi,
    InboundEventsApi,
    ProductMappingsApi,
    WebhookEndpointsApi,
    WebhookDeliveriesApi
  )
  .middleware(RequestErrors)
  .prefix("/v1")
  .add(PlatformHooksApi)
  // All errors of a large body take seconds to collect and many times its size to name.
  .annotate(HttpApi.PayloadParseOptions, { errors: "first", onExcessProperty: "error" })
  .annotate(OpenApi.Title, "Turma")
  .annotate(OpenApi.Version, version)
  .annotate(
    OpenApi.Description,
    "The API of a learning-community platform: clubs that administrators run and students learn in."
  )

/** The whole contract. It imports no server code, so a client can import it. */
export class Api extends contract.annotate(
  OpenApi.Transform,
  polishDocument({
    audiences: audiencesOf(contract),
    webhooks: webhooksOf(eventTypes),
    schemes: {
      userSession: "An administrator's session, from `POST /v1/auth/admin/sign-in`",
      studentSession: "A student's session, from `POST /v1/auth/sign-in`"
    }
  })
) {}
