import { Context, type DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { InstantOrNull } from "../../platform/schema/Instant.ts"
import { uuids } from "../../platform/sql/Arrays.ts"
import { rows } from "../../platform/sql/Rows.ts"
import { CohortId, DeliveryId } from "./Delivery.ts"

/** A delivery to grant, with or without one of its cohorts. */
export interface GrantTarget {
  readonly delivery_id: DeliveryId
  readonly cohort_id: CohortId | null
}

/** The terms that decide a grant of this delivery and cohort. */
export interface GrantTerms extends GrantTarget {
  readonly delivery_name: string
  readonly cohort_name: string | null
  readonly default_access_days: number | null
  readonly cohort_starts_at: DateTime.Utc | null
  readonly cohort_ends_at: DateTime.Utc | null
  /** True if the delivery is archived and cannot be granted. */
  readonly archived: boolean
}

/** A delivery and its cohorts with their names, as files refer to them. */
export interface NamedDelivery {
  readonly id: DeliveryId
  readonly name: string
  readonly cohorts: ReadonlyArray<{ readonly id: CohortId; readonly name: string }>
}

const TermsRow = Schema.Struct({
  found: Schema.Boolean,
  delivery_id: DeliveryId,
  cohort_id: Schema.NullOr(CohortId),
  delivery_name: Schema.NullOr(Schema.String),
  cohort_name: Schema.NullOr(Schema.String),
  default_access_days: Schema.NullOr(Schema.Int),
  cohort_starts_at: InstantOrNull,
  cohort_ends_at: InstantOrNull,
  archived: Schema.Boolean
})
const NamedRow = Schema.Struct({
  id: DeliveryId,
  name: Schema.String,
  cohorts: Schema.Array(Schema.Struct({ id: CohortId, name: Schema.String }))
})
const decodeTerms = rows(TermsRow)
const decodeIds = rows(Schema.Struct({ id: DeliveryId }))
const decodeNamed = rows(NamedRow)

/** The deliveries of a club, for the features that grant them. */
export class GrantableDeliveries extends Context.Service<GrantableDeliveries, {
  /**
   * The terms of each target, in the same order. Null if the club has no such delivery, or if the cohort belongs to
   * another delivery. One statement for all of them.
   */
  terms(club_id: ClubId, targets: ReadonlyArray<GrantTarget>): Effect.Effect<ReadonlyArray<GrantTerms | null>>
  /** The free deliveries that are not archived: every student of the club has them. */
  free(club_id: ClubId): Effect.Effect<ReadonlyArray<DeliveryId>>
  /** Every delivery that is not archived, with its cohorts. */
  named(club_id: ClubId): Effect.Effect<ReadonlyArray<NamedDelivery>>
}>()("turma/membership/catalog/GrantableDeliveries") {
  static readonly layer = Layer.effect(
    GrantableDeliveries,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const terms = Effect.fn("GrantableDeliveries.terms")(function*(
        club_id: ClubId,
        targets: ReadonlyArray<GrantTarget>
      ) {
        const rows = yield* sql`
            select target.delivery_id, target.cohort_id, d.name as delivery_name, c.name as cohort_name,
              d.default_access_days, c.starts_at as cohort_starts_at, c.ends_at as cohort_ends_at,
              d.archived_at is not null as archived,
              d.id is not null and (target.cohort_id is null or c.id is not null) as found
            from unnest(
              ${uuids(targets.map(({ delivery_id }) => delivery_id))},
              ${uuids(targets.map(({ cohort_id }) => cohort_id))}
            ) with ordinality as target (delivery_id, cohort_id, position)
            left join deliveries d on d.club_id = ${club_id} and d.id = target.delivery_id
            left join cohorts c on c.club_id = d.club_id and c.delivery_id = d.id and c.id = target.cohort_id
            order by target.position`.pipe(decodeTerms)
        return rows.map(({ delivery_name, found, ...rest }) =>
          found && delivery_name !== null ? { ...rest, delivery_name } : null
        )
      })

      const free = Effect.fn("GrantableDeliveries.free")(function*(club_id: ClubId) {
        const rows = yield* sql`
          select id from deliveries where club_id = ${club_id} and free and archived_at is null order by id
        `.pipe(decodeIds)
        return rows.map(({ id }) => id)
      })

      const named = Effect.fn("GrantableDeliveries.named")(function*(club_id: ClubId) {
        return yield* sql`
          select d.id, d.name, coalesce((
            select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name) order by c.id)
            from cohorts c where c.club_id = d.club_id and c.delivery_id = d.id
          ), '[]') as cohorts
          from deliveries d where d.club_id = ${club_id} and d.archived_at is null order by d.id`.pipe(decodeNamed)
      })

      return GrantableDeliveries.of({ terms, free, named })
    })
  )
}
