import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { AccountsRepo } from "../../../../src/commerce/billing/account/AccountsRepo.ts"
import { LedgerRepo } from "../../../../src/commerce/billing/ledger/LedgerRepo.ts"
import { PeriodClose } from "../../../../src/commerce/billing/local/PeriodClose.ts"
import { BillingProvider } from "../../../../src/commerce/billing/provider/BillingProvider.ts"
import { readingMuch } from "../../../harness/RowsRead.ts"
import { close, clubOn, give, LedgersLayer, remove, upcoming, use } from "./Ledgers.ts"

/** The tested club has five years of invoices. Reads of one page, or of open entries, touch far fewer rows. */
const much = 150

// 20 000 accounts with 60 000 invoices, 240 000 entries and 60 000 rows of use. Half of the accounts are due.
const fill = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [at, soon] = [new Date(0), new Date("2200-01-01")]
  yield* sql.withTransaction(Effect.gen(function*() {
    // Skips the check of many foreign keys.
    yield* sql`set local session_replication_role = replica`
    yield* sql`
      insert into clubs (id, organization_id, name, slug, time_zone, locale, sign_up_open, created_at)
      select gen_random_uuid(), gen_random_uuid(), 'Many', 'many-' || n, 'UTC', 'en', true, ${at}
      from generate_series(1, 20000) n`
    yield* sql`
      insert into billing_accounts (club_id, provider, plan_key, anchor, invoiced_until, created_at)
      select id, 'local', 'small', ${at}, case when random() < 0.5 then ${at}::timestamptz else ${soon} end, ${at}
      from clubs where slug like 'many-%'`
    yield* sql`
      insert into billing_addons (club_id, id, addon_key, contracted_at, removed_at)
      select club_id, gen_random_uuid(), 'pack', ${at}, case when n > 1 then ${at}::timestamptz end
      from billing_accounts, generate_series(1, 3) n`
    yield* sql`
      insert into billing_invoices (club_id, id, number, status, currency, period_start, period_end, total_cents,
        issued_at)
      select club_id, gen_random_uuid(), n, 'issued', 'USD', ${at}, ${soon}, 1, ${at}
      from billing_accounts, generate_series(1, 3) n on conflict do nothing`
    yield* sql`
      insert into billing_entries (club_id, id, kind, key, name, amount_cents, currency, starts_at, ends_at, addon_id,
        invoice_id, created_at)
      select i.club_id, gen_random_uuid(), case when n = 1 then 'plan' when n = 2 then 'credit' else 'addon' end, 'pack',
        'Many', case n when 2 then -1 else 1 end, 'USD', ${at}, ${soon}, case when n > 2 then a.id end,
        case when n <> 2 then i.id end, ${at}
      from billing_invoices i, billing_addons a, generate_series(1, 4) n
      where a.club_id = i.club_id and a.removed_at is null and i.number <= 3`
    yield* sql`
      insert into billing_usage (club_id, resource_key, period_start, used)
      select club_id, 'answers', ${at}::timestamptz + n * interval '1 month', 1
      from billing_accounts, generate_series(1, 3) n`
  }))
  yield* sql`analyze`
})

layer(LedgersLayer)("Among 20 000 accounts", (it) => {
  it.effect("no query of a request or of the worker reads more than it needs", () =>
    Effect.gen(function*() {
      yield* fill
      const club = yield* clubOn("large", "pack")
      yield* use(club, 1)
      yield* TestClock.adjust("1800 days")
      yield* close(club)
      const [billing, accounts] = [yield* BillingProvider, yield* AccountsRepo]
      const [ledger, periods, sql] = [yield* LedgerRepo, yield* PeriodClose, yield* SqlClient.SqlClient]
      const last = Option.some({ club_id: club.id, invoiced_until: DateTime.makeUnsafe(0) })
      const first = yield* billing.invoices(club.id, { limit: 25 })
      const other = yield* clubOn("small")
      const now = yield* DateTime.now
      const work: Record<string, Effect.Effect<unknown, unknown>> = {
        "the status": billing.status(club.id),
        "what is due": periods.due(now, Option.none(), 100),
        "what else is due": periods.due(now, last, 100),
        "an account that is due": periods.close(club.id, now),
        "the lock of one": accounts.lockDue(club.id, DateTime.makeUnsafe(8e12)),
        "open credit": ledger.open(club.id, "USD"),
        "the invoices": billing.invoices(club.id, { limit: 25 }),
        "more of them": billing.invoices(club.id, { limit: 25, cursor: first.next_cursor ?? "" }),
        "the next invoice": billing.upcoming(club.id),
        "an add-on": billing.contract(club.id, "extra"),
        "an end of one": billing.remove(club.id, "pack"),
        "a club's first plan": billing.open(other.id)
      }
      for (const [name, one] of Object.entries(work)) {
        assert.deepStrictEqual(yield* readingMuch(one, much), [], name)
      }
      assert.deepStrictEqual(yield* readingMuch(give(club, "small"), much), [], "another plan")
      assert.deepStrictEqual(yield* readingMuch(remove(club, "extra"), much), [], "the end of another add-on")
      assert.deepStrictEqual(yield* readingMuch(upcoming(club), much), [], "what comes of it")
      yield* TestClock.adjust("31 days")
      assert.deepStrictEqual(yield* readingMuch(close(club), much), [], "a period")
      // Proves that the measure detects a scan.
      const scan = sql`select count(*) from billing_entries where name = 'None'`
      assert.deepStrictEqual(yield* readingMuch(scan, much), ["billing_entries"])
    }))
})
