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

/** The statement that writes a deed, with parameters numbered from `first` on. */
export const insertDeed = (first: number): string => {
  const values = columns.map(([, type], index) => `$${first + index}::${type}`)
  return `insert into audit_log (${names}) values (${values.join(", ")})`
}

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

const idShape = /^[\w.:-]{1,64}$/
const isStudentId = Schema.is(StudentId)

/** What a path names: its ids without the club's. Whatever does not look like one is left out, since nobody has read it. */
export const targetsOf = (
  params: Readonly<Record<string, string | undefined>>
): Pick<Deed, "student_id" | "targets"> => {
  const targets: Record<string, string> = {}
  for (const [name, value] of Object.entries(params)) {
    if (name !== "clubId" && value !== undefined && idShape.test(value)) targets[name] = value
  }
  const student_id = targets["studentId"]?.toLowerCase()
  return { targets, student_id: isStudentId(student_id) ? student_id : null }
}
