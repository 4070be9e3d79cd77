import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { NotFound } from "../../platform/http/errors.ts"
import type { ClubId } from "../ids/ClubId.ts"
import type { StudentId } from "../ids/StudentId.ts"
import { StudentRemoved } from "./StudentRemoved.ts"

const decodeRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ removed: Schema.Boolean })))

/** The order in which things about one student happen. */
export class StudentRows extends Context.Service<StudentRows, {
  /**
   * Locks the student's row until the caller's transaction ends. Whoever writes about a student, or for them, holds this
   * before any other row of theirs: what happens to one student happens one after another, and nothing is added about
   * somebody who is being removed.
   */
  hold(club_id: ClubId, student_id: StudentId): Effect.Effect<void, NotFound | StudentRemoved>
}>()("turma/students/StudentRows") {
  static readonly layer = Layer.effect(
    StudentRows,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const hold = Effect.fn("StudentRows.hold")(
        function*(club_id: ClubId, student_id: StudentId) {
          const rows = yield* sql`
            select removed_at is not null as removed from students
            where club_id = ${club_id} and id = ${student_id} for no key update`
          const [student] = yield* decodeRows(rows)
          if (student === undefined) return yield* new NotFound()
          if (student.removed) return yield* new StudentRemoved()
        },
        Effect.catchTag(["SchemaError", "SqlError"], Effect.die)
      )

      return StudentRows.of({ hold })
    })
  )
}
