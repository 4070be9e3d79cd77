import { Context, DateTime, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Events } from "../../events/Events.ts"
import { type ErasureSubject, StudentErasers } from "../../identity/erasure/StudentErasers.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import type { UserId } from "../../identity/ids/UserId.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { anonymizedDomain } from "../../platform/http/Text.ts"
import { sweepOf } from "../../platform/jobs/Sweep.ts"
import { rows } from "../../platform/sql/Rows.ts"
import { ConcurrentAddressChange, RemovedMeanwhile, retryConflicts } from "./StudentConflicts.ts"
import { StudentErasure } from "./StudentDetail.ts"

/** How long the receipt of a removal can be read. */
const receiptLifetime = Duration.days(90)

const Person = Schema.Struct({ email: Schema.String, removed: Schema.Boolean })
const decodePeople = rows(Person)
const decodeReceipts = rows(StudentErasure)

/** Counts of the same name are added. */
const sumOf = (all: ReadonlyArray<Readonly<Record<string, number>>>): Readonly<Record<string, number>> => {
  const sum: Record<string, number> = {}
  for (const [what, count] of all.flatMap(Object.entries)) sum[what] = (sum[what] ?? 0) + count
  return sum
}

/** Removal of students: an erasure under privacy law (contract, Delivery behavior 9). `NotFound`: no such student. */
export class Removal extends Context.Service<Removal, {
  /**
   * Erases the person everywhere, in one transaction. Does nothing to a removed student. Null actor: a restored backup
   * repeats an earlier removal.
   */
  remove(club_id: ClubId, id: StudentId, actor_user_id: UserId | null): Effect.Effect<void, NotFound>
  /** The counts of deleted data of a removal, for 90 days. */
  receipt(club_id: ClubId, id: StudentId): Effect.Effect<typeof StudentErasure.Type, NotFound>
}>()("turma/membership/students/Removal") {
  static readonly layer = Layer.effect(
    Removal,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const events = yield* Events
      const erasers = yield* StudentErasers

      const find = Effect.fnUntraced(function*(club_id: ClubId, id: StudentId) {
        const [person] = yield* sql`
          select email, removed_at is not null as removed from students where club_id = ${club_id} and id = ${id}
        `.pipe(decodePeople)
        return person ?? (yield* new NotFound())
      })

      const anonymize = ({ club_id, student_id }: ErasureSubject, now: Date) =>
        sql`
          update students
          set name = 'Anonymized', email = ${`${student_id}@${anonymizedDomain}`}, password_hash = null,
            verified_at = null, document = null, removed_at = ${now}
          where club_id = ${club_id} and id = ${student_id}`

      const insertReceipt = (
        { club_id, student_id }: ErasureSubject,
        done: { readonly erased_at: Date; readonly actor_user_id: UserId | null; readonly counts: string }
      ) => sql`insert into student_erasures ${sql.insert({ club_id, student_id, ...done })}`

      // The erasure of the events locks the student. From then on nothing is added about the person.
      const erasePerson = Effect.fnUntraced(function*(person: ErasureSubject, actor_user_id: UserId | null) {
        const { club_id, email, student_id } = person
        yield* Effect.forEach(erasers, ({ lock }) => lock?.(person) ?? Effect.void)
        const { first, ...messages } = yield* events.eraseStudent(club_id, student_id)
        // This attempt is undone. The audit log gets its entry once they are known to be removed.
        if (!first) return yield* new RemovedMeanwhile()
        if ((yield* find(club_id, student_id)).email !== email) return yield* new ConcurrentAddressChange()
        const counts = sumOf([messages, ...yield* Effect.forEach(erasers, ({ erase }) => erase(person))])
        const erased_at = DateTime.toDateUtc(yield* DateTime.now)
        yield* anonymize(person, erased_at)
        yield* insertReceipt(person, { erased_at, actor_user_id, counts: JSON.stringify(counts) })
      })

      const attempt = Effect.fnUntraced(
        function*(club_id: ClubId, student_id: StudentId, actor_user_id: UserId | null) {
          const { email, removed } = yield* find(club_id, student_id)
          if (!removed) yield* erasePerson({ club_id, student_id, email }, actor_user_id)
        },
        sql.withTransaction
      )

      const remove = Effect.fn("Removal.remove")((club_id: ClubId, id: StudentId, actor_user_id: UserId | null) =>
        retryConflicts(attempt(club_id, id, actor_user_id))
          .pipe(Effect.catchTag(["ConcurrentAddressChange", "RemovedMeanwhile", "SqlError"], Effect.die))
      )

      const receipt = Effect.fn("Removal.receipt")(function*(club_id: ClubId, id: StudentId) {
        const oldest = DateTime.subtractDuration(yield* DateTime.now, receiptLifetime)
        const [receipt] = yield* sql`
          select student_id, erased_at, counts from student_erasures
          where club_id = ${club_id} and student_id = ${id} and erased_at > ${DateTime.toDateUtc(oldest)}
        `.pipe(decodeReceipts)
        return receipt ?? (yield* new NotFound())
      })

      return Removal.of({ remove, receipt })
    })
  )
}

/** Deletes the receipts that are past their lifetime. */
export const sweepErasures = sweepOf("Removal.sweepErasures", "receipts of removals", (sql, at) => {
  const oldest = DateTime.toDateUtc(DateTime.subtractDuration(at, receiptLifetime))
  return sql`delete from student_erasures where erased_at <= ${oldest}`
})
