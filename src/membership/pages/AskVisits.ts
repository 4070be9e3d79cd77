import { Effect, Option, Result } from "effect"
import { html } from "../../platform/pages/Html.ts"
import { AdminAddress } from "../accounts/Credential.ts"
import type { AddressRequestKind } from "../accounts/CredentialRequest.ts"
import { askForm, type FormParts, reading } from "./Fields.ts"
import { addressOfOld } from "./OldLinks.ts"
import type { Place } from "./Place.ts"
import type { PageServices } from "./Services.ts"
import { next, type Sheet } from "./Sheet.ts"
import { signedInSheet } from "./SignInVisits.ts"
import type { Visit } from "./Visit.ts"
import { maskedAddress, visitorIn } from "./Visitor.ts"

const readAddress = reading(AdminAddress)

const ways = ({ to, words }: Place) => [
  { label: words.links.signIn, to: to("sign-in") },
  { label: words.links.signUp, to: to("sign-up") }
]

/** After a new link was asked for in place of an old one: the account is known. */
const renewed = (place: Place, kind: AddressRequestKind, email: string): Sheet => ({
  title: place.words.mailed.title,
  status: 202,
  intro: place.words.renewed[kind === "forgot" ? "forgot" : "access"](maskedAddress(email)),
  body: html`<p class="soft">${place.words.mailed.spam}</p>`,
  links: ways(place).slice(0, 1)
})

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

const asking = (kind: AddressRequestKind, services: PageServices): Visit => {
  const ask = (place: Place, email: string) =>
    services.requests.ask(kind, place.scope, email, place.preferred, place.next)
  const sheet = (place: Place, more: Partial<FormParts> = {}): Sheet => ({
    title: place.words[kind].title,
    intro: place.words[kind].intro,
    body: askForm(place, kind, more),
    links: ways(place)
  })
  return {
    path: kind,
    show: (place) => Effect.succeed(sheet(place)),
    submit: Effect.fnUntraced(function*(place, form) {
      const { words } = place
      if (form("link") !== "") {
        const known = yield* addressOfOld(services, place.scope, form)
        // By now forgotten: the person enters the address.
        if (Option.isNone(known)) return { ...sheet(place), status: 422 }
        const visitor = yield* visitorIn(services, place.scope)
        if (Option.isSome(visitor) && visitor.value.email === known.value) return signedInSheet(place, visitor.value)
        yield* ask(place, known.value)
        return renewed(place, kind, known.value)
      }
      const read = readAddress({ email: form("email").trim() })
      if (Result.isFailure(read)) {
        return { ...sheet(place, { entered: form, wrong: { email: words.wrong.email } }), status: 422 }
      }
      yield* ask(place, read.success.email)
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
