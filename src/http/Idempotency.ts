import { HttpApiMiddleware } from "effect/http-api"
import { ApiError } from "./ApiError.ts"
import { ValidationFailed } from "./errors.ts"

/** The key of a request that said something else. */
export class IdempotencyKeyReused extends ApiError<IdempotencyKeyReused>()("IdempotencyKeyReused", {
  status: 422,
  code: "idempotency_key_reused",
  message: "Idempotency-Key: it came with another request before"
}) {}

/** The same request is being done at this moment, by another connection. */
export class IdempotencyInProgress extends ApiError<IdempotencyInProgress>()("IdempotencyInProgress", {
  status: 409,
  code: "idempotency_in_progress",
  message: "The request with this Idempotency-Key is still running; try again in a moment"
}) {}

/**
 * For creating POSTs, innermost: `.middleware(Idempotent)` on the endpoint (http-surface, Conventions). With the header
 * `Idempotency-Key`, 1 to 255 printable ASCII characters, the same request of one session and route is done once in 24
 * hours; a repetition gets the first success byte by byte, with `Idempotency-Replayed: true`. Failures are not kept.
 * Without the header nothing changes.
 */
export class Idempotent extends HttpApiMiddleware.Service<Idempotent>()("turma/http/Idempotent", {
  error: [IdempotencyKeyReused, IdempotencyInProgress, ValidationFailed]
}) {}
