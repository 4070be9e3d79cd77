import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Cause } from "../../../membership/access/Grant.ts"
import { Admission } from "../../../membership/students/Admission.ts"
import type { AppliedMapping } from "../mapping/Mapping.ts"
import { Mappings } from "../mapping/Mappings.ts"
import type { PurchaseFact, SoldProduct } from "../platform/Platform.ts"
import { ChargeEffects } from "./ChargeEffects.ts"
import { mainOf, Parties } from "./Parties.ts"
import { PurchaseId, type PurchaseRow, statusOf, timeOf, told as toldOf, untold } from "./Purchase.ts"
import { PurchasesRepo } from "./PurchasesRepo.ts"
import type { SubscriptionRow } from "./Subscription.ts"
import { SubscriptionsRepo } from "./SubscriptionsRepo.ts"
import { type Part, placed, timeIn, type Told, waiting } from "./Told.ts"

/** What an approval says of a charge counts; what others say of it fills gaps. */
const merged = (row: PurchaseRow, { kind, purchase }: PurchaseFact): PurchaseRow => {
  const chosen = <A>(stated: A | null, known: A | null) => kind === "approved" ? stated ?? known : known ?? stated
  return {
    ...row,
    amount_cents: chosen(purchase.amount_cents, row.amount_cents),
    currency: chosen(purchase.currency, row.currency),
    payment_method: chosen(purchase.payment_method, row.payment_method),
    recurrence: chosen(purchase.recurrence, row.recurrence),
    lateness_key: chosen(purchase.lateness_key, row.lateness_key),
    period_end: chosen(purchase.period_end, row.period_end)
  }
}

const productOf = (row: PurchaseRow): SoldProduct => ({
  external_id: row.product_external_id,
  name: row.product_name,
  offer_external_id: row.offer_external_id
})

