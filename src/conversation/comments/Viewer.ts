import { DateTime, Effect } from "effect"
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

/** A student who looks at what is written in their club, and when. */
export interface StudentViewer {
  readonly onlooker: "student"
  readonly club_id: ClubId
  readonly student_id: StudentId
  readonly now: Date
}

/** A member of the staff who does; without a user, the club itself. */
export interface StaffViewer {
  readonly onlooker: "staff"
  readonly club_id: ClubId
  readonly user_id: UserId | null
}

/** Whoever looks at comments and posts. */
export type Viewer = StudentViewer | StaffViewer

/** A member of the staff who writes. */
export interface StaffWriter extends StaffViewer {
  readonly user_id: UserId
}

/** Whoever writes comments and posts. */
export type Writer = StudentViewer | StaffWriter

const studentViewer = ({ club, student }: StudentIdentity): Effect.Effect<StudentViewer> =>
  Effect.map(DateTime.now, (now) => ({
    onlooker: "student",
    club_id: club.id,
    student_id: student.id,
    now: DateTime.toDateUtc(now)
  }))

const staffWriter = ({ club, user }: MemberIdentity): StaffWriter => ({
  onlooker: "staff",
  club_id: club.id,
  user_id: user.id
})

/** The student of the request. */
export const studentOfRequest = Effect.flatMap(CurrentStudent, studentViewer)
/** The member of the request. */
export const memberOfRequest = Effect.map(CurrentMember, staffWriter)
/** Whoever makes the request. */
export const personOfRequest: Effect.Effect<Writer, never, CurrentPerson> = Effect.flatMap(
  CurrentPerson,
  (person): Effect.Effect<Writer> =>
    person._tag === "Student" ? studentViewer(person) : Effect.succeed(staffWriter(person))
)
