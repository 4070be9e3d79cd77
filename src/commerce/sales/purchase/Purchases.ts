import { Context, Effect, Layer } from "effect"
import type { StudentId } from "../../../identity/ids/StudentId.ts"
import { CurrentWork } from "../../../platform/jobs/QueuedWork.ts"
import type { LinkFact, SaleFact } from "../platform/Platform.ts"
import { Buyers } from "./Buyers.ts"
import { ChargeEffects } from "./ChargeEffects.ts"
import { Charges } from "./Charges.ts"
import { type FactOutcome, resolved } from "./FactOutcome.ts"
import { NewSales, type SettledSales } from "./NewSales.ts"
import { PurchasesRepo } from "./PurchasesRepo.ts"
import type { ClubPlatform, ReceivedFacts } from "./ReceivedFacts.ts"
import { SubscriptionAccess } from "./SubscriptionAccess.ts"
import { Subscriptions } from "./Subscriptions.ts"
import { SubscriptionsRepo } from "./SubscriptionsRepo.ts"

/** The outcome of an inbound event. */
export interface Settlement {
  /** `duplicate`: all of it was known. `unmapped`: no mapping names the product, or the purchase is not known yet. */
  readonly outcome: "processed" | "duplicate" | "unmapped"
  /** The student of the event. */
  readonly student_id: StudentId | null
  /** True if that student is removed: the platform's text must not be kept. */
  readonly removed: boolean
  /**
   * Names of purchases and subscriptions that are new: events that wait for one of them can be processed. Omits known
   * names, since two events that wait for each other would be requeued for ever.
   */
  readonly newNames: ReadonlyArray<string>
}

/** Purchases and subscriptions, and the access that follows from them. */
export class Purchases extends Context.Service<Purchases, {
  /**
   * Applies the facts in the caller's transaction, with the access and the events that follow. Facts may come
   * repeatedly and in any order: the state and the events in the end are the same.
   */
  settle(received: ReceivedFacts): Effect.Effect<Settlement>
  /**
   * Settles in one step, in the caller's transaction, the events that only report one unknown purchase: each is
   * `processed`. Omits the others, for the caller to settle one by one.
   */
  settleNew(clubPlatform: ClubPlatform, received: ReadonlyArray<ReceivedFacts>): Effect.Effect<SettledSales>
}>()("turma/commerce/sales/purchase/Purchases") {
  static readonly layer = Layer.effect(
    Purchases,
    Effect.gen(function*() {
      const charges = yield* Charges
      const purchases = yield* PurchasesRepo
      const subscriptions = yield* Subscriptions
      const newSales = yield* NewSales

      const link = Effect.fnUntraced(function*(received: ReceivedFacts, { alias, external_id }: LinkFact) {
        const changed = yield* purchases.insertAlias(received, alias, external_id)
        return resolved({ changed, newNames: changed ? [alias, external_id] : [] })
      })

      const apply = (received: ReceivedFacts, fact: SaleFact): Effect.Effect<FactOutcome> => {
        const cause = { platform_event_id: received.event_id }
        switch (fact.kind) {
          case "linked":
            return link(received, fact)
          case "past_due":
            return subscriptions.pastDue(received, fact)
          case "canceled":
            return subscriptions.canceled(received, fact, cause)
          default:
            return charges.apply(received, fact, cause)
        }
      }

      // If one fact waits, the whole event is processed again later; the facts applied now change nothing then.
      const settle = Effect.fn("Purchases.settle")(function*(received: ReceivedFacts) {
        const outcomes = yield* Effect.forEach(received.facts, (fact) => apply(received, fact))
          .pipe(Effect.provideService(CurrentWork, received.work))
        const done = outcomes.flatMap((outcome) => outcome._tag === "Resolved" ? [outcome] : [])
        const changed = done.some((outcome) => outcome.changed)
        const named = done.find(({ student_id }) => student_id !== null)
        const settlement: Settlement = {
          outcome: done.length < outcomes.length ? "unmapped" : changed ? "processed" : "duplicate",
          student_id: named?.student_id ?? null,
          removed: done.some(({ removed }) => removed),
          newNames: done.flatMap((outcome) => outcome.newNames)
        }
        return settlement
      })

      return Purchases.of({ settle, settleNew: newSales.settle })
    })
  ).pipe(
    Layer.provide([Charges.layer, NewSales.layer]),
    Layer.provide(ChargeEffects.layer),
    Layer.provide(Subscriptions.layer),
    Layer.provide(SubscriptionAccess.layer),
    Layer.provide(Buyers.layer),
    Layer.provide([PurchasesRepo.layer, SubscriptionsRepo.layer])
  )
}
