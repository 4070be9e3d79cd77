import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { sized } from "../sized.ts"
import type { Contender } from "./contenders.ts"
import type { Stand } from "./Stand.ts"
import { percentile, table } from "./tables.ts"
import { atRate } from "./trickle.ts"

/** A rate far below the limit of every contender, so that deliveries do not wait for each other. */
const rate = { perSecond: 200, seconds: sized(10, 0.2) }

const Assembled = Schema.Array(Schema.Struct({ event_id: Schema.String, created_at: Schema.DateTimeUtcFromDate }))

/** When the deliveries of these events were written, in milliseconds since 1970. Empty for other contenders' ids. */
export const assembledAt = Effect.fn("assembledAt")(function*(ids: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    select event_id, created_at from webhook_deliveries where event_id = any(${ids}::uuid[])`
  const decoded = yield* Schema.decodeUnknownEffect(Assembled)(rows)
  return new Map(decoded.map(({ created_at, event_id }) => [event_id, DateTime.toEpochMillis(created_at)]))
}, Effect.orDie)

/** Milliseconds on the way of each delivery. */
interface Ways {
  readonly name: string
  readonly whole: ReadonlyArray<number>
  /** Empty if the contender assembles nothing. */
  readonly assembly: ReadonlyArray<number>
  readonly rest: ReadonlyArray<number>
}

/** Adds deliveries one by one and follows each to its receiver. */
export const latencies = Effect.fn("latencies")(function*({ receivers }: Stand, contender: Contender) {
  yield* receivers.note
  const { arrivals, facts } = yield* contender.whileOpen(Effect.gen(function*() {
    const facts = yield* atRate(contender.add, rate)
    yield* receivers.arrived.pipe(
      Effect.delay("100 millis"),
      Effect.repeat({ until: (arrived) => arrived >= facts.length, times: 300 })
    )
    return { facts, arrivals: new Map(yield* receivers.arrivals) }
  }))
  const assembled = yield* assembledAt(facts.map(({ result }) => result))
  const ways = facts.flatMap(({ at, result }) => {
    const arrived = arrivals.get(result)
    return arrived === undefined ? [] : [{ at, written: assembled.get(result), arrived }]
  })
  if (ways.length < facts.length) return yield* Effect.die(new Error(`${contender.name}: some never arrived`))
  return {
    name: contender.name,
    whole: ways.map(({ arrived, at }) => arrived - at),
    assembly: ways.flatMap(({ at, written }) => written === undefined ? [] : [written - at]),
    rest: ways.map(({ arrived, at, written = at }) => arrived - written)
  } satisfies Ways
})

const both = (values: ReadonlyArray<number>) =>
  values.length === 0 ? ["", ""] : [0.5, 0.99].map((share) => percentile(values, share).toFixed(1))

/** A row for each contender. */
export const latencyTable = (all: ReadonlyArray<Ways>): string =>
  table(
    [
      `ms at ${rate.perSecond}/s`,
      "fact to receipt, p50",
      "p99",
      "of it to the assembly, p50",
      "p99",
      "from there to receipt, p50",
      "p99"
    ],
    all.map(({ assembly, name, rest, whole }) => [name, ...both(whole), ...both(assembly), ...both(rest)])
  )
