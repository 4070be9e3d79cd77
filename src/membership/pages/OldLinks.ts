import { Effect, Option, Redacted } from "effect"
import type { AccountScope } from "../../identity/people/AccountScope.ts"
import type { Form } from "../../platform/pages/Form.ts"
import { html } from "../../platform/pages/Html.ts"
import type { AddressRequestKind } from "../accounts/CredentialRequest.ts"
import { askForm, formOf } from "./Fields.ts"
import type { Place } from "./Place.ts"
import type { PageServices } from "./Services.ts"
import type { Sheet } from "./Sheet.ts"
import { maskedAddress } from "./Visitor.ts"

/** The pages of links that may be old. */
export type LinkPage = "confirm" | "enter" | "reset"

/** The mail that a page offers if the account of its link is unknown. */
const asked = { confirm: "resend", enter: "access", reset: "forgot" } as const satisfies Record<
  LinkPage,
  AddressRequestKind
>

/** The mail that replaces an old link of a known account. A confirmed address needs no second confirmation. */
const renewed = { confirm: "access", enter: "access", reset: "forgot" } as const satisfies Record<
  LinkPage,
  AddressRequestKind
>

/** An old link, and the account that it was mailed to. */
export interface OldLink {
  readonly secret: string
  readonly email: string
}

/**
 * A link that was used, is too old, or never was. If its account is known, one click mails a new one to the same address.
 * Otherwise the person enters the address.
 */
export const gone = (place: Place, page: LinkPage, old: Option.Option<OldLink>): Sheet => {
  const { to, words } = place
  const links = [{ label: words.links.signIn, to: to("sign-in") }]
  if (Option.isNone(old)) {
    const form = askForm(place, asked[page])
    const body = html`<p role="alert">${words[page].gone}</p><h2>${words.gone.again}</h2>${form}`
    return { title: words.gone.title, body, links }
  }
  const { email, secret } = old.value
  const form = formOf({
    words,
    action: to(renewed[page]),
    submit: words.gone.submit,
    hidden: { page, link: secret }
  })
  return {
    title: page === "confirm" ? words.confirm.usedTitle : words.gone.title,
    body: html`<p role="alert">${page === "confirm" ? words.confirm.used : words[page].gone}</p>
<p>${words.gone.to(maskedAddress(email))}</p>${form}`,
    links: [...links, { label: words.links.otherAddress, to: to(renewed[page]) }]
  }
}

const isLinkPage = (text: string): text is LinkPage => Object.hasOwn(asked, text)

/** The address of the account whose old link a form sends. */
export const addressOfOld = Effect.fnUntraced(function*({ tokens }: PageServices, scope: AccountScope, form: Form) {
  const page = form("page")
  if (!isLinkPage(page)) return Option.none()
  const token = Redacted.make(form("link"))
  const known: Option.Option<{ readonly email: string }> = page === "confirm"
    ? yield* tokens.lookAtSignUp(scope, token)
    : yield* tokens.look(page === "enter" ? "access" : "reset", scope, token)
  return Option.map(known, ({ email }) => email)
})
