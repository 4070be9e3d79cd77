import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { audited } from "../../identity/audit/AuditFragment.ts"
import { creates } from "../../identity/audit/NewAuditEntry.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { afterCursor, type InvalidCursor, type PageAnswer, pageOf, type PageRequest } from "../../platform/http/Page.ts"
import { announcementOf } from "../../platform/jobs/Announcement.ts"
import { InstantOrNull } from "../../platform/schema/Instant.ts"
import { texts, uuids } from "../../platform/sql/Arrays.ts"
import { faultsDie, rows } from "../../platform/sql/Rows.ts"
import {
  type CreateDelivery,
  Delivery,
  DeliveryId,
  DeliveryInUse,
  type DeliveryItem,
  type DeliveryPatch,
  type ItemUnknown
} from "./Delivery.ts"
import { DeliveryItems } from "./DeliveryItems.ts"
import { ungivenDeliveries } from "./UngivenDeliveries.ts"

const LockedDelivery = Schema.Struct({
  name: Schema.String,
  free: Schema.Boolean,
  default_access_days: Schema.NullOr(Schema.Int),
  archived_at: InstantOrNull
})
type LockedDelivery = typeof LockedDelivery.Type

const decodeDeliveries = rows(Delivery)
const decodeItems = rows(Schema.Struct({ kind: Schema.String, id: Schema.String }))
const decodeLocked = rows(LockedDelivery)

/** Less than every id: no student has been processed yet. */
const beforeAllIds = "00000000-0000-0000-0000-000000000000"

const isGivenToAll = ({ archived_at, free }: Pick<LockedDelivery, "archived_at" | "free">) =>
  free && archived_at === null

/** The state after a patch. An archived delivery keeps its time of archival. */
const patched = (current: LockedDelivery, patch: typeof DeliveryPatch.Type, now: DateTime.Utc): LockedDelivery => {
  const { archived = current.archived_at !== null, default_access_days, free = current.free, name = current.name } =
    patch
  return {
    name,
    free,
    default_access_days: default_access_days === undefined ? current.default_access_days : default_access_days,
    archived_at: archived ? current.archived_at ?? now : null
  }
}

