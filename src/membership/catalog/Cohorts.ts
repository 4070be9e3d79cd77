import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, type SqlError } from "effect/sql"
import { audited } from "../../identity/audit/AuditFragment.ts"
import { creates } from "../../identity/audit/NewAuditEntry.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { afterCursor, type InvalidCursor, type PageAnswer, pageOf, type PageRequest } from "../../platform/http/Page.ts"
import { instant } from "../../platform/sql/Arrays.ts"
import { faultsDie, firstOr, rows } from "../../platform/sql/Rows.ts"
import { Cohort, CohortInUse, type CohortPatch, type CreateCohort, EndsAtNotLater } from "./Cohort.ts"
import { CohortId, type DeliveryId } from "./Delivery.ts"

const decodeCohorts = rows(Cohort)
const decodeCohort = firstOr(Cohort, () => new NotFound())

/** For a statement that writes both dates and can violate no other constraint. */
const orEndsAtNotLater = <A, R>(statement: Effect.Effect<A, SqlError.SqlError, R>) =>
  faultsDie(Effect.catchReason(statement, "SqlError", "ConstraintError", () => Effect.fail(new EndsAtNotLater())))

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
  static readonly layer = Layer.effect(
    Cohorts,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const columns = sql`id, delivery_id, name, starts_at, ends_at, created_at`
      const ofDelivery = (club_id: ClubId, delivery_id: DeliveryId) =>
        sql`club_id = ${club_id} and delivery_id = ${delivery_id}`

      const list = Effect.fn("Cohorts.list")(
        function*(club_id: ClubId, delivery_id: DeliveryId, { cursor, limit }: PageRequest) {
          const after = yield* afterCursor(cursor)
          const delivery = yield* sql`select 1 from deliveries where club_id = ${club_id} and id = ${delivery_id}`
          if (delivery.length === 0) return yield* new NotFound()
          const rows = yield* sql`
            select ${columns} from cohorts where ${ofDelivery(club_id, delivery_id)}
              and ${Option.match(after, { onNone: () => sql`true`, onSome: (id) => sql`id > ${id}` })}
            order by id limit ${limit + 1}`.pipe(decodeCohorts)
          return pageOf(rows, limit)
        },
        faultsDie
      )

      const get = Effect.fn("Cohorts.get")(function*(club_id: ClubId, delivery_id: DeliveryId, id: CohortId) {
        return yield* sql`select ${columns} from cohorts where ${ofDelivery(club_id, delivery_id)} and id = ${id}`
          .pipe(decodeCohort)
      })

      const create = Effect.fn("Cohorts.create")(function*(
        club_id: ClubId,
        delivery_id: DeliveryId,
        { ends_at, name, starts_at }: typeof CreateCohort.Type
      ) {
        const id = CohortId.make(yield* Effect.orDie(random.uuidV7()))
        yield* creates(id)
        // The delivery is locked, so a violated constraint can only be that of the dates.
        const at = instant(yield* DateTime.now)
        return yield* audited((audit) =>
          sql`
              ${audit.with}
              insert into cohorts (club_id, id, delivery_id, name, starts_at, ends_at, created_at)
              select club_id, ${id}::uuid, id, ${name}, ${instant(starts_at)}::timestamptz,
              ${instant(ends_at)}::timestamptz,
                ${at}::timestamptz
              from deliveries where club_id = ${club_id} and id = ${delivery_id} for key share
              returning ${columns}`
        ).pipe(orEndsAtNotLater, decodeCohort)
      })

      const patch = Effect.fn("Cohorts.patch")(function*(
        club_id: ClubId,
        delivery_id: DeliveryId,
        id: CohortId,
        patch: typeof CohortPatch.Type
      ) {
        const { ends_at, name = null, starts_at } = patch
        return yield* audited((audit) =>
          sql`
              ${audit.with}
              update cohorts set
                name = coalesce(${name}, name),
                starts_at = case when ${starts_at !== undefined} then
                ${instant(starts_at)}::timestamptz else starts_at end,
                ends_at = case when ${ends_at !== undefined} then ${instant(ends_at)}::timestamptz else ends_at end
              where ${ofDelivery(club_id, delivery_id)} and id = ${id}
              returning ${columns}`
        ).pipe(orEndsAtNotLater, decodeCohort)
      })

      const remove = Effect.fn("Cohorts.remove")(
        function*(club_id: ClubId, delivery_id: DeliveryId, id: CohortId) {
          const deleted = yield* audited((audit) =>
            sql`
              ${audit.with}
              delete from cohorts where ${ofDelivery(club_id, delivery_id)} and id = ${id} returning 1`
          )
          if (deleted.length === 0) return yield* new NotFound()
        },
        Effect.catchReason("SqlError", "ConstraintError", () => Effect.fail(new CohortInUse())),
        faultsDie
      )

      return Cohorts.of({ list, get, create, patch, remove })
    })
  ).pipe(Layer.provide(NodeCrypto.layerSecureRandom))
}
