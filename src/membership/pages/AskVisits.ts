import { Effect, Result } from "effect"
import { html } from "../../platform/pages/Html.ts"
import { AdminAddress } from "../accounts/Credential.ts"
import type { AddressRequestKind } from "../accounts/CredentialRequest.ts"
import { fieldsOf, formOf, type FormParts, reading } from "./Fields.ts"
import type { Place } from "./Place.ts"
import type { PageServices } from "./Services.ts"
import { next, type Sheet } from "./Sheet.ts"
import type { Visit } from "./Visit.ts"

const readAddress = reading(AdminAddress)

/** The form that asks for a mail. Every caller gets the same answer. */
export const askForm = ({ to, words }: Place, kind: AddressRequestKind, more: Partial<FormParts> = {}) =>
  formOf({ words, action: to(kind), submit: words[kind].submit, fields: [fieldsOf(words).email], ...more })

const ways = ({ to, words }: Place) => [
  { label: words.links.signIn, to: to("sign-in") },
  { label: words.links.signUp, to: to("sign-up") }
]

/** After a mail was asked for: whether there will be one is not said. */
export const mailed = (place: Place, kind: AddressRequestKind | "sign_up", email: string): Sheet => ({
  title: place.words.mailed.title,
  status: 202,
  intro: place.words.mailed[kind](email),
  body: html`<p class="soft">${place.words.mailed.spam}</p>${
    kind === "access" && next([{ label: place.words.links.enter, to: place.to("enter") }])
  }`,
  links: kind === "sign_up"
    ? [{ label: place.words.links.resend, to: place.to("resend") }, ...ways(place).slice(0, 1)]
    : ways(place).slice(0, 1)
})

const asking = (kind: AddressRequestKind, { requests }: PageServices): Visit => {
  const sheet = (place: Place, more: Partial<FormParts> = {}): Sheet => ({
    title: place.words[kind].title,
    intro: place.words[kind].intro,
    body: askForm(place, kind, more),
    links: ways(place)
  })
  return {
    path: kind,
    show: (place) => sheet(place),
    submit: Effect.fnUntraced(function*(place, form) {
      const { words } = place
      const read = readAddress({ email: form("email").trim() })
      if (Result.isFailure(read)) {
        return { ...sheet(place, { entered: form, wrong: { email: words.wrong.email } }), status: 422 }
      }
      yield* requests.ask(kind, place.scope, read.success.email, place.preferred)
      return mailed(place, kind, read.success.email)
    })
  }
}

/** Asking for the confirmation again, for a link to a new password, and for a code to sign in with. */
export const askVisits = (services: PageServices): ReadonlyArray<Visit> => [
  asking("resend", services),
  asking("forgot", services),
  asking("access", services)
]
