import { Context, type DateTime, type Effect } from "effect"
import type { ClubId } from "../clubs/Club.ts"
import type { CohortId, DeliveryId } from "./Delivery.ts"

/** A delivery, and one of its cohorts or none. */
export interface Place {
  readonly delivery_id: DeliveryId
  readonly cohort_id: CohortId | null
}

/** What a grant of a place depends on. */
export interface Terms extends Place {
  readonly delivery_name: string
  readonly cohort_name: string | null
  readonly default_access_days: number | null
  readonly cohort_starts_at: DateTime.Utc | null
  readonly cohort_ends_at: DateTime.Utc | null
  /** Whether the delivery is archived: nobody is granted it any more. */
  readonly archived: boolean
}

/** A delivery as people name it in a file. */
export interface NamedDelivery {
  readonly id: DeliveryId
  readonly name: string
  readonly cohorts: ReadonlyArray<{ readonly id: CohortId; readonly name: string }>
}

/** What a club gives access to, for the features that grant it. */
export class Catalog extends Context.Service<Catalog, {
  /**
   * The terms of each of these places, in the same order; null where the club has no such delivery, or the cohort is not
   * one of it. One statement for all of them.
   */
  terms(club_id: ClubId, places: ReadonlyArray<Place>): Effect.Effect<ReadonlyArray<Terms | null>>
  /** The free deliveries that are not archived: every student of the club has them. */
  free(club_id: ClubId): Effect.Effect<ReadonlyArray<DeliveryId>>
  /** Every delivery that is not archived, with its cohorts. */
  named(club_id: ClubId): Effect.Effect<ReadonlyArray<NamedDelivery>>
}>()("turma/catalog/Catalog") {}
