import { Effect, Option, Result, Schema } from "effect"
import { OneTimeSecret } from "../../identity/tokens/TokenPayload.ts"
import { html } from "../../platform/pages/Html.ts"
import { ResetPayload } from "../accounts/Credential.ts"
import { askForm } from "./AskVisits.ts"
import { fieldsOf, formOf, type FormParts, reading } from "./Fields.ts"
import type { Place } from "./Place.ts"
import type { PageServices } from "./Services.ts"
import { next, type Sheet } from "./Sheet.ts"
import { signedIn } from "./SignInVisits.ts"
import type { Visit } from "./Visit.ts"

const decodeSecret = Schema.decodeUnknownOption(OneTimeSecret)
const readReset = reading(ResetPayload)

/** What links and codes are made of; anything else is none of ours. */
const secretShape = /^[A-Za-z0-9_-]{1,200}$/
const secretIn = (text: string) => secretShape.test(text.trim()) ? text.trim() : ""

/** A link that was used, is too old, or never was: all look the same, and a new one is offered. */
const gone = (place: Place, page: "confirm" | "reset" | "enter", title: string): Sheet => {
  const { to, words } = place
  const kind = page === "confirm" ? "resend" : page === "reset" ? "forgot" : "access"
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

/** The code may be meant for another app, which no page can know: it is shown, so that it can be taken there. */
const elsewhere = ({ words }: Place, code: string) =>
  html`<details><summary>${words.enter.elsewhere}</summary><div class="stack">
<p>${words.enter.elsewhereHint}</p><p class="copied">${code}</p></div></details>`

const enter = ({ credentials }: PageServices): Visit => {
  const manual = (place: Place, more: Partial<FormParts> = {}): Sheet => {
    const { to, words } = place
    const { manual: intro, submit, title } = words.enter
    return {
      title,
      intro,
      body: formOf({ words, action: to("enter"), submit, fields: [fieldsOf(words).code], ...more }),
      links: [{ label: words.links.access, to: to("access") }]
    }
  }
  return {
    path: "enter",
    show: (place, query) => {
      const { to, words } = place
      const code = secretIn(query("code"))
      if (code === "") return manual(place)
      const { intro, submit, title } = words.enter
      const form = formOf({ words, action: to("enter"), submit, hidden: { code } })
      const console = { label: words.links.console, to: `/console?code=${code}` }
      const links = place.scope.kind === "admin" ? [console] : []
      return { title, intro, body: html`${form}${elsewhere(place, code)}`, links }
    },
    submit: Effect.fnUntraced(function*(place, form) {
      const { scope, words } = place
      const code = decodeSecret(secretIn(form("code")))
      if (Option.isNone(code)) return { ...manual(place, { wrong: { code: words.wrong.code } }), status: 422 }
      return yield* credentials.exchange(scope.kind, code.value).pipe(
        Effect.map((issued) => signedIn(place, issued)),
        Effect.catchTag("CodeInvalid", () => Effect.succeed(gone(place, "enter", words.gone.title)))
      )
    })
  }
}

/** What mailed links and codes are for: confirming an address, a new password, signing in. */
export const linkVisits = (services: PageServices): ReadonlyArray<Visit> => [
  confirm(services),
  reset(services),
  enter(services)
]
