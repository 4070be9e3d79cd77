import { DateTime, Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { sweepOf } from "../../platform/jobs/Sweep.ts"
import type { StudentEraser } from "../erasure/StudentErasers.ts"
import { auditLifetime } from "./AuditLog.ts"

/** Rows that one statement deletes, so each is short. */
const batch = 1_000

/** Again as long as there is as much as that to delete. */
const untilFewer = (deleted: Effect.Effect<ReadonlyArray<unknown>, SqlError.SqlError>) =>
  Effect.repeat(deleted, { while: ({ length }) => length === batch })

/** Deletes entries older than 90 days, and the counts of reads. Locked rows wait for the next sweep. */
export const sweepAudit = sweepOf("AuditLog.sweep", "entries of the audit log", (sql, at) => {
  const oldest = DateTime.toDateUtc(DateTime.subtractDuration(at, auditLifetime))
  const auditRecorder = sql`
    delete from audit_log where (club_id, id) in (
      select club_id, id from audit_log where at < ${oldest} order by at limit ${batch} for update skip locked
    ) returning 1`
  const reads = sql`
    delete from audit_reads where (club_id, id) in (
      select club_id, id from audit_reads where hour < ${oldest} order by hour limit ${batch} for update skip locked
    ) returning 1`
  return Effect.andThen(untilFewer(auditRecorder), untilFewer(reads))
})

/**
 * Entries about a student keep their ids, except the ids of requests: the sender may have put a name into one. Counts
 * `audit_entries`.
 */
export const auditEraser: Effect.Effect<StudentEraser, never, SqlClient.SqlClient> = Effect.map(
  SqlClient.SqlClient,
  (sql) => ({
    turn: "last",
    erase: Effect.fn("AuditEraser.erase")(function*({ club_id, student_id }) {
      const erased = yield* Effect.orDie(sql`
        update audit_log set request_id = null
        where club_id = ${club_id} and student_id = ${student_id} and request_id is not null returning 1`)
      return { audit_entries: erased.length }
    })
  })
)
