// A student's notifications as their page shows them. Pure.
import type { Schemas } from "../../../sdk/index.ts"

/** Something that happened and concerns the student. */
export type Notice = Schemas["Notification"]

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

/** Where a notice leads: the parts of the address below the classroom's, and the comment there. */
export const placeOf = (
  { target: { comment_id, conversation_id, lesson_public_id, live_id, post_id } }: Pick<Notice, "target">
): { readonly path: ReadonlyArray<string>; readonly comment: string | null } => {
  if (lesson_public_id !== null) return { path: ["lessons", lesson_public_id], comment: comment_id }
  if (post_id !== null) return { path: ["community", "posts", post_id], comment: comment_id }
  if (conversation_id !== null) return { path: ["support", conversation_id], comment: null }
  return { path: live_id === null ? ["notifications"] : ["lives"], comment: null }
}

/** The same, read then. One that was read before stays so. */
export const asRead = (notice: Notice, read_at: string): Notice =>
  notice.read_at === null ? { ...notice, read_at } : notice
