import type { Context } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"

/** A request that is read as another one. */
export interface Rewritten {
  /** What is routed in its place, in its name: from its address, in its connection. */
  readonly request: HttpServerRequest.HttpServerRequest
  /** What its route knows of it beside the request. */
  readonly within?: Context.Context<never>
  /** What is made of the answer; nothing of it is changed without. */
  readonly answered?: (response: HttpServerResponse.HttpServerResponse) => HttpServerResponse.HttpServerResponse
}

/** A request that is answered at once: no route hears of it. */
export interface Refused {
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
