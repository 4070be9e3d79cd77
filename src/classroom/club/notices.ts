import { turma } from "../../browser/client/Api.ts"
import { changed, type Read, useRead } from "../../browser/client/Reads.ts"
import type { Schemas } from "../../sdk/index.ts"
import { clubId, ofClub } from "./View.ts"

/** A student's settings of notifications, with how many are unread. */
export type NoticeSettings = Schemas["NotificationSettings"]

/** The key of everything about a student's notifications. */
export const noticesKey = `${clubId}/notifications`

/** The settings, with how many notifications are unread. */
export const useNoticeSettings = (): Read<NoticeSettings> =>
  useRead(
    `${noticesKey}/settings`,
    async (signal) => (await turma.classroomNotifications.settings(ofClub, { signal })).data
  )

/** Marks these as read, or all. */
export const markRead = async (ids?: Array<string>): Promise<void> => {
  await turma.classroomNotifications.read({ ...ofClub, body: ids === undefined ? {} : { ids } })
  changed(noticesKey)
}
