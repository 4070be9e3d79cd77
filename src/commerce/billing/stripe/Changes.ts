import { Cause, Context, DateTime, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { faultsDie } from "../../../platform/sql/Rows.ts"
import { BillingCatalog } from "../catalog/BillingCatalog.ts"
import { addonOf } from "../catalog/Entitlement.ts"
import { StripeApi } from "./api/StripeApi.ts"
import { type StripeFailure, StripeRefused, StripeUnreachable } from "./api/StripeFailure.ts"
import { subscriptionOf } from "./api/StripeObjects.ts"
import { MirrorRepo } from "./mirror/MirrorRepo.ts"
import { StripeLedgerRepo } from "./mirror/StripeLedgerRepo.ts"
import { type AddonChange, ChangesRepo, type ClaimedChange, type EntryChange } from "./queue/ChangesRepo.ts"

/** For one change. Less than the lease: a change that takes longer is tried again. */
const timeout = Duration.seconds(60)

/** Number of clubs whose changes a process sends at once. */
const concurrency = 8

/** The most changes that a request sends; the worker sends the rest. */
const maxAtOnce = 20

/** More than Stripe's clock and ours may differ. */
const clockTolerance = Duration.days(1)

const keyOf = ({ id, key_number }: ClaimedChange, more = "") => `turma-${id}-${key_number}${more}`

/**
 * After so many attempts, in more than an hour, failures are logged as errors: the club's later changes wait for this
 * one.
 */
const quietAttempts = 10

const logAtLevel = ({ attempts }: ClaimedChange) => attempts > quietAttempts ? Effect.logError : Effect.logWarning

const unlessMissing = (removal: Effect.Effect<void, StripeFailure>) =>
  Effect.catchTag(
    removal,
    "StripeRefused",
    (refused) => refused.isMissing ? Effect.void : Effect.fail(refused)
  )

const logFields = ({ attempts, club_id, id, kind }: ClaimedChange) => ({ club_id, change_id: id, kind, attempts })

/**
 * Sends our changes to Stripe after our commit, with retries. Before a retry, Stripe is asked whether the change is there
 * already, as it forgets idempotency keys after a day.
 */
export class Changes extends Context.Service<Changes, {
  /** Sends the due changes of one club, until each is sent, put off or refused. */
  perform(club_id: ClubId): Effect.Effect<void>
  /** Sends one due change each of some clubs. Returns how many were claimed. */
  readonly tick: Effect.Effect<number>
}>()("turma/commerce/billing/stripe/Changes") {
  static readonly layer = Layer.effect(
    Changes,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const api = yield* StripeApi
      const catalog = yield* BillingCatalog
      const changes = yield* ChangesRepo
      const ledger = yield* StripeLedgerRepo
      const mirror = yield* MirrorRepo

      /** Stores the result, unless another process has claimed the change since. */
      const settle = (claimed: ClaimedChange, status: "done" | "refused", effect: Effect.Effect<void>) =>
        sql.withTransaction(Effect.gen(function*() {
          yield* mirror.lock(claimed.club_id)
          if (!(yield* changes.finish(claimed, status))) return
          yield* effect
          yield* mirror.changed(claimed.club_id)
        })).pipe(faultsDie)

      const itemOf = Effect.fnUntraced(function*({ addon_id, external_id, subscription_id }: AddonChange) {
        const items = yield* api.items(subscription_id)
        const own = items.find(({ id, metadata }) => id === external_id || metadata["addon_id"] === addon_id)
        return { items, own }
      })

      // An item of this price is this add-on, even if a person added it at Stripe: a subscription has each price once.
      const contract = Effect.fnUntraced(function*(claimed: AddonChange) {
        const price = addonOf(catalog, claimed.addon_key)?.stripe_price
        if (price === undefined) return yield* new StripeRefused({ code: "no_price", status: 400 })
        const { items, own } = yield* itemOf(claimed)
        const existing = own ?? items.find((item) => item.price.id === price)
        if (existing !== undefined) return existing.id
        const [first] = items
        const from = first === undefined
          ? claimed.contracted_at
          : DateTime.max(claimed.contracted_at, first.current_period_start)
        const { addon_id, subscription_id } = claimed
        // Stripe requires the same parameters for the same key, so the charged time is a part of the key.
        const key = keyOf(claimed, `-${DateTime.toEpochMillis(from)}`)
        return (yield* api.addItem({ subscription: subscription_id, price, addon_id, from, key })).id
      })

      const takeBack = (claimed: AddonChange) =>
        settle(
          claimed,
          "refused",
          Effect.flatMap(DateTime.now, (now) => mirror.close(claimed.club_id, [claimed.addon_id], now))
        )

      const sendContract = (claimed: AddonChange) =>
        contract(claimed).pipe(
          Effect.flatMap((external_id) =>
            settle(claimed, "done", mirror.link(claimed.club_id, [{ id: claimed.addon_id, external_id }]))
          ),
          Effect.catchTag("StripeRefused", ({ code }) =>
            Effect.andThen(
              Effect.logWarning("Stripe has refused an add-on", { ...logFields(claimed), code }),
              takeBack(claimed)
            ))
        )

      const sendRemoval = Effect.fnUntraced(function*(claimed: AddonChange) {
        const item = claimed.external_id ?? (yield* itemOf(claimed)).own?.id
        if (item !== undefined) yield* unlessMissing(api.removeItem(item))
        yield* settle(claimed, "done", Effect.void)
      })

      /** The invoice items of an entry, of every customer that it was ever sent for. */
      const itemsAtStripe = Effect.fnUntraced(function*({ attempts, customers, entered_at, entry_id }: EntryChange) {
        if (attempts === 1) return []
        const since = DateTime.subtractDuration(entered_at, clockTolerance)
        const items = yield* Effect.forEach(customers, (customer) => api.invoiceItems(customer, since))
        return items.flat().filter(({ metadata }) => metadata?.["entry_id"] === entry_id)
      })

      // An item that waits for an invoice of an ended subscription would wait for ever, so it is removed.
      const invoiceItem = Effect.fnUntraced(function*(claimed: EntryChange) {
        const { customer_id: customer, entry_id, name, subscription_id: subscription } = claimed
        const items = yield* itemsAtStripe(claimed)
        const existing = items.find((item) => item.invoice !== null || subscriptionOf(item) === subscription)
        if (existing !== undefined) return existing.id
        yield* Effect.forEach(items, ({ id }) => unlessMissing(api.removeInvoiceItem(id)))
        const { amount_cents, currency, ends_at, kind, starts_at } = claimed
        const description = kind === "credit" ? `Credit: ${name}` : name
        const item = { customer, subscription, amount_cents, currency, description, starts_at, ends_at, entry_id }
        return (yield* api.addInvoiceItem({ ...item, key: keyOf(claimed) })).id
      })

      const sendEntry = (claimed: EntryChange) =>
        invoiceItem(claimed).pipe(
          Effect.flatMap((external_id) =>
            settle(claimed, "done", ledger.link(claimed.club_id, claimed.entry_id, external_id))
          ),
          Effect.catchTag("StripeRefused", ({ code }) =>
            Effect.andThen(
              Effect.logError("Stripe has refused a line for the next invoice", { ...logFields(claimed), code }),
              settle(claimed, "refused", Effect.void)
            ))
        )

      const sendByKind = (claimed: ClaimedChange): Effect.Effect<void, StripeFailure> => {
        switch (claimed.kind) {
          case "contract":
            return sendContract(claimed)
          case "remove":
            return sendRemoval(claimed)
          case "credit":
          case "overage":
            return sendEntry(claimed)
        }
      }

      const send = Effect.fn("Changes.send")(function*(claimed: ClaimedChange) {
        yield* sendByKind(claimed).pipe(
          Effect.timeoutOrElse({
            duration: timeout,
            orElse: () => Effect.fail(new StripeUnreachable({ why: "it takes too long", answered: false }))
          }),
          Effect.catch((failure) => {
            const answered = failure._tag === "StripeRefused" || failure.answered
            const why = failure._tag === "StripeRefused" ? failure.code : failure.why
            return Effect.andThen(
              logAtLevel(claimed)("Stripe did not get a change", { ...logFields(claimed), why }),
              changes.postpone(claimed, answered)
            )
          }),
          // On interruption another process can go on without waiting for the lease.
          Effect.onError(() => changes.postpone(claimed, false))
        )
      })

      const perform = Effect.fn("Changes.perform")(function*(club_id: ClubId) {
        for (let number = 0; number < maxAtOnce; number++) {
          const [claimed] = yield* changes.claim(1, club_id)
          if (claimed === undefined) return
          yield* send(claimed)
        }
      })

      const sendOrLater = (claimed: ClaimedChange) =>
        Effect.catchCause(send(claimed), (cause) =>
          Cause.hasInterruptsOnly(cause)
            ? Effect.interrupt
            : Effect.logError("A change was not told", logFields(claimed), cause))

      const tick = Effect.gen(function*() {
        const claimed = yield* changes.claim(concurrency)
        yield* Effect.forEach(claimed, sendOrLater, { concurrency, discard: true })
        return claimed.length
      }).pipe(Effect.withSpan("Changes.tick"))

      return Changes.of({ perform, tick })
    })
  ).pipe(Layer.provide([ChangesRepo.layer, MirrorRepo.layer, StripeLedgerRepo.layer]))
}
