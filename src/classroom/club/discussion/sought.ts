// Where a comment may be that a link leads to. Pure.
import type { Comment } from "./comments.ts"

/** The most threads whose replies are read for a comment. */
const mostThreads = 10

const has = (comments: ReadonlyArray<Pick<Comment, "id" | "replies">>, id: string) =>
  comments.some((one) => one.id === id || one.replies.some((reply) => reply.id === id))

/** The ids of the threads that may have this comment among the replies that the page does not have yet. */
export const threadsToOpen = (
  comments: ReadonlyArray<Pick<Comment, "id" | "replies" | "replies_count">>,
  sought: string | null
): ReadonlySet<string> =>
  new Set(sought === null || has(comments, sought)
    ? []
    : comments.filter(({ replies, replies_count }) => replies_count > replies.length).slice(0, mostThreads)
      .map(({ id }) => id))
