/** The role of a viewer: a student, or a member of the staff. */
export type ViewerRole = "student" | "staff"

/** The state of a comment that decides its visibility. `mine`: the viewer wrote it. */
export interface CommentFlags {
  readonly pending: boolean
  readonly spam: boolean
  readonly deleted: boolean
  readonly mine: boolean
}

/** True if a comment is held back from students: it is pending or spam, and the viewer did not write it. */
export const isHiddenByModeration = (
  { mine, pending, spam }: Pick<CommentFlags, "mine" | "pending" | "spam">
): boolean => (pending || spam) && !mine

/**
 * True if a first comment is visible. The staff sees every one. A student sees a deleted one, as a tombstone, only if
 * they see replies below it: `has_visible_replies`.
 */
export const isFirstCommentVisible = (comment: CommentFlags, has_visible_replies: boolean, role: ViewerRole): boolean =>
  role === "staff" || (!isHiddenByModeration(comment) && (!comment.deleted || has_visible_replies))

/**
 * True if a reply is visible. The staff sees every one. A student does not see a reply that is deleted or held back, or
 * that is below a first comment that is held back.
 */
export const isReplyVisible = (
  reply: CommentFlags,
  first: Pick<CommentFlags, "mine" | "pending" | "spam">,
  role: ViewerRole
): boolean => role === "staff" || (!isHiddenByModeration(first) && !isHiddenByModeration(reply) && !reply.deleted)

/**
 * True if the viewer does not see the words of a comment or a post. Nobody sees the words of a deleted one, and
 * students do not see those of a hidden one.
 */
export const isContentWithheld = (
  { deleted, hidden }: { readonly deleted: boolean; readonly hidden: boolean },
  role: ViewerRole
): boolean => deleted || (hidden && role === "student")
