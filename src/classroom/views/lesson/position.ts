import { sendLast, session, turma } from "../../../browser/client/Api.ts"
import { personId } from "../../../browser/client/Person.ts"
import { currentMillis, millisOf } from "../../../browser/client/Time.ts"
import type { Place, PlaceKeeper } from "../../../browser/parts/lesson/places.ts"
import type { Schemas } from "../../../sdk/index.ts"
import { clubId, ofClub } from "../../club/View.ts"

/** In milliseconds: so often the place is kept while something plays. */
const pace = 10_000

/** The last places of this page, and since when: an answer that was read before may be older. */
const own = new Map<string, Place & { readonly since: number }>()

// The next person of this tab begins at their own places.
personId.subscribe(() => own.clear())

/** Where a student is in a lesson, by this page or by what was read: the later one counts. */
export const placeIn = (lesson: string, read: Schemas["LessonPosition"] | null): Place | null => {
  const kept = own.get(lesson)
  return kept === undefined || read !== null && millisOf(read.updated_at) > kept.since ? read : kept
}

/** The keeper of the place in a block. */
export const makePlaceKeeper = (lesson: string, block_id: string): PlaceKeeper => {
  const person = personId.peek()
  let sent: number | undefined
  let sentAt = currentMillis()

  const isNews = (seconds: number) => {
    if (seconds === sent || seconds === 0 && sent === undefined) return false
    if (session.peek() === "closed" || personId.peek() !== person) return false
    sent = seconds
    sentAt = currentMillis()
    own.set(lesson, { seconds, block_id, since: sentAt })
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
    isOwn: (seconds) => sent === undefined || seconds === sent,
    leaves: (exact) => {
      const seconds = Math.floor(exact)
      const path = `/v1/clubs/${clubId}/classroom/lessons/${encodeURIComponent(lesson)}/position`
      if (isNews(seconds)) sendLast("PUT", path, { seconds, block_id })
    }
  }
}
