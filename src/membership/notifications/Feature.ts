import { DateTime, Layer } from "effect"
import { sweepOf } from "../../platform/jobs/Sweep.ts"
import { Digests, DigestWorkerLayer, waitingDigests } from "./Digests.ts"
import { ClassroomNotificationsHttp, NotificationMailsHttp } from "./Http.ts"
import { NotificationChoices } from "./NotificationChoices.ts"
import { Notifications } from "./Notifications.ts"
import { notificationsEraser, notificationSettingsEraser } from "./NotificationsEraser.ts"
import { OwnNotifications } from "./OwnNotifications.ts"

/** Deletes notifications after 90 days, read or not. */
const sweepNotifications = sweepOf("sweepNotifications", "notifications", (sql, at) => {
  const oldest = DateTime.toDateUtc(DateTime.subtract(at, { days: 90 }))
  return sql`delete from notifications where created_at <= ${oldest}`
})

/** News that concern a student, in the classroom and by mail. */
export const notifications = {
  services: Layer.mergeAll(Digests.layer, Notifications.layer, OwnNotifications.layer, NotificationChoices.layer),
  routes: Layer.merge(ClassroomNotificationsHttp, NotificationMailsHttp),
  workers: DigestWorkerLayer,
  queues: [waitingDigests],
  erasers: [notificationSettingsEraser, notificationsEraser],
  sweeps: [sweepNotifications]
}
