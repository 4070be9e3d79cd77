import { textAt, type Thing } from "../../output/Json.ts"

/**
 * The known deliveries of an endpoint: the ones with greater ids than `floor`, each with its last state. Ids grow with
 * time, so a new delivery is above the floor. A pending one stays above it, since it will change.
 */
export interface Watch {
  readonly floor: string
  readonly seen: ReadonlyMap<string, string>
}

/** Deliveries remembered beyond the waiting ones, and the most of all. */
const usual = 200
const most = 1000

/** Begins after the newest delivery; without one, begins with all. */
export const watchAfter = (newest: Thing | undefined): Watch => ({
  floor: newest === undefined ? "" : textAt(newest, "id"),
  seen: new Map()
})

/** True if the next page must be read too, after a page with these things. */
export const goesOn = ({ floor }: Watch, page: ReadonlyArray<Thing>): boolean => {
  const last = page.at(-1)
  return last !== undefined && textAt(last, "id") > floor
}

const markOf = (delivery: Thing) => `${textAt(delivery, "status")} ${textAt(delivery, "attempts_count")}`

const isPending = (mark: string) => mark.startsWith("pending")

/** The floor goes up over what has come to its end, and over everything where that is too much. */
const raised = (floor: string, seen: ReadonlyMap<string, string>): Watch => {
  const ids = [...seen.keys()].toSorted()
  const beyond = (count: number) => ids.slice(0, Math.max(0, ids.length - count))
  const ended = beyond(usual)
  const waits = ended.findIndex((id) => isPending(seen.get(id) ?? ""))
  const given = [...ended.slice(0, waits === -1 ? undefined : waits), ...beyond(most)]
  const next = given.toSorted().at(-1) ?? floor
  return { floor: next, seen: new Map([...seen].filter(([id]) => id > next)) }
}

/** The changes of a list since the last look, oldest first. */
export const observe = (watch: Watch, listed: ReadonlyArray<Thing>) => {
  const above = listed.filter((delivery) => textAt(delivery, "id") > watch.floor)
    .toSorted((one, other) => textAt(one, "id") < textAt(other, "id") ? -1 : 1)
  const changed = above.filter((delivery) => watch.seen.get(textAt(delivery, "id")) !== markOf(delivery))
  const seen = new Map([...watch.seen, ...above.map((delivery) => [textAt(delivery, "id"), markOf(delivery)] as const)])
  return { changed, watch: raised(watch.floor, seen) }
}
