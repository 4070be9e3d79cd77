import { matches } from "../filter/matches.ts"
import { openFilter } from "../filter/StoredFilter.ts"
import type { Receiver } from "./AssemblyRepo.ts"

const utf8 = new TextDecoder()

/** The receivers whose filter the event passes. Its body, as it is sent, is read only where one of them has a filter. */
export const passing = (receivers: ReadonlyArray<Receiver>, body: Uint8Array): ReadonlyArray<Receiver> => {
  if (receivers.every(({ filter }) => filter === null)) return receivers
  const event: unknown = JSON.parse(utf8.decode(body))
  return receivers.filter((receiver) => {
    const filter = openFilter(receiver.filter)
    return filter === null || matches(filter, event)
  })
}
