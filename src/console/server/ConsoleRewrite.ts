import { Clock, Context, Effect, Option, Redacted } from "effect"
import { Headers, type HttpServerRequest, type HttpServerResponse } from "effect/http"
import { CodeNeedsAddress } from "../../membership/accounts/CodeNeedsAddress.ts"
import { internalSecret } from "../../operations/telemetry/InternalSecret.ts"
import { type OwnCookie, ownCookie } from "../../platform/http/OwnCookie.ts"
import { isPass } from "../../platform/http/Pass.ts"
import { allowedMethods } from "../../platform/http/server/AllowedMethods.ts"
import type { Rewrite } from "../../platform/http/server/Rewrite.ts"
import { PublicUrls } from "../../platform/http/ServerSettings.ts"
import { Sealing } from "../../platform/sql/Sealing.ts"
import { apiPath, codePath, overviewPath, sessionPath } from "./ConsolePaths.ts"
import { passKeys } from "./OperatorPass.ts"
import { isOwnPage, notOwnPage, otherDoor } from "./OwnPage.ts"
import { keepsToken } from "./SessionCookie.ts"

/** The cookies of the console: a person's session, and an operator's pass. */
export const consoleCookies = Effect.map(PublicUrls, ({ api }) => {
  const isSecure = api.protocol === "https:"
  return { operator: ownCookie("turma-operator", isSecure), session: ownCookie("turma-session", isSecure) }
}).pipe(Effect.provide(PublicUrls.layer))

/** The operators' secret and the keys that sign their passes. `None` without a secret: operators have no page then. */
export const operatorKeys = Effect.gen(function*() {
  const own = (yield* Sealing).signingKeys("operator passes")
  return Option.map(yield* internalSecret, (known) => ({ ...known, keys: passKeys(Redacted.value(known.secret), own) }))
})

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

const [signInPath, exchangePath] = ["/v1/auth/admin/sign-in", "/v1/auth/admin/exchange"]

/** Which methods answer somebody's token, however the router would read the address. */
const tokenMethods = allowedMethods([signInPath, exchangePath, "/v1/auth/sign-in", "/v1/auth/exchange"].map((path) => ({
  method: "POST",
  path
})))

/** If the sign-out fails, the person is still signed in and keeps the cookie for another try. */
const afterSignOut = (cookie: OwnCookie) => (response: HttpServerResponse.HttpServerResponse) =>
  response.status < 400 || response.status === 401 ? cookie.clear(response) : response

/**
 * The console's way to the API. A request for it becomes a request of the API, with the session of the cookie as
 * `Authorization` (contract, Authentication 2). Only the console's own page gets an answer, so no other site can use
 * the cookie.
 */
export const consoleRewrite = Effect.gen(function*() {
  const cookies = yield* consoleCookies
  const operators = yield* operatorKeys
  const clock = yield* Clock.Clock

  const signsIn = (request: Request, url: string) => ({
    request: asked(request, url, undefined),
    answered: keepsToken(cookies.session)
  })

  const withCode = (request: Request) => {
    const { answered, request: exchange } = signsIn(request, exchangePath)
    return { request: exchange, answered, within: Context.make(CodeNeedsAddress, true) }
  }

  const ofOperator = (request: Request) => {
    const pass = held(request, cookies.operator) ?? ""
    const now = clock.currentTimeMillisUnsafe()
    const credential = Option.filter(operators, ({ keys }) => isPass(keys, pass, now)).pipe(
      Option.map(({ secret }) => Redacted.value(secret)),
      Option.getOrUndefined
    )
    return { request: asked(request, "/internal/overview", credential) }
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
    if (path === codePath) return withCode(request)
    if (isSignIn) return signsIn(request, signInPath)
    const session = held(request, cookies.session)
    if (isSignOut) {
      return { request: asked(request, "/v1/auth/session", session), answered: afterSignOut(cookies.session) }
    }
    const target = url.slice(apiPath.length)
    if (tokenMethods(target).includes(method)) return { refusal: otherDoor }
    // The contract alone: nothing of the service's own, and no other page.
    return { request: asked(request, target.startsWith("/v1/") ? target : "/v1", session) }
  }
  return rewrite
})
