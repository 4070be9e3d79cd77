import type { Change } from "./Journal.ts"
import { takenOf } from "./Shadow.ts"

/** An event of a feed. */
export interface Told {
  readonly event: string
  readonly type: string
  readonly student: string | null
  readonly number: number
  readonly position: string
}

const numberIn = (position: string): number => Number.parseInt(position.replaceAll("-", "").slice(-15), 16)

/** The feeds of all clubs, as they were committed. */
export class Feeds {
  readonly #feeds = new Map<string, Array<Told>>()

  /** Every event of a club so far, in its order. */
  of(club: string): ReadonlyArray<Told> {
    return this.#feeds.get(club) ?? []
  }

  /** The problems with new rows: each assembled fact has the next place of its club's feed, and nothing else has. */
  judge(changes: ReadonlyArray<Change>): ReadonlyArray<string> {
    const problems: Array<string> = []
    const taken = changes.flatMap(({ was, what }) => what === "taken" && was !== undefined ? [takenOf(was)] : [])
      .filter(({ isErased, type }) => !isErased || type === "student.removed")
    const wanted = new Set(taken.map(({ club, id }) => `${club} ${id}`))
    for (const { club, ...told } of this.#newIn(changes)) {
      const feed = this.#feeds.get(club) ?? []
      const last = feed.at(-1)
      const isNext = told.number === (last?.number ?? 0) + 1 && told.position > (last?.position ?? "")
      if (!isNext) problems.push(`Event ${told.event} gets place ${told.position} behind ${last?.position}`)
      if (!wanted.delete(`${club} ${told.event}`)) problems.push(`Event ${told.event} has a place and is no new fact`)
      this.#feeds.set(club, [...feed, told])
    }
    for (const left of wanted) problems.push(`Event ${left} has no place in its feed`)
    return problems
  }

  #newIn(changes: ReadonlyArray<Change>): ReadonlyArray<Told & { readonly club: string }> {
    return changes.flatMap(({ is, was, what }) => {
      if (what !== "webhook_feed_events" || is === undefined || was !== undefined) return []
      const position = `${is["position"]}`
      const student = is["student_id"] === null ? null : `${is["student_id"]}`
      const [club, event, type] = [`${is["club_id"]}`, `${is["event_id"]}`, `${is["type"]}`]
      return [{ club, event, type, student, number: numberIn(position), position }]
    }).toSorted((one, other) => one.number - other.number)
  }
}
