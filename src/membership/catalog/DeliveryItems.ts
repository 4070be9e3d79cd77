import { Context, Effect, Layer, type Scope } from "effect"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { NextPage } from "../../identity/tokens/NextPage.ts"
import { type DeliveryItem, type ItemKind, ItemUnknown } from "./Delivery.ts"

/** An item that students find at a page of the classroom. */
export interface ItemPage {
  readonly id: string
  readonly page: NextPage
}

/** The items that one feature adds to deliveries. */
export interface ItemSource {
  readonly kind: ItemKind
  /** Those of the ids that exist in the club. */
  readonly existing: (club_id: ClubId, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>>
  /** A delivery contains these from now on. Runs in the transaction that saves it. */
  readonly added?: (club_id: ClubId, ids: ReadonlyArray<string>) => Effect.Effect<void>
  /** The pages of those of the ids that exist in the club. Absent for a kind without pages. */
  readonly pages?: (club_id: ClubId, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<ItemPage>>
}

/** The items of deliveries. Each feature registers the items of its own kind. */
export class DeliveryItems extends Context.Service<DeliveryItems, {
  /**
   * Fails unless the club has all of these. Unknown items, those of other clubs and those of a kind without a feature have
   * the same answer. Items can be deleted afterwards; readers of a delivery leave such items out.
   */
  check(club_id: ClubId, items: ReadonlyArray<DeliveryItem>): Effect.Effect<void, ItemUnknown>
  /** Call it in the transaction in which a delivery gets these items, which it did not have. */
  added(club_id: ClubId, items: ReadonlyArray<DeliveryItem>): Effect.Effect<void>
  /** The pages of the classroom that show these items, in any order. Omits deleted items. */
  pages(club_id: ClubId, kind: ItemKind, ids: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<ItemPage>>
}>()("turma/membership/catalog/DeliveryItems") {
  static readonly layer = <R>(
    features: ReadonlyArray<Effect.Effect<ItemSource, never, R>>
  ): Layer.Layer<DeliveryItems, never, Exclude<R, Scope.Scope>> =>
    Layer.effect(
      DeliveryItems,
      Effect.gen(function*() {
        const sources = yield* Effect.all(features)
        const kinds = new Set(sources.map(({ kind }) => kind))
        if (kinds.size < sources.length) return yield* Effect.die(new Error("Two sources for one kind of item"))

        const idsOf = (kind: ItemKind, items: ReadonlyArray<DeliveryItem>) =>
          items.filter((item) => item.kind === kind).map(({ id }) => id)

        const check = Effect.fn("DeliveryItems.check")(function*(club_id: ClubId, items: ReadonlyArray<DeliveryItem>) {
          const known = new Set<string>()
          for (const { existing, kind } of sources) {
            const asked = idsOf(kind, items)
            if (asked.length === 0) continue
            for (const id of yield* existing(club_id, asked)) known.add(`${kind} ${id}`)
          }
          const unknown = items.findIndex(({ id, kind }) => !known.has(`${kind} ${id}`))
          if (unknown === -1) return
          const message = `items[${unknown}] must be an item that the club has`
          return yield* new ItemUnknown({ error: { message } })
        })

        const added = Effect.fn("DeliveryItems.added")(function*(club_id: ClubId, items: ReadonlyArray<DeliveryItem>) {
          for (const { added, kind } of sources) {
            const ids = idsOf(kind, items)
            if (ids.length > 0 && added !== undefined) yield* added(club_id, ids)
          }
        })

        const pages = Effect.fn("DeliveryItems.pages")(function*(
          club_id: ClubId,
          kind: ItemKind,
          ids: ReadonlyArray<string>
        ) {
          const source = sources.find((one) => one.kind === kind)
          if (source?.pages === undefined || ids.length === 0) return []
          return yield* source.pages(club_id, ids)
        })

        return DeliveryItems.of({ check, added, pages })
      })
    )
}