/** The deliveries of a club (http-surface, Catalog). `NotFound`: this club has no such delivery. */
export class CatalogDeliveries extends Context.Service<CatalogDeliveries, {
  /** Oldest first: those that are archived, or those that are not. */
  list(club_id: ClubId, page: PageRequest & { readonly archived: boolean }): Effect.Effect<
    PageAnswer<Delivery>,
    InvalidCursor
  >
  get(club_id: ClubId, id: DeliveryId): Effect.Effect<Delivery, NotFound>
  /** A background worker gives a free one to every student of the club. */
  create(club_id: ClubId, delivery: typeof CreateDelivery.Type): Effect.Effect<Delivery, ItemUnknown>
  /**
   * If a delivery becomes free, or leaves the archive while free, every student gets it. If it stops being free, or is
   * archived, no further student gets it, and nobody loses it.
   */
  patch(
    club_id: ClubId,
    id: DeliveryId,
    patch: typeof DeliveryPatch.Type
  ): Effect.Effect<Delivery, ItemUnknown | NotFound>
  /** With its cohorts. */
  remove(club_id: ClubId, id: DeliveryId): Effect.Effect<void, DeliveryInUse | NotFound>
}>()("turma/membership/catalog/CatalogDeliveries") {
  static readonly layer = Layer.effect(
    CatalogDeliveries,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const announce = yield* announcementOf(ungivenDeliveries)
      const random = yield* SecureRandom.SecureRandom
      const knownItems = yield* DeliveryItems

      const columns = sql`
        d.id, d.name, d.free, d.default_access_days, d.archived_at is not null as archived, d.created_at,
        coalesce((
          select jsonb_agg(jsonb_build_object('kind', i.kind, 'id', i.item_id) order by i.position)
          from delivery_items i where i.club_id = d.club_id and i.delivery_id = d.id
        ), '[]') as items`

      const inTransaction = <A, E>(change: Effect.Effect<A, E>) => faultsDie(sql.withTransaction(change))

      const list = Effect.fn("CatalogDeliveries.list")(function*(
        club_id: ClubId,
        { archived, cursor, limit }: PageRequest & { readonly archived: boolean }
      ) {
        const after = yield* afterCursor(cursor)
        const rows = yield* sql`
            select ${columns} from deliveries d
            where d.club_id = ${club_id} and (d.archived_at is not null) = ${archived}
              and ${Option.match(after, { onNone: () => sql`true`, onSome: (id) => sql`d.id > ${id}` })}
            order by d.id limit ${limit + 1}`.pipe(decodeDeliveries)
        return pageOf(rows, limit)
      })

      const get = Effect.fn("CatalogDeliveries.get")(function*(club_id: ClubId, id: DeliveryId) {
        const [delivery] = yield* sql`select ${columns} from deliveries d where d.club_id = ${club_id} and d.id = ${id}`
          .pipe(decodeDeliveries)
        return delivery ?? (yield* new NotFound())
      })

      // A transaction that inserts a student locks the club's row for key share, by the foreign key. After that it
      // reads the free deliveries. If it committed before this lock, the worker that gives the delivery finds the
      // student. Otherwise it waits for this transaction and then reads that the delivery is free. An existing delivery
      // is locked before its club, as in that worker: it locks the delivery and then, by its inserts, the club.
      const awaitNewStudents = (club_id: ClubId) => sql`select 1 from clubs where id = ${club_id} for update`

      const putItems = Effect.fnUntraced(function*(
        club_id: ClubId,
        id: DeliveryId,
        items: ReadonlyArray<DeliveryItem>
      ) {
        const before = yield* sql`
            delete from delivery_items where club_id = ${club_id} and delivery_id = ${id} returning kind, item_id as id
          `.pipe(decodeItems)
        if (items.length === 0) return
        yield* sql`
            insert into delivery_items (club_id, delivery_id, kind, item_id, position)
            select ${club_id}::uuid, ${id}::uuid, kind, item_id, position
            from unnest(${texts(items.map(({ kind }) => kind))}, ${uuids(items.map(({ id }) => id))})
              with ordinality as item (kind, item_id, position)`
        const added = items.filter((item) => !before.some(({ id, kind }) => id === item.id && kind === item.kind))
        yield* knownItems.added(club_id, added)
      })

      const create = Effect.fn("CatalogDeliveries.create")(
        function*(club_id: ClubId, { items = [], ...asked }: typeof CreateDelivery.Type) {
          const fields = { free: false, default_access_days: null, ...asked }
          yield* knownItems.check(club_id, items)
          const id = DeliveryId.make(yield* Effect.orDie(random.uuidV7()))
          yield* creates(id)
          const created_at = DateTime.toDateUtc(yield* DateTime.now)
          if (fields.free) yield* awaitNewStudents(club_id)
          const free_from = fields.free ? beforeAllIds : null
          const free_since = fields.free ? created_at : null
          yield* audited((audit) =>
            sql`${audit.with} insert into deliveries
              ${sql.insert({ ...fields, club_id, id, free_from, free_since, created_at })}`
          )
          if (fields.free) yield* sql.afterCommit(announce)
          yield* putItems(club_id, id, items)
          return yield* Effect.orDie(get(club_id, id))
        },
        inTransaction
      )

      const lock = Effect.fnUntraced(function*(club_id: ClubId, id: DeliveryId) {
        const [current] = yield* sql`
          select name, free, default_access_days, archived_at from deliveries
          where club_id = ${club_id} and id = ${id} for no key update`.pipe(decodeLocked)
        return current ?? (yield* new NotFound())
      })

      const patch = Effect.fn("CatalogDeliveries.patch")(
        function*(club_id: ClubId, id: DeliveryId, { items, ...patch }: typeof DeliveryPatch.Type) {
          if (items !== undefined) yield* knownItems.check(club_id, items)
          const current = yield* lock(club_id, id)
          const now = yield* DateTime.now
          const next = patched(current, patch, now)
          const begins = isGivenToAll(next) && !isGivenToAll(current)
          if (begins) yield* awaitNewStudents(club_id)
          const archived_at = next.archived_at && DateTime.toDateUtc(next.archived_at)
          const free_from = begins ? sql`${beforeAllIds}::uuid` : isGivenToAll(next) ? sql`free_from` : sql`null`
          yield* audited((audit) =>
            sql`
              ${audit.with}
              update deliveries set ${sql.update({ ...next, archived_at })}, free_from = ${free_from},
                free_since =
                ${begins ? sql`${DateTime.toDateUtc(now)}` : isGivenToAll(next) ? sql`free_since` : sql`null`}
              where club_id = ${club_id} and id = ${id}`
          )
          if (begins) yield* sql.afterCommit(announce)
          if (items !== undefined) yield* putItems(club_id, id, items)
          return yield* get(club_id, id)
        },
        inTransaction
      )

      const remove = Effect.fn("CatalogDeliveries.remove")(
        function*(club_id: ClubId, id: DeliveryId) {
          const deleted = yield* audited((audit) =>
            sql`${audit.with} delete from deliveries where club_id = ${club_id} and id = ${id} returning 1`
          )
          if (deleted.length === 0) return yield* new NotFound()
        },
        Effect.catchReason("SqlError", "ConstraintError", () => Effect.fail(new DeliveryInUse())),
        faultsDie
      )

      return CatalogDeliveries.of({ list, get, create, patch, remove })
    })
  ).pipe(Layer.provide(NodeCrypto.layerSecureRandom))
}
