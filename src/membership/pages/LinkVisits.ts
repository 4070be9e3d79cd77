import { Effect, Option, Result, Schema } from "effect"
import { OneTimeSecret } from "../../identity/tokens/TokenPayload.ts"
import type { Form } from "../../platform/pages/Form.ts"
import { html } from "../../platform/pages/Html.ts"
import { AdminAddress, CodePayload, ResetPayload } from "../accounts/Credential.ts"
import { askForm } from "./AskVisits.ts"
import { fieldsOf, formOf, type FormParts, reading, type Wrong } from "./Fields.ts"
import type { Place } from "./Place.ts"
import type { PageServices } from "./Services.ts"
import { next, type Sheet } from "./Sheet.ts"
import { signedIn } from "./SignInVisits.ts"
import type { Visit } from "./Visit.ts"

const decodeSecret = Schema.decodeUnknownOption(OneTimeSecret)
const readReset = reading(ResetPayload)
const readCode = reading(Schema.Struct({ ...AdminAddress.fields, code: CodePayload.fields.code }))

/** The characters of our links and codes. Any other text is not ours. */
const secretShape = /^[A-Za-z0-9_-]{1,200}$/
const secretIn = (text: string) => secretShape.test(text.trim()) ? text.trim() : ""

/** A link that was used, is too old, or never was: all look the same, and a new one is offered. */
const gone = (place: Place, page: "confirm" | "reset", title: string): Sheet => {
  const { to, words } = place
  const kind = page === "confirm" ? "resend" : "forgot"
  return {
    title,
    status: 422,
    body: html`<p role="alert">${words[page].gone}</p><h2>${words.gone.again}</h2>${askForm(place, kind)}`,
    links: [{ label: words.links.signIn, to: to("sign-in") }]
  }
}

const confirm = ({ credentials }: PageServices): Visit => ({
  path: "confirm",
  show: (place, query) => {
    const { to, words } = place
    const token = secretIn(query("token"))
    const { gone: _, intro, submit, title } = words.confirm
    return token === ""
      ? { title: words.resend.title, intro: words.resend.intro, body: askForm(place, "resend") }
      : { title, intro, body: formOf({ words, action: to("confirm"), submit, hidden: { token } }) }
  },
  submit: Effect.fnUntraced(function*(place, form) {
    const { scope, to, words } = place
    const token = decodeSecret(secretIn(form("token")))
    const used = Option.isSome(token) && (yield* Effect.match(credentials.confirm(scope.kind, token.value), {
      onFailure: () => false,
      onSuccess: () => true
    }))
    if (!used) return gone(place, "confirm", words.gone.title)
    const signIn = { label: words.links.signIn, to: to("sign-in") }
    const isAdmin = scope.kind === "admin"
    return {
      title: words.confirm.done,
      intro: isAdmin ? words.confirm.nextAdministrator : words.confirm.next,
      body: isAdmin ? next([{ label: words.links.found, to: to("club") }, signIn]) : next([signIn])
    }
  })
})

const reset = ({ credentials }: PageServices): Visit => {
  const sheet = ({ to, words }: Place, token: string, more: Partial<FormParts> = {}): Sheet => {
    const { intro, submit, title } = words.reset
    const fields = [fieldsOf(words).newPassword]
    return { title, intro, body: formOf({ words, action: to("reset"), submit, fields, hidden: { token }, ...more }) }
  }
  return {
    path: "reset",
    show: (place, query) => {
      const token = secretIn(query("token"))
      const { intro, title } = place.words.forgot
      return token === "" ? { title, intro, body: askForm(place, "forgot") } : sheet(place, token)
    },
    submit: Effect.fnUntraced(function*(place, form) {
      const { scope, to, words } = place
      const token = secretIn(form("token"))
      const read = readReset({ token, password: form("password") })
      if (Result.isFailure(read)) {
        if (token === "") return gone(place, "reset", words.gone.title)
        return { ...sheet(place, token, { wrong: { password: words.wrong.password } }), status: 422 }
      }
      const done: Sheet = {
        title: words.reset.done,
        intro: words.reset.next,
        body: next([{ label: words.links.signIn, to: to("sign-in") }])
      }
      return yield* credentials.reset(scope.kind, read.success.token, read.success.password).pipe(
        Effect.as(done),
        Effect.catchTag("TokenInvalid", () => Effect.succeed(gone(place, "reset", words.gone.title)))
      )
    })
  }
}

/** The code may belong to another app, which no page can know. So the page shows it for use there. */
const elsewhere = ({ words }: Place, code: string) =>
  html`<details><summary>${words.enter.elsewhere}</summary><div class="stack">
<p>${words.enter.elsewhereHint}</p><p class="copied">${code}</p></div></details>`

/** Entered by hand, the code is a field; from a link it stays hidden, and only the address is entered. */
const enterSheet = (place: Place, linked: string, more: Partial<FormParts> = {}): Sheet => {
  const { scope, to, words } = place
  const { emailHint, intro, manual, submit, title } = words.enter
  const { code, email } = fieldsOf(words)
  const address = { ...email, autocomplete: "email", hint: emailHint }
  const parts = { words, action: to("enter"), submit, ...more }
  const again = { label: words.links.newCode, to: to("access") }
  if (linked === "") {
    return { title, intro: manual, body: formOf({ ...parts, fields: [address, code] }), links: [again] }
  }
  const form = formOf({ ...parts, fields: [address], hidden: { code: linked, linked: "yes" } })
  const console = { label: words.links.console, to: `/console?code=${linked}` }
  return {
    title,
    intro,
    body: html`${form}${elsewhere(place, linked)}`,
    links: scope.kind === "admin" ? [again, console] : [again]
  }
}

const enter = ({ credentials }: PageServices): Visit => ({
  path: "enter",
  show: (place, query) => enterSheet(place, secretIn(query("code"))),
  submit: Effect.fnUntraced(function*(place, form) {
    const { scope, words } = place
    const code = secretIn(form("code"))
    const refused = (wrong: Wrong): Sheet => {
      const entered: Form = (name) => name === "code" ? code : form(name)
      return { ...enterSheet(place, form("linked") === "" ? "" : code, { entered, wrong }), status: 422 }
    }
    const read = readCode({ code, email: form("email").trim() })
    if (Result.isFailure(read)) {
      return refused(Object.fromEntries(read.failure.map((name) => [
        name,
        name === "email" ? words.wrong.email : words.wrong.code
      ])))
    }
    // With the code alone, somebody else's link would sign the person in to an account that is not theirs.
    return yield* credentials.exchange(scope.kind, read.success.code, read.success.email).pipe(
      Effect.map((issued) => signedIn(place, issued)),
      Effect.catchTag("CodeInvalid", () => Effect.succeed(refused({ "": words.enter.refused })))
    )
  })
})

/** The targets of mailed links and codes: confirming an address, a new password, signing in. */
export const linkVisits = (services: PageServices): ReadonlyArray<Visit> => [
  confirm(services),
  reset(services),
  enter(services)
]
