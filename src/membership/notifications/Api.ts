import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { clubPath, ClubStudent } from "../../identity/authentication/Authentication.ts"
import { IpWrites, StudentWrites } from "../../identity/limits/RateLimit.ts"
import { TokenInvalid } from "../../identity/tokens/TokenPayload.ts"
import { GroupAudience } from "../../platform/http/Audience.ts"
import { described } from "../../platform/http/Described.ts"
import { NoStore } from "../../platform/http/NoStore.ts"
import { Data, InvalidCursor, Page, PageQuery } from "../../platform/http/Page.ts"
import {
  Notification,
  NotificationFilter,
  NotificationSettings,
  NotificationSettingsPatch,
  ReadNotifications,
  Unsubscribed,
  UnsubscribeQuery
} from "./Notification.ts"

const all = "/classroom/notifications"

/** The notifications of a student, for that student. */
export class ClassroomNotificationsApi extends HttpApiGroup.make("classroomNotifications")
  .add(
    HttpApiEndpoint.get("list", all, {
      params: clubPath,
      query: { ...PageQuery, ...NotificationFilter },
      success: Page(Notification),
      error: InvalidCursor
    }).annotateMerge(described(
      "List one's own notifications, the newest first",
      "Replies, mentions, reviewed submissions, answers of the assistant and of support, and new lives of the last 90 days. Nobody is notified of their own act. Reading the list marks nothing as read"
    )),
    HttpApiEndpoint.post("read", `${all}/read`, {
      params: clubPath,
      payload: ReadNotifications,
      success: HttpApiSchema.NoContent
    }).annotateMerge(described(
      "Mark notifications as read",
      "Those with these ids, or all. Ids that are not the student's own are passed over. A read notification is in no later mail; repeating it changes nothing"
    )),
    HttpApiEndpoint.get("settings", `${all}/settings`, {
      params: clubPath,
      success: Data(NotificationSettings)
    }).annotateMerge(described(
      "Read one's own settings of notifications",
      "With how many notifications are unread. `daily` until the student chooses otherwise"
    )),
    HttpApiEndpoint.patch("updateSettings", `${all}/settings`, {
      params: clubPath,
      payload: NotificationSettingsPatch,
      success: Data(NotificationSettings)
    }).annotateMerge(described(
      "Choose how often notifications are mailed",
      "A mail has the unread notifications of the last 7 days that no earlier mail had. Mails to sign in, and answers of support, come whatever is chosen"
    ))
  )
  .middleware(StudentWrites)
  .middleware(ClubStudent)
  .prefix("/clubs/:clubId")
  .annotate(GroupAudience, "classroom")
  .annotate(OpenApi.Title, "Notifications")
  .annotate(OpenApi.Description, "News that concern a student: replies, mentions, reviews, answers and lives")
{}

/** The target of a link in mails about notifications, without a session. */
export class NotificationMailsApi extends HttpApiGroup.make("notificationMails")
  .add(HttpApiEndpoint.post("unsubscribe", "/notifications/unsubscribe", {
    query: UnsubscribeQuery,
    success: Data(Unsubscribed),
    error: TokenInvalid
  }).annotateMerge(described(
    "End mails about notifications by the link in one",
    "Mail programs call it with one click (RFC 8058), and the page that the mail links to does. It takes no session, and reads no body. The student may choose otherwise in the classroom. Repeating it changes nothing"
  )))
  .middleware(IpWrites)
  .middleware(NoStore)
  .annotate(GroupAudience, "classroom")
  .annotate(OpenApi.Title, "Mails about notifications")
  .annotate(OpenApi.Description, "The end of mails about notifications, by the link in one")
{}
