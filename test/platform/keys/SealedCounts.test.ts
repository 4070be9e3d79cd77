import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Layer, Option, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { sealedRows } from "../../../src/App.ts"
import { mayBeForgotten, neededOf } from "../../../src/platform/keys/KeyState.ts"
import { countSealed } from "../../../src/platform/keys/SealedCounts.ts"
import type { SealedRows } from "../../../src/platform/sql/SealedRows.ts"
import { keyIdOf, Sealing } from "../../../src/platform/sql/Sealing.ts"
import { EmptyPostgresLayer } from "../../harness/Postgres.ts"
import { sealed as sealedColumns } from "../../membership/students/Columns.ts"

const key = (n: number) => Redacted.make(new Uint8Array(32).fill(n))
const [old, fresh, lost] = [key(1), key(2), key(3)]
const ids = { old: keyIdOf(old), fresh: keyIdOf(fresh), lost: keyIdOf(lost) }

const letters: SealedRows = {
  table: "letters",
  columns: ["head", "body"],
  what: "letters",
  end: { by: "age", column: "sent_at", after: Duration.days(7) }
}
const safes: SealedRows = { table: "safes", columns: ["head"], what: "safes", end: { by: "worker" } }

const seal = (by: typeof old, length: number) =>
  Effect.flatMap(Sealing, (sealing) => sealing.seal(new Uint8Array(length), "a"))
    .pipe(Effect.provide(Sealing.layerKeys(by).pipe(Layer.provide(SecureRandom.layerWebCrypto))))

const newest = DateTime.makeUnsafe("2026-03-01T12:00:00Z")

layer(EmptyPostgresLayer)("What is sealed", (it) => {
  it.effect("is counted by table and key over every range of blocks, each row once, with the newest of each", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* sql`create table letters (head bytea not null, body bytea, sent_at timestamptz not null)`
      yield* sql`create table safes (head bytea)`
      const insert = Effect.fnUntraced(function*(by: typeof old, count: number, at: DateTime.Utc) {
        const [head, body] = [yield* seal(by, 20), yield* seal(by, 500)]
        yield* sql`
          insert into letters select ${head}, ${body}, ${DateTime.toDateUtc(at)} - n * interval '1 minute'
          from generate_series(0, ${count - 1}::int) n`
      })
      yield* insert(old, 100, newest)
      yield* insert(fresh, 50, DateTime.add(newest, { days: 1 }))
      yield* sql`insert into safes values (null), (''), (${yield* seal(old, 1)}), (${yield* seal(lost, 1)})`
      const counts = yield* countSealed([letters, safes], 1)
      const found = counts.map(({ count, gone, key, sealed }) => [
        sealed.table,
        key,
        count,
        Option.getOrNull(Option.map(gone, DateTime.formatIso))
      ])
      assert.sameDeepMembers(found, [
        ["letters", ids.old, 100, "2026-03-08T13:00:00.000Z"],
        ["letters", ids.fresh, 50, "2026-03-09T13:00:00.000Z"],
        ["safes", ids.old, 1, null],
        ["safes", ids.lost, 1, null]
      ])

      const rotation = { old_key: ids.old, new_key: ids.fresh }
      const needed = neededOf(counts, rotation, new Set([ids.old, ids.fresh]), newest)
      assert.deepStrictEqual([needed.toMove, needed.toWork], [1, 0])
      assert.strictEqual(DateTime.formatIso(needed.until), "2026-03-08T13:00:00.000Z")
      assert.deepStrictEqual(needed.lost.map(({ key }) => key), [ids.lost])
      assert.isFalse(mayBeForgotten(needed, DateTime.add(newest, { days: 100 })))
      const free = neededOf(counts.filter(({ key }) => key !== ids.old), rotation, new Set([ids.fresh]), newest)
      assert.isFalse(mayBeForgotten(free, DateTime.add(newest, { minutes: 59 })))
      assert.isTrue(mayBeForgotten(free, DateTime.add(newest, { minutes: 60 })))
    }))

  it.effect("reads ranges of blocks, not the whole table each time", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* sql`create table ranges (head bytea)`
      const plan = yield* sql`
        explain select 1 from ranges t where t.ctid >= ${"(0,0)"}::tid and t.ctid < ${"(4096,0)"}::tid`
      assert.include(JSON.stringify(plan), "Tid Range Scan")
    }))

  it.effect("is registered by its feature, every column of it", () =>
    Effect.sync(() => {
      const registered = sealedRows.flatMap(({ columns, table }) => columns.map((column) => `${table}.${column}`))
      assert.deepStrictEqual(registered.toSorted(), sealedColumns.toSorted())
    }))
})
