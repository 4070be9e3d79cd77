import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { AccountsRepo } from "../../../../src/commerce/billing/account/AccountsRepo.ts"
import { makeClub } from "../../../harness/Makers.ts"
import { warmPool } from "../../../harness/Pool.ts"
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
  said,
  statusOf,
  sums,
  upcoming
} from "./Ledgers.ts"

// Each block has its own clock, which begins with a January.

layer(LedgersLayer)("An add-on", (it) => {
  it.effect("costs the rest of the period at once, and the whole of the next one", () =>
    Effect.gen(function*() {
      const club = yield* clubOn("small")
      yield* TestClock.adjust("10 days")
      const { addons } = yield* contract(club, "pack")
      assert.deepStrictEqual(addons, [{ key: "pack", name: "PACK" }])
      const [, second] = yield* invoices(club)
      assert.deepStrictEqual(second && [linesOf(second), second.total_cents, second.status, second.number], [
        [["addon", "pack", 2100]],
        2100,
        "issued",
        2
      ])
      assert.deepStrictEqual(linesOf(yield* upcoming(club)), [["plan", "small", 3100], ["addon", "pack", 3100]])
    }))
})

layer(LedgersLayer)("A removed add-on", (it) => {
  it.effect("is credit for the rest of what was paid, on the next invoice", () =>
    Effect.gen(function*() {
      const club = yield* clubOn("small", "pack")
      yield* TestClock.adjust("10 days")
      const { addons, available_addons } = yield* remove(club, "pack")
      assert.deepStrictEqual(addons, [])
      assert.deepStrictEqual(available_addons.filter(({ contracted }) => contracted), [])
      const next = yield* upcoming(club)
      assert.deepStrictEqual([linesOf(next), next.total_cents, daysOf(next)], [
        [["plan", "small", 3100], ["credit", "pack", -2100]],
        1000,
        ["1970-02-01", "1970-03-01"]
      ])
      yield* TestClock.adjust("21 days")
      yield* close(club)
      const third = (yield* invoices(club)).at(-1)
      assert.deepStrictEqual(third && [linesOf(third), third.total_cents], [linesOf(next), 1000])
      assert.deepStrictEqual(linesOf(yield* upcoming(club)), [["plan", "small", 3100]])
    }))
})

layer(LedgersLayer)("Adding and removing", (it) => {
  it.effect("an add-on that is not there is refused by its name", () =>
    Effect.gen(function*() {
      const [club, without] = [yield* clubOn("small"), yield* makeClub()]
      yield* contract(club, "fixed")
      const large = yield* clubOn("large")
      assert.deepStrictEqual(
        yield* Effect.all([
          said(contract(club, "nothing")),
          said(contract(club, "fixed")),
          said(contract(large, "fixed")),
          said(contract(without, "pack")),
          said(remove(club, "nothing")),
          said(remove(club, "pack")),
          said(remove(club, "fixed")),
          said(remove(without, "pack")),
          said(upcoming(without))
        ]),
        [
          "AddonNotFound",
          "AddonAlreadyContracted",
          "AddonUnavailable",
          "AddonUnavailable",
          "AddonNotFound",
          "AddonNotContracted",
          "AddonNotRemovable",
          "AddonNotContracted",
          "NoUpcomingInvoice"
        ]
      )
      assert.strictEqual((yield* statusOf(without)).managed, false)
    }))

  it.effect("50 times at once contracts once and charges once", () =>
    Effect.gen(function*() {
      const club = yield* clubOn("small")
      yield* warmPool
      const answers = yield* atOnce(50, said(contract(club, "pack")))
      assert.lengthOf(answers.filter((answer) => answer === "ok"), 1)
      assert.lengthOf(answers.filter((answer) => answer === "AddonAlreadyContracted"), 49)
      assert.deepStrictEqual(yield* sums(club), { entries: 6200, open: 0, invoiced: 6200, credits: 0, charges: 2 })
    }))

  it.effect("50 times at once removes once and credits once", () =>
    Effect.gen(function*() {
      const club = yield* clubOn("small", "pack")
      yield* warmPool
      const answers = yield* atOnce(50, said(remove(club, "pack")))
      assert.lengthOf(answers.filter((answer) => answer === "ok"), 1)
      assert.lengthOf(answers.filter((answer) => answer === "AddonNotContracted"), 49)
      assert.deepStrictEqual(yield* sums(club), { entries: 3100, open: -3100, invoiced: 6200, credits: 1, charges: 2 })
    }))

  it.effect("again uses the credit at once, and each charge is credited once", () =>
    Effect.gen(function*() {
      const club = yield* clubOn("small", "pack")
      yield* remove(club, "pack")
      yield* contract(club, "pack")
      const all = yield* invoices(club)
      assert.deepStrictEqual(all.map(linesOf), [
        [["plan", "small", 3100]],
        [["addon", "pack", 3100]],
        [["addon", "pack", 3100], ["credit", "pack", -3100]]
      ])
      assert.deepStrictEqual(all.map(({ number, total_cents }) => [number, total_cents]), [[1, 3100], [2, 3100], [
        3,
        0
      ]])
      yield* remove(club, "pack")
      assert.deepStrictEqual(yield* sums(club), { entries: 3100, open: -3100, invoiced: 6200, credits: 2, charges: 3 })
    }))

  it.effect("one that costs nothing makes no invoice and no credit", () =>
    Effect.gen(function*() {
      const club = yield* clubOn("small", "gift")
      yield* remove(club, "gift")
      assert.deepStrictEqual(yield* sums(club), { entries: 3100, open: 0, invoiced: 3100, credits: 0, charges: 1 })
    }))

  it.effect("many at once of many clubs numbers the invoices of each from 1 without a gap", () =>
    Effect.gen(function*() {
      const clubs = yield* Effect.replicateEffect(clubOn("small"), 6)
      yield* warmPool
      const work = clubs.flatMap((club) =>
        ["pack", "extra", "fixed", "pack", "extra"].flatMap((
          key
        ) => [said(contract(club, key)), said(remove(club, key))])
      )
      yield* Effect.all(work, { concurrency: "unbounded" })
      for (const club of clubs) {
        const numbers = (yield* invoices(club)).map(({ number }) => number)
        assert.isAtLeast(numbers.length, 4)
        assert.deepStrictEqual(numbers, numbers.map((_, index) => index + 1))
        const { entries, invoiced, open } = yield* sums(club)
        assert.strictEqual(entries, invoiced + open)
      }
    }))
})

