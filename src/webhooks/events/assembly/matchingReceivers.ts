import { ownText } from "../../../platform/text/Utf8.ts"
import { isUnfiltered } from "../../endpoint/filter/Filter.ts"
import { matches, type Moments } from "../../endpoint/filter/matches.ts"
import { openFilter } from "../../endpoint/filter/StoredFilter.ts"
import type { Receiver } from "./AssemblyRepo.ts"

/** The filter that decides whether a receiver gets an event of this type; null: it gets each of them. */
export const filterFor = ({ filter }: Receiver, type: string): Receiver["filter"] => isUnfiltered(type) ? null : filter

/** True if a receiver has a filter, so the choice of an event's receivers takes time. */
export const isFiltered = (receivers: ReadonlyArray<Receiver>, type: string): boolean =>
  receivers.some((receiver) => filterFor(receiver, type) !== null)

/** The receivers whose filter the event passes. It reads the body, as sent, only if a filter decides. */
export const matchingReceivers = (
  receivers: ReadonlyArray<Receiver>,
  { body, type }: { readonly body: Uint8Array; readonly type: string }
): ReadonlyArray<Receiver> => {
  if (!isFiltered(receivers, type)) return receivers
  const event: unknown = JSON.parse(ownText(body))
  const moments: Moments = new Map()
  return receivers.filter((receiver) => {
    const filter = openFilter(filterFor(receiver, type))
    return filter === null || matches(filter, event, moments)
  })
}
