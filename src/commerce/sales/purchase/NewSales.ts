import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Array as Arr, Context, type DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { Events } from "../../../events/Events.ts"
import type { StudentId } from "../../../identity/ids/StudentId.ts"
import { Enrollments } from "../../../membership/access/Enrollments.ts"
import { StudentAdmission } from "../../../membership/students/StudentAdmission.ts"
import { newIdOf, type QueuedWork } from "../../../platform/jobs/QueuedWork.ts"
import { type AppliedMapping, appliedTo } from "../mapping/Mapping.ts"
import { Mappings } from "../mapping/Mappings.ts"
import type { Buyer, PurchaseFact, SoldProduct } from "../platform/Platform.ts"
import { mainProduct } from "./Buyers.ts"
import { grantsOf } from "./ChargeEffects.ts"
import { noTimes, PurchaseId, type PurchaseRow, withFact } from "./Purchase.ts"
import { mergeFact, newPurchase } from "./PurchaseFacts.ts"
import { PurchasesRepo } from "./PurchasesRepo.ts"
import { type ClubPlatform, type ReceivedFacts, timeOfFact } from "./ReceivedFacts.ts"

/** Sales that were settled together. */
export interface SettledSales {
  /** Which of the events, by id, and whose sale each is. */
  readonly students: ReadonlyMap<string, StudentId>
  /** As in `Settlement`. */
  readonly newNames: ReadonlyArray<string>
}

/** An event with one fact: a purchase was paid. */
interface Approval {
  readonly event_id: string
  readonly work: QueuedWork
  readonly fact: PurchaseFact
  readonly at: DateTime.Utc
  readonly buyer: Buyer
}

/** The approval of an unknown purchase, and its deliveries. */
interface NewSale extends Approval {
  readonly external_id: string
  readonly product: SoldProduct
  readonly mapped: ReadonlyArray<AppliedMapping>
}

interface SoldTo {
  readonly sale: NewSale
  readonly purchase: PurchaseRow
}

const approvalOf = (received: ReceivedFacts): ReadonlyArray<Approval> => {
  const [fact, ...more] = received.facts
  if (fact?.kind !== "approved" || more.length > 0) return []
  const { at, buyer, subscription } = fact
  if (buyer === null || subscription !== null) return []
  return [{ event_id: received.event_id, work: received.work, fact, at: timeOfFact(received, at), buyer }]
}

const distinct = (products: ReadonlyArray<SoldProduct>) => [
  ...new Map(products.map((product) => [JSON.stringify([product.external_id, product.offer_external_id]), product]))
    .values()
]

const none: SettledSales = { students: new Map(), newNames: [] }

/**
 * Settles the most frequent sales, many in a few statements: a single purchase is paid and was unknown before. The
 * effects are the same as those of `Charges` for such a fact.
 */
