import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import type { StudentId } from "../../../identity/ids/StudentId.ts"
import { Admission } from "../../../membership/students/Admission.ts"
import type { AppliedMapping } from "../mapping/Mapping.ts"
import type { Buyer, SoldProduct, SoldSubscription } from "../platform/Platform.ts"
import { PurchasesRepo, type Shop } from "./PurchasesRepo.ts"
import { SubscriptionId, type SubscriptionRow } from "./Subscription.ts"
import { SubscriptionsRepo } from "./SubscriptionsRepo.ts"

/** Whose sale it is. The student's row is held until the transaction ends. */
export interface Party {
  readonly student_id: StudentId
  /** Nothing about them changes any more. */
  readonly removed: boolean
}

/** What a fact says of who bought what. */
export interface Sold {
  readonly buyer: Buyer | null
  readonly products: ReadonlyArray<SoldProduct>
  readonly subscription: SoldSubscription | null
}

/** The main product of a sale: the first that gives access to something, else the first. */
export const mainOf = (
  products: ReadonlyArray<SoldProduct>,
  mapped: ReadonlyArray<AppliedMapping>
): SoldProduct | undefined =>
  products.find(({ external_id }) => mapped.some(({ external_product_id }) => external_product_id === external_id))
    ?? products[0]

/** Finds or makes whom and what a fact is about. */
export class Parties extends Context.Service<Parties, {
  /** Holds a student that is known. */
  known(shop: Shop, student_id: StudentId): Effect.Effect<Party>
  /** The student of the subscription, else the buyer, born if need be; none where the fact does not tell who it is. */
  partyOf(shop: Shop, sold: Sold): Effect.Effect<Option.Option<Party>>
  /** The subscription, held; made for this student if there is none. */
  subscriptionOf(
    shop: Shop,
    sold: SoldSubscription,
    student_id: StudentId,
    product: SoldProduct
  ): Effect.Effect<SubscriptionRow>
}>()("turma/sales/Parties") {
  static readonly layerNoDeps = Layer.effect(
    Parties,
    Effect.gen(function*() {
      const admission = yield* Admission
      const purchases = yield* PurchasesRepo
      const subscriptions = yield* SubscriptionsRepo
      const random = yield* SecureRandom.SecureRandom

      const known = Effect.fnUntraced(function*({ club_id }: Shop, student_id: StudentId) {
        return { student_id, removed: yield* purchases.holdStudent(club_id, student_id) }
      })

      const partyOf = Effect.fnUntraced(function*(shop: Shop, { buyer, subscription }: Sold) {
        if (subscription !== null) {
          const found = yield* subscriptions.find(shop, subscription.external_id)
          if (Option.isSome(found)) return Option.some(yield* known(shop, found.value.student_id))
        }
        if (buyer === null) return Option.none()
        const { document, email, name } = buyer
        const [admitted] = yield* admission.admit(
          shop.club_id,
          [{ name, email, document: document ?? undefined }],
          "purchase"
        )
        if (admitted !== undefined) yield* admission.giveFree(shop.club_id, [admitted])
        return Option.map(Option.fromUndefinedOr(admitted), ({ student_id }) => ({ student_id, removed: false }))
      })

      const subscriptionOf = Effect.fnUntraced(function*(
        shop: Shop,
        { external_id, plan_name }: SoldSubscription,
        student_id: StudentId,
        product: SoldProduct
      ) {
        const { club_id } = shop
        const found = yield* subscriptions.find(shop, external_id)
        if (Option.isSome(found)) return yield* subscriptions.hold(club_id, found.value.id)
        const row: SubscriptionRow = {
          id: SubscriptionId.make(yield* Effect.orDie(random.uuidV7())),
          student_id,
          external_id,
          plan_name,
          product_external_id: product.external_id,
          product_name: product.name,
          past_dues_told: 0,
          cancellations_told: 0
        }
        if (yield* subscriptions.insert(shop, row)) return row
        // Somebody else made it at this moment: it is there when the event is tried again.
        return yield* Effect.die(new Error("The subscription was made at the same time"))
      })

      return Parties.of({ known, partyOf, subscriptionOf })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([PurchasesRepo.layer, SubscriptionsRepo.layer, NodeCrypto.layerSecureRandom])
  )
}
