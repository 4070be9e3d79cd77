import { numberOf } from "../../model/FeedPosition.ts"

/** What the feed has around a place, all of one moment. */
export interface Surroundings {
  /** What is not greater than this is past its age. */
  readonly oldest: string
  /** The newest event's position; null while there is none. */
  readonly head: string | null
  /** Whether an event that is kept has this very position. */
  readonly is_there: boolean
  /** The first position behind it of an event that is kept; null where none is. */
  readonly next: string | null
}

/**
 * Whether a reader who has read up to this position can go on without missing an event. `"foreign"`: it is no place of this
 * feed, or of another history of it, as before a backup was restored. `"expired"`: events behind it are past their age.
 * Numbers have no gaps, so whether something is missing can be seen by the next one.
 */
export const judge = (
  position: string,
  { head, is_there, next, oldest }: Surroundings
): "good" | "foreign" | "expired" => {
  if (position > oldest) return is_there ? "good" : "foreign"
  const number = numberOf(position)
  const newest = head === null ? 0 : numberOf(head)
  if (number > newest) return "foreign"
  const following = next === null ? newest + 1 : numberOf(next)
  return following === number + 1 ? "good" : "expired"
}
