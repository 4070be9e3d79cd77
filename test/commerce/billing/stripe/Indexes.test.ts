import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { ContractedAddonId } from "../../../../src/commerce/billing/account/Account.ts"
import { InvoiceId } from "../../../../src/commerce/billing/ledger/Invoice.ts"
import { CheckoutsRepo } from "../../../../src/commerce/billing/stripe/mirror/CheckoutsRepo.ts"
import { MirrorRepo } from "../../../../src/commerce/billing/stripe/mirror/MirrorRepo.ts"
import { StripeInvoicesRepo } from "../../../../src/commerce/billing/stripe/mirror/StripeInvoicesRepo.ts"
import { StripeLedgerRepo } from "../../../../src/commerce/billing/stripe/mirror/StripeLedgerRepo.ts"
import { ChangesRepo } from "../../../../src/commerce/billing/stripe/queue/ChangesRepo.ts"
import { EventsRepo } from "../../../../src/commerce/billing/stripe/queue/EventsRepo.ts"
import { ClubId } from "../../../../src/identity/ids/ClubId.ts"
import { AppLayer } from "../../../harness/App.ts"
import { makeClub } from "../../../harness/Makers.ts"
import { readingMuch } from "../../../harness/RowsRead.ts"

/** One club has 10 years of invoices. A read of one add-on, one invoice or the due changes touches far fewer rows. */
const much = 400

// 8 000 accounts, 24 000 changes (a third due), 24 000 invoices, 40 000 events. One club has 120 of these invoices.
const fill = Effect.fnUntraced(function*(club_id: ClubId) {
  const sql = yield* SqlClient.SqlClient
  const [at, soon] = [new Date(0), new Date("2200-01-01")]
  yield* sql.withTransaction(Effect.gen(function*() {
    yield* sql`set local session_replication_role = replica`
    yield* sql`
      insert into clubs (id, organization_id, name, slug, time_zone, locale, sign_up_open, created_at)
      select gen_random_uuid(), gen_random_uuid(), 'Many', 'stripe-many-' || n, 'UTC', 'en', true, ${at}
      from generate_series(1, 8000) n`
    yield* sql`
      insert into billing_accounts
        (club_id, provider, plan_key, anchor, invoiced_until, customer_id, subscription_id, created_at)
      select id, 'stripe', 'starter', ${at}, case when random() < 0.5 then ${at}::timestamptz else ${soon} end,
        'cus_' || id, 'sub_' || id, ${at}
      from clubs where slug like 'stripe-many-%' or id = ${club_id}`
    yield* sql`
      insert into billing_addons (club_id, id, addon_key, contracted_at, removed_at, external_id)
      select club_id, gen_random_uuid(), 'pack', ${at}, case when n > 1 then ${at}::timestamptz end, 'si_' || club_id || n
      from billing_accounts, generate_series(1, 3) n where provider = 'stripe'`
    yield* sql`
      insert into billing_changes
        (club_id, id, kind, addon_id, status, next_attempt_at, created_at, finished_at)
      select club_id, gen_random_uuid(), 'remove', id, case when removed_at is null then 'pending' else 'done' end, ${at},
        ${at}, case when removed_at is null then null else ${at}::timestamptz end
      from billing_addons where external_id is not null`
    yield* sql`
      insert into billing_invoices
        (club_id, id, number, status, currency, period_start, period_end, total_cents, issued_at, external_id)
      select ${club_id}::uuid, gen_random_uuid(), n, 'paid', 'USD', ${at}, ${soon}, 1, ${at}, 'in_' || n
      from generate_series(1, 120) n`
    yield* sql`
      insert into billing_invoices
        (club_id, id, number, status, currency, period_start, period_end, total_cents, issued_at, external_id)
      select club_id, gen_random_uuid(), n, 'paid', 'USD', ${at}, ${soon}, 1, ${at}, 'in_' || club_id || n
      from billing_accounts, generate_series(1, 3) n where provider = 'stripe' and club_id <> ${club_id}`
    yield* sql`
      insert into billing_entries (club_id, id, kind, key, name, amount_cents, currency, starts_at, ends_at, addon_id,
        invoice_id, external_id, created_at)
      select i.club_id, gen_random_uuid(), 'addon', 'pack', 'Many', 1, 'USD', ${at}, ${soon},
        case when n <= 3 then (
          select id from billing_addons where club_id = i.club_id and external_id = 'si_' || i.club_id || n
        ) end, i.id, 'il_' || i.number || '_' || n, ${at}
      from billing_invoices i, generate_series(1, 20) n where i.club_id = ${club_id}`
    yield* sql`
      insert into billing_events (id, type, object_id, occurred_at, received_at, status, next_attempt_at, listed)
      select 'evt_' || n, 'invoice.paid', 'in_' || n, ${at}::timestamptz + n * interval '1 minute', ${at},
        case when n % 3 = 0 then 'pending' else 'done' end, ${at}, n % 2 = 0
      from generate_series(1, 40000) n`
    yield* sql`
      insert into billing_checkouts (club_id, id, created_at)
      select club_id, gen_random_uuid(), ${soon}::timestamptz - n * interval '1 minute'
      from billing_accounts, generate_series(1, 3) n where provider = 'stripe'`
    yield* sql`
      insert into billing_claims (club_id, id, subscription_id, plan_key, created_at)
      select club_id, gen_random_uuid(), 'sub_of_others_' || club_id || n, 'starter', ${at}
      from billing_accounts, generate_series(1, 3) n where provider = 'stripe'`
  }))
  yield* sql`analyze`
})

