import { HttpApi, OpenApi } from "effect/http-api"
import { EnrollmentsApi } from "./access/Api.ts"
import { AgentsApi, AskApi, AssistantRepliesApi } from "./assistant/Api.ts"
import { TranscriptsApi } from "./assistant/material/Api.ts"
import { AdminAuthApi, PasswordsApi, SessionsApi, StudentAuthApi } from "./auth/Api.ts"
import { BillingApi } from "./billing/Api.ts"
import { DeliveriesApi, RegistrationLinksApi, RegistrationsApi } from "./catalog/Api.ts"
import { ClassroomApi, SubmissionsApi } from "./classroom/Api.ts"
import { AccountApi, ClubsApi } from "./clubs/Api.ts"
import { ClassroomCommentsApi, CommentsApi, PostCommentsApi } from "./comments/Api.ts"
import { ClassroomCommunityApi, ClassroomPostsApi, CommunityApi, PostsApi } from "./community/Api.ts"
import { CoursesApi, LessonsApi } from "./content/Api.ts"
import { ClassroomMediaApi, MediaApi, MediaFoldersApi } from "./content/media/Api.ts"
import { eventTypes } from "./events/Catalog.ts"
import { GamificationApi } from "./gamification/Api.ts"
import { HealthApi } from "./health/Api.ts"
import { JsonBodies } from "./http/JsonBodies.ts"
import { polishDocument } from "./http/OpenApiDocument.ts"
import { RequestErrors } from "./http/RequestErrors.ts"
import { ClassroomLivesApi, LivesApi } from "./lives/Api.ts"
import { MentorshipFilesApi } from "./mentorships/Api.ts"
import { audiencesOf, webhooksOf } from "./OpenApi.ts"
import { ClassroomRepositoriesApi, RepositoriesApi } from "./repositories/Api.ts"
import { InboundEventsApi, InboundWebhooksApi, PlatformHooksApi, ProductMappingsApi } from "./sales/Api.ts"
import { StudentsApi } from "./students/Api.ts"
import { StudentExportApi } from "./students/export/Api.ts"
import { StudentImportsApi } from "./students/import/Api.ts"
import { ClassroomSupportApi, SupportApi } from "./support/Api.ts"
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
    ClassroomCommunityApi,
    ClassroomPostsApi,
    PostsApi,
    PostCommentsApi,
    CommentsApi,
    ClassroomCommentsApi,
    LivesApi,
    ClassroomLivesApi,
    DeliveriesApi,
    RegistrationLinksApi,
    RegistrationsApi,
    CoursesApi,
    LessonsApi,
    RepositoriesApi,
    ClassroomRepositoriesApi,
    MediaApi,
    MediaFoldersApi,
    ClassroomMediaApi,
    MentorshipFilesApi,
    ClassroomApi,
    SubmissionsApi,
    TranscriptsApi,
    AgentsApi,
    AskApi,
    AssistantRepliesApi,
    EnrollmentsApi,
    StudentsApi,
    StudentImportsApi,
    StudentExportApi,
    SupportApi,
    ClassroomSupportApi,
    InboundWebhooksApi,
    InboundEventsApi,
    ProductMappingsApi,
    BillingApi,
    WebhookEndpointsApi,
    WebhookDeliveriesApi
  )
  .middleware(JsonBodies)
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
