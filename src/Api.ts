import { flow } from "effect"
import { OpenApi } from "effect/http-api"
import { AgentsApi } from "./assistant/agents/Api.ts"
import { AskApi } from "./assistant/ask/Api.ts"
import { TranscriptsApi } from "./assistant/material/Api.ts"
import { AssistantQuestionsApi } from "./assistant/questions/Api.ts"
import { AssistantRepliesApi } from "./assistant/replies/Api.ts"
import { BillingApi } from "./commerce/billing/Api.ts"
import {
  InboundEventsApi,
  InboundWebhooksApi,
  PlatformHooksApi,
  ProductMappingsApi,
  StudentSalesApi
} from "./commerce/sales/Api.ts"
import { ClassroomCommentsApi, CommentsApi, PostCommentsApi } from "./conversation/comments/Api.ts"
import { ClassroomCommunityApi, ClassroomPostsApi, CommunityApi, PostsApi } from "./conversation/community/Api.ts"
import { ClassroomSupportApi, SupportApi } from "./conversation/support/Api.ts"
import { eventTypes } from "./events/EventTypes.ts"
import { ClassroomApi, StudentProgressApi, SubmissionsApi } from "./learning/classroom/Api.ts"
import { CoursesApi, LessonsApi } from "./learning/content/Api.ts"
import { GamificationApi } from "./learning/gamification/Api.ts"
import { ClassroomLivesApi, LivesApi } from "./learning/lives/Api.ts"
import { ClassroomMediaApi, MediaApi, MediaFoldersApi } from "./learning/media/Api.ts"
import { MentorshipFilesApi } from "./learning/mentorships/Api.ts"
import { ClassroomRepositoriesApi, RepositoriesApi } from "./learning/repositories/Api.ts"
import { EnrollmentsApi } from "./membership/access/Api.ts"
import { AdminAuthApi, PasswordsApi, SessionsApi, StudentAuthApi } from "./membership/accounts/Api.ts"
import { AuditLogApi } from "./membership/audit/Api.ts"
import { DeliveriesApi } from "./membership/catalog/Api.ts"
import { AccountApi, ClubsApi } from "./membership/clubs/Api.ts"
import { DevicesApi, KeysApi, OwnKeyApi } from "./membership/keys/Api.ts"
import { RegistrationLinksApi, RegistrationsApi } from "./membership/registration/Api.ts"
import { StudentsApi } from "./membership/students/Api.ts"
import { StudentExportApi } from "./membership/students/export/Api.ts"
import { StudentImportsApi } from "./membership/students/import/Api.ts"
import { HealthApi } from "./operations/health/Api.ts"
import { audiencesOf } from "./operations/OpenApi.ts"
import { webhooksOf } from "./operations/SentEvents.ts"
import { tagGroupsOf } from "./operations/TagGroups.ts"
import { versioned } from "./platform/http/Contract.ts"
import { withConditionalReads } from "./platform/http/document/ConditionalReads.ts"
import { polishDocument } from "./platform/http/document/OpenApiDocument.ts"
import { version } from "./platform/version.ts"
import { WebhookDeliveriesApi, WebhookEndpointsApi, WebhookListenersApi } from "./webhooks/Api.ts"
import { EventFeedApi } from "./webhooks/feed/Api.ts"
import { WebhookGradingsApi } from "./webhooks/grader/Api.ts"
import { WebhookKeysApi } from "./webhooks/keys/Api.ts"
import { WebhookOutagesApi } from "./webhooks/outage/Api.ts"
import { WebhookInboxesApi } from "./webhooks/play/Api.ts"
import { WebhookRecoveriesApi } from "./webhooks/recovery/Api.ts"
import { WebhookFiltersApi } from "./webhooks/tester/Api.ts"

