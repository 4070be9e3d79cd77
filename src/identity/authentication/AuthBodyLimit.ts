import { ByteSize, Effect, Layer } from "effect"
import { HttpIncomingMessage } from "effect/http"
import { HttpApiMiddleware } from "effect/http-api"

/** Bounds the body of `/v1/auth/*` before it is read: anybody may send one, and no password or token is longer. */
export class AuthBodyLimit
  extends HttpApiMiddleware.Service<AuthBodyLimit>()("turma/identity/authentication/AuthBodyLimit")
{}

/** A body of at most 16 KiB. */
export const AuthBodyLimitLayer = Layer.succeed(
  AuthBodyLimit,
  (httpEffect) => Effect.provideService(httpEffect, HttpIncomingMessage.MaxBodySize, ByteSize.kibibytes(16))
)
