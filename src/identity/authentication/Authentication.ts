import { Context, Schema } from "effect"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { ApiError } from "../../platform/http/ApiError.ts"
import { field } from "../../platform/http/Field.ts"
import { RateLimited } from "../limits/RateLimit.ts"
import type {
  CurrentAccount,
  CurrentMember,
  CurrentPerson,
  CurrentStudent,
  CurrentUser,
  MemberIdentity
} from "../people/Identity.ts"
import type { Role } from "../people/Role.ts"

/** No session, or a session of the other kind of account (contract, Authentication 1). */
export class Unauthenticated extends ApiError<Unauthenticated>()("Unauthenticated", {
  status: 401,
  code: "unauthenticated",
  message: {
    en: "The session is missing, expired, revoked or of the other kind of account: send Authorization: Bearer <token>",
    "pt-BR": "A sessão ou a chave falta, expirou ou foi revogada: entre ou envie outra."
  }
}) {}

/** One answer for a club that does not exist and a club where the session has no right to act (contract, Endpoints 8). */
export class Forbidden extends ApiError<Forbidden>()("Forbidden", {
  status: 403,
  code: "forbidden",
  message: {
    en: "The session may not do this here: there is no such club, it is another's, or your role does not allow it",
    "pt-BR": "Isto não é permitido aqui: o clube não existe, é de outra equipe ou seu papel não permite."
  }
}) {}

/** The roles with the club administration permission. */
export const administration: ReadonlyArray<Role> = ["owner", "admin"]
/** True if a member sees tax documents: owner and admin in person do. A key never does. */
export const seesDocuments = ({ credential, role }: MemberIdentity): boolean =>
  credential.kind === "session" && administration.includes(role)
/** The roles that write a club's published content. */
export const contentStaff: ReadonlyArray<Role> = ["owner", "admin", "editor"]
/** Who supports the students. */
export const supportStaff: ReadonlyArray<Role> = ["owner", "admin", "support"]
/** The roles that answer and moderate discussions: content staff and support staff (http-surface, Community). */
export const moderators: ReadonlyArray<Role> = ["owner", "admin", "editor", "support"]

/**
 * The roles that may call a club route: `.annotate(AllowedRoles, administration)`. Without it every member reads and
 * the administration writes.
 */
export const AllowedRoles = Context.Reference<ReadonlyArray<Role> | undefined>(
  "turma/identity/authentication/AllowedRoles",
  {
    defaultValue: () => undefined
  }
)

const userSession = HttpApiSecurity.bearer
const studentSession = HttpApiSecurity.bearer
const clubKey = HttpApiSecurity.bearer

// A failed credential on a write counts against its IP address, so each may also answer 429.
const sessionErrors = [Unauthenticated, RateLimited] as const
const clubSessionErrors = [Unauthenticated, Forbidden, RateLimited] as const

/** An administrator, outside any club. */
export class UserSession extends HttpApiMiddleware.Service<UserSession, { provides: CurrentUser }>()(
  "turma/identity/authentication/UserSession",
  { requiredForClient: true, security: { userSession }, error: sessionErrors }
) {}

/** A student, on a route without a club in its path. */
export class StudentSession extends HttpApiMiddleware.Service<StudentSession, { provides: CurrentStudent }>()(
  "turma/identity/authentication/StudentSession",
  { requiredForClient: true, security: { studentSession }, error: sessionErrors }
) {}

/** Either identity, about its own session. */
export class AnySession extends HttpApiMiddleware.Service<AnySession, { provides: CurrentAccount }>()(
  "turma/identity/authentication/AnySession",
  { requiredForClient: true, security: { userSession, studentSession }, error: sessionErrors }
) {}

/**
 * The club in the path. The session's right decides, not a schema, so that unknown, malformed and foreign clubs have the
 * same answer (contract, Endpoints 8).
 */
export const clubPath = {
  clubId: Schema.String.pipe(field(
    "The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session`",
    "6f0c1f1e-4b0a-4c6e-9d53-2f1f9b6a7e10"
  ))
}

/**
 * A member of the club in the path, with one of the endpoint's `AllowedRoles`, or a key of the club. Which keys: those with
 * such a role, or with a scope of the group's `KeyFeature`.
 */
export class ClubMember extends HttpApiMiddleware.Service<ClubMember, { provides: CurrentMember }>()(
  "turma/identity/authentication/ClubMember",
  { requiredForClient: true, security: { userSession, clubKey }, error: clubSessionErrors }
) {}

/** The same without keys, for what is a person's alone: members, keys, the billing portal, read marks. */
export class ClubMemberInPerson extends HttpApiMiddleware.Service<ClubMemberInPerson, { provides: CurrentMember }>()(
  "turma/identity/authentication/ClubMemberInPerson",
  { requiredForClient: true, security: { userSession }, error: clubSessionErrors }
) {}

/** A key of any club, about itself. */
export class ClubKeyHolder extends HttpApiMiddleware.Service<ClubKeyHolder, { provides: CurrentMember }>()(
  "turma/identity/authentication/ClubKeyHolder",
  { requiredForClient: true, security: { clubKey }, error: sessionErrors }
) {}

/** A student of the club in the path. */
export class ClubStudent extends HttpApiMiddleware.Service<ClubStudent, { provides: CurrentStudent }>()(
  "turma/identity/authentication/ClubStudent",
  { requiredForClient: true, security: { studentSession }, error: clubSessionErrors }
) {}

/** A member, a key or a student of the club in the path. */
export class ClubPerson extends HttpApiMiddleware.Service<ClubPerson, { provides: CurrentPerson }>()(
  "turma/identity/authentication/ClubPerson",
  { requiredForClient: true, security: { userSession, studentSession, clubKey }, error: clubSessionErrors }
) {}
