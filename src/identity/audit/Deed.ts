import { Context, Effect, Schema } from "effect"
import { type SqlClient, Statement } from "effect/sql"
import type { ClubId } from "../ids/ClubId.ts"
import { StudentId } from "../ids/StudentId.ts"
import type { UserId } from "../ids/UserId.ts"

/** What somebody does in a club by one request: a row of the audit log. */
export interface Deed {
  /** A UUIDv7: when it is. */
  readonly id: string
  readonly at: Date
  readonly club_id: ClubId
  /** The administrator; for a key whoever made it. */
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

/** What stands in front of each column's value, the whole beginning of the statement in front of the first. */
const openings = columns.map((_, place) =>
  Statement.literal(
    place === 0 ? `insert into audit_log (${columns.map(([name]) => name).join(", ")}) values (` : ", "
  )
)
const types = columns.map(([, type]) => Statement.literal(`::${type}`))
const ending = Statement.literal(") on conflict (club_id, id) do nothing")

const valueOf = (deed: Deed, name: typeof columns[number][0]): Statement.Segment =>
  Statement.parameter(name === "targets" ? JSON.stringify(deed.targets) : deed[name])

/**
 * The statement that writes a deed, as a part of another or alone. A deed that has its row already keeps it: a statement may
 * have been done although nobody heard of it, or be the second one of its request. `request_id` stands in place of the deed's.
 */
export const insertDeed = (deed: Deed, request_id?: Statement.Fragment): Statement.Fragment => {
  const segments: Array<Statement.Segment> = []
  for (const [place, [name]] of columns.entries()) {
    const [opening, type] = [openings[place], types[place]]
    if (opening !== undefined) segments.push(opening)
    if (name === "request_id" && request_id !== undefined) segments.push(...request_id.segments)
    else if (type !== undefined) segments.push(valueOf(deed, name), type)
  }
  segments.push(ending)
  return Statement.fragment(segments)
}

/** A deed that a request is doing, and what has become of its row. */
export interface Recording {
  readonly deed: Deed
  /** The client that its statements are of. */
  readonly sql: SqlClient.SqlClient
  /** A statement with the row was done, and not rolled back. */
  isWritten: boolean
  /** Such a statement has changed something else. */
  hasChanged: boolean
  /** The request has ended: a fiber that outlives it writes no row. */
  isOver: boolean
}

/** What is recorded of the request that is being handled. */
export const CurrentRecording = Context.Reference<Recording | undefined>("turma/identity/audit/CurrentRecording", {
  defaultValue: () => undefined
})

/**
 * For services that create what is answered: the audit log then names it. `id` is a UUID. Comes before the statement that
 * is `audited`; where nothing is recorded it does nothing.
 */
export const creates = (id: string): Effect.Effect<void> =>
  Effect.map(CurrentRecording, (recording) => {
    if (recording !== undefined) recording.deed.created_id = id
  })

/** The same for whom a deed is about, where the path does not say so: found by their id, and forgotten with them. */
export const concerns = (student_id: StudentId): Effect.Effect<void> =>
  Effect.map(CurrentRecording, (recording) => {
    if (recording !== undefined) recording.deed.student_id = student_id
  })

const uuidShape = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** Names that the contract has instead of ids: a platform's, an add-on's, a course's. */
const nameShape = /^[\w.:-]{1,64}$/
const isStudentId = Schema.is(StudentId)

/**
 * What a path names: its ids without the club's. What is refused nobody has read: in the place of an id may be the name of a
 * student or a key, so only UUIDs are taken of it.
 */
export const targetsOf = (
  params: Readonly<Record<string, string | undefined>>,
  outcome: Deed["outcome"]
): Pick<Deed, "student_id" | "targets"> => {
  const shape = outcome === "done" ? nameShape : uuidShape
  const targets: Record<string, string> = {}
  for (const [name, value] of Object.entries(params)) {
    if (name !== "clubId" && value !== undefined && shape.test(value)) targets[name] = value
  }
  const student_id = targets["studentId"]?.toLowerCase()
  return { targets, student_id: isStudentId(student_id) ? student_id : null }
}
