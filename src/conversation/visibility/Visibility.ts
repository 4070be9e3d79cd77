/** Who looks: a student, or a member of the staff. */
export type ViewerRole = "student" | "staff"

/** What decides who sees a comment. `mine`: whoever looks wrote it. */
export interface CommentFlags {
  readonly pending: boolean
  readonly spam: boolean
  readonly deleted: boolean
  readonly mine: boolean
}

/** What waits for the staff, or is spam, is its author's alone until the staff says otherwise. */
export const isHeldBack = ({ mine, pending, spam }: Pick<CommentFlags, "mine" | "pending" | "spam">): boolean =>
  (pending || spam) && !mine

/**
 * Whether a first comment is shown. The staff sees everything. To students a deleted one is a tombstone, there only for
 * the replies below it: `has_visible_replies` says whether this student is shown any.
 */
export const isFirstCommentVisible = (comment: CommentFlags, has_visible_replies: boolean, role: ViewerRole): boolean =>
  role === "staff" || (!isHeldBack(comment) && (!comment.deleted || has_visible_replies))

/** Whether a reply is shown: with its first comment, unless that is held back, and never as a tombstone to students. */
export const isReplyVisible = (
  reply: CommentFlags,
  first: Pick<CommentFlags, "mine" | "pending" | "spam">,
  role: ViewerRole
): boolean => role === "staff" || (!isHeldBack(first) && !isHeldBack(reply) && !reply.deleted)

/** Whether what is shown of a comment or a post is without its words: of a hidden one for students, of a deleted one. */
export const isContentWithheld = (
  { deleted, hidden }: { readonly deleted: boolean; readonly hidden: boolean },
  role: ViewerRole
): boolean => deleted || (hidden && role === "student")
