/** The role of a viewer: a student, or a member of the staff. */
export type ViewerRole = "student" | "staff"

/** What decides who sees a comment. `mine`: the viewer wrote it. */
export interface CommentFlags {
  readonly pending: boolean
  readonly spam: boolean
  readonly deleted: boolean
  readonly mine: boolean
}

/** Whether a comment is held back from students: it is pending or spam, and the viewer did not write it. */
export const isHeldBack = ({ mine, pending, spam }: Pick<CommentFlags, "mine" | "pending" | "spam">): boolean =>
  (pending || spam) && !mine

/**
 * Whether a first comment is visible. The staff sees every one. A student sees a deleted one, as a tombstone, only if
 * they see replies below it: `has_visible_replies`.
 */
export const isFirstCommentVisible = (comment: CommentFlags, has_visible_replies: boolean, role: ViewerRole): boolean =>
  role === "staff" || (!isHeldBack(comment) && (!comment.deleted || has_visible_replies))

/**
 * Whether a reply is visible. The staff sees every one. A student sees none that is deleted, held back, or below a
 * first comment that is held back.
 */
export const isReplyVisible = (
  reply: CommentFlags,
  first: Pick<CommentFlags, "mine" | "pending" | "spam">,
  role: ViewerRole
): boolean => role === "staff" || (!isHeldBack(first) && !isHeldBack(reply) && !reply.deleted)

/**
 * Whether the words of a comment or a post are withheld: those of a deleted one from everybody, those of a hidden one
 * from students.
 */
export const isContentWithheld = (
  { deleted, hidden }: { readonly deleted: boolean; readonly hidden: boolean },
  role: ViewerRole
): boolean => deleted || (hidden && role === "student")
