import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, type SqlError } from "effect/sql"
import { audited } from "../../../identity/audit/AuditFragment.ts"
import { creates } from "../../../identity/audit/NewAuditEntry.ts"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { CohortOfOtherDelivery, DeliveryUnknown } from "../../../membership/access/Enrollment.ts"
import { GrantableDeliveries } from "../../../membership/catalog/GrantableDeliveries.ts"
import { NotFound } from "../../../platform/http/errors.ts"
import {
  afterCursor,
  type InvalidCursor,
  type PageAnswer,
  pageOf,
  type PageRequest
} from "../../../platform/http/Page.ts"
import { texts } from "../../../platform/sql/Arrays.ts"
import { faultsDie, firstOr, one, rows } from "../../../platform/sql/Rows.ts"
import { Requeues } from "../inbound/Requeues.ts"
import type { PlatformKey, SoldProduct } from "../platform/Platform.ts"
import {
  AppliedMapping,
  type CreateMapping,
  MappingExists,
  type MappingId,
  type MappingTerms,
  type PatchMapping,
  ProductMapping,
  type ProductMappingDetail
} from "./Mapping.ts"

const decodeApplied = rows(AppliedMapping)
const decodeMappings = rows(ProductMapping)
const decodeMapping = firstOr(ProductMapping, () => new NotFound())
const decodeInserted = one(ProductMapping)

type Refused = DeliveryUnknown | CohortOfOtherDelivery

/**
 * The table `product_mappings`; of deliveries it asks whether they are archived. `NotFound`: this club has no such
 * mapping.
 */
