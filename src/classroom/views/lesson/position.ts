import { sendLast, session, turma } from "../../../browser/client/Api.ts"
import { currentMillis } from "../../../browser/client/Time.ts"
import type { Place, PlaceKeeper } from "../../../browser/parts/lesson/places.ts"
import { clubId, ofClub } from "../../club/View.ts"

/** In milliseconds: so often the place is kept while something plays. */
const pace = 10_000

/** The last places of this page: an answer that was read before may be older. */
const own = new Map<string, Place>()

/** Where a student is in a lesson, by this page or by what was read. */
export const placeIn = (lesson: string, read: Place | null): Place | null => own.get(lesson) ?? read

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
