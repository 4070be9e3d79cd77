import { Cause, Context, DateTime, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { BillingCatalog } from "../BillingCatalog.ts"
import { addonOf } from "../Entitlements.ts"
import { type AboutAddon, type AboutEntry, ChangesRepo, type Claimed } from "./ChangesRepo.ts"
import { MirrorRepo } from "./MirrorRepo.ts"
import { StripeApi } from "./StripeApi.ts"
import { type StripeFailure, StripeRefused, StripeUnreachable } from "./StripeFailure.ts"
import { StripeLedgerRepo } from "./StripeLedgerRepo.ts"
import { subscriptionOf } from "./StripeObjects.ts"

/** Less than the lease: what takes longer is left to whoever comes next. */
const patience = Duration.seconds(60)

/** How many clubs a process tells Stripe of at once. */
const concurrency = 8

/** More changes than a person makes at once; the worker goes on with the rest. */
const mostAtOnce = 20

/** What the clocks of Stripe and ours may be apart, and more. */
const slack = Duration.days(1)

const keyOf = ({ id, key_number }: Claimed, more = "") => `turma-${id}-${key_number}${more}`

/** After so many attempts, more than an hour of them, somebody has to look: what follows waits for it. */
const fewAttempts = 10

const log = ({ attempts }: Claimed) => attempts > fewAttempts ? Effect.logError : Effect.logWarning

const unlessMissing = (removal: Effect.Effect<void, StripeFailure>) =>
  Effect.catchTag(
    removal,
    "StripeRefused",
    (refused) => refused.isMissing ? Effect.void : Effect.fail(refused)
  )

const logged = ({ attempts, club_id, id, kind }: Claimed) => ({ club_id, change_id: id, kind, attempts })

/**
 * Tells Stripe what was changed here: after our commit, and as often as it takes. Each change is looked for before it is made
 * once more, as Stripe forgets idempotency keys after a day.
 */
export class Changes extends Context.Service<Changes, {
  /** Tells all that is due of one club, and ends when it is told, put off or refused. */
  perform(club_id: ClubId): Effect.Effect<void>
  /** Tells what is due of some clubs. Says how many changes were claimed. */
  readonly tick: Effect.Effect<number>
}>()("turma/billing/stripe/Changes") {
  static readonly layerNoDeps = Layer.effect(
    Changes,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const api = yield* StripeApi
      const catalog = yield* BillingCatalog
      const changes = yield* ChangesRepo
      const ledger = yield* StripeLedgerRepo
      const mirror = yield* MirrorRepo

      /** Writes down what came of it, unless somebody else has claimed it meanwhile. */
      const settle = (claimed: Claimed, status: "done" | "refused", effect: Effect.Effect<void>) =>
        sql.withTransaction(Effect.gen(function*() {
          yield* mirror.hold(claimed.club_id)
          if (!(yield* changes.finish(claimed, status))) return
          yield* effect
          yield* mirror.changed(claimed.club_id)
        })).pipe(Effect.catchTag("SqlError", Effect.die))

      const itemOf = Effect.fnUntraced(function*({ addon_id, external_id, subscription_id }: AboutAddon) {
        const items = yield* api.items(subscription_id)
        const own = items.find(({ id, metadata }) => id === external_id || metadata["addon_id"] === addon_id)
        return { items, own }
      })

      // An item of this price is this add-on, whoever added it: a subscription has one of each.
      const contract = Effect.fnUntraced(function*(claimed: AboutAddon) {
        const price = addonOf(catalog, claimed.addon_key)?.stripe_price
        if (price === undefined) return yield* new StripeRefused({ code: "no_price", status: 400 })
        const { items, own } = yield* itemOf(claimed)
        const there = own ?? items.find((item) => item.price.id === price)
        if (there !== undefined) return there.id
        const [first] = items
        const from = first === undefined
          ? claimed.contracted_at
          : DateTime.max(claimed.contracted_at, first.current_period_start)
        const { addon_id, subscription_id } = claimed
        // To the same key belong the same words: the time that is charged is one of them.
        const key = keyOf(claimed, `-${DateTime.toEpochMillis(from)}`)
        return (yield* api.addItem({ subscription: subscription_id, price, addon_id, from, key })).id
      })

      const takeBack = (claimed: AboutAddon) =>
        settle(
          claimed,
          "refused",
          Effect.flatMap(DateTime.now, (now) => mirror.close(claimed.club_id, [claimed.addon_id], now))
        )

      const tellContract = (claimed: AboutAddon) =>
        contract(claimed).pipe(
          Effect.flatMap((external_id) =>
            settle(claimed, "done", mirror.link(claimed.club_id, [{ id: claimed.addon_id, external_id }]))
          ),
          Effect.catchTag("StripeRefused", ({ code }) =>
            Effect.andThen(
              Effect.logWarning("Stripe has refused an add-on", { ...logged(claimed), code }),
              takeBack(claimed)
            ))
        )

      const tellRemove = Effect.fnUntraced(function*(claimed: AboutAddon) {
        const item = claimed.external_id ?? (yield* itemOf(claimed)).own?.id
        if (item !== undefined) yield* unlessMissing(api.removeItem(item))
        yield* settle(claimed, "done", Effect.void)
      })

      /** What Stripe has of an entry, at every customer where it was ever begun to be told. */
      const told = Effect.fnUntraced(function*({ attempts, customers, entered_at, entry_id }: AboutEntry) {
        if (attempts === 1) return []
        const since = DateTime.subtractDuration(entered_at, slack)
        const items = yield* Effect.forEach(customers, (customer) => api.invoiceItems(customer, since))
        return items.flat().filter(({ metadata }) => metadata?.["entry_id"] === entry_id)
      })

      // What waits for an invoice of a subscription that has ended would wait for ever.
      const invoiceItem = Effect.fnUntraced(function*(claimed: AboutEntry) {
        const { customer_id: customer, entry_id, name, subscription_id: subscription } = claimed
        const items = yield* told(claimed)
        const there = items.find((item) => item.invoice !== null || subscriptionOf(item) === subscription)
        if (there !== undefined) return there.id
        yield* Effect.forEach(items, ({ id }) => unlessMissing(api.removeInvoiceItem(id)))
        const { amount_cents, currency, ends_at, kind, starts_at } = claimed
        const description = kind === "credit" ? `Credit: ${name}` : name
        const item = { customer, subscription, amount_cents, currency, description, starts_at, ends_at, entry_id }
        return (yield* api.addInvoiceItem({ ...item, key: keyOf(claimed) })).id
      })

      const tellEntry = (claimed: AboutEntry) =>
        invoiceItem(claimed).pipe(
          Effect.flatMap((external_id) =>
            settle(claimed, "done", ledger.link(claimed.club_id, claimed.entry_id, external_id))
          ),
          Effect.catchTag("StripeRefused", ({ code }) =>
            Effect.andThen(
              Effect.logError("Stripe has refused a line for the next invoice", { ...logged(claimed), code }),
              settle(claimed, "refused", Effect.void)
            ))
        )

      const tellOf = (claimed: Claimed): Effect.Effect<void, StripeFailure> => {
        switch (claimed.kind) {
          case "contract":
            return tellContract(claimed)
          case "remove":
            return tellRemove(claimed)
          case "credit":
          case "overage":
            return tellEntry(claimed)
        }
      }

      const tell = Effect.fn("Changes.tell")(function*(claimed: Claimed) {
        yield* tellOf(claimed).pipe(
          Effect.timeoutOrElse({
            duration: patience,
            orElse: () => Effect.fail(new StripeUnreachable({ why: "it takes too long", answered: false }))
          }),
          Effect.catch((failure) => {
            const answered = failure._tag === "StripeRefused" || failure.answered
            const why = failure._tag === "StripeRefused" ? failure.code : failure.why
            return Effect.andThen(
              log(claimed)("Stripe was not told of a change", { ...logged(claimed), why }),
              changes.putOff(claimed, answered)
            )
          }),
          // Whoever asked has hung up, or this process ends: another goes on without waiting for the lease.
          Effect.onError(() => changes.putOff(claimed, false))
        )
      })

      const perform = Effect.fn("Changes.perform")(function*(club_id: ClubId) {
        for (let number = 0; number < mostAtOnce; number++) {
          const [claimed] = yield* changes.claim(1, club_id)
          if (claimed === undefined) return
          yield* tell(claimed)
        }
      })

      const tellOrLater = (claimed: Claimed) =>
        Effect.catchCause(tell(claimed), (cause) =>
          Cause.hasInterruptsOnly(cause)
            ? Effect.interrupt
            : Effect.logError("A change was not told", logged(claimed), cause))

      const tick = Effect.gen(function*() {
        const claimed = yield* changes.claim(concurrency)
        yield* Effect.forEach(claimed, tellOrLater, { concurrency, discard: true })
        return claimed.length
      }).pipe(Effect.withSpan("Changes.tick"))

      return Changes.of({ perform, tick })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([ChangesRepo.layer, MirrorRepo.layer, StripeLedgerRepo.layer])
  )
}
