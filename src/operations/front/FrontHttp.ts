import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Effect, Layer, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { preferredLocale } from "../../platform/http/AcceptLanguage.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { ownCookie } from "../../platform/http/OwnCookie.ts"
import { prefersPage } from "../../platform/http/request/Accept.ts"
import { isNoPath } from "../../platform/http/server/AllowedMethods.ts"
import { pageUrl, PublicUrls } from "../../platform/http/ServerSettings.ts"
import { WrittenMails } from "../../platform/mail/WrittenMails.ts"
import { answerPage, pageHeaders } from "../../platform/pages/Page.ts"
import { version } from "../../platform/version.ts"
import { isDeveloper } from "./Developer.ts"
import { closedPage, frontPage, mailPage } from "./FrontPages.ts"
import { MailReaders, showsMails } from "./MailReaders.ts"

/** Number of listed mails. */
const listed = 20

const mailPath = "/mails/:name"

/** Where the front page is, and mails are where they are shown. */
export const frontRoutes = Effect.map(showsMails, (shows) => [
  { method: "GET", path: "/" } as const,
  ...(shows ? [{ method: "GET", path: mailPath } as const] : [])
])

const noRoute = new NotFound({ error: { message: "There is no such route: see /docs" } })

const varied = { vary: "Accept, Accept-Language" }

const asks = Effect.map(HttpServerRequest.HttpServerRequest, (request) => {
  const { cookies, headers, method, peerAddress, url } = request
  const { httpVersion } = NodeHttpServerRequest.toIncomingMessage(request)
  return {
    accept: headers["accept"],
    cookies,
    isDeveloper: isDeveloper({ headers, peer: peerAddress, version: httpVersion }),
    locale: preferredLocale(headers["accept-language"]),
    method,
    url
  }
})

/** The token of the address that the start prints; undefined without one. */
const tokenOf = (url: string) =>
  new URLSearchParams(url.slice(url.indexOf("?") + 1 || url.length)).get("token") ?? undefined

const FrontRoutesLayer = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const mails = yield* WrittenMails
  const readers = yield* MailReaders
  const { api, ownPages } = yield* PublicUrls
  const shows = yield* showsMails
  const cookie = ownCookie("turma-mails", api.protocol === "https:")

  const forPrograms = HttpServerResponse.jsonUnsafe({
    data: {
      name: "Turma",
      version,
      documentation: pageUrl(api, "docs", {}),
      openapi: pageUrl(api, "openapi.json", {}),
      health: pageUrl(api, "v1/health", {})
    }
  }, { headers: varied })

  // Nobody but a developer's browser uses the token up, and no look ahead at the address does.
  const admit = Effect.fnUntraced(function*(token: string) {
    const { isDeveloper, method } = yield* asks
    return isDeveloper && method === "GET" ? yield* readers.admit(token) : Option.none()
  })

  /** Takes the token out of the address bar, even if it was refused. */
  const enter = Effect.fnUntraced(function*(token: string) {
    const away = HttpServerResponse.redirect("/#mails", { headers: { ...pageHeaders, ...varied } })
    return Option.match(yield* admit(token), {
      onNone: () => away,
      onSome: ({ pass, until }) => cookie.set(away, pass, until)
    })
  })

  /** The view of mails: the mails themselves, how to open them, or nothing. */
  const sight = Effect.gen(function*() {
    const { cookies, isDeveloper } = yield* asks
    if (!shows || !isDeveloper) return "nothing"
    return (yield* readers.isReader(cookies[cookie.name] ?? "")) ? "mails" : "closed"
  })

  yield* router.add(
    "GET",
    "/",
    Effect.gen(function*() {
      const { accept, locale, url } = yield* asks
      if (isNoPath(url)) return yield* noRoute
      if (!prefersPage(accept)) return forPrograms
      const token = tokenOf(url)
      if (shows && token !== undefined) return yield* enter(token)
      const seen = yield* sight
      const shown = seen === "mails" ? yield* mails.newest(listed) : seen
      return answerPage(frontPage({ locale, hasAccounts: ownPages.administrators, mails: shown }), { headers: varied })
    })
  )

  // Anybody but a developer gets the answer of an address that leads nowhere.
  const mail = Effect.gen(function*() {
    const { locale } = yield* asks
    const seen = yield* sight
    if (seen === "closed") return answerPage(closedPage(locale), { status: 403 })
    const { name = "" } = yield* HttpRouter.params
    const found = seen === "mails" ? yield* mails.read(name) : Option.none()
    if (Option.isNone(found)) return yield* noRoute
    return answerPage(mailPage(locale, found.value))
  })
  if (shows) yield* router.add("GET", mailPath, mail)
}))

/** The front page, and the mails that were written. */
export const FrontLayer = FrontRoutesLayer.pipe(Layer.provide([WrittenMails.layer, PublicUrls.layer]))
