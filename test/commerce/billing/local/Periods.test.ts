import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { Due } from "../../../../src/commerce/billing/account/AccountsRepo.ts"
import { closeBatch, PeriodClose, periodCloseLayer } from "../../../../src/commerce/billing/local/PeriodClose.ts"
import { eventually } from "../../../harness/Eventually.ts"
import { warmPool } from "../../../harness/Pool.ts"
import { whileHeld } from "../../../harness/Waiting.ts"
import {
  accountOf,
  atOnce,
  close,
  clubOn,
  contract,
  daysOf,
  give,
  invoices,
  LedgersLayer,
  linesOf,
  remove,
  statusOf,
  sums,
  upcoming,
  use
} from "./Ledgers.ts"

/** Closes all due periods, a few at a time, as one worker does. */
const closeAll = Effect.gen(function*() {
  let after = Option.none<Due>()
  do after = (yield* closeBatch(yield* DateTime.now, after, 7)).after
  while (Option.isSome(after))
})

const started = (iso: string) =>
  Effect.andThen(TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe(iso))), clubOn("small"))

layer(LedgersLayer)("A period that begins", (it) => {
  it.effect("is invoiced at its first moment, not before", () =>
    Effect.gen(function*() {
      const club = yield* clubOn("small")
      yield* TestClock.adjust("2678399999 millis")
      yield* close(club)
      assert.lengthOf(yield* invoices(club), 1)
      yield* TestClock.adjust("1 millis")
      yield* close(club)
      yield* close(club)
      assert.deepStrictEqual((yield* invoices(club)).map(daysOf), [
        ["1970-01-01", "1970-02-01"],
        ["1970-02-01", "1970-03-01"]
      ])
    }))

  it.effect("is invoiced with what was used beyond the allowance of the one that ended", () =>
    Effect.gen(function*() {
      const club = yield* clubOn("large", "pack")
      yield* use(club, 30)
      assert.deepStrictEqual(linesOf(yield* upcoming(club)), [
        ["plan", "large", 9300],
        ["addon", "pack", 3100],
        ["overage", "answers", 15]
      ])
      yield* TestClock.adjust("31 days")
      yield* use(club, 1)
      yield* remove(club, "pack")
      const third = (yield* invoices(club))[2]
      assert.deepStrictEqual(third && linesOf(third), [
        ["plan", "large", 9300],
        ["addon", "pack", 3100],
        ["overage", "answers", 15]
      ])
    }))

  it.effect("is invoiced before an add-on is removed in it, and its rest given back", () =>
    Effect.gen(function*() {
      const club = yield* clubOn("small", "pack")
      const { invoiced_until } = yield* accountOf(club)
      yield* TestClock.setTime(DateTime.toEpochMillis(invoiced_until))
      yield* remove(club, "pack")
      const all = yield* invoices(club)
      assert.deepStrictEqual(all.map(linesOf), [
        [["plan", "small", 3100]],
        [["addon", "pack", 3100]],
        [["plan", "small", 3100], ["addon", "pack", 3100]]
      ])
      assert.deepStrictEqual(linesOf(yield* upcoming(club)), [["plan", "small", 3100], ["credit", "pack", -3100]])
    }))

  it.effect("that was missed is invoiced by itself, as are all that were", () =>
    Effect.gen(function*() {
      const club = yield* clubOn("small")
      yield* TestClock.adjust("100 days")
      const [{ period_end }, next] = [yield* statusOf(club), yield* upcoming(club)]
      assert.deepStrictEqual(period_end, DateTime.add(next.period_end, { months: 2 }))
      yield* contract(club, "pack")
      const all = yield* invoices(club)
      assert.deepStrictEqual(all.map(({ number }) => number), [1, 2, 3, 4, 5])
      const [, second, third, fourth, fifth] = all.map(daysOf)
      assert.deepStrictEqual([second?.[1], third?.[1]], [third?.[0], fourth?.[0]])
      assert.deepStrictEqual(fourth, fifth)
    }))
})

