import { DateTime, Duration, Effect, Option } from "effect"
import type { SealedRows } from "../sql/SealedRows.ts"
import type { KeyHolder } from "./KeyHolders.ts"
import type { KeyRotation } from "./KeyRotations.ts"
import type { KeyId } from "./Rotation.ts"
import { countSealed, type SealedCount } from "./SealedCounts.ts"

/** Addresses of files that were signed with the key before end within this time. */
const addressLife = Duration.hours(1)

/** The reasons why an old key is still needed. */
export interface Needed {
  /** Rows that a worker moves, and rows that end with the work that they wait for. */
  readonly toMove: number
  readonly toWork: number
  /** Whatever else needs it has ended by then. */
  readonly until: DateTime.Utc
  /** Rows that are sealed with old keys, by table. */
  readonly counts: ReadonlyArray<SealedCount>
  /** Rows that are sealed with keys that no process holds. */
  readonly lost: ReadonlyArray<SealedCount>
}

const rowsOf = (counts: ReadonlyArray<SealedCount>, by: SealedRows["end"]["by"]) =>
  counts.filter(({ sealed }) => sealed.end.by === by).reduce((sum, { count }) => sum + count, 0)

/**
 * Rows that are sealed with other keys than the new one, by whether one of these still opens them. `sealed_at` has
 * come.
 */
export const neededOf = (
  counts: ReadonlyArray<SealedCount>,
  { new_key, old_key }: Pick<KeyRotation, "new_key" | "old_key">,
  loaded: ReadonlySet<KeyId>,
  sealed_at: DateTime.Utc
): Needed => {
  const others = counts.filter(({ key }) => key !== new_key)
  const open = others.filter(({ key }) => key === old_key || loaded.has(key))
  const ends = open.flatMap(({ gone }) => Option.toArray(gone))
  return {
    toMove: rowsOf(open, "worker"),
    toWork: rowsOf(open, "work"),
    until: ends.reduce(DateTime.max, DateTime.addDuration(sealed_at, addressLife)),
    counts: open,
    lost: others.filter((count) => !open.includes(count))
  }
}

/** True once nothing needs an old key. */
export const mayBeForgotten = ({ counts, until }: Needed, now: DateTime.Utc): boolean =>
  counts.length === 0 && DateTime.isLessThanOrEqualTo(until, now)

/** The keys that processes and this environment hold. */
export const loadedKeys = (holders: ReadonlyArray<KeyHolder>, own: ReadonlyArray<KeyId>): ReadonlySet<KeyId> =>
  new Set([...own, ...holders.flatMap(({ keys }) => keys)])

/** Counts what is sealed and says what of it needs an old key. */
export const countNeeded = Effect.fnUntraced(function*(
  all: ReadonlyArray<SealedRows>,
  rotation: KeyRotation,
  loaded: ReadonlySet<KeyId>
) {
  const counts = yield* countSealed(all)
  return neededOf(counts, rotation, loaded, rotation.sealed_at ?? (yield* DateTime.now))
})
