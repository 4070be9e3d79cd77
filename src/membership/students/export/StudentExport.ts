import { Context, Effect, Layer, Option, Schema, Stream } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import type { StudentId } from "../../../identity/ids/StudentId.ts"
import { csvHeader, csvLines, ExportedStudent } from "./StudentCsv.ts"

/** Students that are read and held at a time. */
export const exportBatch = 500

const decode = Schema.decodeUnknownEffect(Schema.Array(ExportedStudent))

/** All students of a club in one file. */
export class StudentExport extends Context.Service<StudentExport, {
  /**
   * CSV in UTF-8, oldest student first, without removed ones. The first batch is read before the stream is there, so that
   * a fault can still be answered as one; the others when whoever reads asks for more, each by itself.
   */
  csv(club_id: ClubId): Effect.Effect<Stream.Stream<Uint8Array>>
}>()("turma/students/StudentExport") {
  static readonly layer = Layer.effect(
    StudentExport,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const read = Effect.fnUntraced(function*(club_id: ClubId, after: StudentId | null) {
        const rows = yield* sql`
          select id, name, email, verified_at is not null as verified, created_at from students
          where club_id = ${club_id} and removed_at is null and (${after}::uuid is null or id > ${after}::uuid)
          order by id limit ${exportBatch}`
        return yield* decode(rows)
      }, Effect.orDie)

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
