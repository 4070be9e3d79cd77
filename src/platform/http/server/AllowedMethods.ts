import { FindMyWay, type HttpMethod } from "effect/http"
import { HttpApi, type HttpApiGroup } from "effect/http-api"
import { routerConfig } from "./RequestLimits.ts"

/** One route, of the contract or not. */
export interface Route {
  readonly method: HttpMethod.HttpMethod
  /** With `:name` parameters, as the router takes it. */
  readonly path: string
  /** Also a query that cannot be decoded: such a route shows what came, and reads nothing of it. */
  readonly anyQuery?: boolean
}

/** The methods that a URL answers to, so a wrong method gets 405 and an unknown route 404. */
export interface AllowedMethods {
  (url: string): ReadonlyArray<string>
}

/** `*` and `//`, which the router takes for `/`. */
export const isNoPath = (url: string): boolean => /^(?:[^/]|\/\/+(?:[?#]|$))/.test(url)

/** Answers from these routes; nothing else is known. */
export const allowedMethods = (routes: ReadonlyArray<Route>): AllowedMethods => {
  const router = FindMyWay.make<true>(routerConfig)
  const methods = [...new Set(routes.map((route) => route.method))]
  for (const { method, path } of routes) router.on(method, `/${path.slice(1)}`, true)
  return (url) =>
    isNoPath(url) ? [] : methods.filter((method) => router.find(method, url) !== undefined)
      // The router answers HEAD wherever it answers GET.
      .flatMap((method) => method === "GET" ? [method, "HEAD"] : [method])
}

/** Every route of a contract. */
export const routesOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyArray<Route> => {
  const routes: Array<Route> = []
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => routes.push({ method: endpoint.method, path: endpoint.path })
  })
  return routes
}