const RepoLayer = Layer.mergeAll(
  ChangesRepo.layer,
  CheckoutsRepo.layer,
  EventsRepo.layer,
  MirrorRepo.layer,
  StripeInvoicesRepo.layer,
  StripeLedgerRepo.layer
)

layer(RepoLayer.pipe(Layer.provideMerge(AppLayer)))(
  "Among many accounts of Stripe",
  (it) => {
    it.effect("no query reads more than it needs", () =>
      Effect.gen(function*() {
        const club = yield* makeClub()
        const club_id = ClubId.make(club.id)
        yield* fill(club_id)
        const sql = yield* SqlClient.SqlClient
        const [changes, events] = [yield* ChangesRepo, yield* EventsRepo]
        const invoices = yield* StripeInvoicesRepo
        const checkouts = yield* CheckoutsRepo
        const checkout_id = yield* checkouts.begin(club_id)
        const [ledger, mirror] = [yield* StripeLedgerRepo, yield* MirrorRepo]
        const [addon] = yield* sql`select id from billing_addons where club_id = ${club_id} order by id limit 1`
        const [invoice] = yield* sql`select id from billing_invoices where club_id = ${club_id} order by id limit 1`
        const addon_id = ContractedAddonId.make(String(addon?.["id"]))
        const invoice_id = InvoiceId.make(String(invoice?.["id"]))
        const now = DateTime.makeUnsafe("2026-11-01")
        const known = [{ id: "evt_1", type: "invoice.paid", object_id: "in_1", occurred_at: now }]
        const work: Record<string, Effect.Effect<unknown>> = {
          "whose subscription it is": mirror.known(`sub_${club_id}`),
          "whose public id it is": mirror.clubOf(club.organization_id),
          "whose checkout it is": checkouts.clubOf(club.organization_id, checkout_id),
          "a claim": checkouts.claim(club_id, "sub_of_others", "starter"),
          "the claims of a club": Effect.orDie(checkouts.claims(club_id, { limit: 25 })),
          "claims to forget": checkouts.forget(`sub_of_others_${club_id}1`),
          "checkouts that are over": checkouts.sweep(now),
          "an account": mirror.lock(club_id),
          "its add-ons": mirror.addons(club_id, [`si_${club_id}1`], [addon_id]),
          "an account that is due": mirror.lockDue(now, []),
          "a change": changes.add(club_id, "remove", { addon_id }),
          "what is to be told": changes.claim(8),
          "what one club has to be told": changes.claim(1, club_id),
          "what is pending": changes.pending(club_id),
          "what moves on": changes.moveOn(club_id),
          "what is due of events": events.claim(16),
          "an event": events.add(known, true),
          "the newest that was listed": events.latestListed,
          "entries that were told": ledger.sentEntries(club_id, [invoice_id], ["ii_1"]),
          "entries that are open": ledger.open(club_id),
          "what of an invoice is credited": ledger.creditable(club_id, { invoice_id }),
          "whose invoice it is": invoices.clubOf("in_1"),
          "what an invoice has used up": ledger.given(club_id, invoice_id),
          "what of an add-on is credited": ledger.creditable(club_id, { addon_id })
        }
        const reading = yield* Effect.forEach(
          Object.entries(work),
          ([what, effect]) =>
            Effect.map(readingMuch(effect, much), (tables) => tables.map((table) => `${what}: ${table}`))
        )
        assert.deepStrictEqual(reading.flat(), [])
        assert.isTrue(Option.isSome(yield* mirror.lockDue(now, [])))
      }))
  }
)
