import { Context, type DateTime, Effect, Layer, type Option, Schema } from "effect"
import type { ClubId } from "../../identity/ids/ClubId.ts"

/** What was taken, so that it can go back to the period that it came from. */
export interface TakenUnits {
  readonly resource: string
  readonly period_start: DateTime.Utc
  readonly units: number
}

/** Units that were taken just now, and whether they were the last ones of the period. */
export interface Taken extends TakenUnits {
  readonly exhausted: boolean
}

/** Nothing is left of the resource until then, and what is beyond is not billed. */
export class ResourceUsedUp extends Schema.TaggedError<ResourceUsedUp>()("ResourceUsedUp", {
  until: Schema.DateTimeUtc
}) {}

/**
 * Counts what clubs use of metered resources, by the catalog and the period of the club's plan. A club without a plan, or a
 * resource that the catalog does not name, is neither limited nor counted.
 */
export class Metering extends Context.Service<Metering, {
  /**
   * So many units, or none of them, in the caller's transaction: late in it, as a whole club meets here until it ends. Of
   * several at once no more pass than there are units. None where nothing is counted.
   */
  take(club_id: ClubId, resource: string, units: number): Effect.Effect<Option.Option<Taken>, ResourceUsedUp>
  /** In the caller's transaction, once for what was taken. */
  giveBack(club_id: ClubId, taken: TakenUnits): Effect.Effect<void>
  /** Whether not one unit is left now. Asks the database only where clubs can have plans. */
  exhausted(club_id: ClubId, resource: string): Effect.Effect<boolean>
}>()("turma/billing/Metering") {
  /** For where no club has a plan: nothing is counted and nothing asked. */
  static readonly unlimited = Layer.succeed(Metering, {
    take: () => Effect.succeedNone,
    giveBack: () => Effect.void,
    exhausted: () => Effect.succeed(false)
  })
}
