import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { afterCursor, type InvalidCursor, type PageAnswer, pageOf, type PageRequest } from "../../platform/http/Page.ts"
import { faultsDie } from "../../platform/sql/Rows.ts"
import { Cohort, CohortInUse, type CohortPatch, type CreateCohort, EndsAtNotLater } from "./Cohort.ts"
import { CohortId, type DeliveryId } from "./Delivery.ts"

const decodeCohorts = Schema.decodeUnknownEffect(Schema.Array(Cohort))

const instant = (at: DateTime.Utc | null | undefined) => at ? DateTime.toDateUtc(at) : null

/** The cohorts of deliveries. `NotFound`: this club has no such delivery, or that has no such cohort. */
export class Cohorts extends Context.Service<Cohorts, {
  /** Oldest first. */
  list(
    club_id: ClubId,
    delivery_id: DeliveryId,
    page: PageRequest
  ): Effect.Effect<PageAnswer<Cohort>, InvalidCursor | NotFound>
  get(club_id: ClubId, delivery_id: DeliveryId, id: CohortId): Effect.Effect<Cohort, NotFound>
  create(
    club_id: ClubId,
    delivery_id: DeliveryId,
    cohort: typeof CreateCohort.Type
  ): Effect.Effect<Cohort, EndsAtNotLater | NotFound>
  patch(
    club_id: ClubId,
    delivery_id: DeliveryId,
    id: CohortId,
    patch: typeof CohortPatch.Type
  ): Effect.Effect<Cohort, EndsAtNotLater | NotFound>
  remove(club_id: ClubId, delivery_id: DeliveryId, id: CohortId): Effect.Effect<void, CohortInUse | NotFound>
}>()("turma/membership/catalog/Cohorts") {
  static readonly layerNoDeps = Layer.effect(
    Cohorts,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const columns = sql`id, delivery_id, name, starts_at, ends_at, created_at`
      const ofDelivery = (club_id: ClubId, delivery_id: DeliveryId) =>
        sql`club_id = ${club_id} and delivery_id = ${delivery_id}`

      const firstOf = Effect.fnUntraced(function*(rows: ReadonlyArray<unknown>) {
        const [cohort] = yield* Effect.orDie(decodeCohorts(rows))
        return cohort ?? (yield* new NotFound())
      })

      const list = Effect.fn("Cohorts.list")(
        function*(club_id: ClubId, delivery_id: DeliveryId, { cursor, limit }: PageRequest) {
          const after = yield* afterCursor(cursor)
          const delivery = yield* sql`select 1 from deliveries where club_id = ${club_id} and id = ${delivery_id}`
          if (delivery.length === 0) return yield* new NotFound()
          const rows = yield* sql`
            select ${columns} from cohorts where ${ofDelivery(club_id, delivery_id)}
              and ${Option.match(after, { onNone: () => sql`true`, onSome: (id) => sql`id > ${id}` })}
            order by id limit ${limit + 1}`
          return pageOf(yield* Effect.orDie(decodeCohorts(rows)), limit)
        },
        faultsDie
      )

      const get = Effect.fn("Cohorts.get")(function*(club_id: ClubId, delivery_id: DeliveryId, id: CohortId) {
        const rows = yield* sql`select ${columns} from cohorts where ${ofDelivery(club_id, delivery_id)} and id = ${id}`
        return yield* firstOf(rows)
      }, faultsDie)

      const create = Effect.fn("Cohorts.create")(
        function*(club_id: ClubId, delivery_id: DeliveryId, { ends_at, name, starts_at }: typeof CreateCohort.Type) {
          const id = CohortId.make(yield* Effect.orDie(random.uuidV7()))
          // The delivery is locked, so a violated constraint can only be that of the dates.
          const rows = yield* sql`
            insert into cohorts (club_id, id, delivery_id, name, starts_at, ends_at, created_at)
            select club_id, ${id}::uuid, id, ${name}, ${instant(starts_at)}::timestamptz, ${
            instant(ends_at)
          }::timestamptz,
              ${instant(yield* DateTime.now)}::timestamptz
            from deliveries where club_id = ${club_id} and id = ${delivery_id} for key share
            returning ${columns}`
          return yield* firstOf(rows)
        },
        Effect.catchReason("SqlError", "ConstraintError", () => Effect.fail(new EndsAtNotLater()), Effect.die)
      )

      const patch = Effect.fn("Cohorts.patch")(
        function*(club_id: ClubId, delivery_id: DeliveryId, id: CohortId, patch: typeof CohortPatch.Type) {
          const { ends_at, name = null, starts_at } = patch
          const rows = yield* sql`
            update cohorts set
              name = coalesce(${name}, name),
              starts_at = case when ${starts_at !== undefined} then ${
            instant(starts_at)
          }::timestamptz else starts_at end,
              ends_at = case when ${ends_at !== undefined} then ${instant(ends_at)}::timestamptz else ends_at end
            where ${ofDelivery(club_id, delivery_id)} and id = ${id}
            returning ${columns}`
          return yield* firstOf(rows)
        },
        Effect.catchReason("SqlError", "ConstraintError", () => Effect.fail(new EndsAtNotLater()), Effect.die)
      )

      const remove = Effect.fn("Cohorts.remove")(
        function*(club_id: ClubId, delivery_id: DeliveryId, id: CohortId) {
          const deleted = yield* sql`
            delete from cohorts where ${ofDelivery(club_id, delivery_id)} and id = ${id} returning 1`
          if (deleted.length === 0) return yield* new NotFound()
        },
        Effect.catchReason("SqlError", "ConstraintError", () => Effect.fail(new CohortInUse()), Effect.die)
      )

      return Cohorts.of({ list, get, create, patch, remove })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(NodeCrypto.layerSecureRandom))
}
