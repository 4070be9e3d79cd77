import { Effect } from "effect"
import { ask } from "../harness/Turma.ts"
import type { Dice } from "../simulation/Dice.ts"
import { at, type Club } from "./Clubs.ts"
import type { Accepted } from "./Load.ts"
import { retried } from "./Retried.ts"

/** The state of a feed's reader. It keeps its cursor together with the events up to there. */
interface Kept {
  readonly cursor: string | undefined
  readonly events: ReadonlyArray<{ readonly number: unknown; readonly event: string }>
}

/**
 * Reads the feed of a club for as long as it runs, and in half of the reads waits for new events. Now and then the
 * reader dies before it has kept the page.
 */
export const followFeed = (api: string, club: Club, dice: Dice) => {
  let kept: Kept = { cursor: undefined, events: [] }
  const counts = { feedPages: 0, feedWaits: 0, feedCrashes: 0 }

  /** True at the end of the feed. */
  const readPage = Effect.gen(function*() {
    const from = kept.cursor === undefined ? "" : `&after=${kept.cursor}`
    const isToWait = dice.chance(0.5)
    const wait = isToWait ? "&wait=2" : ""
    const page =
      yield* retried(Effect.suspend(() =>
        ask(`${api}${club.base}/events?limit=${dice.between(1, 30)}${from}${wait}`, {
          headers: { authorization: `Bearer ${club.token}` }
        })
      ))
    if (page.status !== 200) return yield* Effect.die(new Error(`A feed is not to be read: ${page.text}`))
    counts.feedPages += 1
    if (isToWait) counts.feedWaits += 1
    if (dice.chance(0.2)) {
      counts.feedCrashes += 1
      return false
    }
    const data = at(page.json, "data")
    const read = Array.isArray(data)
      ? data.map((one) => ({ number: at(one, "number"), event: String(at(one, "id")) }))
      : []
    kept = { cursor: String(at(page.json, "cursor")), events: [...kept.events, ...read] }
    return at(page.json, "next_cursor") === null
  })

  return {
    counts,
    run: readPage.pipe(Effect.andThen(Effect.suspend(() => Effect.sleep(dice.between(20, 200)))), Effect.forever),
    /** Reads to the end. Call it when no events come any more. */
    end: Effect.repeat(readPage, { until: (isEnd) => isEnd }),
    events: () => kept.events
  }
}

/** Facts that a reader missed or saw twice, and gaps in the numbers. */
export const misread = (
  club: Club,
  accepted: ReadonlyArray<Accepted>,
  events: ReturnType<ReturnType<typeof followFeed>["events"]>
): ReadonlyArray<string> => {
  const paths = new Set(club.endpoints.map(({ path }) => path))
  const seen = Map.groupBy(events, ({ event }) => event)
  const missed = accepted.filter((one) => !one.isTest && one.paths.some((path) => paths.has(path)))
    .filter(({ event }) => !seen.has(event))
  return [
    ...missed.map(({ event }) => `${event} was missed`),
    ...[...seen].filter(([, all]) => all.length > 1).map(([event]) => `${event} was seen twice`),
    ...events.filter(({ number }, index) => number !== index + 1).map(({ event, number }) => `${event} has ${number}`)
  ]
}
