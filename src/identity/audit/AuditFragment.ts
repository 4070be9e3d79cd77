import { Effect, type Fiber, Predicate } from "effect"
import { type SqlError, Statement } from "effect/sql"
import { onRollback } from "../../platform/sql/Undoing.ts"
import { CurrentRecording, insertAuditEntry, type NewAuditEntry, type Recording } from "./NewAuditEntry.ts"

/**
 * The row of the audit log that a request owes, as a part of the statement of the act: both commit or neither. Empty if
 * the act is not recorded, as for students and workers.
 */
export interface AuditFragment {
  /** In front of a statement that has no `with` of its own. */
  readonly with: Statement.Fragment
  /** Behind the `with` of a statement, in front of its first part. */
  readonly before: Statement.Fragment
}

const none = Statement.fragment([])
const nothing: AuditFragment = { with: none, before: none }

const enclosed = (opening: string, closing: string) => {
  const [first, last] = [Statement.literal(opening), Statement.literal(closing)]
  return (entry: NewAuditEntry) => Statement.fragment([first, ...insertAuditEntry(entry).segments, last])
}
const asWith = enclosed("with audited as (", ") ")
const asFirst = enclosed("audited as (", "), ")

/** Makes only the one of the two that the statement names. */
const fragmentOf = (entry: NewAuditEntry): AuditFragment => ({
  get with() {
    return asWith(entry)
  },
  get before() {
    return asFirst(entry)
  }
})

type Rows = ReadonlyArray<Readonly<Record<string, unknown>>>

const isResult = (value: unknown): value is { readonly rowCount: number; readonly rows: Rows } =>
  Predicate.hasProperty(value, "rowCount") && Predicate.isNumber(value.rowCount) &&
  Predicate.hasProperty(value, "rows") && Array.isArray(value.rows) && value.rows.every(Predicate.isObject)

/** Notes that a statement with the row has run, and withdraws that if its transaction rolls back. */
const note = (recording: Recording, fiber: Fiber.Fiber<unknown, unknown>, hasChanged: boolean) => {
  const before = { isWritten: recording.isWritten, hasChanged: recording.hasChanged }
  recording.isWritten = true
  recording.hasChanged ||= hasChanged
  onRollback(recording.sql, fiber, () => void Object.assign(recording, before))
}

/**
 * Runs a statement of a member's operation together with the row of the audit log:
 *
 *     audited((audit) => sql`${audit.with} delete from cohorts where id = ${id} returning 1`)
 *     audited((audit) => sql`with ${audit.before} gone as (…) select …`)
 *
 * An operation needs one such statement, the one that does what the operation is for. Of several, the first has the row.
 */
export const audited = (
  statement: (audit: AuditFragment) => Statement.Statement<Rows[number]>
): Effect.Effect<Rows, SqlError.SqlError> =>
  Effect.withFiber((fiber) => {
    const recording = fiber.getRef(CurrentRecording)
    if (recording === undefined || recording.isOver) return statement(nothing)
    const audit = recording.isWritten ? nothing : fragmentOf(recording.entry)
    return Effect.map(statement(audit).raw, (result) => {
      if (!isResult(result)) throw new TypeError("The driver answered something else than rows")
      note(recording, fiber, result.rowCount > 0)
      return result.rows
    })
  })
