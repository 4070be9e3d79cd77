import { flow } from "effect"
import { OpenApi } from "effect/http-api"
import { AgentsApi } from "./assistant/agents/Api.ts"
import { AskApi } from "./assistant/ask/Api.ts"
import { TranscriptsApi } from "./assistant/material/Api.ts"
import { AssistantRepliesApi } from "./assistant/replies/Api.ts"
import { BillingApi } from "./commerce/billing/Api.ts"
import { InboundEventsApi, InboundWebhooksApi, PlatformHooksApi, ProductMappingsApi } from "./commerce/sales/Api.ts"
import { ClassroomCommentsApi, CommentsApi, PostCommentsApi } from "./conversation/comments/Api.ts"
import { ClassroomCommunityApi, ClassroomPostsApi, CommunityApi, PostsApi } from "./conversation/community/Api.ts"
import { ClassroomSupportApi, SupportApi } from "./conversation/support/Api.ts"
import { eventTypes } from "./events/EventTypes.ts"
import { ClassroomApi, SubmissionsApi } from "./learning/classroom/Api.ts"
import { CoursesApi, LessonsApi } from "./learning/content/Api.ts"
import { GamificationApi } from "./learning/gamification/Api.ts"
import { ClassroomLivesApi, LivesApi } from "./learning/lives/Api.ts"
import { ClassroomMediaApi, MediaApi, MediaFoldersApi } from "./learning/media/Api.ts"
import { MentorshipFilesApi } from "./learning/mentorships/Api.ts"
import { ClassroomRepositoriesApi, RepositoriesApi } from "./learning/repositories/Api.ts"
import { EnrollmentsApi } from "./membership/access/Api.ts"
import { AdminAuthApi, PasswordsApi, SessionsApi, StudentAuthApi } from "./membership/accounts/Api.ts"
import { DeliveriesApi } from "./membership/catalog/Api.ts"
import { AccountApi, ClubsApi } from "./membership/clubs/Api.ts"
import { RegistrationLinksApi, RegistrationsApi } from "./membership/registration/Api.ts"
import { StudentsApi } from "./membership/students/Api.ts"
import { StudentExportApi } from "./membership/students/export/Api.ts"
import { StudentImportsApi } from "./membership/students/import/Api.ts"
import { HealthApi } from "./operations/health/Api.ts"
import { audiencesOf, webhooksOf } from "./operations/OpenApi.ts"
import { versioned } from "./platform/http/Contract.ts"
import { withConditionalReads } from "./platform/http/document/ConditionalReads.ts"
import { polishDocument } from "./platform/http/document/OpenApiDocument.ts"
import { version } from "./platform/version.ts"
import { WebhookDeliveriesApi, WebhookEndpointsApi } from "./webhooks/Api.ts"

const contract = versioned(
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
  .add(PlatformHooksApi)
  .annotate(OpenApi.Title, "Turma")
  .annotate(OpenApi.Version, version)
  .annotate(
    OpenApi.Description,
    "The API of a learning-community platform: clubs that administrators run and students learn in."
  )

const polished = polishDocument({
  audiences: audiencesOf(contract),
  webhooks: webhooksOf(eventTypes),
  schemes: {
    userSession: "An administrator's session, from `POST /v1/auth/admin/sign-in`",
    studentSession: "A student's session, from `POST /v1/auth/sign-in`"
  }
})

/** The whole contract. It imports no server code, so a client can import it. */
export class Api extends contract.annotate(OpenApi.Transform, flow(polished, withConditionalReads(contract))) {}
