import { Effect, Option, Result } from "effect"
import type { AccountScope } from "../../identity/people/AccountScope.ts"
import type { IssuedSession } from "../../identity/sessions/SessionStore.ts"
import { landing } from "../../identity/tokens/NextPage.ts"
import type { Form } from "../../platform/pages/Form.ts"
import { html } from "../../platform/pages/Html.ts"
import { AdminSignIn } from "../accounts/Credential.ts"
import { fieldsOf, formOf, type FormParts, reading, type Wrong } from "./Fields.ts"
import type { Place } from "./Place.ts"
import type { PageServices } from "./Services.ts"
import type { Sheet } from "./Sheet.ts"
import type { Arrival, Visit } from "./Visit.ts"
import { accountOf, endVisit, type Visitor, visitorIn } from "./Visitor.ts"
import type { Words } from "./words/English.ts"

const readSignIn = reading(AdminSignIn)

/** A refused sign-in: the faults for the form, with the status of the API. */
export interface NotSignedIn {
  readonly wrong: Wrong
  readonly status: number
}

const wrongFields = ({ wrong }: Words, names: ReadonlyArray<string>): Wrong =>
  Object.fromEntries(names.map((name) => [name, name === "email" ? wrong.email : wrong.password]))

/** Signs in with the form's `email` and `password`, counted like a sign-in of the API. */
export const signInWith = Effect.fnUntraced(function*(
  { attempts, credentials }: PageServices,
  { scope, words }: { readonly scope: AccountScope; readonly words: Words },
  form: Form
) {
  const read = readSignIn({ email: form("email").trim(), password: form("password") })
  if (Result.isFailure(read)) return Result.fail<NotSignedIn>({ wrong: wrongFields(words, read.failure), status: 422 })
  const { email, password } = read.success
  return yield* attempts.signIn(scope, email, credentials.signIn(scope, email, password)).pipe(
    Effect.map((issued) => Result.succeed(issued)),
    Effect.catchTags({
      InvalidCredentials: () => Effect.succeed(Result.fail({ wrong: { "": words.wrong.credentials }, status: 401 })),
      EmailNotVerified: () => Effect.succeed(Result.fail({ wrong: { "": words.wrong.notVerified }, status: 403 }))
    })
  )
})

/** The person goes on, signed in, to where they wanted to be. */
export const arrivalIn = ({ next, scope }: Place, issued: IssuedSession): Arrival => ({
  _tag: "Arrival",
  issued,
  to: landing(scope, next)
})

/** The ways beside a form for e-mail and password. */
export const signInWays = ({ to, words }: Place) => [
  { label: words.links.forgot, to: to("forgot") },
  { label: words.links.access, to: to("access") },
  { label: words.links.signUp, to: to("sign-up") }
]

/** For a person who is signed in here already. */
export const signedInSheet = (place: Place, visitor: Visitor): Sheet => {
  const { next, scope, to, words } = place
  return {
    title: words.signedIn.title,
    body: html`${accountOf(visitor)}
<form method="post" action="${to("sign-out")}"><div class="actions">
<a class="button" href="${landing(scope, next)}">${words.signedIn.goOn}</a>
<button class="quiet" type="submit">${words.signedIn.signOut}</button></div></form>`
  }
}

const signInSheet = (place: Place, more: Partial<FormParts> = {}): Sheet => {
  const { to, words } = place
  const { email, password } = fieldsOf(words)
  return {
    title: words.signIn.title,
    intro: words.signIn.intro,
    body: formOf({ words, action: to("sign-in"), submit: words.signIn.submit, fields: [email, password], ...more }),
    links: signInWays(place)
  }
}

const signIn = (services: PageServices): Visit => ({
  path: "sign-in",
  show: Effect.fnUntraced(function*(place) {
    const visitor = yield* visitorIn(services, place.scope)
    return Option.match(visitor, {
      onNone: () => signInSheet(place),
      onSome: (known) => signedInSheet(place, known)
    })
  }),
  submit: Effect.fnUntraced(function*(place, form) {
    const result = yield* signInWith(services, place, form)
    if (Result.isSuccess(result)) return arrivalIn(place, result.success)
    const { status, wrong } = result.failure
    const sheet = signInSheet(place, { entered: form, wrong })
    const resend = { label: place.words.links.resend, to: place.to("resend") }
    return { ...sheet, status, links: [...(status === 403 ? [resend] : []), ...signInWays(place)] }
  })
})

const signOut = (services: PageServices): Visit => ({
  path: "sign-out",
  submit: Effect.fnUntraced(function*({ scope, to, words }) {
    yield* endVisit(services, scope)
    const { text, title } = words.signedOut
    const sheet = { title, intro: text, links: [{ label: words.links.signIn, to: to("sign-in") }] }
    return { _tag: "Departure", sheet } as const
  })
})

/** Signing in with a password, and out. */
export const signInVisits = (services: PageServices): ReadonlyArray<Visit> => [signIn(services), signOut(services)]
