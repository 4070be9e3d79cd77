import { Context, DateTime, Effect, Layer, Option } from "effect"
import { Events } from "../../../events/Events.ts"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import type { Cause } from "../../../membership/access/Grant.ts"
import type { CanceledFact, PastDueFact } from "../platform/Platform.ts"
import { Parties } from "./Parties.ts"
import {
  cancellationsOf,
  pastDuesOf,
  type Standing,
  standingOf,
  type SubscriptionRow,
  untoldOf
} from "./Subscription.ts"
import { SubscriptionAccess } from "./SubscriptionAccess.ts"
import { SubscriptionsRepo } from "./SubscriptionsRepo.ts"
import { type Part, placed, timeIn, type Told, waiting } from "./Told.ts"

/** A subscription that is known. The transaction holds it, and its student before it. */
interface Held {
  readonly subscription: SubscriptionRow
  readonly removed: boolean
}

const same = (one: Standing, other: Standing) =>
  one.status === other.status && isSameMoment(one.current_period_end, other.current_period_end)

const isSameMoment = (one: DateTime.Utc | null, other: DateTime.Utc | null) =>
  one === null || other === null ? one === other : DateTime.Equivalence(one, other)

/**
 * What platforms tell of subscriptions: late, canceled. In the caller's transaction. It waits until a charge has made the
 * subscription known: nobody becomes a student by not paying.
 */
export class Subscriptions extends Context.Service<Subscriptions, {
  /** Contract, subscription.past_due: once for each lateness, whatever the platform tries meanwhile. */
  late(told: Told, fact: PastDueFact): Effect.Effect<Part>
  /** Contract, subscription.canceled: once for each ending. Told again it may change the end, and is no event. */
  canceled(told: Told, fact: CanceledFact, cause: Cause): Effect.Effect<Part>
  /** Writes down how it stands by now, and tells of each lateness and each ending that was not told of, as of its time. */
  stand(club_id: ClubId, subscription: SubscriptionRow): Effect.Effect<Standing>
}>()("turma/sales/Subscriptions") {
  static readonly layer = Layer.effect(
    Subscriptions,
    Effect.gen(function*() {
      const access = yield* SubscriptionAccess
      const events = yield* Events
      const parties = yield* Parties
      const repo = yield* SubscriptionsRepo

      // A charge that is told of late may show that what seemed one lateness, or one ending, were two.
      const stand = Effect.fnUntraced(function*(club_id: ClubId, subscription: SubscriptionRow) {
        const { cancellations_told, id: subscription_id, past_dues_told, student_id } = subscription
        const told = yield* repo.told(club_id, subscription_id)
        const standing = standingOf(told)
        const late = untoldOf(pastDuesOf(told), past_dues_told)
        const ended = untoldOf(cancellationsOf(told), cancellations_told)
        const counted = {
          ...subscription,
          past_dues_told: past_dues_told + late.length,
          cancellations_told: cancellations_told + ended.length
        }
        yield* repo.update(club_id, counted, standing)
        if (late.length + ended.length > 0) yield* repo.markTold(club_id, subscription_id, { late, ended })
        const record = (type: "subscription.canceled" | "subscription.past_due", at: DateTime.Utc) =>
          events.record(club_id, { type, student_id, subscription_id }, at)
        yield* Effect.forEach(late, ({ since }) => record("subscription.past_due", since), { discard: true })
        yield* Effect.forEach(ended, ({ at }) => record("subscription.canceled", at), { discard: true })
        return standing
      })

      const held = Effect.fnUntraced(function*(shop: Told, external_id: string) {
        const found = yield* repo.find(shop, external_id)
        if (Option.isNone(found)) return Option.none<Held>()
        const { id, student_id } = found.value
        const { removed } = yield* parties.known(shop, student_id)
        return Option.some({ subscription: yield* repo.hold(shop.club_id, id), removed })
      })

      const late = Effect.fnUntraced(function*(told: Told, { at, lateness_key: key, subscription: sold }: PastDueFact) {
        const found = yield* held(told, sold.external_id)
        if (Option.isNone(found)) return waiting
        const { removed, subscription } = found.value
        const { id, student_id } = subscription
        if (removed) return placed({ student_id, removed })
        const news = yield* repo.insertLateness(told.club_id, id, { key, since: timeIn(told, at), told: false })
        if (news) yield* stand(told.club_id, subscription)
        return placed({ student_id, news })
      })

      const canceled = Effect.fnUntraced(function*(told: Told, fact: CanceledFact, cause: Cause) {
        const { club_id } = told
        const found = yield* held(told, fact.subscription.external_id)
        if (Option.isNone(found)) return waiting
        const { removed, subscription } = found.value
        const { id, student_id } = subscription
        if (removed) return placed({ student_id, removed })
        const before = yield* repo.told(club_id, id)
        const cancellation = { at: timeIn(told, fact.at), until: fact.period_end, told: false }
        if (!(yield* repo.insertCancellation(club_id, id, cancellation))) return placed({ student_id })
        const standing = yield* stand(club_id, subscription)
        const after = { ...before, cancellations: before.cancellations.concat(cancellation) }
        const changed = !same(standingOf(before), standing)
        if (changed && standing.status === "canceled") yield* access.canceled(club_id, subscription, standing, cause)
        return placed({ student_id, news: changed || cancellationsOf(after).length > cancellationsOf(before).length })
      })

      return Subscriptions.of({ late, canceled, stand })
    })
  )
}
