import type { Schemas } from "../../../sdk/index.ts"

/** A place in a lesson's video or sound. */
export type Place = Pick<Schemas["LessonPosition"], "block_id" | "seconds">

/** A student begins again so near to an end. In seconds. */
const nearEnd = 5

/** The second to go on from. Undefined at the beginning, and at an end. */
export const resumeAt = ({ seconds }: Place, duration: number): number | undefined =>
  seconds >= 3 && (!Number.isFinite(duration) || seconds < duration - nearEnd) ? seconds : undefined

/** Keeps the place in one video or sound of a lesson. */
export interface PlaceKeeper {
  /** It plays: the place is kept now and then. */
  readonly plays: (seconds: number) => void
  /** It stopped here. */
  readonly stops: (seconds: number) => void
  /** The page may end now, so nobody waits for the answer. */
  readonly leaves: (seconds: number) => void
  /** False if a place is not the last one that was kept here: another device was further on since. */
  readonly isOwn: (seconds: number) => boolean
}

const nothing = () => {}

/** Keeps no place. */
export const keepsNothing: PlaceKeeper = { plays: nothing, stops: nothing, leaves: nothing, isOwn: () => true }
