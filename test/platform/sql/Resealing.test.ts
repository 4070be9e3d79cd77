import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { makeResealing, type Reseal } from "../../../src/platform/sql/Resealing.ts"
import { rows } from "../../../src/platform/sql/Rows.ts"
import { Sealing } from "../../../src/platform/sql/Sealing.ts"
import { EmptyPostgresLayer } from "../../harness/Postgres.ts"

type Key = Parameters<typeof Sealing.layerKeys>[0]

const key = (n: number): Key => Redacted.make(new Uint8Array(32).fill(n))
const [first, second, third] = [key(1), key(2), key(3)]

const Row = Schema.Struct({ id: Schema.Int, secret: Schema.Uint8Array })
const decodeRows = rows(Row)

const bindingOf = (id: number) => `secrets:${id}`

const insert = Effect.fnUntraced(function*(table: string, id: number, of: Key) {
  const sql = yield* SqlClient.SqlClient
  const secret = yield* Effect.flatMap(Sealing, ({ seal }) => seal(Buffer.from("secret"), bindingOf(id)))
    .pipe(Effect.provide(Sealing.layerKeys(of)))
  yield* sql`insert into ${sql(table)} values (${id}, ${secret})`
})

/** A separate table for each test, with these secrets. One key has sealed each of them. */
const makeSecrets = Effect.fnUntraced(function*(table: string, keys: ReadonlyArray<Key>) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table ${sql(table)} (id int primary key, secret bytea)`
  for (const [n, of] of keys.entries()) yield* insert(table, n + 1, of)
})

/** Moves a few rows at a time. `before` runs before each write. Returns the count of moved rows and the broken ones. */
const resealed = Effect.fnUntraced(function*(
  table: string,
  before: (row: typeof Row.Type) => Effect.Effect<unknown, unknown> = () => Effect.void,
  movesBack = false
) {
  const sql = yield* SqlClient.SqlClient
  const resealing = yield* makeResealing
  const broken: Array<number> = []
  const count = yield* resealing.all({
    after: (last: typeof Row.Type | undefined) =>
      sql`
          select id, secret from ${sql(table)} where id > ${last?.id ?? -1000} and ${resealing.isOfOther("secret")}
          order by id limit 2`.pipe(decodeRows),
    replace: Effect.fnUntraced(function*(row, reseal: Reseal) {
      yield* Effect.orDie(before(row))
      const secret = yield* reseal(row.secret, bindingOf(row.id))
      const replaced = yield* sql`
          update ${sql(table)} set secret = ${secret} where id = ${row.id} and secret = ${row.secret} returning 1`
      return replaced.length > 0
    }),
    movesBack,
    onBroken: ({ id }) => Effect.sync(() => void broken.push(id))
  })
  return { count, broken }
})

const underKeys = (current: Key, ...previous: ReadonlyArray<Key>) =>
  Effect.provide(Sealing.layerKeys(current, ...previous))

layer(Layer.merge(EmptyPostgresLayer, SecureRandom.layerWebCrypto))("Sealing anew", (it) => {
  it.effect("moves every row to the key of today, and none twice", () =>
    Effect.gen(function*() {
      yield* makeSecrets("secrets_moved", [first, first, second, first, first])
      assert.deepStrictEqual(yield* resealed("secrets_moved").pipe(underKeys(second, first)), { count: 4, broken: [] })
      assert.deepStrictEqual(yield* resealed("secrets_moved").pipe(underKeys(second)), { count: 0, broken: [] })
    }))

  it.effect("leaves what no key opens, and says which that is", () =>
    Effect.gen(function*() {
      yield* makeSecrets("secrets_broken", [first, second, first])
      const { broken, count } = yield* resealed("secrets_broken").pipe(underKeys(third, second))
      assert.deepStrictEqual({ broken, count }, { broken: [1, 3], count: 1 })
    }))

  it.effect("looks again from the start when a row was changed meanwhile, where rows move back", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* makeSecrets("secrets_changed", [first, first, first])
      // The newest secret moves to an earlier place, which the work has already passed.
      const context = yield* Effect.context<SqlClient.SqlClient | SecureRandom.SecureRandom>()
      const change = ({ id }: typeof Row.Type) =>
        id === 3
          ? Effect.andThen(sql`delete from secrets_changed where id = 3`, insert("secrets_changed", -1, first))
            .pipe(Effect.provideContext(context))
          : Effect.void
      const { count } = yield* resealed("secrets_changed", change, true).pipe(underKeys(second, first))
      assert.strictEqual(count, 3)
    }))

  it.effect("goes on after a row that was changed meanwhile, where rows stay in their places", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* makeSecrets("secrets_stay", [first, first, first])
      const context = yield* Effect.context<SqlClient.SqlClient>()
      const seen: Array<number> = []
      const change = ({ id }: typeof Row.Type) => {
        seen.push(id)
        return id === 2
          ? Effect.provideContext(sql`update secrets_stay set secret = null where id = 2`, context)
          : Effect.void
      }
      const { count } = yield* resealed("secrets_stay", change).pipe(underKeys(second, first))
      assert.deepStrictEqual({ count, seen }, { count: 2, seen: [1, 2, 3] })
    }))
})