layer(LedgersLayer)("Periods from the 31st", (it) => {
  it.effect("end on the last day of short months and go on from the 31st", () =>
    Effect.gen(function*() {
      const club = yield* started("2024-01-31T12:00:00Z")
      yield* contract(club, "pack")
      yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe("2024-05-01T00:00:00Z")))
      yield* close(club)
      assert.deepStrictEqual((yield* invoices(club)).slice(2).map(daysOf), [
        ["2024-02-29", "2024-03-31"],
        ["2024-03-31", "2024-04-30"],
        ["2024-04-30", "2024-05-31"]
      ])
      const { entries, invoiced } = yield* sums(club)
      assert.deepStrictEqual([entries, invoiced], [8 * 3100, 8 * 3100])
    }))
})

layer(LedgersLayer)("Many workers", (it) => {
  it.effect("invoice each period of each club once", () =>
    Effect.gen(function*() {
      const clubs = yield* Effect.replicateEffect(clubOn("small"), 30)
      yield* TestClock.adjust("62 days")
      yield* warmPool
      yield* atOnce(8, closeAll)
      yield* closeAll
      for (const club of clubs) {
        assert.deepStrictEqual((yield* invoices(club)).map(({ number }) => number), [1, 2, 3])
        assert.deepStrictEqual(yield* sums(club), { entries: 9300, open: 0, invoiced: 9300, credits: 0, charges: 3 })
      }
    }))

  it.effect("and those who change something at that moment invoice it once", () =>
    Effect.gen(function*() {
      const clubs = yield* Effect.replicateEffect(clubOn("small"), 10)
      yield* Effect.forEach(clubs, (club) => contract(club, "pack"))
      yield* TestClock.adjust("31 days")
      yield* warmPool
      yield* Effect.all([...clubs.map((club) => remove(club, "pack")), ...Array.from({ length: 8 }, () => closeAll)], {
        concurrency: "unbounded"
      })
      for (const club of clubs) {
        assert.deepStrictEqual((yield* invoices(club)).map(({ number }) => number), [1, 2, 3])
        assert.strictEqual((yield* sums(club)).credits, 1)
      }
    }))

  it.effect("leave an account that somebody has in hand, and one that cannot be closed, and go on with the others", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [broken, held, other] = [yield* clubOn("small"), yield* clubOn("small"), yield* clubOn("small")]
      yield* TestClock.adjust("31 days")
      yield* sql`update billing_accounts set anchor = 'infinity' where club_id = ${broken.id}`
      yield* whileHeld(sql`select 1 from billing_accounts where club_id = ${held.id} for no key update`, closeAll)
      assert.deepStrictEqual([yield* invoices(held), yield* invoices(other)].map(({ length }) => length), [1, 2])
      yield* closeAll
      assert.lengthOf(yield* invoices(held), 2)
      assert.lengthOf(yield* invoices(broken), 1)
      yield* sql`update billing_accounts set ended_at = created_at where club_id = ${broken.id}`
    }))

  it.effect("begin with what is due, and see what becomes due", () =>
    Effect.gen(function*() {
      const club = yield* clubOn("small")
      const later = Effect.andThen(TestClock.adjust("1 minute"), invoices(club))
      const count = (expected: number) => eventually(later, ({ length }) => length === expected)
      yield* TestClock.adjust("31 days")
      const worker = periodCloseLayer({ every: "1 minute" })
        .pipe(Layer.provide(Layer.succeed(PeriodClose, yield* PeriodClose)))
      yield* Effect.scoped(Effect.gen(function*() {
        yield* Layer.build(worker)
        yield* count(2)
        yield* TestClock.adjust("31 days")
        yield* count(3)
      }))
    }))
})

layer(LedgersLayer)("A process whose clock is behind", (it) => {
  it.effect("charges and credits from the period that another one began", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* started("2026-01-01T00:00:00Z")
      yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe("2026-02-01T00:00:00.005Z")))
      yield* close(club)
      yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe("2026-01-31T23:59:59.999Z")))
      yield* contract(club, "pack")
      assert.strictEqual((yield* invoices(club)).at(-1)?.total_cents, 3100)
      const { contracted_at } = (yield* accountOf(club)).addons[0] ?? {}
      assert.strictEqual(contracted_at && DateTime.formatIso(contracted_at), "2026-02-01T00:00:00.000Z")
      yield* remove(club, "pack")
      yield* give(club, "large")
      const rows = yield* sql`
        select amount_cents::int as amount from billing_entries where club_id = ${club.id} and kind = 'credit' order by id`
      assert.deepStrictEqual(rows, [{ amount: -3100 }, { amount: -3100 }])
    }))
})
