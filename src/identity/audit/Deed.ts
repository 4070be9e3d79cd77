import { Context, Effect, Schema } from "effect"
import { type RowAlong, rowAlong } from "../../platform/sql/WrittenAlong.ts"
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

const names = columns.map(([name]) => name).join(", ")

const parametersFrom = (first: number): ReadonlyMap<typeof columns[number][0], string> =>
  new Map(columns.map(([name, type], index) => [name, `$${first + index}::${type}`]))

/**
 * A statement may have been done although nobody heard of it; the request's next one then has the same row again, which
 * stays as the first has written it.
 */
const insertOf = (values: ReadonlyMap<string, string>) =>
  `insert into audit_log (${names}) values (${[...values.values()].join(", ")}) on conflict (club_id, id) do nothing`

/** The statement that writes a deed, with parameters numbered from `first` on. */
export const insertDeed = (first: number): string => insertOf(parametersFrom(first))

const idle = parametersFrom(1)

/**
 * The same for a deed that changes nothing, from the first parameter on: whom it is about may have been removed before, or
 * be removed just now, which the lock waits for. Whoever changes something about a student has them locked, and there.
 */
export const insertIdleDeed = insertOf(
  new Map(idle).set(
    "request_id",
    `case when (
      select s.removed_at is not null from students s
      where s.club_id = ${idle.get("club_id")} and s.id = ${idle.get("student_id")} for key share
    ) then null else ${idle.get("request_id")} end`
  )
)

/** The parameters of `insertDeed`, in their order. */
export const valuesOf = (deed: Deed): ReadonlyArray<unknown> =>
  columns.map(([name]) => name === "targets" ? JSON.stringify(deed.targets) : deed[name])

/** The deed as what goes along with the first statement that writes. */
export const rowOf = (deed: Deed): RowAlong => rowAlong({ insert: insertDeed, values: () => valuesOf(deed) })

/** What the request that is being handled does, if that is recorded. */
export const CurrentDeed = Context.Reference<Deed | undefined>("turma/identity/audit/CurrentDeed", {
  defaultValue: () => undefined
})

/**
 * For services that create what is answered: the audit log then names it. `id` is a UUID. Comes before the first statement
 * that writes; where nothing is recorded it does nothing.
 */
export const creates = (id: string): Effect.Effect<void> =>
  Effect.map(CurrentDeed, (deed) => {
    if (deed !== undefined) deed.created_id = id
  })

/** The same for whom a deed is about, where the path does not say so: found by their id, and forgotten with them. */
export const concerns = (student_id: StudentId): Effect.Effect<void> =>
  Effect.map(CurrentDeed, (deed) => {
    if (deed !== undefined) deed.student_id = student_id
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
