import { Effect, Option, Schema } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { OrganizationId } from "../../identity/ids/ClubId.ts"
import type { AccountScope } from "../../identity/people/AccountScope.ts"
import { ownFolder } from "../../identity/tokens/Links.ts"
import { type NextPage, nextPage } from "../../identity/tokens/NextPage.ts"
import { preferredLocale } from "../../platform/http/AcceptLanguage.ts"
import type { Locale } from "../../platform/http/Locale.ts"
import { sentId } from "../../platform/http/Text.ts"
import type { Form } from "../../platform/pages/Form.ts"
import type { Brand } from "../../platform/pages/Page.ts"
import type { ClubFace, ClubFaces } from "../clubs/ClubFaces.ts"
import type { Words } from "./words/English.ts"
import { words } from "./words/Words.ts"

/** The place of a page: for administrators, or for the students of one club. */
export interface Place {
  readonly scope: AccountScope
  readonly locale: Locale
  /** The language that the browser asks for. Mails to people without a club use it. */
  readonly preferred: Locale
  readonly words: Words
  /** The name of the club, or of the audience of the pages. */
  readonly label: string
  /** The club's mark, and the address of the sheet with its colours. Undefined for administrators. */
  readonly face: { readonly brand: Brand; readonly sheet: string } | undefined
  /** Where the person wants to go after signing in. */
  readonly next: Option.Option<NextPage>
  /** The address of a page here. It keeps `next`. */
  readonly to: (page: string) => string
}

const preferred = Effect.map(
  HttpServerRequest.HttpServerRequest,
  ({ headers }) => preferredLocale(headers["accept-language"])
)

/** The parameters in the query of an address by name; empty for an absent one. */
export const queryOf = (url: string): Form => {
  const query = new URLSearchParams(url.slice(url.indexOf("?") + 1 || url.length))
  return (name) => query.get(name) ?? ""
}

const placeIn = Effect.fnUntraced(function*(
  scope: AccountScope,
  locale: Locale,
  asked: Locale,
  label: (said: Words) => string,
  face?: Place["face"]
) {
  const { url } = yield* HttpServerRequest.HttpServerRequest
  const next = nextPage(scope.kind, queryOf(url)("next"))
  const query = Option.match(next, { onNone: () => "", onSome: (page) => `?${new URLSearchParams({ next: page })}` })
  const place: Place = {
    scope,
    locale,
    preferred: asked,
    words: words[locale],
    label: label(words[locale]),
    face,
    next,
    to: (page) => `/${ownFolder(scope)}/${page}${query}`
  }
  return place
})

/** The pages of administrators, in their browser's language. */
export const administratorsPlace = Effect.flatMap(
  preferred,
  (locale) => Effect.asSome(placeIn({ kind: "admin" }, locale, locale, ({ place }) => place.administrators))
)

const pathOf = (address: string) => {
  const { pathname, search } = new URL(address)
  return pathname + search
}

/** The face of a club on its pages, by whatever name people reach the site. */
const faceOf = ({ icon_url, logo_url, name, organization_id }: ClubFace) => ({
  brand: { name, mark: pathOf(logo_url ?? icon_url) },
  sheet: `/${ownFolder({ kind: "student", organization_id })}/face.css`
})

const decodeId = Schema.decodeUnknownOption(sentId(OrganizationId))

/**
 * The pages of the club in the path, in its language. The pages of a club that does not exist look the same and lead
 * nowhere. They have the browser's language and no name. Empty if the text in the path is not an id.
 */
export const studentsPlace = Effect.fnUntraced(function*(faces: ClubFaces["Service"]) {
  const id = decodeId((yield* HttpRouter.params)["club"])
  if (Option.isNone(id)) return Option.none()
  const club = yield* faces.find(id.value)
  const asked = yield* preferred
  const locale = Option.match(club, { onNone: () => asked, onSome: (found) => found.locale })
  const label = ({ place }: Words) =>
    Option.match(club, { onNone: () => place.unknownClub, onSome: ({ name }) => name })
  const scope = { kind: "student", organization_id: id.value } as const
  return Option.some(yield* placeIn(scope, locale, asked, label, Option.getOrUndefined(Option.map(club, faceOf))))
})
