import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AuthBodies } from "../../identity/authentication/AuthBodies.ts"
import { AnySession, StudentSession, UserSession } from "../../identity/authentication/Authentication.ts"
import { OrganizationId } from "../../identity/ids/ClubId.ts"
import { CredentialPosts, IpWrites } from "../../identity/limits/RateLimit.ts"
import { Session, SessionId } from "../../identity/people/Session.ts"
import { TokenInvalid, TokenPayload } from "../../identity/tokens/TokenPayload.ts"
import { NotFound, TemporarilyUnavailable } from "../../platform/http/errors.ts"
import { NoStore } from "../../platform/http/NoStore.ts"
import { Data, InvalidCursor, Page, PageQuery } from "../../platform/http/Page.ts"
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
  Verified
} from "./Credential.ts"

const accepted = Data(Accepted).pipe(HttpApiSchema.status(202))
const signInErrors = [InvalidCredentials, EmailNotVerified, TemporarilyUnavailable] as const
const resetErrors = [TokenInvalid, TemporarilyUnavailable] as const

/** The eight endpoints that both identities have, each with its own payloads; `who` is in their summaries. */
const credentialEndpoints = <
  SignUp extends Schema.Codec<unknown, unknown>,
  Address extends Schema.Codec<unknown, unknown>,
  SignIn extends Schema.Codec<unknown, unknown>
>(
  who: "an administrator" | "a student",
  payloads: { readonly signUp: SignUp; readonly address: Address; readonly signIn: SignIn }
) =>
  [
    HttpApiEndpoint.post("signUp", "/sign-up", {
      payload: payloads.signUp,
      success: accepted,
      error: TemporarilyUnavailable
    }).annotate(OpenApi.Summary, `Sign up as ${who}`),
    HttpApiEndpoint.post("confirm", "/confirm", {
      payload: TokenPayload,
      success: Data(Verified),
      error: TokenInvalid
    }).annotate(OpenApi.Summary, `Confirm the address of ${who}`),
    HttpApiEndpoint.post("resendConfirmation", "/confirm/resend", { payload: payloads.address, success: accepted })
      .annotate(OpenApi.Summary, `Mail the confirmation link of ${who} again`),
    HttpApiEndpoint.post("signIn", "/sign-in", {
      payload: payloads.signIn,
      success: Data(Grant),
      error: signInErrors
    }).annotate(OpenApi.Summary, `Sign in as ${who} with a password`),
    HttpApiEndpoint.post("access", "/access", { payload: payloads.address, success: accepted }).annotate(
      OpenApi.Summary,
      `Mail ${who} a link to sign in with`
    ),
    HttpApiEndpoint.post("exchange", "/exchange", { payload: CodePayload, success: Data(Grant), error: CodeInvalid })
      .annotate(OpenApi.Summary, `Sign in as ${who} with a mailed code`),
    HttpApiEndpoint.post("forgotPassword", "/password/forgot", { payload: payloads.address, success: accepted })
      .annotate(OpenApi.Summary, `Mail ${who} a link to choose a new password`),
    HttpApiEndpoint.post("resetPassword", "/password/reset", {
      payload: ResetPayload,
      success: Data(Reset),
      error: resetErrors
    }).annotate(OpenApi.Summary, `Choose a new password as ${who}, by a mailed link`)
  ] as const

/** Credentials of administrators (contract, Endpoints 4 and Authentication 2). */
export class AdminAuthApi extends HttpApiGroup.make("adminAuth")
  .add(...credentialEndpoints("an administrator", { signUp: AdminSignUp, address: AdminAddress, signIn: AdminSignIn }))
  .middleware(CredentialPosts)
  .middleware(AuthBodies)
  .middleware(NoStore)
  .prefix("/auth/admin")
  .annotate(OpenApi.Title, "Administrator credentials")
  .annotate(
    OpenApi.Description,
    "Signing up and in as an administrator, and choosing a new password, by password or by mailed links"
  )
{}

/** Credentials of students, each of one club (contract, Authentication 3). */
export class StudentAuthApi extends HttpApiGroup.make("studentAuth")
  .add(...credentialEndpoints("a student", { signUp: StudentSignUp, address: StudentAddress, signIn: StudentSignIn }))
  .middleware(CredentialPosts)
  .middleware(AuthBodies)
  .middleware(NoStore)
  .prefix("/auth")
  .annotate(OpenApi.Title, "Student credentials")
  .annotate(
    OpenApi.Description,
    "Signing up and in as a student of one club, and choosing a new password, by password or by mailed links"
  )
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
    }).annotate(OpenApi.Summary, "Change an administrator's known password").middleware(UserSession).middleware(
      CredentialPosts
    ),
    HttpApiEndpoint.post("changeStudentPassword", "/password/change", {
      payload: ChangePayload,
      success: Data(Changed),
      error: changeErrors
    }).annotate(OpenApi.Summary, "Change a student's known password").middleware(StudentSession).middleware(
      CredentialPosts
    )
  )
  .middleware(AuthBodies)
  .middleware(NoStore)
  .prefix("/auth")
  .annotate(OpenApi.Title, "Passwords")
  .annotate(OpenApi.Description, "Changing a password that is known, which ends every other session")
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
    HttpApiEndpoint.get("current", "/session", { success: Data(CurrentSession) }).annotate(
      OpenApi.Summary,
      "Read the session and whose it is"
    ),
    HttpApiEndpoint.delete("end", "/session", { success: HttpApiSchema.NoContent }).annotate(
      OpenApi.Summary,
      "End the session"
    ),
    HttpApiEndpoint.get("list", "/sessions", { query: PageQuery, success: Page(Session), error: InvalidCursor })
      .annotate(OpenApi.Summary, "List one's own sessions"),
    HttpApiEndpoint.delete("endOthers", "/sessions", { success: HttpApiSchema.NoContent }).annotate(
      OpenApi.Summary,
      "End every other session"
    ),
    HttpApiEndpoint.delete("endOne", "/sessions/:id", {
      params: { id: SessionId },
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotate(OpenApi.Summary, "End one of one's own sessions")
  )
  .middleware(IpWrites)
  .middleware(AnySession)
  .middleware(AuthBodies)
  .middleware(NoStore)
  .prefix("/auth")
  .annotate(OpenApi.Title, "Sessions")
  .annotate(OpenApi.Description, "Reading and ending sessions, of administrators and students alike")
{}
