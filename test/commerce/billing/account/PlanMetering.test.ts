import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Fiber, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { AccountsRepo } from "../../../../src/commerce/billing/account/AccountsRepo.ts"
import { Metering } from "../../../../src/commerce/billing/account/Metering.ts"
import { ClubId } from "../../../../src/identity/ids/ClubId.ts"
import { makeClub } from "../../../harness/Makers.ts"
import { warmPool } from "../../../harness/Pool.ts"
import { SpansLayer, statements } from "../../../harness/Statements.ts"
import { untilBlocked, whileHeld } from "../../../harness/Waiting.ts"
import {
  clubOn,
  contract,
  counted,
  exhausted,
  giveBack,
  MeteredLayer,
  passes,
  remove,
  take,
  usedAt
} from "./Metered.ts"

const times = <A, E, R>(count: number, work: Effect.Effect<A, E, R>) =>
  Effect.all(Array.from({ length: count }, () => work), { concurrency: "unbounded" })

layer(MeteredLayer)("An allowance", (it) => {
  it.effect("of 50 lets exactly 50 of 200 at once pass", () =>
    Effect.gen(function*() {
      const club = yield* clubOn("fifty")
      yield* warmPool
      const passed = yield* times(200, passes(club))
      assert.lengthOf(passed.filter((one) => one), 50)
      assert.strictEqual(yield* usedAt(club), 50)
    }))

  it.effect("says of the last unit that it was the last", () =>
    Effect.gen(function*() {
      const club = yield* clubOn("fifty")
      assert.strictEqual((yield* counted(club, 49)).exhausted, false)
      assert.strictEqual(yield* exhausted(club), false)
      assert.strictEqual((yield* counted(club)).exhausted, true)
      assert.strictEqual(yield* exhausted(club), true)
    }))

  it.effect("that is used up refuses until the period ends", () =>
    Effect.gen(function*() {
      const club = yield* clubOn("fifty")
      yield* take(club, 50)
      const refused = yield* Effect.flip(take(club))
      assert.deepStrictEqual([refused._tag, DateTime.formatIso(refused.until)], [
        "ResourceUsedUp",
        "1970-02-01T00:00:00.000Z"
      ])
    }))

  it.effect("gives all of several units, or none of them", () =>
    Effect.gen(function*() {
      const club = yield* clubOn("fifty")
      assert.strictEqual(yield* passes(club, 51), false)
      assert.strictEqual(yield* passes(club, 30), true)
      assert.strictEqual(yield* passes(club, 21), false)
      assert.strictEqual(yield* usedAt(club), 30)
      assert.strictEqual(yield* passes(club, 20), true)
    }))

  it.effect("has again what is given back, and no more than that", () =>
    Effect.gen(function*() {
      const club = yield* clubOn("fifty")
      const taken = yield* counted(club, 50)
      yield* giveBack(club, taken)
      assert.deepStrictEqual([yield* usedAt(club), yield* exhausted(club)], [0, false])
      yield* giveBack(club, taken)
      assert.strictEqual(yield* usedAt(club), 0)
      assert.strictEqual(yield* passes(club, 51), false)
    }))

  it.effect("has again what a transaction took that failed", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { take } = yield* Metering
      const club = yield* clubOn("fifty")
      yield* Effect.flip(sql.withTransaction(Effect.andThen(take(club.id, "answers", 50), Effect.fail("later"))))
      assert.strictEqual(yield* usedAt(club), 0)
    }))

  it.effect("is the club's own", () =>
    Effect.gen(function*() {
      const [club, other] = [yield* clubOn("fifty"), yield* clubOn("fifty")]
      const taken = yield* counted(club, 50)
      assert.deepStrictEqual([yield* exhausted(other), yield* usedAt(other)], [false, 0])
      yield* take(other, 50)
      yield* giveBack(other, taken)
      assert.deepStrictEqual([yield* usedAt(club), yield* usedAt(other)], [50, 0])
    }))

  it.effect("that the plan does not grant is none, whether the catalog has the plan or not", () =>
    Effect.gen(function*() {
      for (const key of ["empty", "of_long_ago"]) {
        const club = yield* clubOn(key)
        assert.deepStrictEqual(
          [yield* passes(club), yield* exhausted(club), yield* usedAt(club)],
          [false, true, 0],
          key
        )
      }
    }))
})