const contract = versioned(
  HealthApi,
  AdminAuthApi,
  StudentAuthApi,
  PasswordsApi,
  SessionsApi,
  AccountApi,
  ClubsApi,
  KeysApi,
  OwnKeyApi,
  DevicesApi,
  AuditLogApi,
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
  StudentProgressApi,
  TranscriptsApi,
  AgentsApi,
  AskApi,
  AssistantQuestionsApi,
  AssistantRepliesApi,
  EnrollmentsApi,
  StudentsApi,
  StudentSalesApi,
  StudentImportsApi,
  StudentExportApi,
  SupportApi,
  ClassroomSupportApi,
  InboundWebhooksApi,
  InboundEventsApi,
  ProductMappingsApi,
  BillingApi,
  WebhookEndpointsApi,
  WebhookDeliveriesApi,
  WebhookRecoveriesApi,
  WebhookListenersApi,
  WebhookInboxesApi,
  WebhookFiltersApi,
  EventFeedApi,
  WebhookOutagesApi,
  WebhookGradingsApi
)
  .add(PlatformHooksApi, WebhookKeysApi)
  .annotate(OpenApi.Title, "Turma")
  .annotate(OpenApi.Version, version)
  .annotate(OpenApi.License, { name: "MIT", identifier: "MIT" })
  .annotate(
    OpenApi.Description,
    "The API of a learning-community platform: clubs that administrators run and students learn in."
  )

const tagGroups = tagGroupsOf(contract, {
  adminAuth: "dashboard",
  passwords: "dashboard",
  sessions: "dashboard",
  account: "dashboard",
  clubs: "dashboard",
  keys: "dashboard",
  auditLog: "dashboard",
  gamification: "dashboard",
  community: "dashboard",
  posts: "dashboard",
  postComments: "dashboard",
  comments: "dashboard",
  lives: "dashboard",
  deliveries: "dashboard",
  registrationLinks: "dashboard",
  courses: "dashboard",
  lessons: "dashboard",
  repositories: "dashboard",
  media: "dashboard",
  mediaFolders: "dashboard",
  mentorshipFiles: "dashboard",
  submissions: "dashboard",
  studentProgress: "dashboard",
  transcripts: "dashboard",
  agents: "dashboard",
  assistantQuestions: "dashboard",
  assistantReplies: "dashboard",
  enrollments: "dashboard",
  students: "dashboard",
  studentImports: "dashboard",
  studentExport: "dashboard",
  support: "dashboard",
  inboundWebhooks: "dashboard",
  inboundEvents: "dashboard",
  productMappings: "dashboard",
  studentSales: "dashboard",
  billing: "dashboard",
  studentAuth: "classroom",
  classroomCommunity: "classroom",
  classroomPosts: "classroom",
  classroomComments: "classroom",
  classroomLives: "classroom",
  registrations: "classroom",
  classroomRepositories: "classroom",
  classroomMedia: "classroom",
  classroom: "classroom",
  ask: "classroom",
  classroomSupport: "classroom",
  webhookEndpoints: "webhooks",
  webhookDeliveries: "webhooks",
  webhookRecoveries: "webhooks",
  webhookListeners: "webhooks",
  webhookInboxes: "webhooks",
  webhookFilters: "webhooks",
  webhookKeys: "webhooks",
  eventFeed: "webhooks",
  webhookOutages: "webhooks",
  webhookGradings: "webhooks",
  ownKey: "machines",
  devices: "machines",
  health: "machines",
  platformHooks: "machines"
})

/** The whole contract. It imports no server code, so a client can import it. */
export class Api extends contract.annotate(
  OpenApi.Transform,
  flow(
    withConditionalReads(contract),
    polishDocument({
      audiences: audiencesOf(contract),
      webhooks: webhooksOf(eventTypes),
      tagGroups,
      contact: { name: "Whoever runs this service" },
      schemes: {
        userSession:
          "An administrator's session: the `access_token` that `POST /v1/auth/admin/sign-in` answers to an address and its password, or `POST /v1/auth/admin/exchange` to a mailed code. The account is made by `POST /v1/auth/admin/sign-up`. It is opaque, ends after 7 days without use and 30 days in all unless the service says otherwise, and ends at once by `DELETE /v1/auth/session`",
        clubKey:
          "A key of one club, for its own servers, terminals and agents: the `token` that `POST /v1/clubs/{clubId}/keys` answers to an administrator. It starts with `turma_`, has a role, scopes or both, never does more than the member it acts for may, and ends at once when it is revoked",
        studentSession:
          "A student's session, of one club: the `access_token` that `POST /v1/auth/sign-in` answers to the club, an address and its password, or `POST /v1/auth/exchange` to a mailed code. The account is made by `POST /v1/auth/sign-up`, or by the club. It is opaque, ends after 30 days without use and 180 days in all unless the service says otherwise, and ends at once by `DELETE /v1/auth/session`"
      }
    })
  )
) {}