export class NewSales extends Context.Service<NewSales, {
  /** Settles the sales of this kind, in the caller's transaction, and omits the others. */
  settle(clubPlatform: ClubPlatform, received: ReadonlyArray<ReceivedFacts>): Effect.Effect<SettledSales>
}>()("turma/commerce/sales/purchase/NewSales") {
  static readonly layer = Layer.effect(
    NewSales,
    Effect.gen(function*() {
      const admission = yield* StudentAdmission
      const enrollments = yield* Enrollments
      const events = yield* Events
      const mappings = yield* Mappings
      const purchases = yield* PurchasesRepo
      const random = yield* SecureRandom.SecureRandom

      // Omits two kinds of sales: one that gives nothing waits, and one of two approvals of a purchase is a repetition.
      const newSalesOf = Effect.fnUntraced(function*(
        clubPlatform: ClubPlatform,
        approvals: ReadonlyArray<Approval>
      ) {
        const named = yield* purchases.find(clubPlatform, approvals.map(({ fact }) => fact.purchase.external_id))
        const told = Map.groupBy(named, ({ external_id }) => external_id)
        const products = approvals.flatMap(({ fact }) => fact.products)
        const mapped = yield* mappings.of(clubPlatform.club_id, clubPlatform.platform, distinct(products))
        return Arr.zip(approvals, named).flatMap(([approval, { external_id, id }]): ReadonlyArray<NewSale> => {
          const applied = appliedTo(approval.fact.products, mapped)
          const product = mainProduct(approval.fact.products, applied)
          const isNew = id === null && told.get(external_id)?.length === 1
          if (!isNew || product === undefined || applied.every(({ archived }) => archived)) return []
          return [{ ...approval, external_id, product, mapped: applied }]
        })
      })

      const admit = Effect.fnUntraced(function*({ club_id }: ClubPlatform, sales: ReadonlyArray<NewSale>) {
        const people = sales.map(({ buyer: { document, email, name }, work }) => ({
          name,
          email,
          document: document ?? undefined,
          work
        }))
        const admitted = yield* admission.admit(club_id, people, "purchase")
        yield* admission.giveFree(club_id, admitted)
        return admitted
      })

      const purchaseIdOf = ({ external_id: name, work }: NewSale) => newIdOf(random, { kind: "purchase", name, work })

      const insert = Effect.fnUntraced(function*(clubPlatform: ClubPlatform, sales: ReadonlyArray<NewSale>) {
        const admitted = yield* admit(clubPlatform, sales)
        const sold = yield* Effect.forEach(
          Arr.zip(sales, admitted),
          ([sale, { student_id }]) =>
            Effect.map(Effect.orDie(purchaseIdOf(sale)), (id): SoldTo => {
              const { at, external_id, fact, product } = sale
              const purchase = newPurchase({
                id: PurchaseId.make(id),
                external_id,
                product,
                student_id,
                subscription_id: null
              })
              return { sale, purchase: { ...mergeFact(purchase, fact), ...withFact(noTimes, fact.kind, at) } }
            })
        )
        // Another transaction inserted one at the same time: the next attempt at its event finds it.
        if (!(yield* purchases.insert(clubPlatform, sold.map(({ purchase }) => purchase)))) {
          return yield* Effect.die(new Error("A purchase was created at the same time"))
        }
        return sold
      })

      const follow = Effect.fnUntraced(function*({ club_id }: ClubPlatform, sold: ReadonlyArray<SoldTo>) {
        yield* events.recordAll(
          club_id,
          sold.map(({ purchase: { id, student_id } }) => ({ type: "purchase.paid", student_id, purchase_id: id })),
          sold.map(({ sale: { at: occurred_at, work } }) => ({ occurred_at, work }))
        )
        const grants = sold.flatMap(({ purchase, sale: { event_id: platform_event_id, mapped, work } }) =>
          grantsOf(purchase, mapped).map((grant) => ({ ...grant, platform_event_id, work }))
        )
        yield* enrollments.grantAll(club_id, grants, {})
        const [students, ids] = [
          sold.map(({ purchase }) => purchase.student_id),
          sold.map(({ purchase }) => purchase.id)
        ]
        yield* admission.inviteBuyers(club_id, yield* purchases.firstBuyers(club_id, students, ids))
      })

      const settle = Effect.fn("NewSales.settle")(function*(
        clubPlatform: ClubPlatform,
        received: ReadonlyArray<ReceivedFacts>
      ) {
        const approvals = received.flatMap(approvalOf)
        const sales = approvals.length === 0 ? [] : yield* newSalesOf(clubPlatform, approvals)
        if (sales.length === 0) return none
        const sold = yield* insert(clubPlatform, sales)
        yield* follow(clubPlatform, sold)
        const names = sales.map(({ external_id }) => external_id)
        const settled: SettledSales = {
          students: new Map(sold.map(({ purchase, sale }) => [sale.event_id, purchase.student_id])),
          newNames: [...names, ...yield* purchases.aliasesOf(clubPlatform, names)]
        }
        return settled
      })

      return NewSales.of({ settle })
    })
  ).pipe(Layer.provide([PurchasesRepo.layer, NodeCrypto.layerSecureRandom]))
}
