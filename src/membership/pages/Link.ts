import { Effect, Option } from "effect"
import type { IssuedSession } from "../../identity/sessions/SessionStore.ts"
import type { TemporarilyUnavailable } from "../../platform/http/errors.ts"
import type { Form } from "../../platform/pages/Form.ts"
import { html } from "../../platform/pages/Html.ts"
import { type Field, formOf, type FormParts, type Wrong } from "./Fields.ts"
import { gone, type LinkPage, type OldLink } from "./OldLinks.ts"
import type { Place } from "./Place.ts"
import type { PageServices } from "./Services.ts"
import type { Sheet } from "./Sheet.ts"
import { arrivalIn, signedInSheet } from "./SignInVisits.ts"
import type { Visit } from "./Visit.ts"
import { accountOf, type Person, type Visitor, visitorIn } from "./Visitor.ts"

/** The account of a link, and whether the link works. */
interface Known extends Person {
  readonly open: boolean
  /** True if a new link can be mailed in place of an old one. */
  readonly renews: boolean
}

/** One kind of mailed link. */
export interface Link {
  readonly page: LinkPage
  /** The parameter of the link, and the field of its form, in which its secret is. */
  readonly field: "code" | "token"
  /** The page without a secret. */
  readonly bare: (place: Place) => Sheet
  readonly look: (place: Place, secret: string) => Effect.Effect<Option.Option<Known>>
  /** Further fields of its form. */
  readonly fields?: (place: Place) => ReadonlyArray<Field>
  /** The faults of the entries in those fields. */
  readonly wrong?: (place: Place, form: Form) => Wrong
  /** Uses the link. Empty if it does not work by now. */
  readonly use: (
    place: Place,
    secret: string,
    form: Form
  ) => Effect.Effect<Option.Option<IssuedSession>, TemporarilyUnavailable>
}

/** The characters of our links and codes. Any other text is not ours. */
const secretShape = /^[A-Za-z0-9_-]{1,200}$/

/** The secret in a text, which a person may have copied with white space. Empty for any other text. */
export const secretIn = (text: string): string => secretShape.test(text.trim()) ? text.trim() : ""

/** The form of a link that works. It names the account, since its button signs in. */
const linkSheet = (
  place: Place,
  { field, fields, page }: Link,
  secret: string,
  person: Person,
  other: Option.Option<Visitor>,
  more: Partial<FormParts> = {}
): Sheet => {
  const { to, words } = place
  const { hint, intro, submit, title } = words[page]
  const hidden = { [field]: secret, linked: "yes", ...(Option.isSome(other) ? { instead: "yes" } : {}) }
  const form = formOf({ words, action: to(page), submit, hidden, fields: fields?.(place) ?? [], ...more })
  return {
    title,
    intro: Option.match(other, { onNone: () => intro, onSome: (open) => words.instead(open.email) }),
    body: html`${accountOf(person)}${form}<p class="soft small">${hint}</p>`,
    links: page === "enter" ? [{ label: words.links.otherAccount, to: to("sign-in") }] : []
  }
}

/** The page of a link that does not work. A person who has signed in here with it needs no new one. */
const goneSheet = Effect.fnUntraced(function*(
  services: PageServices,
  place: Place,
  { page }: Link,
  secret: string,
  known: Option.Option<Known>,
  status: number
) {
  const visitor = yield* visitorIn(services, place.scope)
  const own = Option.filter(visitor, ({ email }) => Option.isSome(known) && known.value.email === email)
  if (Option.isSome(own)) return signedInSheet(place, own.value)
  const renewed = Option.filter(known, ({ renews }) => renews)
  return { ...gone(place, page, Option.map(renewed, ({ email }): OldLink => ({ secret, email }))), status }
})

/** Another person's session in this browser. It would end, so the person is asked before. */
const otherThan = (services: PageServices, { scope }: Place, { email }: Person) =>
  Effect.map(visitorIn(services, scope), Option.filter((visitor) => visitor.email !== email))

/**
 * The page of a link. It shows the account, and changes nothing. The click on its button uses the link and signs in. If
 * another person is signed in in this browser, the page says so before.
 */
export const linkVisit = (services: PageServices, link: Link): Required<Visit> => ({
  path: link.page,
  show: Effect.fnUntraced(function*(place, query) {
    if (query(link.field) === "") return link.bare(place)
    const secret = secretIn(query(link.field))
    const known = yield* link.look(place, secret)
    if (Option.isNone(known) || !known.value.open) return yield* goneSheet(services, place, link, secret, known, 200)
    return linkSheet(place, link, secret, known.value, yield* otherThan(services, place, known.value))
  }),
  submit: Effect.fnUntraced(function*(place, form) {
    const secret = secretIn(form(link.field))
    const known = yield* link.look(place, secret)
    const refused = goneSheet(services, place, link, secret, known, 422)
    if (Option.isNone(known) || !known.value.open) return yield* refused
    const person = known.value
    const other = yield* otherThan(services, place, person)
    const wrong = link.wrong?.(place, form) ?? {}
    if (Object.keys(wrong).length > 0) {
      return { ...linkSheet(place, link, secret, person, other, { wrong }), status: 422 }
    }
    // A browser may show its session only with the form.
    if (Option.isSome(other) && form("instead") !== "yes") return linkSheet(place, link, secret, person, other)
    const used = yield* link.use(place, secret, form)
    return Option.isSome(used) ? arrivalIn(place, used.value) : yield* refused
  })
})
