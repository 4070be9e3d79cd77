import { Effect, Redacted } from "effect"
import { asStudent } from "../../identity/people/asMember.ts"
import { versioned } from "../../platform/http/Contract.ts"
import { data } from "../../platform/http/Page.ts"
import { group } from "../../platform/http/server/group.ts"
import { ClassroomNotificationsApi, NotificationMailsApi } from "./Api.ts"
import { NotificationChoices } from "./NotificationChoices.ts"
import { OwnNotifications } from "./OwnNotifications.ts"

/** Answers the routes of `ClassroomNotificationsApi`. */
export const ClassroomNotificationsHttp = group(
  versioned(ClassroomNotificationsApi),
  "classroomNotifications",
  Effect.fn(function*(handlers) {
    const notifications = yield* OwnNotifications
    const choices = yield* NotificationChoices
    return handlers.handleAll({
      list: asStudent(({ query: { unread, ...page } }, { club, student }) =>
        notifications.list(club.id, student.id, { ...page, unread: unread && unread === "true" })
      ),
      read: asStudent(({ payload }, { club, student }) => notifications.read(club.id, student.id, payload.ids)),
      settings: asStudent((_, { club, student }) => Effect.map(choices.get(club.id, student.id), data)),
      updateSettings: asStudent(({ payload }, { club, student }) =>
        Effect.map(
          Effect.andThen(choices.choose(club.id, student.id, payload.mail), choices.get(club.id, student.id)),
          data
        )
      )
    })
  })
)

/** Answers the route of `NotificationMailsApi`. */
export const NotificationMailsHttp = group(
  versioned(NotificationMailsApi),
  "notificationMails",
  Effect.fn(function*(handlers) {
    const choices = yield* NotificationChoices
    return handlers.handleAll({
      unsubscribe: ({ query }) => Effect.map(choices.unsubscribe(query.token ?? Redacted.make("")), data)
    })
  })
)
