import { Effect } from "effect"
import { versioned } from "../../platform/http/Contract.ts"
import { data } from "../../platform/http/Page.ts"
import { group } from "../../platform/http/server/group.ts"
import { memberOfRequest, studentOfRequest } from "../authors/Viewer.ts"
import { ClassroomSupportApi, SupportApi } from "./Api.ts"
import { StudentConversations } from "./StudentConversations.ts"
import { SupportInbox } from "./SupportInbox.ts"

/** Answers the routes of `SupportApi`. */
export const SupportHttp = group(
  versioned(SupportApi),
  "support",
  Effect.fn(function*(handlers) {
    const inbox = yield* SupportInbox
    return handlers.handleAll({
      list: ({ query }) => Effect.flatMap(memberOfRequest, (member) => inbox.list(member, query)),
      get: ({ params }) =>
        Effect.flatMap(memberOfRequest, (member) => Effect.map(inbox.get(member, params.conversationId), data)),
      update: ({ params, payload }) =>
        Effect.flatMap(
          memberOfRequest,
          (member) => Effect.map(inbox.patch(member, params.conversationId, payload), data)
        ),
      messages: ({ params, query }) =>
        Effect.flatMap(memberOfRequest, (member) => inbox.messages(member, params.conversationId, query)),
      write: ({ params, payload }) =>
        Effect.flatMap(
          memberOfRequest,
          (member) => Effect.map(inbox.write(member, params.conversationId, payload.body), data)
        ),
      read: ({ params }) => Effect.flatMap(memberOfRequest, (member) => inbox.read(member, params.conversationId))
    })
  })
)

/** Answers the routes of `ClassroomSupportApi`. */
export const ClassroomSupportHttp = group(
  versioned(ClassroomSupportApi),
  "classroomSupport",
  Effect.fn(function*(handlers) {
    const own = yield* StudentConversations
    return handlers.handleAll({
      list: ({ query }) => Effect.flatMap(studentOfRequest, (student) => own.list(student, query)),
      open: ({ payload }) =>
        Effect.flatMap(studentOfRequest, (student) => Effect.map(own.open(student, payload), data)),
      get: ({ params }) =>
        Effect.flatMap(studentOfRequest, (student) => Effect.map(own.get(student, params.conversationId), data)),
      messages: ({ params, query }) =>
        Effect.flatMap(studentOfRequest, (student) => own.messages(student, params.conversationId, query)),
      write: ({ params, payload }) =>
        Effect.flatMap(
          studentOfRequest,
          (student) => Effect.map(own.write(student, params.conversationId, payload.body), data)
        ),
      read: ({ params }) => Effect.flatMap(studentOfRequest, (student) => own.read(student, params.conversationId))
    })
  })
)
