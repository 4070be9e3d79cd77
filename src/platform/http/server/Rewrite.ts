import type { Context } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"

/** A request that is read as another one. */
export interface Rewritten {
  /** The request that is routed in its place and in its name: from its address, in its connection. */
  readonly request: HttpServerRequest.HttpServerRequest
  /** Further facts that its route gets beside the request. */
  readonly within?: Context.Context<never>
  /** Changes the answer; without it the answer stays as it is. */
  readonly answered?: (response: HttpServerResponse.HttpServerResponse) => HttpServerResponse.HttpServerResponse
}

/** A request that is answered at once: no route hears of it. */
interface Refused {
  readonly refusal: HttpServerResponse.HttpServerResponse
}

/** How a feature reads certain requests, before they are routed; undefined leaves a request as it is. */
export interface Rewrite {
  (request: HttpServerRequest.HttpServerRequest): Rewritten | Refused | undefined
}

/** The first of these that reads a request. */
export const firstRewrite = (rewrites: ReadonlyArray<Rewrite>): Rewrite => (request) => {
  for (const rewrite of rewrites) {
    const read = rewrite(request)
    if (read !== undefined) return read
  }
  return undefined
}
