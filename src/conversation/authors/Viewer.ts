import { DateTime, Effect } from "effect"
import type { Fragment } from "effect/sql/Statement"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import type { UserId } from "../../identity/ids/UserId.ts"
import {
  CurrentMember,
  CurrentPerson,
  CurrentStudent,
  type MemberIdentity,
  type StudentIdentity
} from "../../identity/people/Identity.ts"

/** A student who reads comments and posts of their club, and the time at which they do. */
export interface StudentViewer {
  readonly role: "student"
  readonly club_id: ClubId
  readonly student_id: StudentId
  readonly now: Date
}

/** A member of the staff who reads them. `user_id` is null when the club itself does, for its assistant. */
export interface StaffViewer {
  readonly role: "staff"
  readonly club_id: ClubId
  readonly user_id: UserId | null
}

/** A reader of comments and posts. */
export type Viewer = StudentViewer | StaffViewer

/** A viewer in a condition of a statement: the student may be one of its columns. */
export type ViewerInSql =
  | StaffViewer
  | (Omit<StudentViewer, "student_id"> & { readonly student_id: StudentId | Fragment })

/** A member of the staff who writes. */
export interface StaffWriter extends StaffViewer {
  readonly user_id: UserId
}

/** A writer of comments and posts. */
export type Writer = StudentViewer | StaffWriter

const studentViewer = ({ club, student }: StudentIdentity): Effect.Effect<StudentViewer> =>
  Effect.map(DateTime.now, (now) => ({
    role: "student",
    club_id: club.id,
    student_id: student.id,
    now: DateTime.toDateUtc(now)
  }))

const staffWriter = ({ club, user }: MemberIdentity): StaffWriter => ({
  role: "staff",
  club_id: club.id,
  user_id: user.id
})

/** The student of the request. */
export const studentOfRequest = Effect.flatMap(CurrentStudent, studentViewer)
/** The member of the request. */
export const memberOfRequest = Effect.map(CurrentMember, staffWriter)
/** The student or the member of the request. */
export const personOfRequest: Effect.Effect<Writer, never, CurrentPerson> = Effect.flatMap(
  CurrentPerson,
  (person): Effect.Effect<Writer> =>
    person._tag === "Student" ? studentViewer(person) : Effect.succeed(staffWriter(person))
)
