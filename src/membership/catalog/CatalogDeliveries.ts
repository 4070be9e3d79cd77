import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { afterCursor, type InvalidCursor, type PageAnswer, pageOf, type PageRequest } from "../../platform/http/Page.ts"
import { texts, uuids } from "../../platform/sql/Arrays.ts"
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

const Held = Schema.Struct({
  name: Schema.String,
  free: Schema.Boolean,
  default_access_days: Schema.NullOr(Schema.Int),
  archived_at: Schema.NullOr(Schema.DateTimeUtcFromDate)
})
type Held = typeof Held.Type

const decodeDeliveries = Schema.decodeUnknownEffect(Schema.Array(Delivery))
const decodeHeld = Schema.decodeUnknownEffect(Schema.Array(Held))

/** Comes before every id: no student has been looked at. */
const start = "00000000-0000-0000-0000-000000000000"

const isGiven = ({ archived_at, free }: Pick<Held, "archived_at" | "free">) => free && archived_at === null

/** The state that a patch makes of it; what is archived stays archived as of then. */
const patched = (held: Held, patch: typeof DeliveryPatch.Type, now: DateTime.Utc): Held => {
  const { archived = held.archived_at !== null, default_access_days, free = held.free, name = held.name } = patch
  return {
    name,
    free,
    default_access_days: default_access_days === undefined ? held.default_access_days : default_access_days,
    archived_at: archived ? held.archived_at ?? now : null
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
  /** A free one is given to every student of the club, in the background. */
  create(club_id: ClubId, delivery: typeof CreateDelivery.Type): Effect.Effect<Delivery, ItemUnknown>
  /**
   * Becoming free, or coming back from the archive while free, gives it to every student. Not being free any more, or
   * archived, ends that where it is; nobody loses anything.
   */
  patch(
    club_id: ClubId,
    id: DeliveryId,
    patch: typeof DeliveryPatch.Type
  ): Effect.Effect<Delivery, ItemUnknown | NotFound>
  /** With its cohorts. */
  remove(club_id: ClubId, id: DeliveryId): Effect.Effect<void, DeliveryInUse | NotFound>
}>()("turma/catalog/CatalogDeliveries") {
  static readonly layerNoDeps = Layer.effect(
    CatalogDeliveries,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const known = yield* DeliveryItems

      const columns = sql`
        d.id, d.name, d.free, d.default_access_days, d.archived_at is not null as archived, d.created_at,
        coalesce((
          select jsonb_agg(jsonb_build_object('kind', i.kind, 'id', i.item_id) order by i.position)
          from delivery_items i where i.club_id = d.club_id and i.delivery_id = d.id
        ), '[]') as items`

      const inTransaction = <A, E>(change: Effect.Effect<A, E>) =>
        Effect.catchTag(sql.withTransaction(change), "SqlError", Effect.die)

      const list = Effect.fn("CatalogDeliveries.list")(
        function*(
          club_id: ClubId,
          { archived, cursor, limit }: PageRequest & { readonly archived: boolean }
        ) {
          const after = yield* afterCursor(cursor)
          const rows = yield* sql`
            select ${columns} from deliveries d
            where d.club_id = ${club_id} and (d.archived_at is not null) = ${archived}
              and ${Option.match(after, { onNone: () => sql`true`, onSome: (id) => sql`d.id > ${id}` })}
            order by d.id limit ${limit + 1}`
          return pageOf(yield* Effect.orDie(decodeDeliveries(rows)), limit)
        },
        Effect.catchTag("SqlError", Effect.die)
      )

      const get = Effect.fn("CatalogDeliveries.get")(function*(club_id: ClubId, id: DeliveryId) {
        const rows = yield* sql`select ${columns} from deliveries d where d.club_id = ${club_id} and d.id = ${id}`
        const [delivery] = yield* Effect.orDie(decodeDeliveries(rows))
        return delivery ?? (yield* new NotFound())
      }, Effect.catchTag("SqlError", Effect.die))

      // Whoever inserts a student holds the club's row for a key share, by the foreign key, and reads the free deliveries
      // after that. So a birth has either committed when this has the row, and whoever gives the delivery to everybody
      // finds the student; or it waits here, and then sees that the delivery is free. A delivery that is there is held
      // before its club: who gives it holds first it and then, by what it inserts, the club.
      const awaitBirths = (club_id: ClubId) => sql`select 1 from clubs where id = ${club_id} for update`

      const putItems = Effect.fnUntraced(
        function*(club_id: ClubId, id: DeliveryId, items: ReadonlyArray<DeliveryItem>) {
          yield* sql`delete from delivery_items where club_id = ${club_id} and delivery_id = ${id}`
          if (items.length === 0) return
          yield* sql`
            insert into delivery_items (club_id, delivery_id, kind, item_id, position)
            select ${club_id}::uuid, ${id}::uuid, kind, item_id, position
            from unnest(${texts(items.map(({ kind }) => kind))}, ${uuids(items.map(({ id }) => id))})
              with ordinality as item (kind, item_id, position)`
        }
      )

      const create = Effect.fn("CatalogDeliveries.create")(
        function*(club_id: ClubId, { items, ...fields }: typeof CreateDelivery.Type) {
          yield* known.check(club_id, items)
          const id = DeliveryId.make(yield* Effect.orDie(random.uuidV7()))
          const created_at = DateTime.toDateUtc(yield* DateTime.now)
          if (fields.free) yield* awaitBirths(club_id)
          const free_from = fields.free ? start : null
          yield* sql`insert into deliveries ${sql.insert({ ...fields, club_id, id, free_from, created_at })}`
          yield* putItems(club_id, id, items)
          return yield* Effect.orDie(get(club_id, id))
        },
        inTransaction
      )

      const hold = Effect.fnUntraced(function*(club_id: ClubId, id: DeliveryId) {
        const rows = yield* sql`
          select name, free, default_access_days, archived_at from deliveries
          where club_id = ${club_id} and id = ${id} for no key update`
        const [held] = yield* Effect.orDie(decodeHeld(rows))
        return held ?? (yield* new NotFound())
      })

      const patch = Effect.fn("CatalogDeliveries.patch")(
        function*(club_id: ClubId, id: DeliveryId, { items, ...patch }: typeof DeliveryPatch.Type) {
          if (items !== undefined) yield* known.check(club_id, items)
          const held = yield* hold(club_id, id)
          const next = patched(held, patch, yield* DateTime.now)
          const begins = isGiven(next) && !isGiven(held)
          if (begins) yield* awaitBirths(club_id)
          const archived_at = next.archived_at && DateTime.toDateUtc(next.archived_at)
          const free_from = begins ? sql`${start}::uuid` : isGiven(next) ? sql`free_from` : sql`null`
          yield* sql`
            update deliveries set ${sql.update({ ...next, archived_at })}, free_from = ${free_from}
            where club_id = ${club_id} and id = ${id}`
          if (items !== undefined) yield* putItems(club_id, id, items)
          return yield* get(club_id, id)
        },
        inTransaction
      )

      const remove = Effect.fn("CatalogDeliveries.remove")(
        function*(club_id: ClubId, id: DeliveryId) {
          const gone = yield* sql`delete from deliveries where club_id = ${club_id} and id = ${id} returning 1`
          if (gone.length === 0) return yield* new NotFound()
        },
        Effect.catchReason("SqlError", "ConstraintError", () => Effect.fail(new DeliveryInUse()), Effect.die)
      )

      return CatalogDeliveries.of({ list, get, create, patch, remove })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(NodeCrypto.layerSecureRandom))
}
