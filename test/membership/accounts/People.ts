import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { at, send } from "../../harness/App.ts"
import { Mailbox } from "../../harness/Mailbox.ts"
import { makeClub } from "../../harness/Makers.ts"

/** The routes of administrators, or of the students of one club. */
export interface Side {
  readonly kind: "admin" | "student"
  readonly base: string
  /** The fields of a body besides those of the person. */
  readonly place: { readonly club_id?: string }
}

export const admins: Side = { kind: "admin", base: "/v1/auth/admin", place: {} }

export const studentsOf = (club: { readonly organization_id: string }): Side => ({
  kind: "student",
  base: "/v1/auth",
  place: { club_id: club.organization_id }
})

/** For a rule that holds for both identities. The students' club is new. */
export const bothSides: ReadonlyArray<
  readonly [string, Effect.Effect<Side, unknown, Effect.Services<typeof newClub>>]
> = [
  ["an administrator", Effect.succeed(admins)],
  ["a student", Effect.suspend(() => Effect.map(newClub, studentsOf))]
]

const newClub = makeClub()

/** A new address. */
export const newAddress = Effect.gen(function*() {
  const random = yield* SecureRandom.SecureRandom
  return `${(yield* random.uuidV4()).replaceAll("-", "")}@mail.example`
}).pipe(Effect.provide(SecureRandom.layerWebCrypto))

interface Entered {
  readonly email: string
  readonly name?: string
  readonly password?: string
  readonly registration_code?: string
}

type Headers = Record<string, string>

export const signUp = (side: Side, entered: Entered, headers: Headers = {}) =>
  send("POST", `${side.base}/sign-up`, {
    body: { name: "Ana Souza", password: "correct horse", ...entered, ...side.place },
    headers
  })

export const resend = (side: Side, email: string) =>
  send("POST", `${side.base}/confirm/resend`, { body: { email, ...side.place } })

export const forgot = (side: Side, email: string) =>
  send("POST", `${side.base}/password/forgot`, { body: { email, ...side.place } })

export const access = (side: Side, email: string) =>
  send("POST", `${side.base}/access`, { body: { email, ...side.place } })

export const signIn = (side: Side, email: string, password = "correct horse", headers: Headers = {}) =>
  send("POST", `${side.base}/sign-in`, { body: { email, password, ...side.place }, headers })

export const confirm = (side: Side, token: string) => send("POST", `${side.base}/confirm`, { body: { token } })

export const exchange = (side: Side, code: string) => send("POST", `${side.base}/exchange`, { body: { code } })

export const reset = (side: Side, token: string, password = "a better one") =>
  send("POST", `${side.base}/password/reset`, { body: { token, password } })

export const changePassword = (side: Side, token: string, current_password: string, password = "a better one") =>
  send("POST", `${side.base}/password/change`, { token, body: { current_password, password } })

export const currentSession = (token: string) => send("GET", "/v1/auth/session", { token })

/** The token that a sign-in or an exchange answered. */
export const grantedBy = (answer: { readonly json: unknown }) => String(at(answer.json, "data", "access_token"))

/** A person who signed up and used the link. They have no session yet. */
export const registered = Effect.fn("registered")(function*(side: Side, given: Partial<Entered> = {}) {
  const mailbox = yield* Mailbox
  const email = given.email ?? (yield* newAddress)
  yield* signUp(side, { ...given, email })
  yield* confirm(side, yield* mailbox.secret(email.toLowerCase()))
  return { email, password: given.password ?? "correct horse" }
})

/** The same person, signed in. */
export const signedIn = Effect.fn("signedIn")(function*(side: Side) {
  const person = yield* registered(side)
  return { ...person, token: grantedBy(yield* signIn(side, person.email, person.password)) }
})

/** The subjects of all mails to this address so far, oldest first. */
export const subjects = Effect.fn("subjects")(function*(email: string) {
  const mailbox = yield* Mailbox
  return (yield* mailbox.to(email)).map(({ subject }) => subject)
})

/** The secret of the link that resets their password. */
export const resetLink = Effect.fn("resetLink")(function*(side: Side, email: string) {
  const mailbox = yield* Mailbox
  yield* forgot(side, email)
  return yield* mailbox.secret(email)
})

/** The code that signs them in. */
export const accessCode = Effect.fn("accessCode")(function*(side: Side, email: string) {
  const mailbox = yield* Mailbox
  yield* access(side, email)
  return yield* mailbox.secret(email)
})

/** The secret of the link that confirms their sign-up. */
export const signUpLink = Effect.fn("signUpLink")(function*(side: Side, email: string) {
  const mailbox = yield* Mailbox
  yield* signUp(side, { email })
  return yield* mailbox.secret(email)
})
