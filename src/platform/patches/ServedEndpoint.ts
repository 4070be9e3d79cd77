// Patch of effect 4.1.0. Without it, an endpoint that declares no query takes every query parameter, and no middleware can
// be added inside of those that an endpoint has.
import type { Context, Schema } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"

/** Gives an endpoint this query. Only for endpoints of an api that is served: clients and documents must not see it. */
export const setQuery = (endpoint: HttpApiEndpoint.Top, query: Schema.Top): void => {
  Object.defineProperty(endpoint, "query", { value: query })
}

/** Adds a middleware that runs inside of all others, next to the handler. Only for endpoints of an api that is served. */
export const addInnermost = <Id, Middleware>(
  endpoint: HttpApiEndpoint.Top,
  middleware: Context.Key<Id, Middleware>
): void => {
  Object.defineProperty(endpoint, "middlewares", { value: new Set([middleware, ...endpoint.middlewares]) })
}
