import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Effect, Layer, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { NotFound } from "../../platform/http/errors.ts"
import { prefersPage } from "../../platform/http/request/Accept.ts"
import { preferredLocale } from "../../platform/http/request/AcceptLanguage.ts"
import { isNoPath } from "../../platform/http/server/AllowedMethods.ts"
import { pageUrl, PublicUrls } from "../../platform/http/ServerSettings.ts"
import { mailsAreKept, WrittenMails } from "../../platform/mail/WrittenMails.ts"
import { answerPage } from "../../platform/pages/Page.ts"
import { version } from "../../platform/version.ts"
import { isDeveloper, isLocalService } from "./Developer.ts"
import { frontPage, mailPage } from "./FrontPages.ts"

/** How many mails are listed. */
const listed = 20

const mailPath = "/mails/:name"

/** Whether mails are shown at all: development, at this machine. */
const showsMails = Effect.gen(function*() {
  const { api } = yield* PublicUrls
  return (yield* mailsAreKept) && isLocalService(api)
}).pipe(Effect.provide(PublicUrls.layer))

/** Where the front page is, and mails are where they are shown. */
export const frontRoutes = Effect.map(showsMails, (shows) => [
  { method: "GET", path: "/" } as const,
  ...(shows ? [{ method: "GET", path: mailPath } as const] : [])
])

const noRoute = new NotFound({ error: { message: "There is no such route: see /docs" } })

const varied = { vary: "Accept, Accept-Language" }

const asks = Effect.map(HttpServerRequest.HttpServerRequest, (request) => {
  const { headers, peerAddress, url } = request
  const { httpVersion } = NodeHttpServerRequest.toIncomingMessage(request)
  return {
    accept: headers["accept"],
    isDeveloper: isDeveloper({ headers, peer: peerAddress, version: httpVersion }),
    locale: preferredLocale(headers["accept-language"]),
    url
  }
})

const FrontRoutesLayer = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const mails = yield* WrittenMails
  const { api, ownPages } = yield* PublicUrls
  const shows = yield* showsMails

  const forPrograms = HttpServerResponse.jsonUnsafe({
    data: {
      name: "Turma",
      version,
      documentation: pageUrl(api, "docs", {}),
      openapi: pageUrl(api, "openapi.json", {}),
      health: pageUrl(api, "v1/health", {})
    }
  }, { headers: varied })

  yield* router.add(
    "GET",
    "/",
    Effect.gen(function*() {
      const { accept, isDeveloper, locale, url } = yield* asks
      if (isNoPath(url)) return yield* noRoute
      if (!prefersPage(accept)) return forPrograms
      const newest = shows && isDeveloper ? yield* mails.newest(listed) : undefined
      return answerPage(frontPage({ locale, hasAccounts: ownPages.administrators, mails: newest }), { headers: varied })
    })
  )

  // Whoever may not read mails is told what everybody is told of an address that leads nowhere.
  const mail = Effect.gen(function*() {
    const { isDeveloper, locale } = yield* asks
    const { name = "" } = yield* HttpRouter.params
    const found = isDeveloper ? yield* mails.read(name) : Option.none()
    if (Option.isNone(found)) return yield* noRoute
    return answerPage(mailPage(locale, found.value))
  })
  if (shows) yield* router.add("GET", mailPath, mail)
}))

/** The front page, and the mails that were written. */
export const FrontLayer = FrontRoutesLayer.pipe(Layer.provide([WrittenMails.layer, PublicUrls.layer]))
