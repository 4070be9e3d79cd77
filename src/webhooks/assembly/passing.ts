import { matches, type Moments } from "../filter/matches.ts"
import { openFilter } from "../filter/StoredFilter.ts"
import type { Receiver } from "./AssemblyRepo.ts"

const utf8 = new TextDecoder()

/** Whether it takes time to say whom an event is for. */
export const isFiltered = (receivers: ReadonlyArray<Receiver>): boolean =>
  receivers.some(({ filter }) => filter !== null)

/** The receivers whose filter the event passes. Its body, as it is sent, is read only where one of them has a filter. */
export const passing = (receivers: ReadonlyArray<Receiver>, body: Uint8Array): ReadonlyArray<Receiver> => {
  if (!isFiltered(receivers)) return receivers
  const event: unknown = JSON.parse(utf8.decode(body))
  const moments: Moments = new Map()
  return receivers.filter((receiver) => {
    const filter = openFilter(receiver.filter)
    return filter === null || matches(filter, event, moments)
  })
}
