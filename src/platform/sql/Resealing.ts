import { Effect, Layer, PubSub } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { ResealAsked } from "./ResealAsked.ts"
import { type SealBroken, Sealing } from "./Sealing.ts"

/** Rows that are read in one step. */
const batch = 500

/** The sealed columns of one table, or of several that are read as one. */
export interface SealedTable<Row> {
  /** The first `limit` rows after this one, in the order of their keys, that have a column sealed with another key. */
  readonly after: (last: Row | undefined, limit: number) => Effect.Effect<ReadonlyArray<Row>>
  /** Writes the row's columns, sealed anew, if they are still as they were read: says whether they were. */
  readonly replace: (row: Row, reseal: Reseal) => Effect.Effect<boolean, SealBroken | SqlError.SqlError>
  /** True if a change may give a row an earlier key. If so, all are read again after a row has changed meanwhile. */
  readonly movesBack?: boolean
  /** The log line for a row that no key opens. The row stays as it is. */
  readonly onBroken: (row: Row) => Effect.Effect<void>
}

/** Opens with the key that has sealed it, and seals with today's. */
export type Reseal = (sealed: Uint8Array, binding: string) => Effect.Effect<Uint8Array, SealBroken>

/** Moves what is sealed to the key of today, so that the key before may be forgotten. */
export const makeResealing = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const sealing = yield* Sealing
  const header = sealing.currentHeader

  const reseal: Reseal = (sealed, binding) =>
    Effect.flatMap(sealing.open(sealed, binding), (plain) => sealing.seal(plain, binding))

  return {
    /** True if another key than today's has sealed this column; null is not sealed. */
    isOfOther: (column: string) => sql`substring(${sql(column)} from 1 for ${header.length}) <> ${header}`,

    /** Seals all of them anew, and says how many rows were moved. */
    all: Effect.fnUntraced(function*<Row>({ after, movesBack = false, onBroken, replace }: SealedTable<Row>) {
      const move = (row: Row) =>
        replace(row, reseal).pipe(
          Effect.map((replaced) => replaced ? "moved" as const : "changed" as const),
          Effect.catchTag("SealBroken", () => Effect.as(onBroken(row), "broken" as const))
        )
      let count = 0
      let rows = yield* after(undefined, batch)
      while (rows.length > 0) {
        const moves = yield* Effect.forEach(rows, move)
        count += moves.filter((outcome) => outcome === "moved").length
        rows = yield* after(movesBack && moves.includes("changed") ? undefined : rows.at(-1), batch)
      }
      return count
    }, Effect.orDie)
  }
})

/**
 * Moves rows beside everything else when the process starts, and whenever it is asked to: others may have sealed with the key
 * before until then. The log says `onFailure` of a move that dies.
 */
export const resealingLayer = <R>(renew: Effect.Effect<number, never, R>, onFailure: string) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const asked = yield* PubSub.subscribe(yield* ResealAsked)
    const move = Effect.catchCause(renew, (cause) => Effect.logError(onFailure, cause))
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(move, PubSub.take(asked))))
  }))
