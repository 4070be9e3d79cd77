import { Context, type Effect, type Redacted } from "effect"
import type { UserId } from "../auth/User.ts"
import type { ClubId } from "../clubs/Club.ts"
import type { StudentOrigin } from "../events/Data.ts"
import type { StudentId } from "../students/Student.ts"

/** Somebody who comes to a club without signing up. */
export interface Arrival {
  readonly name: string
  /** In lower case, at most 320 characters. */
  readonly email: string
  /** The tax document; sealed as it is stored. An existing student's stays. */
  readonly document?: Redacted.Redacted | undefined
}

/** The student that an arrival is. */
export interface Admitted {
  readonly student_id: StudentId
  /** Whether this made the student: `student.created` is recorded, and the free deliveries are granted. */
  readonly born: boolean
}

/** How students come to be when it is not they who sign up: invitations, imports, purchases. */
export class Admission extends Context.Service<Admission, {
  /**
   * The student with each of these addresses, born if there is none, in the same order; the same address twice is one
   * student. Joins the caller's transaction, and locks the rows (`for no key update`) until it ends, in one order, so that
   * nobody waits for each other. Existing students stay as they are. A few statements, however many they are.
   */
  admit(
    club_id: ClubId,
    arrivals: ReadonlyArray<Arrival>,
    origin: Exclude<typeof StudentOrigin.Type, "sign_up" | "registration_link">,
    actor_user_id?: UserId
  ): Effect.Effect<ReadonlyArray<Admitted>>
  /** Mails a link that lets the student in, once, within 7 days. In the caller's transaction. */
  invite(club_id: ClubId, student_id: StudentId): Effect.Effect<void>
}>()("turma/students/Admission") {}
