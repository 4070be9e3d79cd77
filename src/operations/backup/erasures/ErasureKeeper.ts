import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { texts } from "../../../platform/sql/Arrays.ts"
import { rows } from "../../../platform/sql/Rows.ts"
import { Erased, type Keeping, keptSince, writeErasures } from "./ErasureFiles.ts"

/** Removals of one list. */
const batch = 10_000

const decodeErased = rows(Erased)

const markKept = Effect.fnUntraced(function*(people: ReadonlyArray<Erased>) {
  const sql = yield* SqlClient.SqlClient
  const kept_at = DateTime.toDateUtc(yield* DateTime.now)
  yield* sql`
    update erased_students e set kept_at = ${kept_at}
    from unnest(${texts(people.map(({ club_id }) => club_id))}, ${texts(people.map(({ student_id }) => student_id))})
      as p (club_id, student_id)
    where e.club_id = p.club_id::uuid and e.student_id = p.student_id::uuid`
}, Effect.orDie)

/**
 * Writes the removals that are not beside the backups yet, and notes each once it is there. A process that dies before
 * its note writes the removal again, and two at once write it twice. A restore applies the same removal once.
 */
export const keepErasures = Effect.fn("ErasureKeeper.keep")(function*<E, R>(
  keeping: Keeping,
  series: Effect.Effect<string, E, R>
) {
  const sql = yield* SqlClient.SqlClient
  let count = batch
  while (count === batch) {
    const people = yield* sql`
      select club_id, student_id from erased_students where kept_at is null order by erased_at limit ${batch}`
      .pipe(decodeErased)
    count = people.length
    if (count === 0) return
    yield* writeErasures(keeping, yield* series, people)
    yield* markKept(people)
  }
})

/** Lists people who were removed since, beside manual backups; answers how many. Notes nothing in the rows. */
export const saveErasures = Effect.fn("ErasureKeeper.save")(function*(keeping: Keeping, series: string) {
  const since = yield* keptSince(keeping.place, series)
  if (since === undefined) return 0
  const sql = yield* SqlClient.SqlClient
  const people = yield* sql`
    select club_id, student_id from erased_students
    where erased_at >= ${DateTime.toDateUtc(since)} order by erased_at`.pipe(decodeErased)
  for (let from = 0; from < people.length; from += batch) {
    yield* writeErasures(keeping, series, people.slice(from, from + batch))
  }
  return people.length
})
