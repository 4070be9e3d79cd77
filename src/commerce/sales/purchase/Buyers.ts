import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import type { StudentId } from "../../../identity/ids/StudentId.ts"
import { StudentAdmission } from "../../../membership/students/StudentAdmission.ts"
import { newIdOf } from "../../../platform/jobs/QueuedWork.ts"
import type { AppliedMapping } from "../mapping/Mapping.ts"
import type { PurchaseFact, SoldProduct, SoldSubscription } from "../platform/Platform.ts"
import { PurchasesRepo } from "./PurchasesRepo.ts"
import type { ClubPlatform } from "./ReceivedFacts.ts"
import { SubscriptionId, type SubscriptionRow } from "./Subscription.ts"
import { SubscriptionsRepo } from "./SubscriptionsRepo.ts"

/** The part of a fact that names the student. */
type BuyerAndSubscription = Pick<PurchaseFact, "buyer" | "subscription">

/** Whose sale it is. The student's row is locked until the transaction ends. */
interface LockedStudent {
  readonly student_id: StudentId
  /** A removed student is not changed any more. */
  readonly removed: boolean
}

/** The main product of a sale: the first that gives access to something, else the first. */
export const mainProduct = (
  products: ReadonlyArray<SoldProduct>,
  mapped: ReadonlyArray<AppliedMapping>
): SoldProduct | undefined =>
  products.find(({ external_id }) => mapped.some(({ external_product_id }) => external_product_id === external_id))
    ?? products[0]

/** Finds or creates the student and the subscription that a fact is about. In the caller's transaction. */
export class Buyers extends Context.Service<Buyers, {
  /** Locks the row of a known student. */
  lockStudent(clubPlatform: ClubPlatform, student_id: StudentId): Effect.Effect<LockedStudent>
  /** The subscription's student, else the buyer, who is admitted if new; empty if the fact names neither. */
  studentOf(clubPlatform: ClubPlatform, sold: BuyerAndSubscription): Effect.Effect<Option.Option<LockedStudent>>
  /** The subscription, locked; created for this student if it is new. */
  subscriptionOf(
    clubPlatform: ClubPlatform,
    sold: SoldSubscription,
    student_id: StudentId,
    product: SoldProduct
  ): Effect.Effect<SubscriptionRow>
}>()("turma/commerce/sales/purchase/Buyers") {
  static readonly layer = Layer.effect(
    Buyers,
    Effect.gen(function*() {
      const admission = yield* StudentAdmission
      const purchases = yield* PurchasesRepo
      const subscriptions = yield* SubscriptionsRepo
      const random = yield* SecureRandom.SecureRandom

      const lockStudent = Effect.fnUntraced(function*({ club_id }: ClubPlatform, student_id: StudentId) {
        return { student_id, removed: yield* purchases.lockStudent(club_id, student_id) }
      })

      const studentOf = Effect.fnUntraced(function*(
        clubPlatform: ClubPlatform,
        { buyer, subscription }: BuyerAndSubscription
      ) {
        if (subscription !== null) {
          const found = yield* subscriptions.find(clubPlatform, subscription.external_id)
          if (Option.isSome(found)) return Option.some(yield* lockStudent(clubPlatform, found.value.student_id))
        }
        if (buyer === null) return Option.none()
        const { document, email, name } = buyer
        const [admitted] = yield* admission.admit(
          clubPlatform.club_id,
          [{ name, email, document: document ?? undefined }],
          "purchase"
        )
        if (admitted !== undefined) yield* admission.giveFree(clubPlatform.club_id, [admitted])
        return Option.map(Option.fromUndefinedOr(admitted), ({ student_id }) => ({ student_id, removed: false }))
      })

      const subscriptionOf = Effect.fnUntraced(function*(
        clubPlatform: ClubPlatform,
        { external_id, plan_name }: SoldSubscription,
        student_id: StudentId,
        product: SoldProduct
      ) {
        const { club_id } = clubPlatform
        const found = yield* subscriptions.find(clubPlatform, external_id)
        if (Option.isSome(found)) return yield* subscriptions.lock(club_id, found.value.id)
        const row: SubscriptionRow = {
          id: SubscriptionId.make(yield* Effect.orDie(newIdOf(random, { kind: "subscription", name: external_id }))),
          student_id,
          external_id,
          plan_name,
          product_external_id: product.external_id,
          product_name: product.name,
          past_dues_told: 0,
          cancellations_told: 0
        }
        if (yield* subscriptions.insert(clubPlatform, row)) return row
        // Another transaction inserted it at the same time: the next attempt at the event finds it.
        return yield* Effect.die(new Error("The subscription was created at the same time"))
      })

      return Buyers.of({ lockStudent, studentOf, subscriptionOf })
    })
  ).pipe(Layer.provide([PurchasesRepo.layer, SubscriptionsRepo.layer, NodeCrypto.layerSecureRandom]))
}
