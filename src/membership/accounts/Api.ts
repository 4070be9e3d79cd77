import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AuthBodyLimit } from "../../identity/authentication/AuthBodyLimit.ts"
import { AnySession, StudentSession, UserSession } from "../../identity/authentication/Authentication.ts"
import { OrganizationId } from "../../identity/ids/ClubId.ts"
import { CredentialPosts, IpWrites } from "../../identity/limits/RateLimit.ts"
import { Session, SessionId } from "../../identity/people/Session.ts"
import { TokenInvalid, TokenPayload } from "../../identity/tokens/TokenPayload.ts"
import { GroupAudience } from "../../platform/http/Audience.ts"
import { described } from "../../platform/http/Described.ts"
import { NotFound, TemporarilyUnavailable } from "../../platform/http/errors.ts"
import { field } from "../../platform/http/Field.ts"
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
  InvalidCredentials,
  Reset,
  ResetPayload,
  SessionGrant,
  StudentAccess,
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
  Access extends Schema.Codec<unknown, unknown>,
  SignIn extends Schema.Codec<unknown, unknown>
>(
  who: "an administrator" | "a student",
  payloads: { readonly signUp: SignUp; readonly address: Address; readonly access: Access; readonly signIn: SignIn }
) =>
  [
    HttpApiEndpoint.post("signUp", "/sign-up", {
      payload: payloads.signUp,
      success: accepted,
      error: TemporarilyUnavailable
    }).annotateMerge(described(
      `Sign up as ${who}`,
      "Mails a link that makes the account; until it is used nothing is there, and no session begins. The answer is the same for an address that has an account already: its holder is mailed that somebody tried. The link works once, for 24 hours."
    )),
    HttpApiEndpoint.post("confirm", "/confirm", {
      payload: TokenPayload,
      success: Data(Verified),
      error: TokenInvalid
    }).annotateMerge(described(
      `Confirm the address of ${who}`,
      "Uses the link of a sign-up up: the account gets the name and the password of that sign-up, and may sign in. No session begins."
    )),
    HttpApiEndpoint.post("resendConfirmation", "/confirm/resend", { payload: payloads.address, success: accepted })
      .annotateMerge(described(
        `Mail the confirmation link of ${who} again`,
        "Sends the link of a sign-up again if it was lost or is too old. Nothing is mailed if no sign-up of the address waits, or if several do: signing up again sends a link of its own. The answer does not tell."
      )),
    HttpApiEndpoint.post("signIn", "/sign-in", {
      payload: payloads.signIn,
      success: Data(SessionGrant),
      error: signInErrors
    }).annotateMerge(described(
      `Sign in as ${who} with a password`,
      "Begins a session and answers its token, this once. After ten failures for an address from one network within 15 minutes, or a hundred from anywhere, the answer is 429 until they are over."
    )),
    HttpApiEndpoint.post("access", "/access", { payload: payloads.access, success: accepted }).annotateMerge(described(
      `Mail ${who} a link to sign in with`,
      "Mails a code, in a link, that `exchange` takes in place of a password, once and for 15 minutes. Nothing is mailed to an address without an account. The answer does not tell."
    )),
    HttpApiEndpoint.post("exchange", "/exchange", {
      payload: CodePayload,
      success: Data(SessionGrant),
      error: CodeInvalid
    })
      .annotateMerge(described(
        `Sign in as ${who} with a mailed code`,
        "Uses the code up, begins a session and answers its token, this once. The address counts as confirmed, since the mail has come."
      )),
    HttpApiEndpoint.post("forgotPassword", "/password/forgot", { payload: payloads.address, success: accepted })
      .annotateMerge(described(
        `Mail ${who} a link to choose a new password`,
        "The link works once, for an hour; the old password stays until then. Nothing is mailed to an address without an account. The answer does not tell."
      )),
    HttpApiEndpoint.post("resetPassword", "/password/reset", {
      payload: ResetPayload,
      success: Data(Reset),
      error: resetErrors
    }).annotateMerge(described(
      `Choose a new password as ${who}, by a mailed link`,
      "Uses the link up, ends every session of the account, and mails its holder that the password is another. No session begins."
    ))
  ] as const

/** Credentials of administrators (contract, Endpoints 4 and Authentication 2). */
export class AdminAuthApi extends HttpApiGroup.make("adminAuth")
  .add(...credentialEndpoints("an administrator", {
    signUp: AdminSignUp,
    address: AdminAddress,
    access: AdminAddress,
    signIn: AdminSignIn
  }))
  .middleware(CredentialPosts)
  .middleware(AuthBodyLimit)
  .middleware(NoStore)
  .prefix("/auth/admin")
  .annotate(GroupAudience, "dashboard")
  .annotate(OpenApi.Title, "Administrator credentials")
  .annotate(
    OpenApi.Description,
    "Signing up and in as an administrator, and choosing a new password, by password or by mailed links"
  )
{}