/** What platforms tell of single charges: paid, refunded, charged back. In the caller's transaction. */
export class Charges extends Context.Service<Charges, {
  tell(told: Told, fact: PurchaseFact, cause: Cause): Effect.Effect<Part>
}>()("turma/sales/Charges") {
  static readonly layerNoDeps = Layer.effect(
    Charges,
    Effect.gen(function*() {
      const admission = yield* Admission
      const effects = yield* ChargeEffects
      const mappings = yield* Mappings
      const parties = yield* Parties
      const purchases = yield* PurchasesRepo
      const subscriptions = yield* SubscriptionsRepo
      const random = yield* SecureRandom.SecureRandom

      const newRow = Effect.fnUntraced(function*(
        external_id: string,
        product: SoldProduct,
        student_id: PurchaseRow["student_id"],
        subscription: SubscriptionRow | null
      ): Effect.fn.Return<PurchaseRow> {
        return {
          id: PurchaseId.make(yield* Effect.orDie(random.uuidV7())),
          student_id,
          subscription_id: subscription?.id ?? null,
          external_id,
          product_external_id: product.external_id,
          product_name: product.name,
          offer_external_id: product.offer_external_id,
          amount_cents: null,
          currency: null,
          payment_method: null,
          recurrence: null,
          lateness_key: null,
          period_end: null,
          ...untold
        }
      })

      // Of a subscription that is known, an archived delivery is carried on; nobody is granted it anew.
      const gives = Effect.fnUntraced(
        function*(told: Told, { subscription }: PurchaseFact, mapped: ReadonlyArray<AppliedMapping>) {
          if (mapped.some(({ archived }) => !archived)) return true
          if (subscription === null || mapped.length === 0) return false
          return Option.isSome(yield* subscriptions.find(told, subscription.external_id))
        }
      )

      // Whoever has never got in is mailed the way in, with what they paid first.
      const welcome = Effect.fnUntraced(function*({ club_id }: Told, { kind }: PurchaseFact, after: PurchaseRow) {
        if (kind !== "approved" || statusOf(after) !== "paid") return
        const isNew = yield* purchases.isWelcome(club_id, after.student_id, after.id)
        if (isNew) yield* admission.inviteBuyer(club_id, after.student_id)
      })

      // A dispute is won, or a charge of nobody refunded: that waits for the purchase to be known.
      const first = Effect.fnUntraced(function*(told: Told, fact: PurchaseFact, external_id: string, cause: Cause) {
        const { club_id, platform } = told
        const mapped = yield* mappings.of(club_id, platform, fact.products)
        const product = mainOf(fact.products, mapped)
        if (fact.kind === "dispute_won" || product === undefined || !(yield* gives(told, fact, mapped))) return waiting
        const found = yield* parties.partyOf(told, fact)
        if (Option.isNone(found)) return waiting
        const { removed, student_id } = found.value
        if (removed) return placed({ student_id, removed })
        const subscription = fact.subscription === null
          ? null
          : yield* parties.subscriptionOf(told, fact.subscription, student_id, product)
        const row = merged(yield* newRow(external_id, product, student_id, subscription), fact)
        const at = timeIn(told, fact.at)
        const after = { ...row, ...toldOf(untold, fact.kind, at) }
        // Somebody else made it at this moment: it is there when the event is tried again.
        if (!(yield* purchases.insert(told, after, statusOf(after)))) {
          return yield* Effect.die(new Error("The purchase was made at the same time"))
        }
        yield* effects.follow({ club_id, cause, at, before: untold, after, mapped, subscription })
        yield* welcome(told, fact, after)
        const names = yield* purchases.aliasesOf(told, external_id)
        const known = subscription === null
          ? [external_id, ...names]
          : [external_id, subscription.external_id, ...names]
        return placed({ student_id, news: true, known })
      })

      // A subscription is told of with the payment at the latest: what was granted without it stays without.
      const subscriptionOf = Effect.fnUntraced(function*(told: Told, fact: PurchaseFact, row: PurchaseRow) {
        if (row.subscription_id !== null) return yield* subscriptions.hold(told.club_id, row.subscription_id)
        if (fact.subscription === null || row.paid_at !== null) return null
        const found = yield* parties.subscriptionOf(told, fact.subscription, row.student_id, productOf(row))
        return found.student_id === row.student_id ? found : null
      })

      const again = Effect.fnUntraced(function*(told: Told, fact: PurchaseFact, row: PurchaseRow, cause: Cause) {
        const { club_id, platform } = told
        const { student_id } = row
        const at = timeIn(told, fact.at)
        const times = toldOf(row, fact.kind, at)
        if (row[timeOf[fact.kind]] !== null) {
          yield* purchases.update(club_id, { ...row, ...times }, statusOf(times))
          return placed({ student_id })
        }
        const subscription = yield* subscriptionOf(told, fact, row)
        const after = { ...merged(row, fact), ...times, subscription_id: subscription?.id ?? null }
        const products = fact.products.length === 0 ? [productOf(row)] : fact.products
        const mapped = fact.kind === "approved" ? yield* mappings.of(club_id, platform, products) : []
        yield* purchases.update(club_id, after, statusOf(after))
        yield* effects.follow({ club_id, cause, at, before: row, after, mapped, subscription })
        yield* welcome(told, fact, after)
        const known = row.subscription_id !== null || subscription === null ? [] : [subscription.external_id]
        return placed({ student_id, news: true, known })
      })

      const tell = Effect.fnUntraced(function*(told: Told, fact: PurchaseFact, cause: Cause) {
        const found = yield* purchases.find(told, fact.purchase.external_id)
        if (found.id === null || found.student_id === null) return yield* first(told, fact, found.external_id, cause)
        const { removed, student_id } = yield* parties.known(told, found.student_id)
        if (removed) return placed({ student_id, removed })
        return yield* again(told, fact, yield* purchases.hold(told.club_id, found.id), cause)
      })

      return Charges.of({ tell })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(NodeCrypto.layerSecureRandom))
}
