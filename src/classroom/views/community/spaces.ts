import { turma } from "../../../browser/client/Api.ts"
import { changed, type Read, useRead } from "../../../browser/client/Reads.ts"
import type { Schemas } from "../../../sdk/index.ts"
import { clubId, ofClub } from "../../club/View.ts"

/** The published community with the spaces that the student sees. */
export type Community = Schemas["Community"]

/** A part of the community. */
export type Space = Community["spaces"][number]

/** The community. 404 while it is not published. */
export const useCommunity = (): Read<Community> =>
  useRead(`${clubId}/community`, async (signal) => (await turma.classroomCommunity.read(ofClub, { signal })).data)

const unreadKey = `${clubId}/unread-spaces`

/** How many posts of each space the student has not seen, by the id of the space. */
export const useUnread = (): ReadonlyMap<string, number> => {
  const { data = [] } = useRead(
    unreadKey,
    async (signal) => (await turma.classroomCommunity.spaces(ofClub, { signal })).data
  )
  return new Map(data.map(({ id, unread_count }) => [id, unread_count]))
}

/** The student has seen what is in a space. */
export const see = async (spaceId: string): Promise<void> => {
  await turma.classroomCommunity.see({ ...ofClub, spaceId })
  changed(unreadKey)
}

/** The key of the posts of a space. */
export const postsKey = (spaceId: string): string => `${clubId}/spaces/${spaceId}/posts`

/** The key of a post. */
export const postKey = (postId: string): string => `${clubId}/posts/${postId}`
