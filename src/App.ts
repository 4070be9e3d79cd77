import { Duration, Effect, Layer, Schedule } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "./Api.ts"
import { agentOpening } from "./assistant/AgentOpening.ts"
import { Agents } from "./assistant/Agents.ts"
import { AnswerStreams } from "./assistant/ask/AnswerStreams.ts"
import { askEraser, sweepAssistantDays } from "./assistant/ask/AskEraser.ts"
import { Asks } from "./assistant/ask/Asks.ts"
import { Conversations } from "./assistant/ask/Conversations.ts"
import { AssistantLayer } from "./assistant/AssistantLayer.ts"
import { AgentsHttp, AskHttp, AssistantRepliesHttp } from "./assistant/Http.ts"
import { TranscriptsHttp } from "./assistant/material/Http.ts"
import { Material } from "./assistant/material/Material.ts"
import { MaterialChanges } from "./assistant/material/MaterialChanges.ts"
import { materialWorkerLayer } from "./assistant/material/MaterialIndex.ts"
import { readsLessons, readsMedia } from "./assistant/material/MaterialReactions.ts"
import { Readings } from "./assistant/material/Readings.ts"
import { Transcripts } from "./assistant/material/Transcripts.ts"
import { Replies } from "./assistant/replies/Replies.ts"
import { AssistantWorkersLayer } from "./assistant/Workers.ts"
import { BillingLayer, BillingRoutesLayer, BillingWorkersLayer } from "./commerce/billing/BillingLayer.ts"
import { billingOpening } from "./commerce/billing/BillingOpening.ts"
import { BillingHttp } from "./commerce/billing/Http.ts"
import { salesEraser } from "./commerce/sales/Eraser.ts"
import {
  InboundEventsHttp,
  InboundWebhooksHttp,
  PlatformHooksHttp,
  ProductMappingsHttp
} from "./commerce/sales/Http.ts"
import { InboundEvents } from "./commerce/sales/inbound/InboundEvents.ts"
import { InboundWebhooks } from "./commerce/sales/inbound/InboundWebhooks.ts"
import { Reception } from "./commerce/sales/inbound/Reception.ts"
import { Mappings } from "./commerce/sales/mapping/Mappings.ts"
import { Purchases } from "./commerce/sales/purchase/Purchases.ts"
import { saleEvents } from "./commerce/sales/purchase/SaleEvents.ts"
import { SalesWorkersLayer } from "./commerce/sales/Workers.ts"
import { AssistantComments } from "./conversation/comments/AssistantComments.ts"
import { CommentMarks } from "./conversation/comments/CommentMarks.ts"
import { commentsEraser } from "./conversation/comments/CommentsEraser.ts"
import { CommentWriting } from "./conversation/comments/CommentWriting.ts"
import { Discussions } from "./conversation/comments/Discussions.ts"
import { FoundComments } from "./conversation/comments/FoundComments.ts"
import { ClassroomCommentsHttp, CommentsHttp, PostCommentsHttp } from "./conversation/comments/Http.ts"
import { OwnComments } from "./conversation/comments/OwnComments.ts"
import { ShownComments } from "./conversation/comments/ShownComments.ts"
import { StaffComments } from "./conversation/comments/StaffComments.ts"
import { ClassroomCommunities } from "./conversation/community/ClassroomCommunities.ts"
import { Communities } from "./conversation/community/Communities.ts"
import { communityItems } from "./conversation/community/CommunityItems.ts"
import { communityOpening } from "./conversation/community/CommunityOpening.ts"
import { ClassroomCommunityHttp, ClassroomPostsHttp, CommunityHttp, PostsHttp } from "./conversation/community/Http.ts"
import { Posts } from "./conversation/community/Posts.ts"
import { postsEraser } from "./conversation/community/PostsEraser.ts"
import { Desk } from "./conversation/support/Desk.ts"
import { ClassroomSupportHttp, SupportHttp } from "./conversation/support/Http.ts"
import { Messages } from "./conversation/support/Messages.ts"
import { OwnConversations } from "./conversation/support/OwnConversations.ts"
import { supportEraser } from "./conversation/support/SupportEraser.ts"
import { SupportInbox } from "./conversation/support/SupportInbox.ts"
import { Events } from "./events/Events.ts"
import { EventSources } from "./events/EventSources.ts"
import { AuthBodiesLayer } from "./identity/authentication/AuthBodies.ts"
import { AuthenticationLayer } from "./identity/authentication/AuthenticationHttp.ts"
import { StudentErasers } from "./identity/erasure/StudentErasers.ts"
import { ClientAddress } from "./identity/limits/ClientAddress.ts"
import { RateLimitsLayer } from "./identity/limits/Http.ts"
import { RateLimiter } from "./identity/limits/RateLimiter.ts"
import { UploadCountingLayer } from "./identity/limits/UploadCounting.ts"
import { WriteCounters } from "./identity/limits/WriteCounters.ts"
import { SessionStore } from "./identity/sessions/SessionStore.ts"
import { StudentRows } from "./identity/students/StudentRows.ts"
import { OneTimeTokens } from "./identity/tokens/OneTimeTokens.ts"
import { classroomEraser } from "./learning/classroom/ClassroomEraser.ts"
import { classroomEvents } from "./learning/classroom/ClassroomEvents.ts"
import { ClassroomLessons } from "./learning/classroom/ClassroomLessons.ts"
import { Completions } from "./learning/classroom/Completions.ts"
import { courseFinishesLayer } from "./learning/classroom/CourseFinishes.ts"
import { ClassroomHttp, SubmissionsHttp } from "./learning/classroom/Http.ts"
import { QuizAttempts } from "./learning/classroom/QuizAttempts.ts"
import { Reviews } from "./learning/classroom/Reviews.ts"
import { Submissions } from "./learning/classroom/Submissions.ts"
import { Blocks } from "./learning/content/Blocks.ts"
import { courseItems } from "./learning/content/CourseItems.ts"
import { Courses } from "./learning/content/Courses.ts"
import { CoursesHttp, LessonsHttp } from "./learning/content/Http.ts"
import { LessonChanges } from "./learning/content/LessonChanges.ts"
import { LessonPlaces } from "./learning/content/LessonPlaces.ts"
import { Lessons } from "./learning/content/Lessons.ts"
import { Modules } from "./learning/content/Modules.ts"
import { Awards } from "./learning/gamification/Awards.ts"
import { gamificationOpening } from "./learning/gamification/GamificationOpening.ts"
import { Gamifications } from "./learning/gamification/Gamifications.ts"
import { GamificationHttp } from "./learning/gamification/Http.ts"
import { pointBoardsLayer } from "./learning/gamification/PointBoards.ts"
import { Points } from "./learning/gamification/Points.ts"
import { pointsEraser } from "./learning/gamification/PointsEraser.ts"
import { Rankings } from "./learning/gamification/Rankings.ts"
import { ClassroomLives } from "./learning/lives/ClassroomLives.ts"
import { ClassroomLivesHttp, LivesHttp } from "./learning/lives/Http.ts"
import { liveItems } from "./learning/lives/LiveItems.ts"
import { Lives } from "./learning/lives/Lives.ts"
import { ClubFiles } from "./learning/media/ClubFiles.ts"
import { ClassroomMediaHttp, MediaFoldersHttp, MediaHttp } from "./learning/media/Http.ts"
import { AttachmentsLayer } from "./learning/media/LibraryAttachments.ts"
import { MediaChanges } from "./learning/media/MediaChanges.ts"
import { mediaCleanupLayer } from "./learning/media/MediaCleanup.ts"
import { mediaEraser } from "./learning/media/MediaEraser.ts"
import { MediaFolders } from "./learning/media/MediaFolders.ts"
import { MediaLibrary } from "./learning/media/MediaLibrary.ts"
import { oldPlacesLayer } from "./learning/media/OldPlaces.ts"
import { StudentUploads } from "./learning/media/StudentUploads.ts"
import { Uploads } from "./learning/media/Uploads.ts"
import { MentorshipFilesHttp } from "./learning/mentorships/Http.ts"
import { MentorshipFiles } from "./learning/mentorships/MentorshipFiles.ts"
import { ClassroomRepositories } from "./learning/repositories/ClassroomRepositories.ts"
import { ClassroomRepositoriesHttp, RepositoriesHttp } from "./learning/repositories/Http.ts"
import { Repositories } from "./learning/repositories/Repositories.ts"
import { RepositoryFiles } from "./learning/repositories/RepositoryFiles.ts"
import { repositoryItems } from "./learning/repositories/RepositoryItems.ts"
import { accessEraser } from "./membership/access/AccessEraser.ts"
import { accessEvents } from "./membership/access/AccessEvents.ts"
import { Enrollments } from "./membership/access/Enrollments.ts"
import { FreeDeliveriesLayer } from "./membership/access/FreeDeliveries.ts"
import { EnrollmentsHttp } from "./membership/access/Http.ts"
import { Lapses, lapsesLayer } from "./membership/access/Lapses.ts"
import { authEraser } from "./membership/accounts/AuthEraser.ts"
import { CredentialRequests } from "./membership/accounts/CredentialRequests.ts"
import { Credentials } from "./membership/accounts/Credentials.ts"
import { CredentialWorkerLayer } from "./membership/accounts/CredentialWorker.ts"
import { forgottenMailsLayer } from "./membership/accounts/ForgottenMails.ts"
import { AdminAuthHttp, PasswordsHttp, SessionsHttp, StudentAuthHttp } from "./membership/accounts/Http.ts"
import { SignInAttempts } from "./membership/accounts/SignInAttempts.ts"
import { MailCaps, sweepMailCounts } from "./membership/caps/MailCaps.ts"
import { Catalog } from "./membership/catalog/Catalog.ts"
import { CatalogDeliveries } from "./membership/catalog/CatalogDeliveries.ts"
import { Cohorts } from "./membership/catalog/Cohorts.ts"
import { DeliveryItems } from "./membership/catalog/DeliveryItems.ts"
import { DeliveriesHttp, RegistrationLinksHttp, RegistrationsHttp } from "./membership/catalog/Http.ts"
import { ClubOpenings } from "./membership/clubs/ClubOpenings.ts"
import { Clubs } from "./membership/clubs/Clubs.ts"
import { AccountHttp, ClubsHttp } from "./membership/clubs/Http.ts"
import { Members } from "./membership/clubs/Members.ts"
import { sweepInvitations } from "./membership/clubs/MembersRepo.ts"
import { RegistrationLinks } from "./membership/registration/RegistrationLinks.ts"
import { Registrations } from "./membership/registration/Registrations.ts"
import { Admission } from "./membership/students/Admission.ts"
import { answerEraser } from "./membership/students/AnswerEraser.ts"
import { Directory } from "./membership/students/Directory.ts"
import { documentRenewalLayer } from "./membership/students/DocumentRenewal.ts"
import { StudentExportHttp } from "./membership/students/export/Http.ts"
import { StudentExport } from "./membership/students/export/StudentExport.ts"
import { StudentsHttp } from "./membership/students/Http.ts"
import { StudentImportsHttp } from "./membership/students/import/Http.ts"
import { ImportBodiesLayer } from "./membership/students/import/ImportBodies.ts"
import { importEraser } from "./membership/students/import/ImportEraser.ts"
import { ImportWorkerLayer } from "./membership/students/import/ImportWorker.ts"
import { StudentImports, sweepImports } from "./membership/students/import/StudentImports.ts"
import { mailEraser } from "./membership/students/MailEraser.ts"
import { Removal, sweepErasures } from "./membership/students/Removal.ts"
import { studentEvents } from "./membership/students/StudentEvents.ts"
import { Health } from "./operations/health/Health.ts"
import { HealthHttp } from "./operations/health/Http.ts"
import { MetricsRouteLayer } from "./operations/telemetry/Metrics.ts"
import { docsLayer } from "./platform/http/document/Docs.ts"
import { JsonBodiesLayer } from "./platform/http/JsonBodies.ts"
import { NoStoreLayer } from "./platform/http/NoStore.ts"
import { RequestErrorsLayer } from "./platform/http/RequestErrors.ts"
import { allowedMethods, routesOf } from "./platform/http/server/AllowedMethods.ts"
import { envelopeLayer } from "./platform/http/server/Envelope.ts"
import { NamedRouteLayer } from "./platform/http/server/RequestLog.ts"
import { IdempotencyLayer } from "./platform/idempotency/IdempotencyHttp.ts"
import { IdempotencyKeys, sweepIdempotencyKeys } from "./platform/idempotency/IdempotencyKeys.ts"
import { ClockGuard } from "./platform/jobs/ClockGuard.ts"
import { Mailer } from "./platform/mail/Mailer.ts"
import { MailWorkerLayer } from "./platform/mail/MailQueue.ts"
import { MailTransport } from "./platform/mail/Transport.ts"
import { databaseSettings } from "./platform/sql/DatabaseSettings.ts"
import { Sealing } from "./platform/sql/Sealing.ts"
import { servedRoutes, StorageLayer, StorageRoutesLayer } from "./platform/storage/driver/StorageLayer.ts"
import { partSweepLayer, uploadSweepLayer } from "./platform/storage/driver/UploadSweep.ts"
import { LocalFiles } from "./platform/storage/local/LocalFiles.ts"
import { SignedUrls } from "./platform/storage/local/SignedUrls.ts"
import { Deliveries } from "./webhooks/delivery/Deliveries.ts"
import { History } from "./webhooks/delivery/History.ts"
import { Endpoints } from "./webhooks/endpoint/Endpoints.ts"
import { WebhookDeliveriesHttp, WebhookEndpointsHttp } from "./webhooks/Http.ts"
import { ErasureLayer } from "./webhooks/retention/Erasure.ts"
import { WebhookRules } from "./webhooks/WebhookSettings.ts"
import { WebhookWorkersLayer } from "./webhooks/Workers.ts"

