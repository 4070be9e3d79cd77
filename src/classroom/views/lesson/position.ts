import { sendLast, session, turma } from "../../../browser/client/Api.ts"
import { currentMillis } from "../../../browser/client/Time.ts"
import type { Schemas } from "../../../sdk/index.ts"
import { clubId, ofClub } from "../../club/View.ts"

/** A place in a lesson's video or sound. */
export type Place = Pick<Schemas["LessonPosition"], "block_id" | "seconds">

/** In milliseconds: so often the place is kept while something plays. */
const pace = 10_000

/** A student begins again so near to an end. In seconds. */
const nearEnd = 5

/** The last places of this page: an answer that was read before may be older. */
const own = new Map<string, Place>()

/** Where a student is in a lesson, by this page or by what was read. */
export const placeIn = (lesson: string, read: Place | null): Place | null => own.get(lesson) ?? read

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
}

/** The keeper of the place in a block. */
export const makePlaceKeeper = (lesson: string, block_id: string): PlaceKeeper => {
  let sent: number | undefined
  let sentAt = currentMillis()

  const isNews = (seconds: number) => {
    if (seconds === sent || seconds === 0 && sent === undefined || session.peek() === "closed") return false
    sent = seconds
    sentAt = currentMillis()
    own.set(lesson, { seconds, block_id })
    return true
  }

  const keep = (exact: number) => {
    const seconds = Math.floor(exact)
    if (!isNews(seconds)) return
    // The next one comes soon, so a failure says nothing.
    turma.classroom.savePosition({ ...ofClub, publicId: lesson, body: { seconds, block_id } }).then(
      () => {},
      () => {}
    )
  }

  return {
    plays: (seconds) => {
      if (currentMillis() - sentAt >= pace) keep(seconds)
    },
    stops: keep,
    leaves: (exact) => {
      const seconds = Math.floor(exact)
      const path = `/v1/clubs/${clubId}/classroom/lessons/${encodeURIComponent(lesson)}/position`
      if (isNews(seconds)) sendLast("PUT", path, { seconds, block_id })
    }
  }
}
