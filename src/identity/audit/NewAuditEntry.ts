import { Context, Effect, Schema } from "effect"
import { type SqlClient, Statement } from "effect/sql"
import type { ClubId } from "../ids/ClubId.ts"
import { StudentId } from "../ids/StudentId.ts"
import type { UserId } from "../ids/UserId.ts"

/** An act in a club by one request: a row of the audit log. */
export interface NewAuditEntry {
  /** A UUIDv7: when it is. */
  readonly id: string
  readonly at: Date
  readonly club_id: ClubId
  /** The administrator; for a key the member who created it. */
  readonly user_id: UserId
  readonly key_id: string | null
  /** As the contract names it: `students.remove`. */
  readonly operation: string
  /** The ids in the path by their names, without the club's. */
  readonly targets: Readonly<Record<string, string>>
  readonly request_id: string | null
  readonly outcome: "done" | "refused"
  student_id: StudentId | null
  /** Of what a creation makes. */
  created_id: string | null
}

const columns = [
  ["club_id", "uuid"],
  ["id", "uuid"],
  ["at", "timestamptz"],
  ["user_id", "uuid"],
  ["key_id", "uuid"],
  ["operation", "text"],
  ["student_id", "uuid"],
  ["targets", "jsonb"],
  ["created_id", "uuid"],
  ["request_id", "text"],
  ["outcome", "text"]
] as const

/** The text in front of each column's value; in front of the first, the whole beginning of the statement. */
const openings = columns.map((_, place) =>
  Statement.literal(place === 0 ? `insert into audit_log (${columns.map(([name]) => name).join(", ")}) values (` : ", ")
)
const types = columns.map(([, type]) => Statement.literal(`::${type}`))
const ending = Statement.literal(") on conflict (club_id, id) do nothing")

const valueOf = (entry: NewAuditEntry, name: typeof columns[number][0]): Statement.Segment =>
  Statement.parameter(name === "targets" ? JSON.stringify(entry.targets) : entry[name])

/**
 * The statement that writes a deed, as a part of another or alone. A deed that has its row already keeps it. The
 * earlier statement may have committed without an answer, or this is the second one of its request. `request_id` stands
 * in place of the deed's.
 */
export const insertAuditEntry = (entry: NewAuditEntry, request_id?: Statement.Fragment): Statement.Fragment => {
  const segments: Array<Statement.Segment> = []
  for (const [place, [name]] of columns.entries()) {
    const [opening, type] = [openings[place], types[place]]
    if (opening !== undefined) segments.push(opening)
    if (name === "request_id" && request_id !== undefined) segments.push(...request_id.segments)
    else if (type !== undefined) segments.push(valueOf(entry, name), type)
  }
  segments.push(ending)
  return Statement.fragment(segments)
}

/** A deed that a request is doing, and what has become of its row. */
export interface Recording {
  readonly entry: NewAuditEntry
  /** The client of its statements. */
  readonly sql: SqlClient.SqlClient
  /** A statement with the row has run, and was not rolled back. */
  isWritten: boolean
  /** Such a statement has changed something else. */
  hasChanged: boolean
  /** The request has ended: a fiber that outlives it writes no row. */
  isOver: boolean
}

/** The recording of the current request. */
export const CurrentRecording = Context.Reference<Recording | undefined>("turma/identity/audit/CurrentRecording", {
  defaultValue: () => undefined
})

/**
 * For services that create the answered thing: the audit log then names it. `id` is a UUID. Call it before the
 * statement that is `audited`; without a recording it does nothing.
 */
export const creates = (id: string): Effect.Effect<void> =>
  Effect.map(CurrentRecording, (recording) => {
    if (recording !== undefined) recording.entry.created_id = id
  })

/**
 * The same for the student that a deed is about, if the path does not name one. The entry is then found by their id,
 * and forgotten with them.
 */
export const concerns = (student_id: StudentId): Effect.Effect<void> =>
  Effect.map(CurrentRecording, (recording) => {
    if (recording !== undefined) recording.entry.student_id = student_id
  })

const uuidShape = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** Names that the contract has instead of ids: a platform's, an add-on's, a course's. */
const nameShape = /^[\w.:-]{1,64}$/
const isStudentId = Schema.is(StudentId)

/**
 * The ids in a path without the club's. If a request was refused, no handler has checked its path. Such a path may have
 * the name of a student or a key in place of an id, so only UUIDs count.
 */
export const targetsOf = (
  params: Readonly<Record<string, string | undefined>>,
  outcome: NewAuditEntry["outcome"]
): Pick<NewAuditEntry, "student_id" | "targets"> => {
  const shape = outcome === "done" ? nameShape : uuidShape
  const targets: Record<string, string> = {}
  for (const [name, value] of Object.entries(params)) {
    if (name !== "clubId" && value !== undefined && shape.test(value)) targets[name] = value
  }
  const student_id = targets["studentId"]?.toLowerCase()
  return { targets, student_id: isStudentId(student_id) ? student_id : null }
}
