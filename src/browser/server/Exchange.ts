import { Context } from "effect"
import { Headers, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { CodeNeedsAddress } from "../../membership/accounts/CodeNeedsAddress.ts"
import type { OwnCookie } from "../../platform/http/OwnCookie.ts"
import { allowedMethods } from "../../platform/http/server/AllowedMethods.ts"
import type { Rewrite } from "../../platform/http/server/Rewrite.ts"
import type { PageName } from "../build/place.ts"
import { notOwnPage, otherDoor, ownPage } from "./OwnPage.ts"
import { keepsToken } from "./SessionCookie.ts"

type Request = HttpServerRequest.HttpServerRequest

/** How the cookie of a page becomes the credential of its requests. */
export interface Exchange {
  readonly page: PageName
  /** The cookie of the session that the page's header is about. Undefined refuses the request. */
  readonly cookie: (header: string) => OwnCookie | undefined
  /** The route of the API that takes a password, and the one that takes a mailed code. */
  readonly signIn: string
  readonly exchange: string
}

/** As the API gets it: with this credential, whatever the page has sent, and without the cookies. */
export const askedWith = (request: Request, url: string, credential: string | undefined): Request => {
  const headers = Headers.remove(Headers.remove(request.headers, "cookie"), "authorization")
  return request.modify({
    url,
    headers: credential === undefined ? headers : Headers.set(headers, "authorization", `Bearer ${credential}`)
  })
}

/** The value of a cookie. Undefined without one. */
export const held = ({ cookies }: Request, { name }: OwnCookie): string | undefined => {
  const value = cookies[name]
  return value === undefined || value === "" ? undefined : value
}

/** The path of an address, as it was sent. */
export const pathOf = (url: string): string => url.split("?")[0] ?? ""

/** Which methods answer somebody's token, however the router would read the address. */
const tokenMethods =
  allowedMethods(["/v1/auth/admin/sign-in", "/v1/auth/admin/exchange", "/v1/auth/sign-in", "/v1/auth/exchange"].map((
    path
  ) => ({
    method: "POST",
    path
  })))

/** If the sign-out fails, the person is still signed in and keeps the cookie for another try. */
const afterSignOut = (cookie: OwnCookie) => (response: HttpServerResponse.HttpServerResponse) =>
  response.status < 400 || response.status === 401 ? cookie.clear(response) : response

/**
 * Caches keep no answer to an `Authorization` (RFC 9111, 3.5), but they do not see that a cookie stands for it. So an
 * answer that says nothing about caches stays out of them.
 */
const keptNowhere = (response: HttpServerResponse.HttpServerResponse) =>
  response.headers["cache-control"] === undefined
    ? HttpServerResponse.setHeader(response, "cache-control", "no-store")
    : response

/** The addresses of a page's exchange, to tell a wrong method from an unknown route. */
export const exchangeRoutes = (page: PageName) =>
  [
    { method: "POST", path: `/${page}/session` },
    { method: "DELETE", path: `/${page}/session` },
    { method: "POST", path: `/${page}/session/code` }
  ] as const

/**
 * A page's way to the API. A request for it becomes a request of the API, with the session of the cookie as
 * `Authorization` (contract, Authentication 2 and 3). Only the page itself gets an answer, so no other site can use the
 * cookie.
 */
export const exchangeRewrite = ({ cookie: cookieOf, exchange, page, signIn }: Exchange): Rewrite => {
  const sessionPath = `/${page}/session`
  const codePath = `${sessionPath}/code`
  const apiPath = `/${page}/api`
  const [foreign, elsewhere] = [notOwnPage(page), otherDoor(page)]
  const methodsOf = new Map([[sessionPath, ["POST", "DELETE"]], [codePath, ["POST"]]])
  return (request) => {
    const { method, url } = request
    if (!url.startsWith(`/${page}/`)) return undefined
    const path = pathOf(url)
    const isApi = url.startsWith(`${apiPath}/`)
    if (!isApi && methodsOf.get(path)?.includes(method) !== true) return undefined
    const header = ownPage(request.headers, page)
    const cookie = header === undefined ? undefined : cookieOf(header)
    if (cookie === undefined) return { refusal: foreign }
    if (path === codePath) {
      const within = Context.make(CodeNeedsAddress, true)
      return { request: askedWith(request, exchange, undefined), answered: keepsToken(cookie), within }
    }
    if (path === sessionPath && method === "POST") {
      return { request: askedWith(request, signIn, undefined), answered: keepsToken(cookie) }
    }
    const session = held(request, cookie)
    if (path === sessionPath) {
      return { request: askedWith(request, "/v1/auth/session", session), answered: afterSignOut(cookie) }
    }
    const target = url.slice(apiPath.length)
    if (tokenMethods(target).includes(method)) return { refusal: elsewhere }
    // The contract alone: nothing of the service's own, and no other page.
    return {
      request: askedWith(request, target.startsWith("/v1/") ? target : "/v1", session),
      answered: keptNowhere
    }
  }
}
