import { Context, Effect, Layer } from "effect"
import type { StudentId } from "../../../identity/ids/StudentId.ts"
import type { LinkFact, SaleFact } from "../platform/Platform.ts"
import { ChargeEffects } from "./ChargeEffects.ts"
import { Charges } from "./Charges.ts"
import { Parties } from "./Parties.ts"
import { PurchasesRepo } from "./PurchasesRepo.ts"
import { SubscriptionAccess } from "./SubscriptionAccess.ts"
import { Subscriptions } from "./Subscriptions.ts"
import { SubscriptionsRepo } from "./SubscriptionsRepo.ts"
import { type Part, placed, type Told } from "./Told.ts"

/** What came of an inbound event. */
export interface Settled {
  /** `duplicate`: all of it was known. `unmapped`: no mapping names the product, or the purchase is not known yet. */
  readonly outcome: "processed" | "duplicate" | "unmapped"
  /** Whom it was about. */
  readonly student_id: StudentId | null
  /** Whether that student is removed: what the platform wrote must not be kept. */
  readonly removed: boolean
  /**
   * Names of purchases and subscriptions that were not known before: events that wait for one of them can be processed.
   * Never what was known: two that wait for each other would wake each other for ever.
   */
  readonly known: ReadonlyArray<string>
}

/** Purchases and subscriptions, and the access that follows from them. */
export class Purchases extends Context.Service<Purchases, {
  /**
   * Takes in what a platform told, in the caller's transaction, with the access and the events that follow. Any order and
   * any repetition of facts ends in the same state and the same events.
   */
  settle(told: Told): Effect.Effect<Settled>
}>()("turma/sales/Purchases") {
  static readonly layerNoDeps = Layer.effect(
    Purchases,
    Effect.gen(function*() {
      const charges = yield* Charges
      const purchases = yield* PurchasesRepo
      const subscriptions = yield* Subscriptions

      const link = Effect.fnUntraced(function*(told: Told, { alias, external_id }: LinkFact) {
        const news = yield* purchases.insertAlias(told, alias, external_id)
        return placed({ news, known: news ? [alias, external_id] : [] })
      })

      const tell = (told: Told, fact: SaleFact): Effect.Effect<Part> => {
        const cause = { platform_event_id: told.event_id }
        switch (fact.kind) {
          case "linked":
            return link(told, fact)
          case "past_due":
            return subscriptions.late(told, fact)
          case "canceled":
            return subscriptions.canceled(told, fact, cause)
          default:
            return charges.tell(told, fact, cause)
        }
      }

      // Where one fact waits, all of the event is told again later: what was taken in is then known.
      const settle = Effect.fn("Purchases.settle")(function*(told: Told) {
        const parts = yield* Effect.forEach(told.facts, (fact) => tell(told, fact))
        const known = parts.flatMap((part) => part._tag === "Placed" ? [part] : [])
        const news = known.some((part) => part.news)
        const about = known.find(({ student_id }) => student_id !== null)
        const settled: Settled = {
          outcome: known.length < parts.length ? "unmapped" : news ? "processed" : "duplicate",
          student_id: about?.student_id ?? null,
          removed: known.some(({ removed }) => removed),
          known: known.flatMap((part) => part.known)
        }
        return settled
      })

      return Purchases.of({ settle })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide(Charges.layer),
    Layer.provide(ChargeEffects.layer),
    Layer.provide(Subscriptions.layer),
    Layer.provide(SubscriptionAccess.layer),
    Layer.provide(Parties.layer),
    Layer.provide([PurchasesRepo.layer, SubscriptionsRepo.layer])
  )
}
