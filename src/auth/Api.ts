import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { OrganizationId } from "../clubs/Club.ts"
import { NotFound, TemporarilyUnavailable } from "../http/errors.ts"
import { NoStore } from "../http/NoStore.ts"
import { Data, InvalidCursor, Page, PageQuery } from "../http/Page.ts"
import { CredentialPosts, IpWrites } from "../limits/RateLimit.ts"
import { AnySession, StudentSession, UserSession } from "./Authentication.ts"
import {
  Accepted,
  AdminAddress,
  AdminSignIn,
  AdminSignUp,
  Changed,
  ChangePayload,
  CodeInvalid,
  CodePayload,
  EmailNotVerified,
  Grant,
  InvalidCredentials,
  Reset,
  ResetPayload,
  StudentAddress,
  StudentSignIn,
  StudentSignUp,
  TokenInvalid,
  TokenPayload,
  Verified
} from "./credentials/Credential.ts"
import { Session, SessionId } from "./sessions/Session.ts"

const accepted = Data(Accepted).pipe(HttpApiSchema.status(202))
const signInErrors = [InvalidCredentials, EmailNotVerified, TemporarilyUnavailable] as const
const resetErrors = [TokenInvalid, TemporarilyUnavailable] as const

/** The eight endpoints that both identities have, each with its own payloads. */
const credentialEndpoints = <
  SignUp extends Schema.Codec<unknown, unknown>,
  Address extends Schema.Codec<unknown, unknown>,
  SignIn extends Schema.Codec<unknown, unknown>
>(payloads: { readonly signUp: SignUp; readonly address: Address; readonly signIn: SignIn }) =>
  [
    HttpApiEndpoint.post("signUp", "/sign-up", {
      payload: payloads.signUp,
      success: accepted,
      error: TemporarilyUnavailable
    }),
    HttpApiEndpoint.post("confirm", "/confirm", {
      payload: TokenPayload,
      success: Data(Verified),
      error: TokenInvalid
    }),
    HttpApiEndpoint.post("resendConfirmation", "/confirm/resend", { payload: payloads.address, success: accepted }),
    HttpApiEndpoint.post("signIn", "/sign-in", {
      payload: payloads.signIn,
      success: Data(Grant),
      error: signInErrors
    }),
    HttpApiEndpoint.post("access", "/access", { payload: payloads.address, success: accepted }),
    HttpApiEndpoint.post("exchange", "/exchange", { payload: CodePayload, success: Data(Grant), error: CodeInvalid }),
    HttpApiEndpoint.post("forgotPassword", "/password/forgot", { payload: payloads.address, success: accepted }),
    HttpApiEndpoint.post("resetPassword", "/password/reset", {
      payload: ResetPayload,
      success: Data(Reset),
      error: resetErrors
    })
  ] as const

/** Credentials of administrators (contract, Endpoints 4 and Authentication 2). */
export class AdminAuthApi extends HttpApiGroup.make("adminAuth")
  .add(...credentialEndpoints({ signUp: AdminSignUp, address: AdminAddress, signIn: AdminSignIn }))
  .middleware(CredentialPosts)
  .middleware(NoStore)
  .prefix("/auth/admin")
  .annotate(OpenApi.Title, "Administrator credentials")
{}

/** Credentials of students, each of one club (contract, Authentication 3). */
export class StudentAuthApi extends HttpApiGroup.make("studentAuth")
  .add(...credentialEndpoints({ signUp: StudentSignUp, address: StudentAddress, signIn: StudentSignIn }))
  .middleware(CredentialPosts)
  .middleware(NoStore)
  .prefix("/auth")
  .annotate(OpenApi.Title, "Student credentials")
{}

const changeErrors = [InvalidCredentials, TemporarilyUnavailable] as const

/**
 * Changing a known password ends every other session of its holder. Counted before the session is looked at, like every
 * POST on these paths.
 */
export class PasswordsApi extends HttpApiGroup.make("passwords")
  .add(
    HttpApiEndpoint.post("changeAdminPassword", "/admin/password/change", {
      payload: ChangePayload,
      success: Data(Changed),
      error: changeErrors
    }).middleware(UserSession).middleware(CredentialPosts),
    HttpApiEndpoint.post("changeStudentPassword", "/password/change", {
      payload: ChangePayload,
      success: Data(Changed),
      error: changeErrors
    }).middleware(StudentSession).middleware(CredentialPosts)
  )
  .middleware(NoStore)
  .prefix("/auth")
  .annotate(OpenApi.Title, "Passwords")
{}

const CurrentSession = Schema.Struct({
  session: Session,
  account: Schema.Struct({
    id: Schema.String,
    name: Schema.String,
    email: Schema.String,
    verified: Schema.Boolean
  }),
  club_id: Schema.NullOr(OrganizationId)
})

/** Reading and ending sessions, of either identity. */
export class SessionsApi extends HttpApiGroup.make("sessions")
  .add(
    HttpApiEndpoint.get("current", "/session", { success: Data(CurrentSession) }),
    HttpApiEndpoint.delete("end", "/session", { success: HttpApiSchema.NoContent }),
    HttpApiEndpoint.get("list", "/sessions", { query: PageQuery, success: Page(Session), error: InvalidCursor }),
    HttpApiEndpoint.delete("endOthers", "/sessions", { success: HttpApiSchema.NoContent }),
    HttpApiEndpoint.delete("endOne", "/sessions/:id", {
      params: { id: SessionId },
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
  )
  .middleware(IpWrites)
  .middleware(AnySession)
  .middleware(NoStore)
  .prefix("/auth")
  .annotate(OpenApi.Title, "Sessions")
{}
