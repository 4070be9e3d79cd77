// Where the student's notifications lead. Pure.
import type { Schemas } from "../../sdk/index.ts"

/** Something that happened and concerns the student. */
export type Notice = Schemas["Notification"]

/** Where a notice leads: the parts of the address below the classroom's, and the comment there. */
export const placeOf = (
  { target: { comment_id, conversation_id, lesson_public_id, live_id, post_id } }: Pick<Notice, "target">
): { readonly path: ReadonlyArray<string>; readonly comment: string | null } => {
  if (lesson_public_id !== null) return { path: ["lessons", lesson_public_id], comment: comment_id }
  if (post_id !== null) return { path: ["community", "posts", post_id], comment: comment_id }
  if (conversation_id !== null) return { path: ["support", conversation_id], comment: null }
  return { path: live_id === null ? ["notifications"] : ["lives"], comment: null }
}