/** Credentials of students, each of one club (contract, Authentication 3). */
export class StudentAuthApi extends HttpApiGroup.make("studentAuth")
  .add(...credentialEndpoints("a student", {
    signUp: StudentSignUp,
    address: StudentAddress,
    access: StudentAccess,
    signIn: StudentSignIn
  }))
  .middleware(CredentialPosts)
  .middleware(AuthBodyLimit)
  .middleware(NoStore)
  .prefix("/auth")
  .annotate(GroupAudience, "classroom")
  .annotate(OpenApi.Title, "Student credentials")
  .annotate(
    OpenApi.Description,
    "Signing up and in as a student of one club, and choosing a new password, by password or by mailed links"
  )
{}

const changeDescription =
  "Ends every other session of the account; the one that asks goes on. A wrong current password counts like a failed sign-in."
const changeErrors = [InvalidCredentials, TemporarilyUnavailable] as const

/**
 * Changing a known password ends every other session of its holder. Counted before the session is checked, like every POST
 * on these paths.
 */
export class PasswordsApi extends HttpApiGroup.make("passwords")
  .add(
    HttpApiEndpoint.post("changeAdminPassword", "/admin/password/change", {
      payload: ChangePayload,
      success: Data(Changed),
      error: changeErrors
    }).annotateMerge(described("Change an administrator's known password", changeDescription)).middleware(UserSession)
      .middleware(CredentialPosts),
    HttpApiEndpoint.post("changeStudentPassword", "/password/change", {
      payload: ChangePayload,
      success: Data(Changed),
      error: changeErrors
    }).annotateMerge(described("Change a student's known password", changeDescription)).middleware(StudentSession)
      .middleware(CredentialPosts)
  )
  .middleware(AuthBodyLimit)
  .middleware(NoStore)
  .prefix("/auth")
  .annotate(GroupAudience, "dashboard")
  .annotate(OpenApi.Title, "Passwords")
  .annotate(OpenApi.Description, "Changing a password that is known, which ends every other session")
{}

const CurrentSession = Schema.Struct({
  session: Session.pipe(field("The session that asks")),
  account: Schema.Struct({
    id: Schema.String.annotate({ format: "uuid" })
      .pipe(field(
        "The `id` of the administrator, or of the student in their club",
        "019d4860-d9c0-7a10-8c4e-5b1d2f3a4c5d"
      )),
    name: Schema.String.pipe(field("The person's name", "Ana Souza")),
    email: Schema.String.annotate({ format: "email" }).pipe(field("Their e-mail address", "ana@school.example")),
    verified: Schema.Boolean.pipe(field("True once a mailed link has proven the address"))
  }).pipe(field("Whose session it is")),
  club_id: Schema.NullOr(OrganizationId)
    .pipe(field("The public id of the student's club; null for an administrator, who may belong to several"))
})

/** Reading and ending sessions, of either identity. */
export class SessionsApi extends HttpApiGroup.make("sessions")
  .add(
    HttpApiEndpoint.get("current", "/session", { success: Data(CurrentSession) }).annotateMerge(described(
      "Read the session and whose it is",
      "Of either kind. It tells a client that has kept a token what the token is for."
    )),
    HttpApiEndpoint.delete("end", "/session", { success: HttpApiSchema.NoContent })
      .annotateMerge(described(
        "End the session",
        "The token of this request is refused from now on, at once and everywhere."
      )),
    HttpApiEndpoint.get("list", "/sessions", { query: PageQuery, success: Page(Session), error: InvalidCursor })
      .annotateMerge(described(
        "List one's own sessions",
        "Those that have not ended, newest first, the one that asks among them."
      )),
    HttpApiEndpoint.delete("endOthers", "/sessions", { success: HttpApiSchema.NoContent })
      .annotateMerge(described(
        "End every other session",
        "Also those left open on other machines. The session that asks goes on."
      )),
    HttpApiEndpoint.delete("endOne", "/sessions/:id", {
      params: { id: SessionId.pipe(field("The `id` of a session in the list of one's own")) },
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotateMerge(described(
      "End one of one's own sessions",
      "Its token is refused from now on. It may be the session that asks."
    ))
  )
  .middleware(IpWrites)
  .middleware(AnySession)
  .middleware(AuthBodyLimit)
  .middleware(NoStore)
  .prefix("/auth")
  .annotate(GroupAudience, "dashboard")
  .annotate(OpenApi.Title, "Sessions")
  .annotate(OpenApi.Description, "Reading and ending sessions, of administrators and students alike")
{}