/** How facts become events, one entry for each feature that has any. */
const EventSourcesLayer = EventSources.layer([accessEvents, classroomEvents, saleEvents, studentEvents])

/** What deliveries can contain, one entry for each feature that brings anything. */
const DeliveryItemsLayer = DeliveryItems.layer([communityItems, courseItems, liveItems, repositoryItems])

/** What a club starts with. */
const ClubOpeningsLayer = ClubOpenings.layer([gamificationOpening, communityOpening, agentOpening, billingOpening])

/** Who follows what lessons say and what files hold. */
const ChangesLayer = Layer.merge(LessonChanges.layer([readsLessons]), MediaChanges.layer([readsMedia]))

/** How each feature forgets a student. Those that hold something first are in the order in which it is held. */
const StudentErasersLayer = StudentErasers.layer([
  authEraser,
  accessEraser,
  classroomEraser,
  importEraser,
  salesEraser,
  pointsEraser,
  postsEraser,
  commentsEraser,
  askEraser,
  supportEraser,
  answerEraser,
  // After what the student wrote: what nothing refers to any more is deleted as a whole.
  mediaEraser,
  mailEraser
]).pipe(Layer.provide(MailCaps.layer))

/** Every service, still asking for the database. The one list a new feature is added to. */
export const ServicesLayer = Layer.mergeAll(
  Agents.layer,
  AnswerStreams.layer,
  Asks.layer,
  Blocks.layer,
  CatalogDeliveries.layer,
  ClassroomCommunities.layer,
  ClassroomLessons.layer,
  ClassroomLives.layer,
  ClassroomRepositories.layer.pipe(Layer.provide(MediaLibrary.layer)),
  ClubFiles.layer,
  Clubs.layer,
  Cohorts.layer,
  CommentMarks.layer,
  Communities.layer,
  Completions.layer,
  Conversations.layer,
  Courses.layer,
  Credentials.layer,
  Deliveries.layer,
  Directory.layer,
  Endpoints.layer,
  Gamifications.layer,
  Health.layer,
  History.layer,
  InboundEvents.layer,
  InboundWebhooks.layer,
  Lessons.layer,
  Lives.layer,
  MediaFolders.layer,
  MediaLibrary.layer,
  Members.layer,
  MentorshipFiles.layer,
  Modules.layer,
  OneTimeTokens.layer,
  OwnComments.layer,
  OwnConversations.layer.pipe(Layer.provide([Desk.layer, Messages.layer])),
  Points.layer,
  Purchases.layer,
  QuizAttempts.layer,
  Rankings.layer,
  Readings.layer,
  Reception.layer,
  RegistrationLinks.layer,
  Registrations.layer,
  Removal.layer,
  Replies.layer,
  Reviews.layer,
  Repositories.layer,
  RepositoryFiles.layer,
  SignInAttempts.layer,
  StaffComments.layer,
  StudentExport.layer,
  StudentImports.layer,
  StudentUploads.layer,
  Submissions.layer,
  SupportInbox.layer.pipe(Layer.provide([Desk.layer, Messages.layer])),
  Transcripts.layer
).pipe(
  Layer.provideMerge(Layer.mergeAll(AssistantComments.layer, AssistantLayer, Discussions.layer)),
  Layer.provideMerge(
    Layer.mergeAll(CommentWriting.layer, FoundComments.layer, Material.layer, Posts.layer, ShownComments.layer)
  ),
  Layer.provideMerge(Layer.mergeAll(Admission.layer, CredentialRequests.layer, StudentErasersLayer)),
  Layer.provideMerge(Layer.mergeAll(Awards.layer, Enrollments.layer, Mappings.layer)),
  Layer.provideMerge(Events.layer),
  Layer.provideMerge(Layer.mergeAll(Catalog.layer, DeliveryItemsLayer, EventSourcesLayer, ErasureLayer)),
  Layer.provideMerge(Layer.mergeAll(AttachmentsLayer, Uploads.layer)),
  Layer.provideMerge(Layer.mergeAll(ChangesLayer, ClubOpeningsLayer)),
  Layer.provideMerge(Layer.mergeAll(BillingLayer, LessonPlaces.layer, MaterialChanges.layer, StudentRows.layer)),
  Layer.provideMerge(StorageLayer),
  Layer.provideMerge(Layer.mergeAll(LocalFiles.layer, SignedUrls.layer)),
  Layer.provideMerge(
    Layer.mergeAll(IdempotencyKeys.layer, Mailer.layer, SessionStore.layer, RateLimiter.layer, WriteCounters.layer)
  ),
  Layer.provideMerge(Layer.mergeAll(ClientAddress.layer, ClockGuard.layer, Sealing.layer, WebhookRules.layer))
)

