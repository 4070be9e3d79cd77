// When a module or a lesson opens for a student. Pure.
import { millisOf } from "../../../browser/client/Time.ts"

/** The opening as the API has it: at most one of the two. */
export interface Opening {
  readonly opens_after_days: number | null
  readonly opens_at: string | null
}

/** The three ways to open. */
export type OpeningWay = "once" | "days" | "date"

/** The fields of a form about it. */
export const openingFields = ["opens", "opens_after_days", "opens_at"] as const

/** The way in which something opens. */
export const wayOf = ({ opens_after_days, opens_at }: Opening): OpeningWay =>
  opens_after_days !== null ? "days" : opens_at !== null ? "date" : "once"

/** True if students wait for it at this moment, in milliseconds. On the first day nobody waits. */
export const isAwaited = ({ opens_after_days, opens_at }: Opening, now: number): boolean =>
  opens_after_days !== null ? opens_after_days > 0 : opens_at !== null && millisOf(opens_at) > now

/** The opening that a form's fields say. `momentOf` reads the field of the club's time. */
export const openingSaid = (value: (name: string) => string, momentOf: (local: string) => string): Opening => {
  switch (value("opens")) {
    case "days":
      return { opens_after_days: Number(value("opens_after_days")), opens_at: null }
    case "date":
      return { opens_after_days: null, opens_at: momentOf(value("opens_at")) }
    default:
      return { opens_after_days: null, opens_at: null }
  }
}
