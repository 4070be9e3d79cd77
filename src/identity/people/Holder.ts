import type { ClubId } from "../ids/ClubId.ts"
import { StudentId } from "../ids/StudentId.ts"
import { UserId } from "../ids/UserId.ts"

/** The account that holds a session or a link. Administrators and students have a table each. */
export type Holder =
  | { readonly kind: "admin"; readonly user_id: UserId }
  | { readonly kind: "student"; readonly club_id: ClubId; readonly student_id: StudentId }

/** The holder of the account with this id: with a club, a student. */
export const holderOf = (club_id: ClubId | null, id: string): Holder =>
  club_id === null
    ? { kind: "admin", user_id: UserId.make(id) }
    : { kind: "student", club_id, student_id: StudentId.make(id) }