export class Mappings extends Context.Service<Mappings, {
  /**
   * The mappings that apply to the sold products, in one statement. Those of an offer come before those of the whole
   * product. Two of them may name the same delivery.
   */
  of(
    club_id: ClubId,
    platform: PlatformKey,
    products: ReadonlyArray<SoldProduct>
  ): Effect.Effect<ReadonlyArray<AppliedMapping>>
  /** Oldest first. */
  list(club_id: ClubId, page: PageRequest): Effect.Effect<PageAnswer<ProductMapping>, InvalidCursor>
  get(club_id: ClubId, id: MappingId): Effect.Effect<ProductMappingDetail, NotFound>
  create(
    club_id: ClubId,
    mapping: typeof CreateMapping.Type
  ): Effect.Effect<ProductMappingDetail, Refused | MappingExists>
  patch(
    club_id: ClubId,
    id: MappingId,
    patch: typeof PatchMapping.Type
  ): Effect.Effect<ProductMappingDetail, Refused | MappingExists | NotFound>
  /** Access that was granted through it stays. */
  remove(club_id: ClubId, id: MappingId): Effect.Effect<void, NotFound>
  /** Puts the unmapped events that it applies to back into the queue and returns how many. */
  reprocess(club_id: ClubId, id: MappingId): Effect.Effect<number, NotFound>
}>()("turma/commerce/sales/mapping/Mappings") {
  static readonly layer = Layer.effect(
    Mappings,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const catalog = yield* GrantableDeliveries
      const random = yield* SecureRandom.SecureRandom
      const requeues = yield* Requeues
      const now = Effect.map(DateTime.now, DateTime.toDateUtc)

      const columns = sql`
        id, platform, external_product_id, external_offer_id, delivery_id, cohort_id, access_days, created_at`

      const of = Effect.fn("Mappings.of")(function*(
        club_id: ClubId,
        platform: PlatformKey,
        products: ReadonlyArray<SoldProduct>
      ) {
        return yield* sql`
            select ${columns}, (
              select d.archived_at is not null from deliveries d where d.club_id = m.club_id and d.id = m.delivery_id
            ) as archived
            from product_mappings m
            where club_id = ${club_id} and platform = ${platform} and exists (
              select from unnest(
                ${texts(products.map(({ external_id }) => external_id))},
                ${texts(products.map(({ offer_external_id }) => offer_external_id))}
              ) as sold (product, offer)
              where sold.product = m.external_product_id
                and (m.external_offer_id is null or m.external_offer_id = sold.offer)
            ) and external_product_id = any(${texts(products.map(({ external_id }) => external_id))})
            order by external_offer_id is null, id`.pipe(decodeApplied)
      })

      const list = Effect.fn("Mappings.list")(function*(club_id: ClubId, { cursor, limit }: PageRequest) {
        const after = yield* afterCursor(cursor)
        const later = Option.match(after, { onNone: () => sql`true`, onSome: (id) => sql`id > ${id}` })
        const rows = yield* sql`
            select ${columns} from product_mappings where club_id = ${club_id} and ${later}
            order by id limit ${limit + 1}`.pipe(decodeMappings)
        return pageOf(rows, limit)
      })

      const find = (club_id: ClubId, id: MappingId) =>
        sql`select ${columns} from product_mappings where club_id = ${club_id} and id = ${id}`.pipe(decodeMapping)

      const detail = (club_id: ClubId, mapping: ProductMapping) =>
        Effect.map(requeues.countFor(club_id, mapping), (unmapped_events) => ({ ...mapping, unmapped_events }))

      const get = Effect.fn("Mappings.get")((club_id: ClubId, id: MappingId) =>
        Effect.flatMap(find(club_id, id), (mapping) => detail(club_id, mapping))
      )

      const checkDelivery = Effect.fnUntraced(function*(
        club_id: ClubId,
        { cohort_id, delivery_id }: Pick<MappingTerms, "cohort_id" | "delivery_id">
      ) {
        const places = [{ delivery_id, cohort_id: null }, { delivery_id, cohort_id }]
        const [delivery, place] = yield* catalog.terms(club_id, places)
        if (!delivery || delivery.archived) return yield* new DeliveryUnknown()
        if (!place) return yield* new CohortOfOtherDelivery()
      })

      // The cohort may be deleted between the check and the statement.
      const refused = <A>(statement: Effect.Effect<A, SqlError.SqlError>) =>
        Effect.catchReasons(statement, "SqlError", {
          UniqueViolation: () => Effect.fail(new MappingExists()),
          ConstraintError: () => Effect.fail(new CohortOfOtherDelivery())
        })

      const create = Effect.fn("Mappings.create")(function*(club_id: ClubId, asked: typeof CreateMapping.Type) {
        const mapping = { external_offer_id: null, cohort_id: null, access_days: null, ...asked }
        yield* checkDelivery(club_id, mapping)
        const id = yield* Effect.orDie(random.uuidV7())
        yield* creates(id)
        const at = yield* now
        const row = yield* audited((audit) =>
          sql`
              ${audit.with}
              insert into product_mappings ${sql.insert({ ...mapping, club_id, id, created_at: at })}
              returning ${columns}`
        ).pipe(refused, decodeInserted)
        return yield* detail(club_id, row)
      })

      const patch = Effect.fn("Mappings.patch")(function*(
        club_id: ClubId,
        id: MappingId,
        patch: typeof PatchMapping.Type
      ) {
        const before = yield* find(club_id, id)
        const { access_days, cohort_id, delivery_id, external_offer_id, external_product_id }: MappingTerms = {
          ...before,
          ...patch
        }
        if ("delivery_id" in patch || "cohort_id" in patch) yield* checkDelivery(club_id, { cohort_id, delivery_id })
        const changed = { access_days, cohort_id, delivery_id, external_offer_id, external_product_id }
        const row = yield* audited((audit) =>
          sql`
              ${audit.with}
              update product_mappings set ${sql.update(changed)} where club_id = ${club_id} and id = ${id}
              returning ${columns}`
        ).pipe(refused, decodeMapping)
        return yield* detail(club_id, row)
      })

      const remove = Effect.fn("Mappings.remove")(function*(club_id: ClubId, id: MappingId) {
        const rows = yield* audited((audit) =>
          sql`${audit.with} delete from product_mappings where club_id = ${club_id} and id = ${id} returning id`
        )
        if (rows.length === 0) return yield* new NotFound()
      }, faultsDie)

      const reprocess = Effect.fn("Mappings.reprocess")((club_id: ClubId, id: MappingId) =>
        Effect.flatMap(find(club_id, id), (mapping) => requeues.requeueFor(club_id, mapping))
      )

      return Mappings.of({ of, list, get, create, patch, remove, reprocess })
    })
  ).pipe(Layer.provide([Requeues.layer, NodeCrypto.layerSecureRandom]))
}
