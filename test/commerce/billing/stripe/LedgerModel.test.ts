import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { StripeState } from "../../../harness/stripe/State.ts"
import { hasTrials } from "../../../harness/Trials.ts"
import {
  addonsOf,
  contract,
  entriesOf,
  FakeStripe,
  invoicesOf,
  itemsAtStripe,
  patiently,
  remove,
  settle,
  stripeLayer,
  type Subscribed,
  subscribedClub,
  tellAll
} from "./World.ts"

const hour = 3600

const Key = Schema.Literals(["pack", "priority"])
type Key = typeof Key.Type

const Step = Schema.Union([
  Schema.Tuple([Schema.Literal("wait"), Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 24 * 40 }))]),
  Schema.Tuple([Schema.Literal("contract or remove"), Key]),
  Schema.Tuple([Schema.Literal("contract or remove"), Key]),
  Schema.Tuple([
    Schema.Literal("goes wrong"),
    Schema.Tuple([
      Schema.Literals([
        "GET /v1/subscription_items",
        "POST /v1/subscription_items",
        "DELETE /v1/subscription_items",
        "GET /v1/invoiceitems",
        "POST /v1/invoiceitems",
        "GET /v1/subscriptions",
        "GET /v1/invoices"
      ]),
      Schema.Literals(["unheard", "lost", "failed", "broken", "busy"]),
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 3 }))
    ])
  ]),
  Schema.Tuple([Schema.Literal("is told"), Schema.Null]),
  Schema.Tuple([Schema.Literal("forgets keys"), Schema.Null])
])
const Steps = Schema.Array(Step).check(Schema.isMinLength(8), Schema.isMaxLength(24))

/** When the club removed an add-on, in seconds, for each time that it contracted one; `null` if it still has it. */
interface Contracting {
  readonly key: Key
  until: number | null
}

const nowSeconds = Effect.map(DateTime.now, (now) => Math.floor(DateTime.toEpochMillis(now) / 1000))

/** Moves this many seconds on, with each renewal at its moment. */
const advance = Effect.fnUntraced(function*({ subscription }: Subscribed, seconds: number) {
  const { state } = yield* FakeStripe
  const until = Math.max(state.now, yield* nowSeconds) + seconds
  while (subscription.end <= until) {
    state.now = Math.max(state.now, subscription.end)
    state.renew(subscription)
  }
  state.now = until
  yield* TestClock.setTime(until * 1000)
})

const step = Effect.fnUntraced(function*(club: Subscribed, had: Array<Contracting>, one: typeof Step.Type) {
  const server = yield* FakeStripe
  yield* advance(club, 0)
  switch (one[0]) {
    case "wait":
      return yield* advance(club, one[1] * hour)
    case "is told":
      return yield* patiently(tellAll)
    case "forgets keys":
      return server.state.said.clear()
    case "goes wrong": {
      const [call, fault, times] = one[1]
      const [method = "", path = ""] = call.split(" ")
      return server.fail(method, path, fault, times)
    }
    case "contract or remove": {
      const key = one[1]
      const contracted = had.find((each) => each.key === key && each.until === null)
      const at = yield* nowSeconds
      const answer = yield* patiently(contracted === undefined ? contract(club, key) : remove(club, key))
      assert.isBelow(answer.status, 300, answer.text)
      if (contracted === undefined) had.push({ key, until: null })
      else contracted.until = at
    }
  }
})

/** Sends and handles everything that is pending. */
const end = Effect.fnUntraced(function*(club: Subscribed) {
  const server = yield* FakeStripe
  const sql = yield* SqlClient.SqlClient
  server.heal()
  const pending = Effect.map(
    sql`select 1 from billing_changes where club_id = ${club.id} and status = 'pending'
      union all select 1 from billing_events where status = 'pending'`,
    (rows) => rows.length
  )
  for (let round = 0; round < 30; round++) {
    yield* advance(club, hour)
    yield* patiently(tellAll)
    yield* patiently(settle)
    if ((yield* pending) === 0 && server.state.events.length === 0) return
  }
  assert.fail("it does not end")
})

const idsOf = (state: StripeState, { subscription }: Subscribed, key: Key) => {
  const lines = [...state.invoices.values()].filter((one) => one.subscription === subscription.id).flatMap((
    { lines }
  ) => lines.filter(({ price }) => price === `price_${key}`))
  return { lines, items: [...new Set(lines.map(({ item }) => item))] }
}

/** Independent of the tested code: the part of each charge for the time after the removal, rounded up to a cent. */
const creditsFor = (state: StripeState, club: Subscribed, had: ReadonlyArray<Contracting>) =>
  (["pack", "priority"] as const).flatMap((key) => {
    const { items, lines } = idsOf(state, club, key)
    const contractings = had.filter((each) => each.key === key)
    assert.lengthOf(items, contractings.length, `each time that ${key} was contracted, it was charged, and once`)
    return lines.flatMap(({ amount, end, item, start }) => {
      const until = contractings[items.indexOf(item)]?.until ?? null
      if (until === null || until >= end) return []
      const rest = amount - Math.floor(amount * Math.max(0, until - start) / (end - start))
      return rest === 0 ? [] : [-rest]
    })
  })

const sorted = (numbers: ReadonlyArray<unknown>) => numbers.map(Number).toSorted((one, other) => one - other)

layer(stripeLayer)(
  "Whatever is contracted and removed when, and whatever goes wrong",
  (it) => {
    it.effect.prop(
      "Stripe has charged each contracting once, and credited once the rest of each charge",
      { steps: Steps },
      Effect.fnUntraced(function*({ steps }) {
        const { state } = yield* FakeStripe
        const club = yield* subscribedClub("price_growth")
        const had: Array<Contracting> = []
        for (const one of steps) yield* step(club, had, one)
        yield* end(club)

        const contracted = had.filter(({ until }) => until === null).map(({ key }) => key).toSorted()
        assert.deepStrictEqual((yield* addonsOf(club)).map(String).toSorted(), contracted)
        assert.deepStrictEqual(
          club.subscription.items.slice(1).map(({ price }) => price).toSorted(),
          contracted.map((key) => `price_${key}`)
        )
        const credits = sorted(creditsFor(state, club, had))
        const entries = yield* entriesOf(club)
        const own = entries.filter(({ kind, of_charge }) => kind === "credit" && of_charge)
        assert.deepStrictEqual(sorted(own.map(({ amount_cents }) => amount_cents)), credits)
        assert.deepStrictEqual(sorted(yield* itemsAtStripe(club)), credits)

        // We show what Stripe has invoiced, to the cent.
        const invoices = [...state.invoices.values()].filter(({ subscription }) =>
          subscription === club.subscription.id
        )
        const due = invoices.map((one) =>
          one.lines.reduce((sum, { amount }) => sum + amount, 0) + one.starting_balance - one.ending_balance
        )
        assert.deepStrictEqual(sorted((yield* invoicesOf(club)).map(([, total]) => total)), sorted(due))
        const invoiced = entries.filter(({ invoiced }) => invoiced).reduce(
          (sum, { amount_cents }) => sum + amount_cents,
          0
        )
        assert.strictEqual(invoiced, due.reduce((sum, total) => sum + total, 0))
      }),
      { arbitrary: { runs: hasTrials ? 30 : 8 } }
    )
  }
)
