import { Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { rows } from "../sql/Rows.ts"
import type { SealedRows } from "../sql/SealedRows.ts"
import type { KeyId } from "./Rotation.ts"

const decodeKeys = rows(Schema.Struct({ key: Schema.String }))

/** The sealed values of a row. Each begins with the id of its key. */
const sealedValues = (sql: SqlClient.SqlClient, { columns }: SealedRows) =>
  sql`(values ${sql.csv(columns.map((column) => sql`(t.${sql(column)})`))}) v (sealed)`

/** The keys that anything is sealed with. Reads every row: for a database that does not say by which keys it was sealed. */
export const keysThatSeal = Effect.fnUntraced(function*(all: ReadonlyArray<SealedRows>) {
  const sql = yield* SqlClient.SqlClient
  const keys = new Set<KeyId>()
  for (const sealed of all) {
    const found = yield* sql`
      select distinct encode(substring(v.sealed from 2 for 4), 'hex') as key
      from ${sql(sealed.table)} t cross join lateral ${sealedValues(sql, sealed)}
      where octet_length(v.sealed) >= 33`.pipe(decodeKeys)
    for (const { key } of found) keys.add(key)
  }
  return [...keys]
})

/** A row that a key has sealed; `None` without such a row. Reads until it finds one. */
export const firstSealedWith = Effect.fnUntraced(function*(all: ReadonlyArray<SealedRows>, key: KeyId) {
  const sql = yield* SqlClient.SqlClient
  for (const sealed of all) {
    const found = yield* Effect.orDie(sql`
      select 1 from ${sql(sealed.table)} t
      where exists (
        select from ${sealedValues(sql, sealed)}
        where octet_length(v.sealed) >= 33 and substring(v.sealed from 2 for 4) = decode(${key}, 'hex')
      ) limit 1`)
    if (found.length > 0) return Option.some(sealed)
  }
  return Option.none<SealedRows>()
})
