import { Effect, type Redacted } from "effect"
import { ask } from "./ask.ts"
import { type Contender, type Name, start } from "./Contender.ts"
import { countingProxy } from "./CountingProxy.ts"
import { drive, type Load, type Round } from "./drive.ts"
import type { Length } from "./figures/Bench.ts"
import { sized } from "./sized.ts"

/** Seconds of load until a process has compiled its hot code. Rounds of one second get less. */
export const warmUp = (seconds: number) => Math.min(6, sized(5, 1) * seconds)
/** Requests, one at a time, over which a benchmark counts statements. */
const counted = sized(100, 10)
/** Requests of each connection, so that every connection of the pool has prepared its statements. */
const prepared = sized(10, 1)

/** The parts that a contender needs to start. */
export interface Place {
  readonly database: Redacted.Redacted
  readonly folder: string
  readonly key: string
}

/** Sends this many requests on every connection at once. */
const prepare = (contender: Contender, load: Load) =>
  Effect.forEach(
    load.requests(prepared),
    (own) =>
      Effect.forEach(
        Array.from({ length: prepared }, (_, index) => own[index % own.length] ?? []).flat(),
        (request) => ask(contender, request),
        { discard: true }
      ),
    { concurrency: "unbounded", discard: true }
  )

/** This many requests, from all connections in turn. */
const inTurn = (load: Load) => {
  const lists = load.requests(counted)
  return Array.from({ length: counted }, (_, index) => {
    const own = lists[index % lists.length] ?? []
    return own[Math.floor(index / lists.length) % own.length] ?? []
  }).flat()
}

/** The cost of one request of each load for the database, as a proxy between them sees it. `more` as in `start`. */
export const countTraffic = Effect.fn("countTraffic")(
  function*(name: Name, place: Place, loads: ReadonlyArray<Load>, more: Readonly<Record<string, string>> = {}) {
    const proxy = yield* countingProxy(place.database)
    const contender = yield* start(name, { ...place, database: proxy.database }, more)
    return yield* Effect.forEach(loads, (load) =>
      Effect.gen(function*() {
        yield* prepare(contender, load)
        const requests = inTurn(load)
        yield* proxy.reset
        yield* Effect.forEach(requests, (request) => ask(contender, request), { discard: true })
        const { roundTrips, statements } = yield* proxy.traffic
        return { statements: statements / requests.length, roundTrips: roundTrips / requests.length }
      }))
  },
  Effect.scoped
)

/** Rounds of both in turn, A B B A …, so that a drift of the machine affects both alike. */
export const alternate = Effect.fn("alternate")(function*(
  [one, other]: readonly [Contender, Contender],
  load: Load,
  { rounds, seconds }: Length
) {
  const results = { one: [] as Array<Round>, other: [] as Array<Round> }
  yield* drive(one, load, warmUp(seconds))
  yield* drive(other, load, warmUp(seconds))
  for (let round = 0; round < rounds; round++) {
    for (const turn of round % 2 === 0 ? ["one", "other"] as const : ["other", "one"] as const) {
      results[turn].push(yield* drive(turn === "one" ? one : other, load, seconds))
    }
  }
  return results
})
