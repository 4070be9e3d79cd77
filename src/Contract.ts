import { OpenApi } from "effect/http-api"
import { AgentsApi } from "./assistant/agents/Api.ts"
import { AskApi } from "./assistant/ask/Api.ts"
import { TranscriptsApi } from "./assistant/material/Api.ts"
import { AssistantQuestionsApi } from "./assistant/questions/Api.ts"
import { AssistantRepliesApi } from "./assistant/replies/Api.ts"
import { ClassroomSearchApi } from "./assistant/search/Api.ts"
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
import { ClassroomPeopleApi } from "./conversation/community/people/Api.ts"
import { RemovalRequestsApi } from "./conversation/removals/Api.ts"
import { ClassroomSupportApi, SupportApi } from "./conversation/support/Api.ts"
import { ClassroomApi, LessonPreviewsApi, StudentProgressApi, SubmissionsApi } from "./learning/classroom/Api.ts"
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
import { ClassroomNotificationsApi, NotificationMailsApi } from "./membership/notifications/Api.ts"
import { RegistrationLinksApi, RegistrationsApi } from "./membership/registration/Api.ts"
import { OwnAccountApi, StudentsApi } from "./membership/students/Api.ts"
import { StudentExportApi } from "./membership/students/export/Api.ts"
import { StudentImportsApi } from "./membership/students/import/Api.ts"
import { HealthApi } from "./operations/health/Api.ts"
import { versioned } from "./platform/http/Contract.ts"
import { interfaceVersion } from "./platform/version.ts"
import { WebhookDeliveriesApi, WebhookEndpointsApi } from "./webhooks/Api.ts"
import { WebhookKeysApi } from "./webhooks/endpoint/keys/Api.ts"
import { EventFeedApi } from "./webhooks/events/feed/Api.ts"
import { WebhookFiltersApi } from "./webhooks/events/tester/Api.ts"
import { WebhookRecoveriesApi } from "./webhooks/history/recovery/Api.ts"
import { WebhookListenersApi } from "./webhooks/listener/Api.ts"
import { WebhookGradingsApi } from "./webhooks/workbench/grader/Api.ts"
import { WebhookOutagesApi } from "./webhooks/workbench/outage/Api.ts"
import { WebhookInboxesApi } from "./webhooks/workbench/play/Api.ts"

/** The whole contract. It imports no server code, so a client can import it. */
export class Contract extends versioned(
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
  ClassroomPeopleApi,
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
  LessonPreviewsApi,
  TranscriptsApi,
  AgentsApi,
  AskApi,
  AssistantQuestionsApi,
  AssistantRepliesApi,
  ClassroomSearchApi,
  EnrollmentsApi,
  StudentsApi,
  OwnAccountApi,
  StudentSalesApi,
  StudentImportsApi,
  StudentExportApi,
  ClassroomNotificationsApi,
  NotificationMailsApi,
  SupportApi,
  ClassroomSupportApi,
  RemovalRequestsApi,
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
  .annotate(OpenApi.Version, interfaceVersion)
  .annotate(OpenApi.License, { name: "MIT", identifier: "MIT" })
  .annotate(
    OpenApi.Description,
    "The API of a learning-community platform: clubs that administrators run and students learn in."
  )
{}
