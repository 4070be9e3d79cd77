import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { NotFound } from "../../platform/http/errors.ts"
import { rows } from "../../platform/sql/Rows.ts"
import { concerns } from "../audit/NewAuditEntry.ts"
import type { ClubId } from "../ids/ClubId.ts"
import type { StudentId } from "../ids/StudentId.ts"
import { StudentRemoved } from "./StudentRemoved.ts"

const decodeRows = rows(Schema.Struct({ removed: Schema.Boolean }))

/** Puts writes about one student in order. */
export class StudentLocks extends Context.Service<StudentLocks, {
  /**
   * Locks the student's row until the caller's transaction ends. Every transaction that writes about a student takes this
   * lock before it locks any other row of theirs. So writes about one student come one after another, and nothing is added
   * about a student who is being removed.
   */
  lock(club_id: ClubId, student_id: StudentId): Effect.Effect<void, NotFound | StudentRemoved>
  /**
   * The same lock as a query, for the `with` of a statement that writes by itself. Its row says whether the student is
   * `removed`. There is no row if the student does not exist or another transaction has the lock. It does not wait,
   * since the rest of that statement would read the state from before the wait.
   */
  locking(club_id: ClubId, student_id: StudentId): Statement.Fragment
}>()("turma/identity/students/StudentLocks") {
  static readonly layer = Layer.effect(
    StudentLocks,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const locked = (club_id: ClubId, student_id: StudentId) =>
        sql`
          select removed_at is not null as removed from students
          where club_id = ${club_id} and id = ${student_id} for no key update`

      const locking = (club_id: ClubId, student_id: StudentId) => sql`${locked(club_id, student_id)} skip locked`

      const lock = Effect.fn("StudentLocks.lock")(function*(club_id: ClubId, student_id: StudentId) {
        yield* concerns(student_id)
        const [student] = yield* decodeRows(locked(club_id, student_id))
        if (student === undefined) return yield* new NotFound()
        if (student.removed) return yield* new StudentRemoved()
      })

      return StudentLocks.of({ lock, locking })
    })
  )
}
