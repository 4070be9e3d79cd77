import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { Cause } from "../../access/Enrollments.ts"
import type { ClubId } from "../../clubs/Club.ts"
import { Events } from "../../events/Events.ts"
import { Mappings } from "../mapping/Mappings.ts"
import type { CanceledFact, PastDueFact } from "../platform/Platform.ts"
import { mainOf, Parties } from "./Parties.ts"
import type { Told } from "./Purchases.ts"
import { isCanceled, pastDuesOf, type Standing, standingOf, type SubscriptionRow } from "./Subscription.ts"
import { SubscriptionAccess } from "./SubscriptionAccess.ts"
import { SubscriptionsRepo } from "./SubscriptionsRepo.ts"
import { type Part, placed, timeIn, waiting } from "./Told.ts"

/** A subscription that the transaction holds. */
interface Held {
  readonly subscription: SubscriptionRow
  readonly removed: boolean
}

const same = (one: DateTime.Utc | null, other: DateTime.Utc | null) =>
  one === null || other === null ? one === other : DateTime.Equivalence(one, other)

/** What platforms tell of subscriptions: late, canceled. In the caller's transaction. */
export class Subscriptions extends Context.Service<Subscriptions, {
  /** Contract, subscription.past_due: once for each lateness, whatever the platform tries meanwhile. */
  late(told: Told, fact: PastDueFact): Effect.Effect<Part>
  /** Contract, subscription.canceled. Told again it may change the end, and is no event. */
  canceled(told: Told, fact: CanceledFact, cause: Cause): Effect.Effect<Part>
  /** Writes down how it stands by now, and tells of each lateness that was not told of. */
  stand(club_id: ClubId, subscription: SubscriptionRow): Effect.Effect<Standing>
}>()("turma/sales/Subscriptions") {
  static readonly layer = Layer.effect(
    Subscriptions,
    Effect.gen(function*() {
      const access = yield* SubscriptionAccess
      const events = yield* Events
      const mappings = yield* Mappings
      const parties = yield* Parties
      const repo = yield* SubscriptionsRepo

      const toldOf = Effect.fnUntraced(
        function*(club_id: ClubId, { canceled_at, canceled_until, id }: SubscriptionRow) {
          const charges = yield* repo.charges(club_id, id)
          return { charges, latenesses: yield* repo.latenesses(club_id, id), canceled_at, canceled_until }
        }
      )

      // A charge that is told of late may show that what seemed one lateness were two.
      const stand = Effect.fnUntraced(function*(club_id: ClubId, subscription: SubscriptionRow) {
        const { id: subscription_id, past_dues_told, student_id } = subscription
        const told = yield* toldOf(club_id, subscription)
        const standing = standingOf(told)
        const past_dues = Math.max(past_dues_told, pastDuesOf(told))
        yield* repo.update(club_id, { ...subscription, past_dues_told: past_dues }, standing)
        yield* Effect.replicateEffect(
          events.record(club_id, { type: "subscription.past_due", student_id, subscription_id }),
          past_dues - past_dues_told,
          { discard: true }
        )
        return standing
      })

      // Of one that nobody knows the product has to be mapped: the club sells other things, too.
      const held = Effect.fnUntraced(function*(shop: Told, fact: PastDueFact | CanceledFact) {
        const found = yield* repo.find(shop, fact.subscription.external_id)
        const mapped = Option.isSome(found) ? [] : yield* mappings.of(shop.club_id, shop.platform, fact.products)
        if (Option.isNone(found) && mapped.length === 0) return Option.none<Held>()
        const party = yield* parties.partyOf(shop, fact)
        if (Option.isNone(party)) return Option.none<Held>()
        const { removed, student_id } = party.value
        const product = mainOf(fact.products, mapped)
        const subscription = yield* parties.subscriptionOf(shop, fact.subscription, student_id, product)
        return Option.map(subscription, (subscription): Held => ({ subscription, removed }))
      })

      const late = Effect.fnUntraced(function*(told: Told, fact: PastDueFact) {
        const found = yield* held(told, fact)
        if (Option.isNone(found)) return waiting
        const { removed, subscription } = found.value
        const { id, student_id } = subscription
        if (removed) return placed({ student_id, removed })
        const lateness = { key: fact.lateness_key, since: timeIn(told, fact.at) }
        if (!(yield* repo.insertLateness(told.club_id, id, lateness))) return placed({ student_id })
        yield* stand(told.club_id, subscription)
        return placed({ student_id, news: true })
      })

      // A cancellation that another one repeats keeps its time; one after a renewal is another cancellation.
      const canceled = Effect.fnUntraced(function*(told: Told, fact: CanceledFact, cause: Cause) {
        const found = yield* held(told, fact)
        if (Option.isNone(found)) return waiting
        const { removed, subscription } = found.value
        const { id, student_id } = subscription
        if (removed) return placed({ student_id, removed })
        const known = yield* toldOf(told.club_id, subscription)
        const at = timeIn(told, fact.at)
        const isTold = subscription.canceled_at !== null &&
          (isCanceled(known) || DateTime.isLessThanOrEqualTo(at, subscription.canceled_at))
        const { period_end } = fact
        if (isTold && (period_end === null || same(period_end, subscription.canceled_until))) {
          return placed({ student_id })
        }
        const changed = {
          ...subscription,
          canceled_at: isTold ? subscription.canceled_at : at,
          canceled_until: period_end
        }
        const standing = yield* stand(told.club_id, changed)
        if (!isTold) {
          yield* events.record(told.club_id, { type: "subscription.canceled", student_id, subscription_id: id })
        }
        if (standing.status === "canceled") yield* access.canceled(told.club_id, changed, standing, cause)
        return placed({ student_id, news: true })
      })

      return Subscriptions.of({ late, canceled, stand })
    })
  )
}
