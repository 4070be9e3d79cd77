import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import type { AccessCause } from "../../../membership/access/NewGrant.ts"
import { StudentAdmission } from "../../../membership/students/StudentAdmission.ts"
import { newIdOf } from "../../../platform/jobs/QueuedWork.ts"
import type { AppliedMapping } from "../mapping/Mapping.ts"
import { Mappings } from "../mapping/Mappings.ts"
import type { PurchaseFact } from "../platform/Platform.ts"
import { Buyers, mainProduct } from "./Buyers.ts"
import { ChargeEffects } from "./ChargeEffects.ts"
import { type FactOutcome, resolved, waiting } from "./FactOutcome.ts"
import { noTimes, PurchaseId, type PurchaseRow, statusOf, timeFieldOf, withFact } from "./Purchase.ts"
import { mergeFact, newPurchase, productOf } from "./PurchaseFacts.ts"
import { PurchasesRepo } from "./PurchasesRepo.ts"
import { type ReceivedFacts, timeOfFact } from "./ReceivedFacts.ts"
import { SubscriptionsRepo } from "./SubscriptionsRepo.ts"

/** Applies facts about single charges: paid, refunded, charged back, dispute won. In the caller's transaction. */
export class Charges extends Context.Service<Charges, {
  apply(received: ReceivedFacts, fact: PurchaseFact, cause: AccessCause): Effect.Effect<FactOutcome>
}>()("turma/commerce/sales/purchase/Charges") {
  static readonly layer = Layer.effect(
    Charges,
    Effect.gen(function*() {
      const admission = yield* StudentAdmission
      const effects = yield* ChargeEffects
      const mappings = yield* Mappings
      const buyers = yield* Buyers
      const purchases = yield* PurchasesRepo
      const subscriptions = yield* SubscriptionsRepo
      const random = yield* SecureRandom.SecureRandom

      // A known subscription goes on giving an archived delivery; a new one does not get it.
      const grantsAccess = Effect.fnUntraced(function*(
        received: ReceivedFacts,
        { subscription }: PurchaseFact,
        mapped: ReadonlyArray<AppliedMapping>
      ) {
        if (mapped.some(({ archived }) => !archived)) return true
        if (subscription === null || mapped.length === 0) return false
        return Option.isSome(yield* subscriptions.find(received, subscription.external_id))
      })

      // A student who has never signed in gets an invitation with their first paid purchase.
      const inviteIfNew = Effect.fnUntraced(function*(
        { club_id }: ReceivedFacts,
        { kind }: PurchaseFact,
        after: PurchaseRow
      ) {
        if (kind !== "approved" || statusOf(after) !== "paid") return
        yield* admission.inviteBuyers(
          club_id,
          yield* purchases.firstBuyers(club_id, [after.student_id], [after.id])
        )
      })

      // A won dispute, or a refund that names no buyer, waits until the purchase is known.
      const applyToNew = Effect.fnUntraced(function*(
        received: ReceivedFacts,
        fact: PurchaseFact,
        external_id: string,
        cause: AccessCause
      ) {
        const { club_id, platform } = received
        const mapped = yield* mappings.of(club_id, platform, fact.products)
        const product = mainProduct(fact.products, mapped)
        if (fact.kind === "dispute_won" || product === undefined || !(yield* grantsAccess(received, fact, mapped))) {
          return waiting
        }
        const found = yield* buyers.studentOf(received, fact)
        if (Option.isNone(found)) return waiting
        const { removed, student_id } = found.value
        if (removed) return resolved({ student_id, removed })
        const subscription = fact.subscription === null
          ? null
          : yield* buyers.subscriptionOf(received, fact.subscription, student_id, product)
        const id = PurchaseId.make(yield* Effect.orDie(newIdOf(random, { kind: "purchase", name: external_id })))
        const subscription_id = subscription?.id ?? null
        const row = mergeFact(newPurchase({ id, external_id, product, student_id, subscription_id }), fact)
        const at = timeOfFact(received, fact.at)
        const after = { ...row, ...withFact(noTimes, fact.kind, at) }
        // Another transaction inserted it at the same time: the next attempt at the event finds it.
        if (!(yield* purchases.insert(received, [after]))) {
          return yield* Effect.die(new Error("The purchase was created at the same time"))
        }
        yield* effects.follow({ club_id, cause, at, before: noTimes, after, mapped, subscription })
        yield* inviteIfNew(received, fact, after)
        const aliases = yield* purchases.aliasesOf(received, [external_id])
        const newNames = subscription === null
          ? [external_id, ...aliases]
          : [external_id, subscription.external_id, ...aliases]
        return resolved({ student_id, changed: true, newNames })
      })

      // The payment names its subscription, if it has one: a charge that was paid without stays without.
      const subscriptionOf = Effect.fnUntraced(function*(
        received: ReceivedFacts,
        fact: PurchaseFact,
        row: PurchaseRow
      ) {
        if (row.subscription_id !== null) return yield* subscriptions.lock(received.club_id, row.subscription_id)
        if (fact.subscription === null || row.paid_at !== null) return null
        const found = yield* buyers.subscriptionOf(received, fact.subscription, row.student_id, productOf(row))
        return found.student_id === row.student_id ? found : null
      })

      const applyToKnown = Effect.fnUntraced(function*(
        received: ReceivedFacts,
        fact: PurchaseFact,
        row: PurchaseRow,
        cause: AccessCause
      ) {
        const { club_id, platform } = received
        const { student_id } = row
        const at = timeOfFact(received, fact.at)
        const times = withFact(row, fact.kind, at)
        if (row[timeFieldOf[fact.kind]] !== null) {
          yield* purchases.update(club_id, { ...row, ...times }, statusOf(times))
          return resolved({ student_id })
        }
        const subscription = yield* subscriptionOf(received, fact, row)
        const after = { ...mergeFact(row, fact), ...times, subscription_id: subscription?.id ?? null }
        const products = fact.products.length === 0 ? [productOf(row)] : fact.products
        const mapped = fact.kind === "approved" ? yield* mappings.of(club_id, platform, products) : []
        yield* purchases.update(club_id, after, statusOf(after))
        yield* effects.follow({ club_id, cause, at, before: row, after, mapped, subscription })
        yield* inviteIfNew(received, fact, after)
        const newNames = row.subscription_id !== null || subscription === null ? [] : [subscription.external_id]
        return resolved({ student_id, changed: true, newNames })
      })

      const apply = Effect.fnUntraced(function*(received: ReceivedFacts, fact: PurchaseFact, cause: AccessCause) {
        const { external_id } = fact.purchase
        const [found = { external_id, id: null, student_id: null }] = yield* purchases.find(received, [external_id])
        if (found.id === null || found.student_id === null) {
          return yield* applyToNew(received, fact, found.external_id, cause)
        }
        const { removed, student_id } = yield* buyers.lockStudent(received, found.student_id)
        if (removed) return resolved({ student_id, removed })
        return yield* applyToKnown(received, fact, yield* purchases.lock(received.club_id, found.id), cause)
      })

      return Charges.of({ apply })
    })
  ).pipe(Layer.provide(NodeCrypto.layerSecureRandom))
}
