import { assert, layer } from "@effect/vitest"
import { Effect, Exit, type Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { makeClub } from "../../../harness/Makers.ts"
import { close, type Club, clubOn, contract, give, LedgersLayer, remove } from "./Ledgers.ts"

/** Every statement that writes, by its table. */
const writes = [
  "insert on billing_entries",
  "update on billing_entries",
  "insert on billing_invoices",
  "insert on billing_addons",
  "update on billing_addons",
  "insert on billing_accounts",
  "update on billing_accounts"
] as const

const tables = ["billing_accounts", "billing_addons", "billing_invoices", "billing_entries"]

/** All rows about the club, as text. */
const everything = Effect.fnUntraced(function*({ id }: Club) {
  const sql = yield* SqlClient.SqlClient
  return yield* Effect.forEach(
    tables,
    (table) => sql`select to_jsonb(t)::text as row from ${sql(table)} t where club_id = ${id} order by 1`
  )
})

/** Runs the work while this statement fails right after its write. True if the work failed. */
const failing = Effect.fnUntraced(function*<A, E, R>(write: string, work: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create or replace function crash() returns trigger language plpgsql as
      'begin raise exception ''crash''; end'`
  yield* sql.unsafe(`create trigger crashes after ${write} for each row execute function crash()`)
  const exit = yield* Effect.exit(work)
  yield* sql.unsafe(`drop trigger crashes on ${write.split(" ").at(-1)}`)
  return Exit.isFailure(exit)
})

layer(LedgersLayer)("What is cut off between two statements", (it) => {
  const works: Record<string, (club: Club) => Effect.Effect<unknown, unknown, Layer.Success<typeof LedgersLayer>>> = {
    "a first plan": (club) => give(club, "small"),
    "another plan": (club) => give(club, "large"),
    "an add-on": (club) => contract(club, "extra"),
    "an end of an add-on": (club) => remove(club, "pack"),
    "a period": (club) => Effect.andThen(TestClock.adjust("31 days"), close(club))
  }

  for (const [name, work] of Object.entries(works)) {
    it.effect(`leaves nothing of ${name}, which succeeds the next time`, () =>
      Effect.gen(function*() {
        const failed = []
        for (const write of writes) {
          const club = name === "a first plan" ? yield* makeClub() : yield* clubOn("small")
          if (name !== "a first plan") {
            yield* contract(club, "pack")
            yield* contract(club, "fixed")
            yield* give(club, "free")
            yield* give(club, "small")
          }
          const before = yield* everything(club)
          if (!(yield* failing(write, work(club)))) continue
          failed.push(write)
          assert.deepStrictEqual(yield* everything(club), before)
          yield* work(club)
          assert.notDeepEqual(yield* everything(club), before)
        }
        assert.isAtLeast(failed.length, 2)
      }))
  }
})
