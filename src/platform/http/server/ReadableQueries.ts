import { Context, Effect } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { MalformedRequest } from "../errors.ts"
import type { Route } from "./AllowedMethods.ts"
import { isReadable } from "./ReadableUrl.ts"

const unreadable = new MalformedRequest({
  error: { message: "The query is not valid: its percent-encoding is not that of UTF-8 text" }
})

/** True if the query of a URL can be decoded, and nothing is lost. */
const hasReadableQuery = (url: string): boolean => {
  const begin = url.indexOf("?")
  return begin === -1 || !url.includes("%", begin) || isReadable(url.slice(begin))
}

/**
 * Refuses queries that no route could read to the letter. For every layer that adds routes, of the contract or not;
 * `routes` are the routes outside of it. Some of them take any query.
 */
export const readableQueriesLayer = <E>(routes: Effect.Effect<ReadonlyArray<Route>, E>) =>
  HttpRouter.middleware(Effect.map(routes, (all) => {
    const open = new Set(all.filter(({ anyQuery }) => anyQuery === true).map(({ path }) => path))
    return <A, E2, R>(httpEffect: Effect.Effect<A, E2, R>) =>
      Effect.withFiber<A, E2 | MalformedRequest, R>((fiber) => {
        const { url } = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
        if (hasReadableQuery(url)) return httpEffect
        const taken = Context.getOrUndefined(fiber.context, HttpRouter.RouteContext)
        return taken !== undefined && open.has(taken.route.path) ? httpEffect : Effect.fail(unreadable)
      })
  })).layer
