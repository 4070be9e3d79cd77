import { currentMillis, timestampOf } from "../../../browser/client/Time.ts"
import { me } from "../Session.ts"
import { comment, type Place, type Sent } from "./calls.ts"
import { beforeItsAnswer, type Comment } from "./comments.ts"
import type { KnownComments } from "./useComments.ts"

let last = 0

const way = "on-its-way-"

/** True of a comment that the service does not have yet. */
export const isOnItsWay = ({ id }: Comment): boolean => id.startsWith(way)

/** Shows a comment at once and sends it. Shows it no longer if that fails. */
export const write = async (
  comments: Pick<KnownComments, "add" | "settle">,
  place: Place,
  sent: Sent,
  parent_id: string | null
): Promise<void> => {
  const id = `${way}${++last}`
  const author = { id: me.peek()?.id ?? "", name: me.peek()?.name ?? "" }
  comments.add(beforeItsAnswer({ id, body: sent.body, parent_id, author, created_at: timestampOf(currentMillis()) }))
  try {
    comments.settle(id, await comment(place, sent, parent_id))
  } catch (thrown) {
    comments.settle(id)
    throw thrown
  }
}
