import { HttpApiMiddleware } from "effect/http-api"
import { ApiError } from "../http/ApiError.ts"
import { ValidationFailed } from "../http/errors.ts"

/** The key of a request that said something else. */
export class IdempotencyKeyReused extends ApiError<IdempotencyKeyReused>()("IdempotencyKeyReused", {
  status: 422,
  code: "idempotency_key_reused",
  message: {
    en: "Idempotency-Key came with another request before: send a new key with a new request",
    "pt-BR": "Outra requisição já usou esta chave: envie uma chave nova."
  }
}) {}

/** Another connection runs the same request at this moment. */
export class IdempotencyInProgress extends ApiError<IdempotencyInProgress>()("IdempotencyInProgress", {
  status: 409,
  code: "idempotency_in_progress",
  message: {
    en: "The request with this Idempotency-Key is still running: try again in a moment",
    "pt-BR": "A requisição com esta chave ainda está em andamento: tente de novo daqui a pouco."
  }
}) {}

/** The answer of the request was about a person who was removed since. The request does not run again. */
export class IdempotencyAnswerErased extends ApiError<IdempotencyAnswerErased>()("IdempotencyAnswerErased", {
  status: 409,
  code: "idempotency_answer_erased",
  message: {
    en: "The request with this Idempotency-Key has run, and its answer was erased with the person it was about",
    "pt-BR": "A requisição com esta chave já foi feita, e a resposta foi apagada com os dados da pessoa."
  }
}) {}

/** The characters of a key; a header could hardly hold others. */
export const keyShape = /^[\x20-\x7e]{1,255}$/

/**
 * For creating POSTs, innermost: `.middleware(Idempotent)` on the endpoint (http-surface, Conventions). The header is
 * `Idempotency-Key`, 1 to 255 printable ASCII characters. With it, the same request of one session and route runs once
 * in 24 hours. A repetition gets the first success byte by byte, with `Idempotency-Replayed: true`. Failures are not
 * kept. An answer about a person who was removed is not sent again. Without the header nothing changes.
 */
export class Idempotent extends HttpApiMiddleware.Service<Idempotent>()("turma/platform/idempotency/Idempotent", {
  error: [IdempotencyKeyReused, IdempotencyInProgress, IdempotencyAnswerErased, ValidationFailed]
}) {}
