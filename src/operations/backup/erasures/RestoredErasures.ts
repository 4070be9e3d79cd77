import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Removal } from "../../../membership/students/Removal.ts"
import { texts } from "../../../platform/sql/Arrays.ts"
import { rows } from "../../../platform/sql/Rows.ts"
import { Erased } from "./ErasureFiles.ts"

const decodeErased = rows(Erased)

/** As migration 0110 makes it: what is restored may be of a version before that. */
const makeTable = `
  create table if not exists restored_erasures (
    club_id     uuid not null,
    student_id  uuid not null,
    primary key (club_id, student_id)
  )`

/** Has the next start remove these people again; answers how many are there to be removed. */
export const storeErasures = Effect.fn("RestoredErasures.store")(function*(people: ReadonlyArray<Erased>) {
  if (people.length === 0) return 0
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(makeTable)
  const stored = yield* sql`
    insert into restored_erasures (club_id, student_id)
    select s.club_id, s.id from students s
    join unnest(${texts(people.map(({ club_id }) => club_id))}, ${texts(people.map(({ student_id }) => student_id))})
      as p (club_id, student_id) on s.club_id = p.club_id::uuid and s.id = p.student_id::uuid
    where s.removed_at is null
    on conflict do nothing returning 1`
  return stored.length
})

/**
 * Removes again the people who came back with a restore, before the service answers. Each removal is one transaction,
 * and its row is deleted after it. A process that dies between the two removes once more, which changes nothing.
 */
const eraseRestored = Effect.fn("RestoredErasures.erase")(function*() {
  const sql = yield* SqlClient.SqlClient
  const removal = yield* Removal
  const people = yield* sql`select club_id, student_id from restored_erasures order by 1, 2`.pipe(decodeErased)
  if (people.length === 0) return
  yield* Effect.logInfo("People who were removed after the backup are removed again", { people: people.length })
  for (const { club_id, student_id } of people) {
    yield* Effect.catchTag(removal.remove(club_id, student_id, null), "NotFound", () => Effect.void)
    yield* Effect.orDie(sql`delete from restored_erasures where club_id = ${club_id} and student_id = ${student_id}`)
  }
})

/** The same, as a process starts. */
export const RestoredErasuresLayer = Layer.effectDiscard(eraseRestored())
