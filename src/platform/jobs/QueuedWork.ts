import { Context, DateTime, Duration, Effect } from "effect"
import type { SecureRandom } from "effect/crypto"
import { createHash } from "node:crypto"
import { floorOf } from "../sql/Uuid7.ts"

/** Work that has waited for longer gets random ids: the time in a message's id says how long it is kept. */
export const longestQueued = Duration.days(3)

/** Bits of a UUIDv7 between its version and its variant. */
const rankBits = 12

/**
 * Accepted work that runs later: a sale, a row of an import. The ids of its results follow from it. A backup may
 * contain it while it still waits. The restored installation then makes the same results under the same ids.
 */
export class QueuedWork {
  /** How often an id was asked for under a name. */
  readonly #asked = new Map<string, number>()
  readonly #name: string
  /** Since when it waits. */
  readonly at: DateTime.Utc

  /** `name` is its own among all work, and `at` stays the same however often it is tried. */
  constructor(name: string, at: DateTime.Utc) {
    this.#name = name
    this.at = at
  }

  /**
   * A UUIDv7 of the moment since when it waits, the same for the same work, kind and name; asked for again, another. Those
   * with a lower rank, of 0 to 4095, sort first.
   */
  idOf(kind: string, name: string, rank?: number): string {
    const key = JSON.stringify([this.#name, DateTime.toEpochMillis(this.at), kind, name])
    const before = this.#asked.get(key) ?? 0
    this.#asked.set(key, before + 1)
    const digits = createHash("sha256").update(`${key} ${before}`).digest("hex")
    const order = rank === undefined ? digits.slice(0, 3) : rank.toString(16).padStart(rankBits / 4, "0")
    const variant = (0b1000 | Number.parseInt(digits.slice(3, 4), 16) & 0b11).toString(16)
    return `${floorOf(this.at).slice(0, 13)}-7${order}-${variant}${digits.slice(4, 7)}-${digits.slice(7, 19)}`
  }
}

/** The current work of the fiber, if all results of the fiber belong to one. */
export const CurrentWork = Context.Reference<QueuedWork | undefined>("turma/platform/jobs/CurrentWork", {
  defaultValue: () => undefined
})

/**
 * A new id. It is `QueuedWork.idOf` for this work, or else for the fiber's. Without work, or if the work has waited for
 * longer than `longest`, it is random.
 */
export const newIdOf = (
  random: SecureRandom.SecureRandom["Service"],
  { kind, longest = longestQueued, name, rank, work }: {
    readonly kind: string
    readonly name: string
    readonly rank?: number
    readonly work?: QueuedWork | undefined
    readonly longest?: Duration.Duration
  }
) =>
  Effect.gen(function*() {
    const of = work ?? (yield* CurrentWork)
    if (of === undefined) return yield* random.uuidV7()
    const oldest = DateTime.subtractDuration(yield* DateTime.now, longest)
    return DateTime.isLessThan(of.at, oldest) ? yield* random.uuidV7() : of.idOf(kind, name, rank)
  })
