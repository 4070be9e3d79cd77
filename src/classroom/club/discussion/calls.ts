import { turma } from "../../../browser/client/Api.ts"
import type { LoadPage } from "../../../browser/client/LongList.ts"
import { ofClub } from "../View.ts"
import { type Comment, withReply } from "./comments.ts"

/** The place of a discussion: a lesson by its public id, or a post. */
export type Place = { readonly lesson: string } | { readonly post: string }

/** The key of the reads of a discussion. */
export const keyOf = (place: Place): string =>
  "lesson" in place ? `lessons/${place.lesson}/comments` : `posts/${place.post}/comments`

/** Reads the first comments, the newest first. */
export const firstComments = (place: Place): LoadPage<Comment> => ({ signal, ...page }) =>
  "lesson" in place
    ? turma.classroomComments.list({ ...ofClub, publicId: place.lesson, ...page }, { signal })
    : turma.classroomComments.listOfPost({ ...ofClub, postId: place.post, ...page }, { signal })

/** The most pinned comments above the others. */
const mostPinned = 5

/** Reads the pinned first comments. */
export const pinnedComments = async (place: Place, signal: AbortSignal): Promise<ReadonlyArray<Comment>> => {
  const page = { ...ofClub, pinned: "true", limit: mostPinned } as const
  const { data } = "lesson" in place
    ? await turma.classroomComments.list({ ...page, publicId: place.lesson }, { signal })
    : await turma.classroomComments.listOfPost({ ...page, postId: place.post }, { signal })
  return data
}

/** Reads a comment with its thread, whose first comment it may be. Undefined unless the thread is at this place. */
export const threadOf = async (place: Place, commentId: string, signal: AbortSignal): Promise<Comment | undefined> => {
  const { data } = await turma.classroomComments.get({ ...ofClub, commentId }, { signal })
  const { comment, lesson_public_id, post_id, thread } = data
  const isHere = "lesson" in place ? lesson_public_id === place.lesson : post_id === place.post
  return isHere ? withReply(thread, comment) : undefined
}

/** Reads the replies to a comment, the oldest first. */
export const repliesTo = (commentId: string): LoadPage<Comment> => ({ signal, ...page }) =>
  turma.classroomComments.replies({ ...ofClub, commentId, ...page }, { signal })

/** A comment as it is sent. */
export interface Sent {
  readonly body: string
  readonly mentions: ReadonlyArray<string>
  readonly media_ids: ReadonlyArray<string>
}

/** Writes a comment, or a reply to one. */
export const comment = async (place: Place, sent: Sent, parent_id: string | null): Promise<Comment> => {
  const body = { ...sent, mentions: [...sent.mentions], media_ids: [...sent.media_ids], parent_id }
  const { data } = "lesson" in place
    ? await turma.classroomComments.create({ ...ofClub, publicId: place.lesson, body })
    : await turma.classroomComments.createOnPost({ ...ofClub, postId: place.post, body })
  return data
}
