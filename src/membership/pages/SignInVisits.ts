import { DateTime, Effect, Option, Redacted, Result } from "effect"
import type { AccountScope } from "../../identity/people/AccountScope.ts"
import type { Holder } from "../../identity/people/Holder.ts"
import type { IssuedSession } from "../../identity/sessions/SessionStore.ts"
import type { Form } from "../../platform/pages/Form.ts"
import { html } from "../../platform/pages/Html.ts"
import { AdminSignIn } from "../accounts/Credential.ts"
import { fieldsOf, formOf, type FormParts, reading, type Wrong } from "./Fields.ts"
import type { Place } from "./Place.ts"
import type { PageServices } from "./Services.ts"
import type { Sheet } from "./Sheet.ts"
import type { Visit } from "./Visit.ts"
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

/** The ways beside a form for e-mail and password. */
export const signInWays = ({ to, words }: Place) => [
  { label: words.links.forgot, to: to("forgot") },
  { label: words.links.access, to: to("access") },
  { label: words.links.signUp, to: to("sign-up") }
]

/** Shows the session's token, once: without an app of its own, a club's people have nothing else to go on with. */
export const signedIn = ({ locale, scope, to, words }: Place, { access_token, session }: IssuedSession): Sheet => {
  const said = words.signedIn
  const token = Redacted.value(access_token)
  const until = DateTime.format(session.expires_at, { locale, dateStyle: "long", timeZone: "UTC" })
  return {
    title: said.title,
    intro: said.intro,
    body: html`<div class="field">
<label for="access_token">${said.label}</label>
<input id="access_token" class="code" type="text" readonly autocomplete="off" spellcheck="false" value="${token}"
 aria-describedby="access_token-hint">
<p class="hint" id="access_token-hint">${said.until(until)}</p>
</div>
<div class="notice"><strong>${said.warning}</strong><p>${said.warningText}</p></div>
<form method="post" action="${to("sign-out")}"><input type="hidden" name="access_token" value="${token}">
<div class="actions"><button class="quiet" type="submit">${said.signOut}</button></div></form>`,
    links: [
      ...(scope.kind === "admin" ? [{ label: words.links.found, to: to("club") }] : []),
      { label: words.links.documentation, to: "/docs" }
    ]
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
  show: (place) => signInSheet(place),
  submit: Effect.fnUntraced(function*(place, form) {
    const result = yield* signInWith(services, place, form)
    if (Result.isSuccess(result)) return signedIn(place, result.success)
    const { status, wrong } = result.failure
    const sheet = signInSheet(place, { entered: form, wrong })
    const resend = { label: place.words.links.resend, to: place.to("resend") }
    return { ...sheet, status, links: [...(status === 403 ? [resend] : []), ...signInWays(place)] }
  })
})

const signOut = ({ sessions }: PageServices): Visit => ({
  path: "sign-out",
  submit: Effect.fnUntraced(function*({ to, words }, form) {
    const found = yield* sessions.find(Redacted.make(form("access_token")), Option.none())
    if (Option.isSome(found)) {
      const identity = found.value
      const holder: Holder = identity._tag === "User"
        ? { kind: "admin", user_id: identity.user.id }
        : { kind: "student", club_id: identity.club.id, student_id: identity.student.id }
      yield* sessions.end(holder, identity.session.id)
    }
    const { text, title } = words.signedOut
    return { title, intro: text, links: [{ label: words.links.signIn, to: to("sign-in") }] }
  })
})

/** Signing in with a password, and ending that session. */
export const signInVisits = (services: PageServices): ReadonlyArray<Visit> => [signIn(services), signOut(services)]