/** What every request passes: who asks, how often, once or twice, and how failures look. */
const MiddlewareLayer = Layer.mergeAll(
  AuthBodiesLayer,
  AuthenticationLayer,
  IdempotencyLayer,
  ImportBodiesLayer,
  JsonBodiesLayer,
  NoStoreLayer,
  RateLimitsLayer,
  RequestErrorsLayer
)

const EnvelopeLayer = Layer.unwrap(Effect.map(servedRoutes, (ofStorage) =>
  envelopeLayer(allowedMethods([
    ...routesOf(Api),
    { method: "GET", path: "/docs" },
    { method: "GET", path: "/openapi.json" },
    ...ofStorage
  ]))))

/** Every route, still asking for the services. */
export const RoutesLayer = HttpApiBuilder.layer(Api, { openapiPath: "/openapi.json" }).pipe(
  Layer.provide([
    AccountHttp,
    AdminAuthHttp,
    AgentsHttp,
    AskHttp,
    AssistantRepliesHttp,
    BillingHttp,
    ClassroomCommentsHttp,
    ClassroomCommunityHttp,
    ClassroomPostsHttp,
    ClassroomHttp,
    ClassroomLivesHttp,
    ClassroomMediaHttp,
    ClassroomRepositoriesHttp,
    ClassroomSupportHttp,
    ClubsHttp,
    CommentsHttp,
    CommunityHttp,
    CoursesHttp,
    DeliveriesHttp,
    EnrollmentsHttp,
    GamificationHttp,
    HealthHttp,
    InboundEventsHttp,
    InboundWebhooksHttp,
    LessonsHttp,
    LivesHttp,
    MediaFoldersHttp,
    MediaHttp,
    MentorshipFilesHttp,
    PasswordsHttp,
    PlatformHooksHttp,
    PostCommentsHttp,
    PostsHttp,
    ProductMappingsHttp,
    RegistrationLinksHttp,
    RegistrationsHttp,
    RepositoriesHttp,
    SessionsHttp,
    StudentAuthHttp,
    StudentExportHttp,
    StudentImportsHttp,
    StudentsHttp,
    SubmissionsHttp,
    SupportHttp,
    TranscriptsHttp,
    WebhookDeliveriesHttp,
    WebhookEndpointsHttp
  ]),
  Layer.provide(MiddlewareLayer),
  Layer.merge(docsLayer(Api, "/docs")),
  Layer.merge(MetricsRouteLayer),
  Layer.merge(BillingRoutesLayer),
  Layer.merge(Layer.provide(StorageRoutesLayer, UploadCountingLayer)),
  Layer.provide(NamedRouteLayer),
  Layer.merge(EnvelopeLayer)
)

