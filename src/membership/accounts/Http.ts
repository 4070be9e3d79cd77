import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import type { OrganizationId } from "../../identity/ids/ClubId.ts"
import type { AccountScope } from "../../identity/people/AccountScope.ts"
import { CurrentAccount, CurrentStudent, CurrentUser } from "../../identity/people/Identity.ts"
import { type IssuedSession, SessionStore } from "../../identity/sessions/SessionStore.ts"
import { nextPage } from "../../identity/tokens/NextPage.ts"
import { preferredLocale } from "../../platform/http/AcceptLanguage.ts"
import { versioned } from "../../platform/http/Contract.ts"
import { NotFound, ValidationFailed } from "../../platform/http/errors.ts"
import { group } from "../../platform/http/server/group.ts"
import { AdminAuthApi, PasswordsApi, SessionsApi, StudentAuthApi } from "./Api.ts"
import { CodeNeedsAddress } from "./CodeNeedsAddress.ts"
import type { CodePayload } from "./Credential.ts"
import type { AddressRequestKind } from "./CredentialRequest.ts"
import { CredentialRequests } from "./CredentialRequests.ts"
import { Credentials } from "./Credentials.ts"
import { SignInAttempts } from "./SignInAttempts.ts"

const accepted = { data: { accepted: true } } as const
const admin: AccountScope = { kind: "admin" }
const ofClub = ({ club_id }: { readonly club_id: OrganizationId }): AccountScope => ({
  kind: "student",
  organization_id: club_id
})

/** Mails to an account without a club are in the language that the browser asked for. */
const language = Effect.map(
  HttpServerRequest.HttpServerRequest,
  ({ headers }) => preferredLocale(headers["accept-language"])
)

const grant = ({ access_token, session }: IssuedSession) => ({
  data: { access_token, token_type: "Bearer", expires_at: session.expires_at, session }
} as const)

const verified = { data: { verified: true } } as const
const reset = { data: { reset: true } } as const
const changed = { data: { changed: true } } as const

const addressWanted = new ValidationFailed({ error: { message: "email is required" } })

/** Exchanges a code. A browser that keeps the session needs the address too. */
const exchangeWith = Effect.fnUntraced(function*(
  credentials: Credentials["Service"],
  kind: AccountScope["kind"],
  { code, email }: typeof CodePayload.Type
) {
  if (email === undefined && (yield* CodeNeedsAddress)) return yield* addressWanted
  return yield* credentials.exchange(kind, code, email)
})

/** Sign-up, sign-in, links and codes of administrators. */
export const AdminAuthHttp = group(
  versioned(AdminAuthApi),
  "adminAuth",
  Effect.fn(function*(handlers) {
    const attempts = yield* SignInAttempts
    const credentials = yield* Credentials
    const requests = yield* CredentialRequests
    const ask = Effect.fnUntraced(function*(kind: AddressRequestKind, email: string) {
      yield* requests.ask(kind, admin, email, yield* language)
      return accepted
    })
    return handlers.handleAll({
      signUp: Effect.fnUntraced(function*({ payload }) {
        yield* requests.signUp(admin, payload, yield* language)
        return accepted
      }),
      confirm: ({ payload }) => Effect.as(credentials.confirm("admin", payload.token), verified),
      resendConfirmation: ({ payload }) => ask("resend", payload.email),
      signIn: ({ payload: { email, password } }) =>
        Effect.map(attempts.signIn(admin, email, credentials.signIn(admin, email, password)), grant),
      access: ({ payload }) => ask("access", payload.email),
      exchange: ({ payload }) => Effect.map(exchangeWith(credentials, "admin", payload), grant),
      forgotPassword: ({ payload }) => ask("forgot", payload.email),
      resetPassword: ({ payload }) => Effect.as(credentials.reset("admin", payload.token, payload.password), reset)
    })
  })
)

/** Sign-up, sign-in, links and codes of students, each of the club that the body names. */
export const StudentAuthHttp = group(
  versioned(StudentAuthApi),
  "studentAuth",
  Effect.fn(function*(handlers) {
    const attempts = yield* SignInAttempts
    const credentials = yield* Credentials
    const requests = yield* CredentialRequests
    const ask = Effect.fnUntraced(function*(
      kind: AddressRequestKind,
      payload: { readonly club_id: OrganizationId; readonly email: string },
      next = ""
    ) {
      yield* requests.ask(kind, ofClub(payload), payload.email, yield* language, nextPage("student", next))
      return accepted
    })
    return handlers.handleAll({
      signUp: Effect.fnUntraced(function*({ payload }) {
        yield* requests.signUp(ofClub(payload), payload, yield* language)
        return accepted
      }),
      confirm: ({ payload }) => Effect.as(credentials.confirm("student", payload.token), verified),
      resendConfirmation: ({ payload }) => ask("resend", payload),
      signIn: ({ payload }) => {
        const scope = ofClub(payload)
        const signIn = credentials.signIn(scope, payload.email, payload.password)
        return Effect.map(attempts.signIn(scope, payload.email, signIn), grant)
      },
      access: ({ payload }) => ask("access", payload, payload.next),
      exchange: ({ payload }) => Effect.map(exchangeWith(credentials, "student", payload), grant),
      forgotPassword: ({ payload }) => ask("forgot", payload),
      resetPassword: ({ payload }) => Effect.as(credentials.reset("student", payload.token, payload.password), reset)
    })
  })
)

/** Changing a known password, of both identities. */
export const PasswordsHttp = group(
  versioned(PasswordsApi),
  "passwords",
  Effect.fn(function*(handlers) {
    const attempts = yield* SignInAttempts
    const credentials = yield* Credentials
    return handlers.handleAll({
      changeAdminPassword: Effect.fnUntraced(function*({ payload }) {
        const { session, user } = yield* CurrentUser
        const current = { session: session.id, password: payload.current_password }
        const holder = { kind: "admin", user_id: user.id } as const
        yield* attempts.change(holder, credentials.changePassword(holder, current, payload.password))
        return changed
      }),
      changeStudentPassword: Effect.fnUntraced(function*({ payload }) {
        const { club, session, student } = yield* CurrentStudent
        const current = { session: session.id, password: payload.current_password }
        const holder = { kind: "student", club_id: club.id, student_id: student.id } as const
        yield* attempts.change(holder, credentials.changePassword(holder, current, payload.password))
        return changed
      })
    })
  })
)

/** Sessions as their holder reads and ends them. */
export const SessionsHttp = group(
  versioned(SessionsApi),
  "sessions",
  Effect.fn(function*(handlers) {
    const sessions = yield* SessionStore
    return handlers.handleAll({
      current: () =>
        CurrentAccount.use(({ account, club_id, session }) => Effect.succeed({ data: { session, account, club_id } })),
      end: () => CurrentAccount.use(({ holder, session }) => Effect.asVoid(sessions.end(holder, session.id))),
      list: ({ query }) => CurrentAccount.use(({ holder, session }) => sessions.list(holder, session.id, query)),
      endOthers: () => CurrentAccount.use(({ holder, session }) => sessions.endOthers(holder, session.id)),
      endOne: ({ params }) =>
        CurrentAccount.use(Effect.fnUntraced(function*({ holder }) {
          if (!(yield* sessions.end(holder, params.id))) return yield* new NotFound()
        }))
    })
  })
)
