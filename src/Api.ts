import { flow } from "effect"
import { OpenApi } from "effect/http-api"
import { Contract } from "./Contract.ts"
import { eventTypes } from "./events/EventTypes.ts"
import { audiencesOf } from "./operations/OpenApi.ts"
import { webhooksOf } from "./operations/SentEvents.ts"
import { tagGroupsOf } from "./operations/TagGroups.ts"
import { withConditionalReads } from "./platform/http/document/ConditionalReads.ts"
import { polishDocument } from "./platform/http/document/OpenApiDocument.ts"

const tagGroups = tagGroupsOf(Contract, {
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

/** The whole contract, with what its document says beside what can be generated. */
export class Api extends Contract.annotate(
  OpenApi.Transform,
  flow(
    withConditionalReads(Contract),
    polishDocument({
      audiences: audiencesOf(Contract),
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
