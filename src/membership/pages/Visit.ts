import type { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { RateLimited, RateLimitUnavailable } from "../../identity/limits/RateLimit.ts"
import type { TemporarilyUnavailable } from "../../platform/http/errors.ts"
import type { Form } from "../../platform/pages/Form.ts"
import type { CommonPath, PagePath } from "./Paths.ts"
import type { Place } from "./Place.ts"
import type { Sheet } from "./Sheet.ts"

/** The parameters of a query by name; empty for an absent one. */
type Query = Form

type Answer = Effect.Effect<
  Sheet,
  RateLimited | RateLimitUnavailable | TemporarilyUnavailable,
  HttpServerRequest.HttpServerRequest
>

/**
 * One page at one address: `show` changes nothing, since mail scanners follow links; `submit` is the action of its
 * form.
 */
export interface Visit<Path extends PagePath = CommonPath> {
  readonly path: Path
  readonly show?: (place: Place, query: Query) => Sheet
  readonly submit?: (place: Place, form: Form) => Answer
}
