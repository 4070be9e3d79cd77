import { Context, DateTime, Effect, Layer, Option } from "effect"
import { Events } from "../../../events/Events.ts"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import type { AccessCause } from "../../../membership/access/NewGrant.ts"
import type { CanceledFact, PastDueFact } from "../platform/Platform.ts"
import { Buyers } from "./Buyers.ts"
import { type FactOutcome, resolved, waiting } from "./FactOutcome.ts"
import { type ReceivedFacts, timeOfFact } from "./ReceivedFacts.ts"
import {
  cancellationsOf,
  pastDuesOf,
  stateOf,
  type SubscriptionRow,
  type SubscriptionState,
  withoutEvent
} from "./Subscription.ts"
import { SubscriptionAccess } from "./SubscriptionAccess.ts"
import { SubscriptionsRepo } from "./SubscriptionsRepo.ts"

/** A known subscription. The transaction has locked its student and then itself. */
interface LockedSubscription {
  readonly subscription: SubscriptionRow
  readonly removed: boolean
}

const isSameState = (one: SubscriptionState, other: SubscriptionState) =>
  one.status === other.status && isSameMoment(one.current_period_end, other.current_period_end)

const isSameMoment = (one: DateTime.Utc | null, other: DateTime.Utc | null) =>
  one === null || other === null ? one === other : DateTime.Equivalence(one, other)

/**
 * Applies facts about subscriptions: late, canceled. In the caller's transaction. A fact waits until a charge has made the
 * subscription known: nobody becomes a student by not paying.
 */
export class Subscriptions extends Context.Service<Subscriptions, {
  /** Contract, subscription.past_due: once for each lateness, whatever the platform's attempts during it. */
  pastDue(received: ReceivedFacts, fact: PastDueFact): Effect.Effect<FactOutcome>
  /**
   * Contract, subscription.canceled: once for each ending. A repeated cancellation may change the end, and records no
   * event.
   */
  canceled(received: ReceivedFacts, fact: CanceledFact, cause: AccessCause): Effect.Effect<FactOutcome>
  /** Stores the current state, and records the missing event of each lateness and ending, with its time. */
  updateState(club_id: ClubId, subscription: SubscriptionRow): Effect.Effect<SubscriptionState>
}>()("turma/commerce/sales/purchase/Subscriptions") {
  static readonly layer = Layer.effect(
    Subscriptions,
    Effect.gen(function*() {
      const access = yield* SubscriptionAccess
      const events = yield* Events
      const buyers = yield* Buyers
      const repo = yield* SubscriptionsRepo

      // A late charge may show that one known lateness, or ending, is in fact two.
      const updateState = Effect.fnUntraced(function*(club_id: ClubId, subscription: SubscriptionRow) {
        const { cancellations_told, id: subscription_id, past_dues_told, student_id } = subscription
        const history = yield* repo.history(club_id, subscription_id)
        const state = stateOf(history)
        const late = withoutEvent(pastDuesOf(history), past_dues_told)
        const ended = withoutEvent(cancellationsOf(history), cancellations_told)
        const counted = {
          ...subscription,
          past_dues_told: past_dues_told + late.length,
          cancellations_told: cancellations_told + ended.length
        }
        yield* repo.update(club_id, counted, state)
        if (late.length + ended.length > 0) yield* repo.markTold(club_id, subscription_id, { late, ended })
        const record = (type: "subscription.canceled" | "subscription.past_due", at: DateTime.Utc) =>
          events.record(club_id, { type, student_id, subscription_id }, at)
        yield* Effect.forEach(late, ({ since }) => record("subscription.past_due", since), { discard: true })
        yield* Effect.forEach(ended, ({ at }) => record("subscription.canceled", at), { discard: true })
        return state
      })

      const lock = Effect.fnUntraced(function*(received: ReceivedFacts, external_id: string) {
        const found = yield* repo.find(received, external_id)
        if (Option.isNone(found)) return Option.none<LockedSubscription>()
        const { id, student_id } = found.value
        const { removed } = yield* buyers.lockStudent(received, student_id)
        return Option.some({ subscription: yield* repo.lock(received.club_id, id), removed })
      })

      const pastDue = Effect.fnUntraced(function*(
        received: ReceivedFacts,
        { at, lateness_key: key, subscription: sold }: PastDueFact
      ) {
        const found = yield* lock(received, sold.external_id)
        if (Option.isNone(found)) return waiting
        const { removed, subscription } = found.value
        const { id, student_id } = subscription
        if (removed) return resolved({ student_id, removed })
        const changed = yield* repo.insertLateness(received.club_id, id, {
          key,
          since: timeOfFact(received, at),
          told: false
        })
        if (changed) yield* updateState(received.club_id, subscription)
        return resolved({ student_id, changed })
      })

      const canceled = Effect.fnUntraced(function*(received: ReceivedFacts, fact: CanceledFact, cause: AccessCause) {
        const { club_id } = received
        const found = yield* lock(received, fact.subscription.external_id)
        if (Option.isNone(found)) return waiting
        const { removed, subscription } = found.value
        const { id, student_id } = subscription
        if (removed) return resolved({ student_id, removed })
        const before = yield* repo.history(club_id, id)
        const cancellation = { at: timeOfFact(received, fact.at), until: fact.period_end, told: false }
        if (!(yield* repo.insertCancellation(club_id, id, cancellation))) return resolved({ student_id })
        const state = yield* updateState(club_id, subscription)
        const after = { ...before, cancellations: before.cancellations.concat(cancellation) }
        const hasNewState = !isSameState(stateOf(before), state)
        if (hasNewState && state.status === "canceled") yield* access.canceled(club_id, subscription, state, cause)
        const hasNewEnding = cancellationsOf(after).length > cancellationsOf(before).length
        return resolved({ student_id, changed: hasNewState || hasNewEnding })
      })

      return Subscriptions.of({ pastDue, canceled, updateState })
    })
  )
}
