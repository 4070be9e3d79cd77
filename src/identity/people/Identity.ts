import { Context } from "effect"
import type { Locale } from "../../platform/http/Locale.ts"
import type { ClubId, OrganizationId } from "../ids/ClubId.ts"
import type { ClubKeyId } from "../ids/ClubKeyId.ts"
import type { StudentId } from "../ids/StudentId.ts"
import type { UserId } from "../ids/UserId.ts"
import type { Holder } from "./Holder.ts"
import type { Role } from "./Role.ts"
import type { Scope } from "./Scope.ts"
import type { Session } from "./Session.ts"

interface Person<Id> {
  readonly id: Id
  readonly name: string
  readonly email: string
  readonly verified: boolean
}

/** The club of the request, once the right to act in it is checked. */
export interface SessionClub {
  readonly id: ClubId
  readonly organization_id: OrganizationId
  readonly name: string
  readonly locale: Locale
  /** An IANA name: where the club's day starts. */
  readonly time_zone: string
  /** The same for budgets of a day, which count the day on to its end when another time zone is chosen. */
  readonly day_zone: string
}

/** An administrator outside any club: `GET /v1/me`, creating a club. */
export interface UserIdentity {
  readonly session: Session
  readonly user: Person<UserId>
}

/** The club's key that sends a request, and what it may do where that is not its role's to say. */
interface PresentedKey {
  readonly id: ClubKeyId
  readonly scopes: ReadonlyArray<Scope> | null
}

/** The credential of a member's request. */
export type MemberCredential =
  | { readonly kind: "session"; readonly session: Session }
  | { readonly kind: "key"; readonly key: PresentedKey }

/** A member of a club with their role there, or a key that acts for them, with the role that it has. */
export interface MemberIdentity {
  readonly _tag: "Member"
  readonly credential: MemberCredential
  readonly user: Person<UserId>
  readonly club: SessionClub
  readonly role: Role
}

/** A student, always of one club. */
export interface StudentIdentity {
  readonly _tag: "Student"
  readonly session: Session
  readonly student: Person<StudentId>
  readonly club: SessionClub
}

/** The administrator who sends the request, if the path names no club. */
export class CurrentUser extends Context.Service<CurrentUser, UserIdentity>()("turma/identity/people/CurrentUser") {}
/** The member of the club in the path who sends the request. */
export class CurrentMember
  extends Context.Service<CurrentMember, MemberIdentity>()("turma/identity/people/CurrentMember")
{}
/** The student who sends the request. */
export class CurrentStudent
  extends Context.Service<CurrentStudent, StudentIdentity>()("turma/identity/people/CurrentStudent")
{}

/** A member or a student, on club routes that both use. */
export class CurrentPerson
  extends Context.Service<CurrentPerson, MemberIdentity | StudentIdentity>()("turma/identity/people/CurrentPerson")
{}

/** An administrator or a student, about the own session: `GET /v1/auth/session`. */
export class CurrentAccount extends Context.Service<CurrentAccount, {
  readonly session: Session
  readonly holder: Holder
  readonly account: Person<string>
  readonly club_id: OrganizationId | null
}>()("turma/identity/people/CurrentAccount") {}