layer(MeteredLayer)("A period", (it) => {
  it.effect("begins with all of its allowance, and takes back what was taken in it when it is over", () =>
    Effect.gen(function*() {
      const begun = yield* DateTime.now
      const club = yield* clubOn("fifty")
      const taken = yield* counted(club, 50)
      yield* TestClock.setTime(Date.UTC(1970, 0, 31, 23, 59, 59, 999))
      assert.deepStrictEqual([yield* passes(club), yield* exhausted(club)], [false, true])
      yield* TestClock.adjust("1 milli")
      assert.deepStrictEqual([yield* exhausted(club), yield* usedAt(club)], [false, 0])
      assert.strictEqual(yield* passes(club, 50), true)
      yield* giveBack(club, taken)
      assert.deepStrictEqual([yield* usedAt(club), yield* usedAt(club, begun)], [50, 0])
    }))
})

layer(MeteredLayer)("The period of units", (it) => {
  it.effect("is that of the moment in which the account could be had, not of when it was wanted", () =>
    Effect.gen(function*() {
      const accounts = yield* AccountsRepo
      const begun = yield* DateTime.now
      const club = yield* clubOn("fifty")
      // Locks the account as the invoice of an ending period does.
      const taking = yield* whileHeld(
        accounts.lock(club.id, "local"),
        Effect.gen(function*() {
          const taking = yield* Effect.forkChild(take(club))
          yield* untilBlocked()
          yield* TestClock.setTime(Date.UTC(1970, 1, 1))
          return taking
        })
      )
      yield* Fiber.join(taking)
      assert.deepStrictEqual([yield* usedAt(club, begun), yield* usedAt(club)], [0, 1])
    }))
})

layer(MeteredLayer)("A period that somebody with a faster clock has invoiced", (it) => {
  it.effect("is counted in no more", () =>
    Effect.gen(function*() {
      const accounts = yield* AccountsRepo
      const now = yield* DateTime.now
      const club = yield* clubOn("fifty")
      const next = DateTime.makeUnsafe("1970-02-01T00:00:00Z")
      yield* accounts.invoicedUntil(club.id, DateTime.makeUnsafe("1970-03-01T00:00:00Z"))
      assert.deepStrictEqual((yield* counted(club)).period_start, next)
      assert.deepStrictEqual([yield* usedAt(club, now), yield* usedAt(club, next)], [0, 1])
    }))
})

layer(MeteredLayer)("What is beyond the allowance", (it) => {
  it.effect("is counted where the plan bills it", () =>
    Effect.gen(function*() {
      const club = yield* clubOn("billing")
      const taken = yield* times(5, counted(club))
      assert.deepStrictEqual(taken.map(({ exhausted }) => exhausted), [false, false, false, false, false])
      assert.deepStrictEqual([yield* usedAt(club), yield* exhausted(club)], [5, false])
    }))

  it.effect("is nothing where there is no end to it", () =>
    Effect.gen(function*() {
      const club = yield* clubOn("endless")
      assert.strictEqual((yield* counted(club, 1_000_000)).exhausted, false)
      assert.deepStrictEqual([yield* usedAt(club), yield* exhausted(club)], [1_000_000, false])
    }))
})

