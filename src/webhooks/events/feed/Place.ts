import { numberOf } from "../../model/FeedPosition.ts"

/** The feed around a position, all of one moment. */
export interface Surroundings {
  /** The last position past its age. Greater positions are kept. */
  readonly oldest: string
  /** The newest event's position. Null for an empty feed. */
  readonly head: string | null
  /** True if a kept event has exactly this position. */
  readonly is_there: boolean
  /** The first position behind it of a kept event. Null without one. */
  readonly next: string | null
}

/**
 * True if a reader can go on from this position without a gap. `"foreign"`: it is not a position of this feed, or it
 * belongs to another history of it, for example before a restore. `"expired"`: events behind it are past their age.
 * Numbers have no gaps, so the number of the next event shows whether one is missing.
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
