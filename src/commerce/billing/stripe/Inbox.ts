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

/** What is told of Stripe's events, and listed of them. All else is nothing to us. */
export const eventTypes: ReadonlyArray<string> = [...sessions, ...subscriptions, ...invoices]

/** How many events a process deals with at once. */
const concurrency = 4

/** A subscription that no club is known for may be known in a moment, when the event that says so is dealt with. */
const mostUnknown = 3

/** Stripe lists events for so long. */
const listed = Duration.days(30)

/** What is listed is asked for again for so long: the list may lag behind. */
const overlap = Duration.hours(1)

/** What is listed at once: a day of events, however many days there are. */
const stretch = Duration.days(1)

/** Longer than Stripe lists them, so that none comes back as new; a checkout of Stripe's is over after a day. */
const retention = Duration.days(40)

const decodeNotice = Schema.decodeUnknownOption(StripeEvent)

const knownOf = ({ created, data, id, type }: StripeEvent): ReadonlyArray<StoredEvent> =>
  data.object.id === undefined || !eventTypes.includes(type)
    ? []
    : [{ id, type, object_id: data.object.id, occurred_at: created }]

/** What Stripe tells: kept at once, dealt with later, and asked for where it did not come. */
export class Inbox extends Context.Service<Inbox, {
  /** Keeps an event that Stripe has signed, and nothing more. The same one again changes nothing. */
  receive(body: Uint8Array, signature: string): Effect.Effect<void, InvalidSignature>
  /** Deals with a batch of events; says how many were claimed. */
  readonly tick: Effect.Effect<number>
  /** Asks Stripe for what happened since the newest event that it has listed, and keeps what did not come. */
  readonly reconcile: Effect.Effect<void, StripeFailure>
  /** Deletes events that nobody can send again, and checkouts that are long over; says how many. */
  readonly sweep: Effect.Effect<number>
}>()("turma/billing/stripe/Inbox") {
  static readonly layerNoDeps = Layer.effect(
    Inbox,
    Effect.gen(function*() {
      const api = yield* StripeApi
      const checkouts = yield* CheckoutsRepo
      const client = yield* StripeClient
      const events = yield* EventsRepo
      const mirror = yield* Mirror
      const guard = yield* ClockGuard

      const receive = Effect.fn("Inbox.receive")(function*(body: Uint8Array, signature: string) {
        const now = yield* DateTime.now
        const event = yield* Effect.mapError(
          client.verified(body, signature, DateTime.toEpochMillis(now)),
          () => new InvalidSignature()
        )
        yield* events.add(Option.match(decodeNotice(event), { onNone: () => [], onSome: knownOf }), false)
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

      const deal = Effect.fnUntraced(function*(claimed: ClaimedStripeEvent) {
        const outcome = yield* mirrorOf(claimed)
        if (outcome === "unknown" && claimed.attempts < mostUnknown) return yield* events.putOff(claimed)
        yield* events.finish(claimed, outcome === "done" ? "done" : "ignored")
      })

      const logged = ({ attempts, id, type }: ClaimedStripeEvent) => ({ event_id: id, type, attempts })

      const work = Effect.fn("Inbox.work")((claimed: ClaimedStripeEvent) =>
        deal(claimed).pipe(
          Effect.catch((failure) =>
            Effect.andThen(
              Effect.logWarning("An event of Stripe's is dealt with later", { ...logged(claimed), ...failure }),
              events.putOff(claimed)
            )
          ),
          Effect.catchCause((cause) =>
            Cause.hasInterruptsOnly(cause)
              ? Effect.interrupt
              : Effect.andThen(
                Effect.logError("An event of Stripe's was not dealt with", logged(claimed), cause),
                events.putOff(claimed)
              )
          )
        )
      )

      const tick = Effect.gen(function*() {
        const claimed = yield* events.claim(4 * concurrency)
        yield* Effect.forEach(claimed, work, { concurrency, discard: true })
        return claimed.length
      }).pipe(Effect.withSpan("Inbox.tick"))

      // However many there are, a page of them is in memory. The newest says last that all before it are known.
      const keepListed = Effect.fnUntraced(function*(from: DateTime.Utc, until: DateTime.Utc) {
        let page = yield* api.events(eventTypes, from, until)
        const newest = page.data.slice(0, 1)
        while (true) {
          yield* events.add(page.data.flatMap(knownOf), false)
          const last = page.data.at(-1)
          if (!page.has_more || last === undefined) break
          page = yield* api.events(eventTypes, from, until, last.id)
        }
        yield* events.add(newest.flatMap(knownOf), true)
      })

      // Oldest first, and each stretch as a whole: what is cut off begins again where the list was known to the end.
      const reconcile = Effect.gen(function*() {
        const now = yield* DateTime.now
        const oldest = DateTime.subtractDuration(now, listed)
        const latest = Option.getOrElse(yield* events.latestListed, () => oldest)
        const end = DateTime.add(now, { seconds: 1 })
        let from = DateTime.max(DateTime.subtractDuration(latest, overlap), oldest)
        while (DateTime.isLessThan(from, end)) {
          const until = DateTime.min(DateTime.addDuration(from, stretch), end)
          yield* keepListed(from, until)
          from = until
        }
      }).pipe(Effect.withSpan("Inbox.reconcile"))

      const sweepUntil = Effect.fnUntraced(function*(now: DateTime.Utc) {
        const before = DateTime.subtractDuration(now, retention)
        return (yield* events.sweep(before)) + (yield* checkouts.sweep(before))
      })

      const sweep = guard.sweep("events of Stripe's and checkouts", sweepUntil).pipe(orZero)

      return Inbox.of({ receive, tick, reconcile, sweep })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([CheckoutsRepo.layer, EventsRepo.layer, Mirror.layer]))
}
