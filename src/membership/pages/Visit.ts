import type { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { RateLimited, RateLimitUnavailable } from "../../identity/limits/RateLimit.ts"
import type { IssuedSession } from "../../identity/sessions/SessionStore.ts"
import type { TemporarilyUnavailable } from "../../platform/http/errors.ts"
import type { Form } from "../../platform/pages/Form.ts"
import type { CommonPath, PagePath } from "./Paths.ts"
import type { Place } from "./Place.ts"
import type { Sheet } from "./Sheet.ts"

/** The parameters of a query by name; empty for an absent one. */
type Query = Form

/** The person has signed in. The browser keeps the session and goes on. */
export interface Arrival {
  readonly _tag: "Arrival"
  readonly issued: IssuedSession
  /** One of our own addresses. */
  readonly to: string
}

/** The person has signed out. The browser forgets the session, and shows this. */
interface Departure {
  readonly _tag: "Departure"
  readonly sheet: Sheet
}

/** The result of a form. */
export type Answer = Arrival | Departure | Sheet

type Submitted = Effect.Effect<
  Answer,
  RateLimited | RateLimitUnavailable | TemporarilyUnavailable,
  HttpServerRequest.HttpServerRequest
>

/**
 * One page at one address: `show` changes nothing, since mail scanners follow links; `submit` is the action of its
 * form.
 */
export interface Visit<Path extends PagePath = CommonPath> {
  readonly path: Path
  readonly show?: (place: Place, query: Query) => Effect.Effect<Sheet, never, HttpServerRequest.HttpServerRequest>
  readonly submit?: (place: Place, form: Form) => Submitted
}
