import { Clock, Effect, Option, Redacted } from "effect"
import { Headers, type HttpServerRequest } from "effect/http"
import { internalSecret } from "../../operations/telemetry/InternalSecret.ts"
import type { Rewrite } from "../../platform/http/server/Rewrite.ts"
import { PublicUrls } from "../../platform/http/ServerSettings.ts"
import { apiPath, codePath, overviewPath, sessionPath } from "./ConsolePaths.ts"
import { isOperatorPass } from "./OperatorPass.ts"
import { isOwnPage, notOwnPage } from "./OwnPage.ts"
import { keepsToken, type OwnCookie, ownCookie } from "./SessionCookie.ts"

/** The cookies of the console: a person's session, and an operator's pass. */
export const consoleCookies = Effect.map(PublicUrls, ({ api }) => {
  const isSecure = api.protocol === "https:"
  return { operator: ownCookie("turma-operator", isSecure), session: ownCookie("turma-session", isSecure) }
}).pipe(Effect.provide(PublicUrls.layer))

type Request = HttpServerRequest.HttpServerRequest

/** As the API gets it: with this credential, whatever the page has sent, and without the cookies. */
const asked = (request: Request, url: string, credential: string | undefined) => {
  const headers = Headers.remove(Headers.remove(request.headers, "cookie"), "authorization")
  return request.modify({
    url,
    headers: credential === undefined ? headers : Headers.set(headers, "authorization", `Bearer ${credential}`)
  })
}

const held = ({ cookies }: Request, { name }: OwnCookie) => {
  const value = cookies[name]
  return value === undefined || value === "" ? undefined : value
}

const pathOf = (url: string) => url.split("?")[0] ?? ""

/**
 * How the console speaks with the API: its requests become those of the API, with the session that the cookie holds as
 * `Authorization` (contract, Authentication 2). Only the console's own page is answered, so no other site can use the cookie.
 */
export const consoleRewrite = Effect.gen(function*() {
  const cookies = yield* consoleCookies
  const secret = Option.map(yield* internalSecret, ({ secret }) => Redacted.value(secret))
  const clock = yield* Clock.Clock

  const signsIn = (request: Request, url: string) => ({
    request: asked(request, url, undefined),
    answered: keepsToken(cookies.session)
  })

  const ofOperator = (request: Request) => {
    const pass = held(request, cookies.operator) ?? ""
    const isIn = Option.exists(secret, (text) => isOperatorPass(text, pass, clock.currentTimeMillisUnsafe()))
    return { request: asked(request, "/internal/overview", isIn ? Option.getOrUndefined(secret) : undefined) }
  }

  const rewrite: Rewrite = (request) => {
    const { method, url } = request
    if (!url.startsWith("/console/")) return undefined
    const path = pathOf(url)
    const isApi = url.startsWith(`${apiPath}/`)
    const isRead = method === "GET" && path === overviewPath
    const isSignIn = method === "POST" && (path === sessionPath || path === codePath)
    const isSignOut = method === "DELETE" && path === sessionPath
    if (!isApi && !isRead && !isSignIn && !isSignOut) return undefined
    if (!isOwnPage(request.headers)) return { refusal: notOwnPage }
    if (isRead) return ofOperator(request)
    if (path === codePath) return signsIn(request, "/v1/auth/admin/exchange")
    if (isSignIn) return signsIn(request, "/v1/auth/admin/sign-in")
    const session = held(request, cookies.session)
    if (isSignOut) {
      return { request: asked(request, "/v1/auth/session", session), answered: cookies.session.clear }
    }
    const target = url.slice(apiPath.length)
    // The contract alone: nothing of the service's own, and no other page.
    return { request: asked(request, target.startsWith("/v1/") ? target : "/v1", session) }
  }
  return rewrite
})
