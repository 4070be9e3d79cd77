import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { at } from "../../harness/App.ts"

/** The stored counts of clubs and students, and the sums of their files. */
const counts = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const all = sql`
    select club_id, student_id, size_bytes from media
    where storage_key is not null and removed_at is null and status <> 'failed'
    union all select club_id, student_id, size_bytes from removed_files`
  return {
    counted: yield* sql`
      select club_id, null as student_id, bytes::text from club_storage where bytes <> 0
      union all select club_id, student_id, bytes::text from student_storage where bytes <> 0 order by 1, 2`,
    summed: yield* sql`
      select club_id, null as student_id, sum(size_bytes)::text as bytes from (${all}) a group by 1
      union all
      select club_id, student_id, sum(size_bytes)::text from (${all}) a where student_id is not null group by 1, 2
      order by 1, 2`
  }
})

/** Asserts that each count is the sum. Returns the number of counts. */
export const areEqual = Effect.gen(function*() {
  const { counted, summed } = yield* counts
  assert.deepStrictEqual(counted, summed)
  return counted.length
})

/** The count of a club, in bytes. */
export const clubBytes = Effect.fnUntraced(function*({ id }: { readonly id: string }) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql`select bytes::int from club_storage where club_id = ${id}`
  return at(row, "bytes")
})
