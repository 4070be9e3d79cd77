import { Context, Effect, Layer, Option, Stream } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import type { StudentId } from "../../../identity/ids/StudentId.ts"
import { MayReadReplica } from "../../../platform/sql/Replica.ts"
import { rows } from "../../../platform/sql/Rows.ts"
import { csvHeader, csvLines, ExportedStudent } from "./StudentCsv.ts"

/** The number of students that are read, and in memory, at a time. */
export const exportBatch = 500

const decode = rows(ExportedStudent)

/** All students of a club in one file. */
export class StudentExport extends Context.Service<StudentExport, {
  /**
   * CSV in UTF-8, oldest student first, without removed ones. The first batch is read before the stream starts, so a
   * failure can still be an error response. Each later batch is read when the client has read the one before.
   */
  csv(club_id: ClubId): Effect.Effect<Stream.Stream<Uint8Array>>
}>()("turma/membership/students/export/StudentExport") {
  static readonly layer = Layer.effect(
    StudentExport,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const read = Effect.fnUntraced(function*(club_id: ClubId, after: StudentId | null) {
        return yield* sql`
          select id, name, email, verified_at is not null as verified, created_at from students
          where club_id = ${club_id} and removed_at is null and (${after}::uuid is null or id > ${after}::uuid)
          order by id limit ${exportBatch}`.pipe(decode)
      }, Effect.provideService(MayReadReplica, true))

      const batches = (club_id: ClubId, first: ReadonlyArray<ExportedStudent>) =>
        Stream.paginate(Effect.succeed(first), (batch: ReturnType<typeof read>) =>
          Effect.map(batch, (students) => {
            const last = students.at(-1)
            const more = last === undefined || students.length < exportBatch
              ? Option.none()
              : Option.some(read(club_id, last.id))
            return [students.length === 0 ? [] : [csvLines(students)], more] as const
          }))

      const csv = Effect.fn("StudentExport.csv")(function*(club_id: ClubId) {
        const first = yield* read(club_id, null)
        return Stream.encodeText(Stream.concat(Stream.succeed(csvHeader), batches(club_id, first)))
      })

      return StudentExport.of({ csv })
    })
  )
}
