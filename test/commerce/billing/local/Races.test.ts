import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Metering } from "../../../../src/commerce/billing/account/Metering.ts"
import { warmPool } from "../../../harness/Pool.ts"
import {
  accountOf,
  close,
  type Club,
  clubOn,
  contract,
  give,
  invoices,
  LedgersLayer,
  linesOf,
  remove,
  said,
  statusOf,
  sums,
  upcoming,
  use
} from "./Ledgers.ts"

/** Takes units and gives them back, as a failed answer does. */
const useInVain = Effect.fnUntraced(function*(club: Club) {
  const sql = yield* SqlClient.SqlClient
  const metering = yield* Metering
  const taken = yield* use(club, 1)
  if (Option.isSome(taken)) yield* sql.withTransaction(metering.giveBack(club.id, taken.value))
})

/** All changes of a club's plan, a few times each. */
const storm = (club: Club) =>
  Array.from({ length: 12 }, () => [
    said(contract(club, "pack")),
    said(remove(club, "pack")),
    said(contract(club, "extra")),
    said(remove(club, "extra")),
    said(give(club, "small")),
    said(give(club, "large")),
    said(use(club, 1)),
    said(useInVain(club)),
    said(upcoming(club)),
    said(close(club))
  ]).flat()

layer(LedgersLayer)("A hundred changes of each of some clubs while a period begins", (it) => {
  it.effect("wait for each other without end for none, and leave ledgers that add up", () =>
    Effect.gen(function*() {
      const clubs = yield* Effect.replicateEffect(clubOn("large"), 4)
      yield* TestClock.adjust("31 days")
      yield* warmPool
      // A deadlock would be a defect, which fails the test.
      const founded = Array.from({ length: 10 }, () => Effect.as(clubOn("small"), "founded"))
      const ends = yield* Effect.all([...clubs.flatMap(storm), ...founded], { concurrency: "unbounded" })
      assert.includeMembers(ends, ["ok", "AddonNotContracted", "AddonAlreadyContracted", "founded"])
      for (const club of clubs) {
        const all = yield* invoices(club)
        assert.deepStrictEqual(all.map(({ number }) => number), all.map((_, index) => index + 1))
        for (const { lines, total_cents } of all) {
          assert.strictEqual(lines.reduce((sum, { amount_cents }) => sum + amount_cents, 0), total_cents)
        }
        const { entries, invoiced, open } = yield* sums(club)
        assert.strictEqual(entries, invoiced + open)
        const begun = all.filter((one) => linesOf(one).some(([kind, , amount]) => kind === "plan" && amount === 9300))
        assert.isAtLeast(begun.length, 2)
        // The entries only pay for the current plan and add-ons. Everything else got its credit at once.
        const { addons, plan_key } = yield* accountOf(club)
        const cents: Record<string, number> = { small: 3100, large: 9300, pack: 3100, extra: 31_000 }
        const has = [plan_key, ...addons.map(({ addon_key }) => addon_key)]
        const overage = all.flatMap(({ lines }) => lines).filter(({ kind }) => kind === "overage")
        const beyond = overage.reduce((sum, { amount_cents }) => sum + amount_cents, 0)
        assert.strictEqual(entries, 9300 + beyond + has.reduce((sum, key) => sum + (cents[key] ?? 0), 0))
      }
    }))
})

layer(LedgersLayer)("Units beyond the allowance of a plan that bills them", (it) => {
  it.effect("are billed when another plan begins, and not once more when the period ends", () =>
    Effect.gen(function*() {
      const club = yield* clubOn("large")
      yield* use(club, 30)
      yield* TestClock.adjust("10 days")
      yield* give(club, "small")
      const [, second] = yield* invoices(club)
      assert.deepStrictEqual(second && linesOf(second).filter(([kind]) => kind === "overage"), [[
        "overage",
        "answers",
        30
      ]])
      const [answers] = (yield* statusOf(club)).resources
      assert.deepStrictEqual([answers?.used, answers?.balance], [20, 0])
      yield* give(club, "large")
      yield* use(club, 5)
      yield* TestClock.adjust("21 days")
      yield* close(club)
      const last = (yield* invoices(club)).at(-1)
      assert.deepStrictEqual(last && linesOf(last).filter(([kind]) => kind === "overage"), [["overage", "answers", 15]])
    }))
})

layer(LedgersLayer)("Accounts that were not looked at for two years", (it) => {
  it.effect("are brought up to date by whoever comes first, each period once", () =>
    Effect.gen(function*() {
      const club = yield* clubOn("small")
      yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe("1972-01-10T00:00:00Z")))
      yield* warmPool
      yield* Effect.all([
        ...Array.from({ length: 10 }, () => close(club)),
        ...Array.from({ length: 10 }, () => said(contract(club, "pack"))),
        said(use(club, 1))
      ], { concurrency: "unbounded" })
      const all = yield* invoices(club)
      assert.deepStrictEqual(all.map(({ total_cents }) => total_cents), [
        ...Array.from({ length: 25 }, () => 3100),
        2200
      ])
    }))
})
