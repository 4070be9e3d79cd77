import { Schema } from "effect"
import { OneTimeSecret } from "../../identity/tokens/TokenPayload.ts"
import { field } from "../../platform/http/Field.ts"
import { sentId } from "../../platform/http/Text.ts"
import { brandedId, Uuid } from "../../platform/schema/brandedId.ts"
import { Instant, InstantOrNull } from "../../platform/schema/Instant.ts"

/** A notification of one student. UUIDv7, so notifications sort by their creation. */
export const NotificationId = brandedId("NotificationId")
export type NotificationId = typeof NotificationId.Type

/** The reason for a notification. */
export const NotificationKind = Schema.Literals([
  "reply",
  "mention",
  "assignment_reviewed",
  "assistant_answer",
  "support_answer",
  "live"
])
export type NotificationKind = typeof NotificationKind.Type

const targetId = (description: string) => Schema.NullOr(Uuid).pipe(field(`${description}; null: it is not about one`))

/** The place that a notification is about, by the ids on the classroom's routes. */
export const NotificationTarget = Schema.Struct({
  lesson_public_id: Schema.NullOr(Schema.String)
    .pipe(field("The lesson's key at that time; null: it is not about a lesson", "respirar")),
  comment_id: targetId("The comment"),
  post_id: targetId("The post"),
  conversation_id: targetId("The support conversation"),
  live_id: targetId("The live")
}).annotate({ identifier: "NotificationTarget", description: "The place that a notification is about" })
export type NotificationTarget = typeof NotificationTarget.Type

/** A notification as its student sees it. */
export const Notification = Schema.Struct({
  id: NotificationId.pipe(field("Names the notification when it is marked as read")),
  kind: NotificationKind.pipe(field(
    "The reason. `reply` is to a comment or post of the student, `assignment_reviewed` the staff's decision about a submission, and `live` a new live",
    "reply"
  )),
  title: Schema.String
    .pipe(field(
      "The title of the lesson, post, live or conversation then; the space's name of an untitled post",
      "Respirar"
    )),
  excerpt: Schema.NullOr(Schema.String)
    .pipe(field("The first 200 characters of the words, on one line; null without words", "Deite-se e respire.")),
  actor_name: Schema.NullOr(Schema.String)
    .pipe(field("The name now of the person or the assistant; null: nobody is named", "Rita")),
  actor_role: Schema.NullOr(Schema.Literals(["student", "staff", "assistant"]))
    .pipe(field("The actor's role; null: nobody is named", "staff")),
  target: NotificationTarget.pipe(field("Where it leads")),
  created_at: Instant.pipe(field("When it happened")),
  read_at: InstantOrNull.pipe(field("When the student marked it as read; null before that", null))
}).annotate({ identifier: "Notification", description: "Something that happened and concerns a student" })
export type Notification = typeof Notification.Type

/** How often a student is mailed about notifications. */
export const MailFrequency = Schema.Literals(["at_once", "daily", "never"])
export type MailFrequency = typeof MailFrequency.Type

const mail = MailFrequency.pipe(field(
  "`at_once` within a minute or two, `daily` at 8:00 of the club's time zone, or `never`. An answer of support is always mailed",
  "daily"
))

/** The most unread notifications that are counted. */
export const mostCounted = 100

/** A student's settings of notifications. */
export const NotificationSettings = Schema.Struct({
  mail,
  unread_count: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: mostCounted }))
    .pipe(field("How many notifications are unread; 100 means 100 or more", 2))
}).annotate({ identifier: "NotificationSettings", description: "How a student hears of what happened" })
export type NotificationSettings = typeof NotificationSettings.Type

/** The body of a change of the settings. */
export const NotificationSettingsPatch = Schema.Struct({ mail })

/** The answer to the link in a mail. */
export const Unsubscribed = Schema.Struct({
  mail: Schema.Literal("never").pipe(field("No further mail about notifications comes"))
}).annotate({ identifier: "Unsubscribed", description: "The choice that the link in a mail has made" })

/** The secret of the link in a mail. */
export const UnsubscribeQuery = {
  token: Schema.optionalKey(OneTimeSecret).pipe(field(
    "The `token` of the link in the mail, of 1 to 200 characters. It works as often as it is used, and nothing works without it",
    "bwwfHksKTG6dUy8fm2p-EAGZPyp8AHoQjE5bHS86TF1q3n1Rk0yb5VhT8sW2mJdX7cLzF4gP9aEuK6oYiQwB1M"
  ))
}

/** The notifications to mark as read. */
export const ReadNotifications = Schema.Struct({
  ids: Schema.optionalKey(Schema.Array(sentId(NotificationId)).check(Schema.isMaxLength(100), Schema.isUnique()))
    .pipe(field("Ids of up to 100 notifications, each at most once. If absent, all are marked"))
})

/** The filter of the list. */
export const NotificationFilter = {
  unread: Schema.optionalKey(Schema.Literals(["true", "false"]))
    .pipe(field("`true`: only those that the student has not marked as read; `false`: only the others"))
}
