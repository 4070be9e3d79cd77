import { Context, type DateTime, Effect, Layer, type Option, Schema } from "effect"
import type { ClubId } from "../../../identity/ids/ClubId.ts"

/** Units in use, with the period that they go back to. */
export interface TakenUnits {
  readonly resource: string
  readonly period_start: DateTime.Utc
  readonly units: number
}

/** Units that a call has just claimed, with a mark on the last ones of the period. */
export interface UsageTaken extends TakenUnits {
  readonly exhausted: boolean
}

/** The period has no unit of the resource until then, and the plan refuses overage. */
export class ResourceUsedUp extends Schema.TaggedError<ResourceUsedUp>()("ResourceUsedUp", {
  until: Schema.DateTimeUtc
}) {}

/**
 * Counts each club's usage of metered resources, by the catalog and the period of the club's plan. A club without a
 * plan has no limits and no counts. The same holds for a resource that is not in the catalog.
 */
export class Metering extends Context.Service<Metering, {
  /**
   * Takes all these units or fails, in the caller's transaction. It locks the club's account until that ends, so call
   * it late. Concurrent calls cannot exceed the limit together. Empty if the resource is not counted.
   */
  take(club_id: ClubId, resource: string, units: number): Effect.Effect<Option.Option<UsageTaken>, ResourceUsedUp>
  /** Gives units back, in the caller's transaction. Call it once for each take. */
  giveBack(club_id: ClubId, taken: TakenUnits): Effect.Effect<void>
  /** True if the period has no unit now. Queries the database only if clubs can have plans. */
  exhausted(club_id: ClubId, resource: string): Effect.Effect<boolean>
}>()("turma/commerce/billing/account/Metering") {
  /** For environments without plans: counts nothing and does not query the database. */
  static readonly unlimited = Layer.succeed(Metering, {
    take: () => Effect.succeedNone,
    giveBack: () => Effect.void,
    exhausted: () => Effect.succeed(false)
  })
}
