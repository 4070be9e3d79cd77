// The visibility of something to students, by the time of its publication. Pure.
import { millisOf } from "../../../browser/client/Time.ts"

/** The visibility of a lesson or a repository for students. */
export type Publication = "draft" | "scheduled" | "live"

interface Published {
  readonly published_at: string | null
}

/** The state of something at a moment, in milliseconds. */
export const publicationOf = ({ published_at }: Published, now: number): Publication => {
  if (published_at === null) return "draft"
  return millisOf(published_at) <= now ? "live" : "scheduled"
}

/** Number of these in each state. */
export const countsOf = (all: ReadonlyArray<Published>, now: number): Readonly<Record<Publication, number>> => {
  const count = (state: Publication) => all.filter((one) => publicationOf(one, now) === state).length
  return { draft: count("draft"), scheduled: count("scheduled"), live: count("live") }
}