layer(LedgersLayer)("Credit", (it) => {
  it.effect("that is more than an invoice is carried to the next ones until it is used up", () =>
    Effect.gen(function*() {
      const club = yield* clubOn("small", "extra")
      yield* TestClock.adjust("22 days")
      yield* remove(club, "extra")
      yield* TestClock.adjust("90 days")
      yield* close(club)
      assert.deepStrictEqual((yield* invoices(club)).slice(2).map((one) => [...linesOf(one), one.total_cents]), [
        [["plan", "small", 3100], ["credit", "extra", -9000], ["carried", "carried", 5900], 0],
        [["plan", "small", 3100], ["credit", "carried", -5900], ["carried", "carried", 2800], 0],
        [["plan", "small", 3100], ["credit", "carried", -2800], 300]
      ])
      const { entries, invoiced, open } = yield* sums(club)
      assert.deepStrictEqual([open, entries], [0, invoiced])
    }))

  it.effect("waits where nothing is charged, and is shown", () =>
    Effect.gen(function*() {
      const club = yield* clubOn("free", "pack")
      yield* remove(club, "pack")
      yield* TestClock.adjust("70 days")
      yield* close(club)
      assert.lengthOf(yield* invoices(club), 1)
      const next = yield* upcoming(club)
      assert.deepStrictEqual([linesOf(next), next.total_cents], [
        [["credit", "pack", -3100], ["carried", "carried", 3100]],
        0
      ])
    }))
})

layer(LedgersLayer)("A plan", (it) => {
  it.effect("that takes another's place is charged from then on, and the rest of the old one given back", () =>
    Effect.gen(function*() {
      const club = yield* clubOn("small", "pack")
      yield* TestClock.adjust("10 days")
      assert.strictEqual(yield* give(club, "large"), "changed")
      const last = (yield* invoices(club)).at(-1)
      assert.deepStrictEqual(last && [linesOf(last), last.total_cents], [
        [["plan", "large", 6300], ["credit", "small", -2100]],
        4200
      ])
      const { addons, plan } = yield* statusOf(club)
      assert.deepStrictEqual([addons.length, plan?.key], [1, "large"])
      assert.strictEqual(yield* give(club, "large"), "unchanged")
      yield* TestClock.adjust("1 day")
      yield* give(club, "small")
      yield* give(club, "large")
      const { credits } = yield* sums(club)
      assert.strictEqual(credits, 3)
      assert.lengthOf(yield* invoices(club), 5)
    }))

  it.effect("keeps an add-on that it does not offer, and it can be removed", () =>
    Effect.gen(function*() {
      const club = yield* clubOn("small", "gift")
      yield* give(club, "large")
      const gift = (yield* statusOf(club)).available_addons.find(({ key }) => key === "gift")
      assert.deepStrictEqual(gift && [gift.contracted, gift.removable, gift.required_plans], [true, true, ["SMALL"]])
      yield* remove(club, "gift")
      assert.strictEqual(yield* said(contract(club, "gift")), "AddonUnavailable")
    }))

  it.effect("that does not exist, or is kept by a payment provider, is not given", () =>
    Effect.gen(function*() {
      const club = yield* makeClub()
      assert.strictEqual(yield* said(give(club, "nothing")), "UnknownPlan")
      const { anchor } = yield* accountOf(yield* clubOn("small"))
      const accounts = yield* AccountsRepo
      const theirs = { customer_id: "cus_1", subscription_id: `sub_${club.id}` }
      const account = { club_id: club.id, plan_key: "small", anchor, invoiced_until: anchor, ...theirs }
      yield* accounts.insert(account, "stripe", yield* DateTime.now)
      assert.strictEqual(yield* said(give(club, "small")), "PlanOfProvider")
      assert.strictEqual((yield* statusOf(club)).managed, false)
      assert.strictEqual(yield* said(contract(club, "pack")), "AddonUnavailable")
    }))

  it.effect("is given once to a club that gets it 20 times at once", () =>
    Effect.gen(function*() {
      const club = yield* makeClub()
      yield* warmPool
      const outcomes = yield* atOnce(20, give(club, "small"))
      assert.lengthOf(outcomes.filter((outcome) => outcome === "started"), 1)
      assert.lengthOf(outcomes.filter((outcome) => outcome === "unchanged"), 19)
      assert.lengthOf(yield* invoices(club), 1)
    }))
})
