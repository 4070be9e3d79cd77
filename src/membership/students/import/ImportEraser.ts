import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Effect, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { Forgotten, StudentEraser } from "../../../identity/erasure/StudentErasers.ts"
import { ClubId } from "../../../identity/ids/ClubId.ts"
import { Sealing } from "../../../platform/sql/Sealing.ts"
import { openRows, sealRows } from "./Chunks.ts"
import { ImportId } from "./Import.ts"
import { ImportsRepo } from "./ImportsRepo.ts"

const Waiting = Schema.Struct({
  club_id: ClubId,
  import_id: ImportId,
  position: Schema.Int,
  content: Schema.Uint8Array
})
const decodeWaiting = Schema.decodeUnknownEffect(Schema.Array(Waiting))

/** Takes a person's rows out of the imports that wait, so that none of them makes the student again. */
export const importEraser = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const sealing = yield* Sealing
  const random = yield* SecureRandom.SecureRandom
  const repo = yield* ImportsRepo

  // A chunk in hand is waited for: whoever works on it has its import first and then the students.
  const hold = ({ club_id }: Forgotten) =>
    sql`
      select 1 from student_imports where club_id = ${club_id} and due_at is not null
      order by id for no key update`.pipe(Effect.asVoid, Effect.orDie)

  const rewrite = Effect.fnUntraced(function*(chunk: typeof Waiting.Type, email: string) {
    const { club_id, import_id, position } = chunk
    const rows = yield* openRows(sealing, chunk)
    const kept = rows.filter((row) => row.email !== email)
    const gone = rows.filter((row) => row.email === email)
    if (gone.length === 0) return 0
    const which = sql`club_id = ${club_id} and import_id = ${import_id} and position = ${position}`
    if (kept.length === 0) yield* sql`delete from student_import_chunks where ${which}`
    else {
      const { content } = yield* sealRows(sealing, chunk, kept)
      yield* sql`update student_import_chunks set content = ${content} where ${which}`
    }
    const errors = yield* Effect.forEach(
      gone,
      ({ line }) => Effect.map(random.uuidV7(), (id) => ({ id, line, field: "row" as const, code: "removed" as const }))
    )
    yield* repo.addErrors(club_id, import_id, errors)
    yield* repo.count(club_id, import_id, { created: 0, existing: 0, granted: 0, failed: gone.length })
    return gone.length
  })

  // An import that was sent since `hold` and is being worked on is passed over: it waits for the student, and is then of
  // somebody new.
  const erase = Effect.fn("ImportEraser.erase")(function*({ club_id, email }: Forgotten) {
    const waiting = yield* sql`
      select c.club_id, c.import_id, c.position, c.content
      from student_import_chunks c join student_imports i on i.club_id = c.club_id and i.id = c.import_id
      where c.club_id = ${club_id}
      order by c.import_id, c.position for no key update of i skip locked`.pipe(Effect.flatMap(decodeWaiting))
    const rows = yield* Effect.forEach(waiting, (chunk) => rewrite(chunk, email))
    return { import_rows: rows.reduce((sum, count) => sum + count, 0) }
  }, Effect.orDie)

  return { hold, erase } satisfies StudentEraser
}).pipe(Effect.provide([ImportsRepo.layer, NodeCrypto.layerSecureRandom]))
