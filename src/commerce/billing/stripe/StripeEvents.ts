import { Cause, Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { ClockGuard, orZero } from "../../../platform/jobs/ClockGuard.ts"
import { InvalidSignature } from "../../sales/inbound/InboundEvent.ts"
import { StripeApi } from "./api/StripeApi.ts"
import { StripeClient } from "./api/StripeClient.ts"
import type { StripeFailure } from "./api/StripeFailure.ts"
import { StripeEvent } from "./api/StripeObjects.ts"
import { CheckoutsRepo } from "./mirror/CheckoutsRepo.ts"
import { Mirror, type MirrorOutcome } from "./mirror/Mirror.ts"
import { type ClaimedStripeEvent, EventsRepo, type StoredEvent } from "./queue/EventsRepo.ts"

const sessions = ["checkout.session.completed", "checkout.session.async_payment_succeeded"]

const subscriptions = [
  "customer.subscription.created",
  "customer.subscription.updated",
  "customer.subscription.deleted",
  "customer.subscription.paused",
  "customer.subscription.resumed"
]

const invoices = [
  "invoice.finalized",
  "invoice.paid",
  "invoice.payment_failed",
  "invoice.voided",
  "invoice.marked_uncollectible"
]

/** The event types that are handled and listed. All others are ignored. */
const eventTypes: ReadonlyArray<string> = [...sessions, ...subscriptions, ...invoices]

/** Number of events that a process handles at once. */
const concurrency = 4

/** Attempts at an event of a subscription without a known club: another event may name the club. */
const maxUnknown = 3

/** How long Stripe lists events. */
const listedFor = Duration.days(30)

/** The part of the list to read again, because it may lag behind. */
const overlap = Duration.hours(1)

/** The time whose events are listed at once. */
const window = Duration.days(1)

/** Longer than Stripe lists events, so that no event comes back as new. A checkout at Stripe expires after a day. */
const retention = Duration.days(40)

const decodeEvent = Schema.decodeUnknownOption(StripeEvent)

const storedEvent = ({ created, data, id, type }: StripeEvent): ReadonlyArray<StoredEvent> =>
  data.object.id === undefined || !eventTypes.includes(type)
    ? []
    : [{ id, type, object_id: data.object.id, occurred_at: created }]

/** Stripe's events: stored at once, handled later, and listed in case one did not come. */
export class StripeEvents extends Context.Service<StripeEvents, {
  /** Verifies and stores an event. A repeated one changes nothing. */
  receive(body: Uint8Array, signature: string): Effect.Effect<void, InvalidSignature>
  /** Handles a batch of events and returns how many were claimed. */
  readonly tick: Effect.Effect<number>
  /** Lists Stripe's events since the newest one found in the list, and stores those that did not come. */
  readonly reconcile: Effect.Effect<void, StripeFailure>
  /** Deletes old events and checkouts and returns how many. */
  readonly sweep: Effect.Effect<number>
}>()("turma/commerce/billing/stripe/StripeEvents") {
  static readonly layer = Layer.effect(
    StripeEvents,
    Effect.gen(function*() {
      const api = yield* StripeApi
      const checkouts = yield* CheckoutsRepo
      const client = yield* StripeClient
      const events = yield* EventsRepo
      const mirror = yield* Mirror
      const guard = yield* ClockGuard

      const receive = Effect.fn("StripeEvents.receive")(function*(body: Uint8Array, signature: string) {
        const now = yield* DateTime.now
        const event = yield* Effect.mapError(
          client.verified(body, signature, DateTime.toEpochMillis(now)),
          () => new InvalidSignature()
        )
        yield* events.add(Option.match(decodeEvent(event), { onNone: () => [], onSome: storedEvent }), false)
      })

      const ofSession = Effect.fnUntraced(function*(id: string) {
        const session = Option.getOrUndefined(yield* api.session(id))
        if (session === undefined || session.subscription === null) return "ignored"
        return yield* mirror.subscription(session.subscription, session.client_reference_id)
      })

      const mirrorOf = ({ object_id, type }: ClaimedStripeEvent): Effect.Effect<MirrorOutcome, StripeFailure> =>
        sessions.includes(type)
          ? ofSession(object_id)
          : subscriptions.includes(type)
          ? mirror.subscription(object_id)
          : mirror.invoice(object_id)

      const handle = Effect.fnUntraced(function*(claimed: ClaimedStripeEvent) {
        const outcome = yield* mirrorOf(claimed)
        if (outcome === "unknown" && claimed.attempts < maxUnknown) return yield* events.postpone(claimed)
        yield* events.finish(claimed, outcome === "done" ? "done" : "ignored")
      })

      const logFields = ({ attempts, id, type }: ClaimedStripeEvent) => ({ event_id: id, type, attempts })

      const work = Effect.fn("StripeEvents.work")((claimed: ClaimedStripeEvent) =>
        handle(claimed).pipe(
          Effect.catch((failure) =>
            Effect.andThen(
              Effect.logWarning("An event of Stripe is processed later", { ...logFields(claimed), ...failure }),
              events.postpone(claimed)
            )
          ),
          Effect.catchCause((cause) =>
            Cause.hasInterruptsOnly(cause)
              ? Effect.interrupt
              : Effect.andThen(
                Effect.logError("An event of Stripe's was not dealt with", logFields(claimed), cause),
                events.postpone(claimed)
              )
          )
        )
      )

      const tick = Effect.gen(function*() {
        const claimed = yield* events.claim(4 * concurrency)
        yield* Effect.forEach(claimed, work, { concurrency, discard: true })
        return claimed.length
      }).pipe(Effect.withSpan("StripeEvents.tick"))

      // Keeps one page in memory. The newest event is marked as listed last, when all before it are stored.
      const storeListed = Effect.fnUntraced(function*(from: DateTime.Utc, until: DateTime.Utc) {
        let page = yield* api.events(eventTypes, from, until)
        const newest = page.data.slice(0, 1)
        while (true) {
          yield* events.add(page.data.flatMap(storedEvent), false)
          const last = page.data.at(-1)
          if (!page.has_more || last === undefined) break
          page = yield* api.events(eventTypes, from, until, last.id)
        }
        yield* events.add(newest.flatMap(storedEvent), true)
      })

      // Oldest first, one window after another: after an interruption it goes on with the window that was not finished.
      const reconcile = Effect.gen(function*() {
        const now = yield* DateTime.now
        const oldest = DateTime.subtractDuration(now, listedFor)
        const latest = Option.getOrElse(yield* events.latestListed, () => oldest)
        const end = DateTime.add(now, { seconds: 1 })
        let from = DateTime.max(DateTime.subtractDuration(latest, overlap), oldest)
        while (DateTime.isLessThan(from, end)) {
          const until = DateTime.min(DateTime.addDuration(from, window), end)
          yield* storeListed(from, until)
          from = until
        }
      }).pipe(Effect.withSpan("StripeEvents.reconcile"))

      const sweepUntil = Effect.fnUntraced(function*(now: DateTime.Utc) {
        const before = DateTime.subtractDuration(now, retention)
        return (yield* events.sweep(before)) + (yield* checkouts.sweep(before))
      })

      const sweep = guard.sweep("events of Stripe's and checkouts", sweepUntil).pipe(orZero)

      return StripeEvents.of({ receive, tick, reconcile, sweep })
    })
  ).pipe(Layer.provide([CheckoutsRepo.layer, EventsRepo.layer, Mirror.layer]))
}
