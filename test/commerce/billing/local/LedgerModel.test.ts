import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { anchorOf } from "../account/Times.ts"
import { LedgerModel } from "./LedgerModel.ts"
import {
  close,
  type Club,
  clubOn,
  contract,
  give,
  invoices,
  LedgersLayer,
  remove,
  said,
  sums,
  upcoming,
  use
} from "./Ledgers.ts"

const day = 86_400_000

const Step = Schema.Union([
  Schema.Tuple([Schema.Literal("wait"), Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 70 * day }))]),
  Schema.Tuple([Schema.Literals(["contract or remove", "contract or remove"]), Schema.Literals(["pack", "extra"])]),
  Schema.Tuple([Schema.Literal("give"), Schema.Literals(["small", "large", "free"])]),
  Schema.Tuple([Schema.Literal("use"), Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 40 }))]),
  Schema.Tuple([Schema.Literal("close"), Schema.Null])
])
const Steps = Schema.Array(Step).check(Schema.isMinLength(10), Schema.isMaxLength(30))
const StartDay = Schema.Int.check(Schema.isBetween({ minimum: 26, maximum: 31 }))

const nowMillis = Effect.map(DateTime.now, DateTime.toEpochMillis)

const step = Effect.fnUntraced(function*(club: Club, model: LedgerModel, [what, which]: typeof Step.Type) {
  const at = yield* nowMillis
  if (what === "wait") return yield* TestClock.adjust(which)
  if (what === "close") {
    model.pass(at)
    return yield* close(club)
  }
  if (what === "use") {
    const passes = model.use(which, at)
    return assert.strictEqual(yield* said(use(club, which)), passes ? "ok" : "ResourceUsedUp")
  }
  if (what === "give") {
    model.give(which, at)
    return yield* give(club, which)
  }
  if (model.addons.has(which)) {
    model.remove(which, at)
    return yield* remove(club, which)
  }
  model.contract(which, at)
  return yield* contract(club, which)
})

const Stored = Schema.Array(Schema.Struct({
  kind: Schema.String,
  key: Schema.String,
  amount: Schema.Number,
  start: Schema.Number,
  end: Schema.Number
}))

const entriesOf = Effect.fnUntraced(function*({ id }: Club) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    select kind, key, amount_cents::float8 as amount, extract(epoch from starts_at)::float8 * 1000 as start,
      extract(epoch from ends_at)::float8 * 1000 as "end"
    from billing_entries where club_id = ${id}`
  return yield* Schema.decodeUnknownEffect(Stored)(rows)
})

const sorted = (entries: ReadonlyArray<(typeof Stored.Type)[number]>) =>
  entries
    .map(({ amount, end, key, kind, start }) => JSON.stringify([kind, key, amount, Math.round(start), Math.round(end)]))
    .toSorted()

const sumOf = (amounts: ReadonlyArray<number>) => amounts.reduce((left, right) => left + right, 0)

layer(LedgersLayer)(
  "Whatever is contracted, used, removed, changed and invoiced when",
  (it) => {
    it.effect.prop(
      "the ledger is what a model says, and its invoices and open credit are the ledger's sum",
      { steps: Steps, on: StartDay, millis: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: day - 1 })) },
      Effect.fnUntraced(function*({ millis, on, steps }) {
        const now = yield* DateTime.now
        const year = DateTime.getPartUtc(now, "year") + 1
        const anchor = anchorOf({ year, month: 1 + on % 12, day: on, millis })
        yield* TestClock.setTime(DateTime.toEpochMillis(anchor))
        const club = yield* clubOn("small")
        const model = new LedgerModel(anchor, "small")
        for (const one of steps) yield* step(club, model, one)
        model.pass(yield* nowMillis)
        yield* close(club)

        assert.deepStrictEqual(sorted(yield* entriesOf(club)), sorted(model.entries))
        const all = yield* invoices(club)
        const foreseen = model.invoices.map(({ total }, index) => [index + 1, total])
        assert.deepStrictEqual(all.map(({ number, total_cents }) => [number, total_cents]), foreseen)
        for (const { lines, total_cents } of all) {
          assert.strictEqual(sumOf(lines.map(({ amount_cents }) => amount_cents)), total_cents)
        }
        const { entries, invoiced, open } = yield* sums(club)
        assert.strictEqual(entries, invoiced + open)

        const foretold = yield* upcoming(club)
        yield* TestClock.setTime(DateTime.toEpochMillis(foretold.period_start))
        yield* close(club)
        if (model.plan === "free" && model.addons.size === 0) return
        const last = (yield* invoices(club)).at(-1)
        assert.deepStrictEqual(last && [last.lines, last.total_cents], [foretold.lines, foretold.total_cents])
      }),
      { arbitrary: { runs: 40 } }
    )
  }
)
