// A student's notifications as their page shows them. Pure.
import type { Notice } from "../../club/noticePlace.ts"

/** The notices of a day, the newest first. The first group may be that of the unread ones, of any day. */
export interface NoticeGroup {
  /** `unread`, or a day: `2027-01-31`. */
  readonly name: string
  readonly notices: ReadonlyArray<Notice>
}

/** Unread notices first, and the others by day. */
export const groupsOf = (
  notices: ReadonlyArray<Notice>,
  dayOf: (timestamp: string) => string
): ReadonlyArray<NoticeGroup> => {
  const groups = new Map<string, Array<Notice>>()
  const unread = notices.filter(({ read_at }) => read_at === null)
  if (unread.length > 0) groups.set("unread", unread)
  for (const notice of notices) {
    if (notice.read_at === null) continue
    const day = dayOf(notice.created_at)
    groups.set(day, [...groups.get(day) ?? [], notice])
  }
  return [...groups].map(([name, notices]) => ({ name, notices }))
}

/** The notice, read then. One that was read before stays so. */
export const asRead = (notice: Notice, read_at: string): Notice =>
  notice.read_at === null ? { ...notice, read_at } : notice
