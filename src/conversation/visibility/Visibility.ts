/** Who looks: a student, or a member of the staff. */
export type Onlooker = "student" | "staff"

/** What decides who sees a comment. `mine`: whoever looks wrote it. */
export interface Standing {
  readonly pending: boolean
  readonly spam: boolean
  readonly deleted: boolean
  readonly mine: boolean
}

/** What waits for the staff, or is spam, is its author's alone until the staff says otherwise. */
export const isHeldBack = ({ mine, pending, spam }: Pick<Standing, "mine" | "pending" | "spam">): boolean =>
  (pending || spam) && !mine

/**
 * Whether a first comment is shown. The staff sees everything. To students a deleted one is a tombstone, there only for
 * the replies below it: `shown_replies` says whether this student is shown any.
 */
export const isFirstShown = (comment: Standing, shown_replies: boolean, onlooker: Onlooker): boolean =>
  onlooker === "staff" || (!isHeldBack(comment) && (!comment.deleted || shown_replies))

/** Whether a reply is shown: with its first comment, unless that is held back, and never as a tombstone to students. */
export const isReplyShown = (
  reply: Standing,
  first: Pick<Standing, "mine" | "pending" | "spam">,
  onlooker: Onlooker
): boolean => onlooker === "staff" || (!isHeldBack(first) && !isHeldBack(reply) && !reply.deleted)

/** Whether what is shown of a comment or a post is without its words: of a hidden one for students, of a deleted one. */
export const isEmptied = (
  { deleted, hidden }: { readonly deleted: boolean; readonly hidden: boolean },
  onlooker: Onlooker
): boolean => deleted || (hidden && onlooker === "student")