const swept = (what: string, sweep: typeof sweepInvitations) =>
  Effect.catchCause(sweep, (cause) => Effect.logError(`Expired ${what} were not deleted`, cause))

const SweeperLayer = Layer.effectDiscard(
  swept("idempotency keys", sweepIdempotencyKeys).pipe(
    Effect.andThen(swept("invitations", sweepInvitations)),
    Effect.andThen(swept("counts of mails", sweepMailCounts)),
    Effect.andThen(swept("counts of questions", sweepAssistantDays)),
    Effect.andThen(swept("imports of students", sweepImports)),
    Effect.andThen(swept("receipts of removals", sweepErasures)),
    Effect.repeat(Schedule.spaced(Duration.hours(1))),
    Effect.forkScoped
  )
)

const TransportLayer = Layer.unwrap(Effect.map(databaseSettings.DATA_DIR.read, MailTransport.layer))

/** What runs beside the server, or without one. Any number of processes may run it. */
export const WorkersLayer = Layer.mergeAll(
  AssistantWorkersLayer,
  BillingWorkersLayer,
  courseFinishesLayer({ every: Duration.seconds(1) }),
  CredentialWorkerLayer,
  documentRenewalLayer,
  FreeDeliveriesLayer,
  ImportWorkerLayer,
  lapsesLayer({ every: Duration.minutes(1) }).pipe(Layer.provide(Lapses.layer)),
  pointBoardsLayer({ every: Duration.minutes(1) }),
  SweeperLayer,
  mediaCleanupLayer({ every: Duration.minutes(1) }),
  MailWorkerLayer.pipe(Layer.provide(TransportLayer)),
  forgottenMailsLayer({ every: Duration.seconds(1) }),
  materialWorkerLayer({ every: Duration.seconds(1) }),
  oldPlacesLayer({ every: Duration.minutes(1) }),
  partSweepLayer,
  SalesWorkersLayer,
  uploadSweepLayer({ every: Duration.hours(1) }),
  WebhookWorkersLayer
)
