import { Effect, Layer, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { preferredLocale } from "../../platform/http/AcceptLanguage.ts"
import { PublicUrls } from "../../platform/http/ServerSettings.ts"
import { checkOrigin, type Form, readForm } from "../../platform/pages/Form.ts"
import { answerPage, pageHeaders } from "../../platform/pages/Page.ts"
import { PublicClubs } from "../clubs/PublicClubs.ts"
import { administratorVisits } from "./AdministratorVisits.ts"
import { askVisits } from "./AskVisits.ts"
import { failurePage, inPages } from "./Failures.ts"
import { linkVisits } from "./LinkVisits.ts"
import { folders, type PagePath } from "./Paths.ts"
import { administratorsPlace, type Place, studentsPlace } from "./Place.ts"
import { type PageServices, pageServices } from "./Services.ts"
import { pageOf, type Sheet } from "./Sheet.ts"
import { signInVisits } from "./SignInVisits.ts"
import { signUpVisits } from "./SignUpVisits.ts"
import { terminalVisits } from "./TerminalVisits.ts"
import type { Visit } from "./Visit.ts"

type FindPlace = Effect.Effect<
  Option.Option<Place>,
  never,
  HttpServerRequest.HttpServerRequest | HttpRouter.RouteContext
>

const answerSheet = (place: Place, sheet: Sheet) => answerPage(pageOf(place, sheet), { status: sheet.status ?? 200 })

const nothingHere = Effect.map(
  HttpServerRequest.HttpServerRequest,
  ({ headers }) => failurePage(preferredLocale(headers["accept-language"]), 404)
)

const queryOf = (url: string): Form => {
  const query = new URLSearchParams(url.slice(url.indexOf("?") + 1 || url.length))
  return (name) => query.get(name) ?? ""
}

const showing = (findPlace: FindPlace, show: NonNullable<Visit["show"]>) =>
  Effect.gen(function*() {
    const place = yield* findPlace
    if (Option.isNone(place)) return yield* nothingHere
    const { url } = yield* HttpServerRequest.HttpServerRequest
    return answerSheet(place.value, show(place.value, queryOf(url)))
  })

/** Leads from the folder to the page to sign in at, in the address as people know it. */
const entering = (findPlace: FindPlace) =>
  Effect.flatMap(findPlace, (place) =>
    Option.isNone(place)
      ? nothingHere
      : Effect.succeed(HttpServerResponse.redirect(place.value.to("sign-in"), { headers: pageHeaders })))

const submitting = (
  { countCredential, countWrite, urls }: PageServices,
  findPlace: FindPlace,
  { path, submit }: { readonly path: PagePath; readonly submit: NonNullable<Visit["submit"]> }
) =>
  Effect.gen(function*() {
    yield* checkOrigin(urls.api)
    // Ending a session is not under the cap of credentials (contract, Rate limits).
    yield* path === "sign-out" ? countWrite : countCredential
    const form = yield* readForm
    const place = yield* findPlace
    if (Option.isNone(place)) return yield* nothingHere
    return answerSheet(place.value, yield* submit(place.value, form))
  })

const forBoth = (services: PageServices) => [
  ...signUpVisits(services),
  ...askVisits(services),
  ...linkVisits(services),
  ...signInVisits(services)
]

/** The pages below one folder. */
const pagesAt = (
  folder: `/${string}`,
  services: PageServices,
  findPlace: FindPlace,
  visits: ReadonlyArray<Visit<PagePath>>
) =>
  HttpRouter.use(Effect.fnUntraced(function*(router) {
    // The classroom itself answers at the folder of a club.
    if (folder === folders.administrators) yield* router.add("GET", folder, inPages(entering(findPlace)))
    yield* Effect.forEach(visits, ({ path, show, submit }) =>
      Effect.gen(function*() {
        const address = `${folder}/${path}` as const
        if (show !== undefined) yield* router.add("GET", address, inPages(showing(findPlace, show)))
        if (submit !== undefined) {
          yield* router.add("POST", address, inPages(submitting(services, findPlace, { path, submit })))
        }
      }), { discard: true })
  }))

/** The targets of mails and the pages behind them, for audiences without an app elsewhere. */
export const PagesLayer = Layer.unwrap(Effect.map(pageServices, (services) => {
  const { administrators, students } = services.urls.ownPages
  const both = forBoth(services)
  const forAdministrators = [...both, ...administratorVisits(services), ...terminalVisits(services)]
  return Layer.merge(
    administrators ? pagesAt(folders.administrators, services, administratorsPlace, forAdministrators) : Layer.empty,
    students ? pagesAt(folders.students, services, studentsPlace(services.publicClubs), both) : Layer.empty
  )
})).pipe(Layer.provide([PublicClubs.layer, PublicUrls.layer]))
