import { DateTime, Duration, Effect, Layer, Option, Redacted } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { sessionCookie } from "../../identity/sessions/SessionCookies.ts"
import { preferredLocale } from "../../platform/http/AcceptLanguage.ts"
import { ownCookie } from "../../platform/http/OwnCookie.ts"
import { PublicUrls } from "../../platform/http/ServerSettings.ts"
import { checkOrigin, readForm } from "../../platform/pages/Form.ts"
import { answerPage, pageHeaders } from "../../platform/pages/Page.ts"
import { administratorVisits } from "./AdministratorVisits.ts"
import { askVisits } from "./AskVisits.ts"
import { failurePage, inPages } from "./Failures.ts"
import { linkVisits } from "./LinkVisits.ts"
import { folders, type PagePath } from "./Paths.ts"
import { administratorsPlace, type Place, queryOf, studentsPlace } from "./Place.ts"
import { type PageServices, pageServices } from "./Services.ts"
import { pageOf, type Sheet } from "./Sheet.ts"
import { signInVisits } from "./SignInVisits.ts"
import { signUpVisits } from "./SignUpVisits.ts"
import { terminalVisits } from "./TerminalVisits.ts"
import type { Answer, Arrival, Visit } from "./Visit.ts"
import { endVisit } from "./Visitor.ts"

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

/** A cookie that says nothing, but that no form of another site has: see `isOwnForm`. It outlives the links of mails. */
const ownPagesCookie = ({ urls }: PageServices) => ownCookie("turma-pages", urls.api.protocol === "https:")
const visitedFor = Duration.days(8)

const showing = (services: PageServices, findPlace: FindPlace, show: NonNullable<Visit["show"]>) =>
  Effect.gen(function*() {
    const place = yield* findPlace
    if (Option.isNone(place)) return yield* nothingHere
    const { url } = yield* HttpServerRequest.HttpServerRequest
    const response = answerSheet(place.value, yield* show(place.value, queryOf(url)))
    const until = DateTime.addDuration(yield* DateTime.now, visitedFor)
    return ownPagesCookie(services).set(response, "1", until)
  })

/** Leads from the folder to the page to sign in at, in the address as people know it. */
const entering = (findPlace: FindPlace) =>
  Effect.flatMap(findPlace, (place) =>
    Option.isNone(place)
      ? nothingHere
      : Effect.succeed(HttpServerResponse.redirect(place.value.to("sign-in"), { headers: pageHeaders })))

/** The session replaces that of the browser, which nothing else has, so that one ends. */
const arrive = Effect.fnUntraced(function*(services: PageServices, { scope }: Place, { issued, to }: Arrival) {
  yield* endVisit(services, scope)
  const response = HttpServerResponse.redirect(to, { status: 303, headers: pageHeaders })
  return sessionCookie(scope, services.urls.api).set(response, Redacted.value(issued.access_token), issued.ends_at)
})

const answering = (services: PageServices, place: Place, answer: Answer) => {
  if (!("_tag" in answer)) return Effect.succeed(answerSheet(place, answer))
  if (answer._tag === "Arrival") return arrive(services, place, answer)
  return Effect.succeed(sessionCookie(place.scope, services.urls.api).clear(answerSheet(place, answer.sheet)))
}

const submitting = (
  services: PageServices,
  findPlace: FindPlace,
  { path, submit }: { readonly path: PagePath; readonly submit: NonNullable<Visit["submit"]> }
) =>
  Effect.gen(function*() {
    yield* checkOrigin(services.urls.api, ownPagesCookie(services))
    // Ending a session is not under the cap of credentials (contract, Rate limits).
    yield* path === "sign-out" ? services.countWrite : services.countCredential
    const form = yield* readForm
    const place = yield* findPlace
    if (Option.isNone(place)) return yield* nothingHere
    return yield* answering(services, place.value, yield* submit(place.value, form))
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
        if (show !== undefined) yield* router.add("GET", address, inPages(showing(services, findPlace, show)))
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
    students ? pagesAt(folders.students, services, studentsPlace(services.faces), both) : Layer.empty
  )
})).pipe(Layer.provide(PublicUrls.layer))
