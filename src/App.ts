import { Duration, Effect, Layer, Schedule } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { accessEraser } from "./access/AccessEraser.ts"
import { accessEvents } from "./access/AccessEvents.ts"
import { Enrollments } from "./access/Enrollments.ts"
import { EnrollmentsHttp } from "./access/Http.ts"
import { Lapses, lapsesLayer } from "./access/Lapses.ts"
import { Api } from "./Api.ts"
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
import { Readings } from "./assistant/material/Readings.ts"
import { Transcripts } from "./assistant/material/Transcripts.ts"
import { Replies } from "./assistant/replies/Replies.ts"
import { AssistantWorkersLayer } from "./assistant/Workers.ts"
import { AuthBodiesLayer } from "./auth/AuthBodies.ts"
import { AuthenticationLayer } from "./auth/AuthenticationHttp.ts"
import { authEraser } from "./auth/AuthEraser.ts"
import { CredentialRequests } from "./auth/credentials/CredentialRequests.ts"
import { Credentials } from "./auth/credentials/Credentials.ts"
import { CredentialWorkerLayer } from "./auth/credentials/CredentialWorker.ts"
import { OneTimeTokens } from "./auth/credentials/OneTimeTokens.ts"
import { SignInAttempts } from "./auth/credentials/SignInAttempts.ts"
import { forgottenMailsLayer } from "./auth/ForgottenMails.ts"
import { AdminAuthHttp, PasswordsHttp, SessionsHttp, StudentAuthHttp } from "./auth/Http.ts"
import { SessionStore } from "./auth/sessions/SessionStore.ts"
import { BillingLayer, BillingRoutesLayer, BillingWorkersLayer } from "./billing/BillingLayer.ts"
import { BillingHttp } from "./billing/Http.ts"
import { Catalog } from "./catalog/Catalog.ts"
import { CatalogDeliveries } from "./catalog/CatalogDeliveries.ts"
import { Cohorts } from "./catalog/Cohorts.ts"
import { DeliveryItems } from "./catalog/DeliveryItems.ts"
import { FreeDeliveriesLayer } from "./catalog/FreeDeliveries.ts"
import { DeliveriesHttp, RegistrationLinksHttp, RegistrationsHttp } from "./catalog/Http.ts"
import { RegistrationLinks } from "./catalog/RegistrationLinks.ts"
import { Registrations } from "./catalog/Registrations.ts"
import { classroomEraser } from "./classroom/ClassroomEraser.ts"
import { classroomEvents } from "./classroom/ClassroomEvents.ts"
import { ClassroomLessons } from "./classroom/ClassroomLessons.ts"
import { Completions } from "./classroom/Completions.ts"
import { courseFinishesLayer } from "./classroom/CourseFinishes.ts"
import { ClassroomHttp, SubmissionsHttp } from "./classroom/Http.ts"
import { QuizAttempts } from "./classroom/QuizAttempts.ts"
import { Reviews } from "./classroom/Reviews.ts"
import { Submissions } from "./classroom/Submissions.ts"
import { MailCaps, sweepMailCounts } from "./clubs/caps/MailCaps.ts"
import { Clubs } from "./clubs/Clubs.ts"
import { AccountHttp, ClubsHttp } from "./clubs/Http.ts"
import { Members } from "./clubs/Members.ts"
import { sweepInvitations } from "./clubs/MembersRepo.ts"
import { AssistantComments } from "./comments/AssistantComments.ts"
import { CommentMarks } from "./comments/CommentMarks.ts"
import { commentsEraser } from "./comments/CommentsEraser.ts"
import { CommentWriting } from "./comments/CommentWriting.ts"
import { Discussions } from "./comments/Discussions.ts"
import { FoundComments } from "./comments/FoundComments.ts"
import { ClassroomCommentsHttp, CommentsHttp, PostCommentsHttp } from "./comments/Http.ts"
import { OwnComments } from "./comments/OwnComments.ts"
import { ShownComments } from "./comments/ShownComments.ts"
import { StaffComments } from "./comments/StaffComments.ts"
import { ClassroomCommunities } from "./community/ClassroomCommunities.ts"
import { Communities } from "./community/Communities.ts"
import { communityItems } from "./community/CommunityItems.ts"
import { ClassroomCommunityHttp, ClassroomPostsHttp, CommunityHttp, PostsHttp } from "./community/Http.ts"
import { Posts } from "./community/Posts.ts"
import { postsEraser } from "./community/PostsEraser.ts"
import { Blocks } from "./content/Blocks.ts"
import { courseItems } from "./content/CourseItems.ts"
import { Courses } from "./content/Courses.ts"
import { CoursesHttp, LessonsHttp } from "./content/Http.ts"
import { LessonPlaces } from "./content/LessonPlaces.ts"
import { Lessons } from "./content/Lessons.ts"
import { ClubFiles } from "./content/media/ClubFiles.ts"
import { ClassroomMediaHttp, MediaFoldersHttp, MediaHttp } from "./content/media/Http.ts"
import { AttachmentsLayer } from "./content/media/LibraryAttachments.ts"
import { mediaCleanupLayer } from "./content/media/MediaCleanup.ts"
import { mediaEraser } from "./content/media/MediaEraser.ts"
import { MediaFolders } from "./content/media/MediaFolders.ts"
import { MediaLibrary } from "./content/media/MediaLibrary.ts"
import { oldPlacesLayer } from "./content/media/OldPlaces.ts"
import { StudentUploads } from "./content/media/StudentUploads.ts"
import { Uploads } from "./content/media/Uploads.ts"
import { Modules } from "./content/Modules.ts"
import { Events } from "./events/Events.ts"
import { EventSources } from "./events/EventSources.ts"
import { Awards } from "./gamification/Awards.ts"
import { Gamifications } from "./gamification/Gamifications.ts"
import { GamificationHttp } from "./gamification/Http.ts"
import { pointBoardsLayer } from "./gamification/PointBoards.ts"
import { Points } from "./gamification/Points.ts"
import { pointsEraser } from "./gamification/PointsEraser.ts"
import { Rankings } from "./gamification/Rankings.ts"
import { Health } from "./health/Health.ts"
import { HealthHttp } from "./health/Http.ts"
import { allowedMethods, routesOf } from "./http/AllowedMethods.ts"
import { docsLayer } from "./http/Docs.ts"
import { envelopeLayer } from "./http/Envelope.ts"
import { IdempotencyLayer } from "./http/IdempotencyHttp.ts"
import { IdempotencyKeys, sweepIdempotencyKeys } from "./http/IdempotencyKeys.ts"
import { JsonBodiesLayer } from "./http/JsonBodies.ts"
import { NoStoreLayer } from "./http/NoStore.ts"
import { RequestErrorsLayer } from "./http/RequestErrors.ts"
import { NamedRouteLayer } from "./http/RequestLog.ts"
import { ClientAddress } from "./limits/ClientAddress.ts"
import { RateLimitsLayer } from "./limits/Http.ts"
import { RateLimiter } from "./limits/RateLimiter.ts"
import { UploadCountingLayer } from "./limits/UploadCounting.ts"
import { WriteCounters } from "./limits/WriteCounters.ts"
import { ClassroomLives } from "./lives/ClassroomLives.ts"
import { ClassroomLivesHttp, LivesHttp } from "./lives/Http.ts"
import { liveItems } from "./lives/LiveItems.ts"
import { Lives } from "./lives/Lives.ts"
import { Mailer } from "./mail/Mailer.ts"
import { MailWorkerLayer } from "./mail/MailQueue.ts"
import { MailTransport } from "./mail/Transport.ts"
import { MentorshipFilesHttp } from "./mentorships/Http.ts"
import { MentorshipFiles } from "./mentorships/MentorshipFiles.ts"
import { ClassroomRepositories } from "./repositories/ClassroomRepositories.ts"
import { ClassroomRepositoriesHttp, RepositoriesHttp } from "./repositories/Http.ts"
import { Repositories } from "./repositories/Repositories.ts"
import { RepositoryFiles } from "./repositories/RepositoryFiles.ts"
import { repositoryItems } from "./repositories/RepositoryItems.ts"
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
import { LocalFiles } from "./storage/LocalFiles.ts"
import { SignedUrls } from "./storage/SignedUrls.ts"
import { servedRoutes, StorageLayer, StorageRoutesLayer } from "./storage/StorageLayer.ts"
import { partSweepLayer, uploadSweepLayer } from "./storage/UploadSweep.ts"
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
import { mailEraser } from "./students/MailEraser.ts"
import { Removal, sweepErasures } from "./students/Removal.ts"
import { StudentErasers } from "./students/StudentErasers.ts"
import { studentEvents } from "./students/StudentEvents.ts"
import { StudentRows } from "./students/StudentRows.ts"
import { Desk } from "./support/Desk.ts"
import { ClassroomSupportHttp, SupportHttp } from "./support/Http.ts"
import { Messages } from "./support/Messages.ts"
import { OwnConversations } from "./support/OwnConversations.ts"
import { supportEraser } from "./support/SupportEraser.ts"
import { SupportInbox } from "./support/SupportInbox.ts"
import { MetricsRouteLayer } from "./telemetry/Metrics.ts"
import { Deliveries } from "./webhooks/delivery/Deliveries.ts"
import { History } from "./webhooks/delivery/History.ts"
import { Endpoints } from "./webhooks/endpoint/Endpoints.ts"
import { WebhookDeliveriesHttp, WebhookEndpointsHttp } from "./webhooks/Http.ts"
import { ErasureLayer } from "./webhooks/retention/Erasure.ts"
import { WebhookRules } from "./webhooks/WebhookSettings.ts"
import { WebhookWorkersLayer } from "./webhooks/Workers.ts"
import { ClockGuard } from "./workers/ClockGuard.ts"

/** How facts become events, one entry for each feature that has any. */
const EventSourcesLayer = EventSources.layer([accessEvents, classroomEvents, saleEvents, studentEvents])

/** What deliveries can contain, one entry for each feature that brings anything. */
const DeliveryItemsLayer = DeliveryItems.layer([communityItems, courseItems, liveItems, repositoryItems])

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