layer(MeteredLayer)("An add-on", (it) => {
  it.effect("raises the allowance at once, and lowers it at once when it goes", () =>
    Effect.gen(function*() {
      const club = yield* clubOn("fifty")
      yield* take(club, 50)
      const addon = yield* contract(club, "ten_more")
      assert.deepStrictEqual([yield* exhausted(club), yield* passes(club, 11)], [false, false])
      yield* take(club, 9)
      yield* remove(club, addon)
      assert.deepStrictEqual([yield* exhausted(club), yield* passes(club), yield* usedAt(club)], [true, false, 59])
    }))

  it.effect("without end lifts it", () =>
    Effect.gen(function*() {
      const club = yield* clubOn("fifty")
      yield* contract(club, "no_end")
      assert.strictEqual(yield* passes(club, 1000), true)
      assert.strictEqual(yield* exhausted(club), false)
    }))

  it.effect("that is being removed counts no more for whoever comes after that", () =>
    Effect.gen(function*() {
      const accounts = yield* AccountsRepo
      const club = yield* clubOn("fifty")
      const addon = yield* contract(club, "ten_more")
      yield* take(club, 50)
      const taking = yield* whileHeld(
        Effect.andThen(accounts.lock(club.id, "local"), remove(club, addon)),
        Effect.gen(function*() {
          const taking = yield* Effect.forkChild(passes(club))
          yield* untilBlocked()
          return taking
        })
      )
      assert.strictEqual(yield* Fiber.join(taking), false)
    }))

  it.effect("comes and goes among those who take and give back, and nobody waits for ever", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const accounts = yield* AccountsRepo
      const club = yield* clubOn("fifty")
      yield* warmPool
      const change = sql.withTransaction(Effect.gen(function*() {
        yield* accounts.lock(club.id, "local")
        yield* remove(club, yield* contract(club, "ten_more"))
        yield* usedAt(club)
      }))
      const use = Effect.flatMap(counted(club), (taken) => giveBack(club, taken))
        .pipe(Effect.catchTag("ResourceUsedUp", () => Effect.void))
      yield* Effect.all([times(100, use), times(20, change)], { concurrency: "unbounded" })
      assert.strictEqual(yield* usedAt(club), 0)
    }))
})

layer(MeteredLayer.pipe(Layer.provideMerge(SpansLayer)))("Nothing is counted", (it) => {
  it.effect("of a club that has no plan, whose plan has ended, or whose plan another provider keeps", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [ended, other] = [yield* clubOn("empty"), yield* clubOn("empty")]
      yield* sql`update billing_accounts set ended_at = ${new Date(0)} where club_id = ${ended.id}`
      yield* sql`
        update billing_accounts set provider = 'stripe', customer_id = 'cus_1', subscription_id = 'sub_1'
        where club_id = ${other.id}`
      for (const club of [yield* makeClub(), ended, other]) {
        assert.deepStrictEqual(yield* take(club), Option.none())
        assert.strictEqual(yield* exhausted(club), false)
        assert.lengthOf(yield* sql`select 1 from billing_usage where club_id = ${club.id}`, 0)
      }
    }))

  it.effect("and nothing asked, of what the catalog does not name or does not meter", () =>
    Effect.gen(function*() {
      const { exhausted, take } = yield* Metering
      const club = yield* clubOn("empty")
      for (const resource of ["paper", "stickers"]) {
        const asked = yield* statements(Effect.gen(function*() {
          assert.deepStrictEqual(yield* take(club.id, resource, 1), Option.none())
          assert.strictEqual(yield* exhausted(club.id, resource), false)
        }))
        assert.lengthOf(asked, 0)
      }
    }))

  it.effect("in more than three statements, or asked in more than one", () =>
    Effect.gen(function*() {
      const metering = yield* Metering
      const club = yield* clubOn("fifty")
      const taking = yield* statements(metering.take(club.id, "answers", 1))
      assert.lengthOf(taking, 3)
      assert.match(taking[0] ?? "", /billing_accounts .* for no key update$/)
      assert.lengthOf(yield* statements(exhausted(club)), 1)
    }))
})

layer(Metering.unlimited)("Where no club has a plan", (it) => {
  it.effect("as many are taken as are wanted, without a database", () =>
    Effect.gen(function*() {
      const { exhausted, giveBack, take } = yield* Metering
      const club_id = ClubId.make("0190a000-0000-7000-8000-000000000001")
      assert.deepStrictEqual(yield* take(club_id, "answers", 1_000_000), Option.none())
      assert.strictEqual(yield* exhausted(club_id, "answers"), false)
      yield* giveBack(club_id, { resource: "answers", period_start: yield* DateTime.now, units: 1 })
    }))
})
