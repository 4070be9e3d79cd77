import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { ErasureSubject, StudentEraser } from "../../../identity/erasure/StudentErasers.ts"
import { ClubId } from "../../../identity/ids/ClubId.ts"
import { provideShared } from "../../../platform/provideShared.ts"
import { rows } from "../../../platform/sql/Rows.ts"
import { Sealing } from "../../../platform/sql/Sealing.ts"
import { ImportId } from "./Import.ts"
import { ImportsRepo } from "./ImportsRepo.ts"
import { openRows, sealRows } from "./SealedRows.ts"

const Waiting = Schema.Struct({
  club_id: ClubId,
  import_id: ImportId,
  position: Schema.Int,
  content: Schema.Uint8Array
})
const decodeWaiting = rows(Waiting)

/** Removes a person's rows from waiting imports, so that no row creates the student again. */
export const importEraser = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const sealing = yield* Sealing
  const random = yield* SecureRandom.SecureRandom
  const repo = yield* ImportsRepo

  // Waits for a chunk that is being processed: its worker locks the import first and then the students.
  const lock = ({ club_id }: ErasureSubject) =>
    sql`
      select 1 from student_imports where club_id = ${club_id} and due_at is not null
      order by id for no key update`.pipe(Effect.asVoid, Effect.orDie)

  const rewrite = Effect.fnUntraced(function*(chunk: typeof Waiting.Type, email: string) {
    const { club_id, import_id, position } = chunk
    const rows = yield* openRows(sealing, chunk)
    const kept = rows.filter((row) => row.email !== email)
    const removed = rows.filter((row) => row.email === email)
    if (removed.length === 0) return 0
    const ofChunk = sql`club_id = ${club_id} and import_id = ${import_id} and position = ${position}`
    if (kept.length === 0) yield* sql`delete from student_import_chunks where ${ofChunk}`
    else {
      const { content } = yield* sealRows(sealing, chunk, kept)
      yield* sql`update student_import_chunks set content = ${content} where ${ofChunk}`
    }
    const errors = yield* Effect.forEach(
      removed,
      ({ line }) => Effect.map(random.uuidV7(), (id) => ({ id, line, field: "row" as const, code: "removed" as const }))
    )
    yield* repo.addErrors(club_id, import_id, errors)
    yield* repo.count(club_id, import_id, { created: 0, existing: 0, granted: 0, failed: removed.length })
    return removed.length
  })

  // An import that was sent after `lock` and is being processed is skipped: it waits for the student, and then creates a
  // new one.
  const erase = Effect.fn("ImportEraser.erase")(function*({ club_id, email }: ErasureSubject) {
    const waiting = yield* sql`
      select c.club_id, c.import_id, c.position, c.content
      from student_import_chunks c join student_imports i on i.club_id = c.club_id and i.id = c.import_id
      where c.club_id = ${club_id}
      order by c.import_id, c.position for no key update of i skip locked`.pipe(decodeWaiting)
    const rows = yield* Effect.forEach(waiting, (chunk) => rewrite(chunk, email))
    return { import_rows: rows.reduce((sum, count) => sum + count, 0) }
  }, Effect.orDie)

  return { lock, erase } satisfies StudentEraser
}).pipe(provideShared(Layer.merge(ImportsRepo.layer, NodeCrypto.layerSecureRandom)))
