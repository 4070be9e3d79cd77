import { Context, type DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { uuids } from "../../platform/sql/Arrays.ts"
import { CohortId, DeliveryId } from "./Delivery.ts"

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

const Moment = Schema.NullOr(Schema.DateTimeUtcFromDate)
const TermsRow = Schema.Struct({
  found: Schema.Boolean,
  delivery_id: DeliveryId,
  cohort_id: Schema.NullOr(CohortId),
  delivery_name: Schema.NullOr(Schema.String),
  cohort_name: Schema.NullOr(Schema.String),
  default_access_days: Schema.NullOr(Schema.Int),
  cohort_starts_at: Moment,
  cohort_ends_at: Moment,
  archived: Schema.Boolean
})
const NamedRow = Schema.Struct({
  id: DeliveryId,
  name: Schema.String,
  cohorts: Schema.Array(Schema.Struct({ id: CohortId, name: Schema.String }))
})
const decodeTerms = Schema.decodeUnknownEffect(Schema.Array(TermsRow))
const decodeIds = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: DeliveryId })))
const decodeNamed = Schema.decodeUnknownEffect(Schema.Array(NamedRow))

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
}>()("turma/catalog/Catalog") {
  static readonly layer = Layer.effect(
    Catalog,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const terms = Effect.fn("Catalog.terms")(function*(club_id: ClubId, places: ReadonlyArray<Place>) {
        const rows = yield* sql`
          select place.delivery_id, place.cohort_id, d.name as delivery_name, c.name as cohort_name,
            d.default_access_days, c.starts_at as cohort_starts_at, c.ends_at as cohort_ends_at,
            d.archived_at is not null as archived,
            d.id is not null and (place.cohort_id is null or c.id is not null) as found
          from unnest(
            ${uuids(places.map(({ delivery_id }) => delivery_id))}, ${uuids(places.map(({ cohort_id }) => cohort_id))}
          ) with ordinality as place (delivery_id, cohort_id, position)
          left join deliveries d on d.club_id = ${club_id} and d.id = place.delivery_id
          left join cohorts c on c.club_id = d.club_id and c.delivery_id = d.id and c.id = place.cohort_id
          order by place.position`
        return (yield* decodeTerms(rows)).map(({ delivery_name, found, ...rest }) =>
          found && delivery_name !== null ? { ...rest, delivery_name } : null
        )
      }, Effect.orDie)

      const free = Effect.fn("Catalog.free")(function*(club_id: ClubId) {
        const rows = yield* sql`
          select id from deliveries where club_id = ${club_id} and free and archived_at is null order by id`
        return (yield* decodeIds(rows)).map(({ id }) => id)
      }, Effect.orDie)

      const named = Effect.fn("Catalog.named")(function*(club_id: ClubId) {
        const rows = yield* sql`
          select d.id, d.name, coalesce((
            select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name) order by c.id)
            from cohorts c where c.club_id = d.club_id and c.delivery_id = d.id
          ), '[]') as cohorts
          from deliveries d where d.club_id = ${club_id} and d.archived_at is null order by d.id`
        return yield* decodeNamed(rows)
      }, Effect.orDie)

      return Catalog.of({ terms, free, named })
    })
  )
}
