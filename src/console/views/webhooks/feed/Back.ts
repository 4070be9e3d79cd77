import { timestampOf } from "../../../../browser/client/Time.ts"
import type { Schemas } from "../../../../sdk/index.ts"
import { idIn } from "../../../club/Ids.ts"
import { asEventTypes } from "../model/Typed.ts"

// Which events are listed: what the address says. Pure.

/** How far back the list begins, in hours, by what stands in the address; the rest begins with the oldest kept. */
const hours = { "1": 1, "24": 24, "168": 168, "720": 720 } as const

/** How far back the list begins. */
export type Back = keyof typeof hours | "all"

/** Every choice, the shortest first. */
export const backs: ReadonlyArray<Back> = ["1", "24", "168", "720", "all"]

/** The choice in an address. A day if the address has no valid one. */
export const backIn = (query: URLSearchParams): Back => backs.find((one) => one === query.get("back")) ?? "24"

const minute = 60_000

/** With which moment the list begins, to the minute; undefined for the oldest that is kept. */
export const sinceOf = (back: Back, now: number): string | undefined =>
  back === "all" ? undefined : timestampOf(Math.floor(now / minute) * minute - hours[back] * 60 * minute)

/** As the API takes it. */
export interface FeedFilter {
  readonly type?: Schemas["FeedEvent"]["type"]
  readonly student_id?: string
}

/** The filter in an address. Values without a meaning drop out. */
export const feedFilterIn = (query: URLSearchParams): FeedFilter => {
  const [type] = asEventTypes([query.get("type") ?? ""])
  const student = idIn(query.get("student") ?? "")
  return {
    ...(type === undefined ? {} : { type }),
    ...(student === undefined ? {} : { student_id: student })
  }
}
