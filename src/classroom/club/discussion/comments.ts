// Comments as a page shows them while its writes are under way. Pure: it neither asks nor shows.
import type { Schemas } from "../../../sdk/index.ts"

/** A comment on a lesson or a post, or a reply to one. */
export type Comment = Schemas["Comment"]

/** A change of a comment that leaves a changed one as it is. */
export interface Change {
  (comment: Comment): Comment
}

/** The emojis to choose from. Others appear where somebody has given them. */
export const emojis = ["👍", "❤️", "👏", "😂", "🎉", "🤔"] as const

/** With this emoji given, or taken back. */
export const withReaction = (emoji: string, isGiven: boolean): Change => (comment) => {
  const found = comment.reactions.find(({ reaction }) => reaction === emoji)
  if ((found?.mine ?? false) === isGiven) return comment
  if (found === undefined) {
    return { ...comment, reactions: [...comment.reactions, { reaction: emoji, count: 1, mine: true }] }
  }
  const count = found.count + (isGiven ? 1 : -1)
  const reactions = comment.reactions.flatMap((one) =>
    one.reaction !== emoji ? [one] : count === 0 ? [] : [{ ...one, count, mine: isGiven }]
  )
  return { ...comment, reactions }
}

/** Saved by the reader, or not. */
export const withSaved = (saved: boolean): Change => (comment) => ({ ...comment, saved })

/** With these words. */
export const withBody = (body: string): Change => (comment) => ({ ...comment, body })

/** With the fields that the service has answered. The replies stay as the page shows them. */
export const withAnswer = (answer: Comment): Change => ({ replies, replies_count }) => ({
  ...answer,
  replies,
  replies_count
})

/** Deleted, or there again. */
export const withDeleted = (deleted: boolean): Change => (comment) => ({ ...comment, deleted })

/** A thread with this comment among its replies. Without a thread, the comment itself begins one. */
export const withReply = (thread: Comment | null, comment: Comment): Comment =>
  thread === null
    ? comment
    : thread.replies.some(({ id }) => id === comment.id)
    ? thread
    : { ...thread, replies: [...thread.replies, comment] }

/** Each comment once, at its first place. */
export const eachOnce = (comments: ReadonlyArray<Comment>): ReadonlyArray<Comment> => {
  const first = new Map(comments.toReversed().map((comment) => [comment.id, comment]))
  return comments.filter((comment) => first.get(comment.id) === comment)
}

/** True if the page shows it. A deleted first comment stays as long as it has replies. */
export const isShown = ({ deleted, replies_count }: Comment): boolean => !deleted || replies_count > 0

/** The parts of a comment that its author gives. */
interface Written {
  readonly id: string
  readonly body: string
  readonly parent_id: string | null
  readonly author: { readonly id: string; readonly name: string }
  readonly created_at: string
}

/** A comment of the reader's, before the service has it. */
export const beforeItsAnswer = ({ author, ...written }: Written): Comment => ({
  ...written,
  author: { ...author, role: "student", anonymized: false },
  reactions: [],
  replies_count: 0,
  hidden: false,
  pinned: false,
  deleted: false,
  mine: true,
  answered: false,
  pending: false,
  spam: false,
  saved: false,
  mentions: [],
  images: [],
  edited_at: null,
  replies: []
})
