import { ByteSize, Effect, Layer } from "effect"
import { HttpIncomingMessage } from "effect/http"
import { HttpApiMiddleware } from "effect/http-api"

/** For `/v1/auth/*`, outside of what reads the body: anybody may send it, and no password and token is longer. */
export class AuthBodies extends HttpApiMiddleware.Service<AuthBodies>()("turma/auth/AuthBodies") {}

/** A body of at most 16 KiB. */
export const AuthBodiesLayer = Layer.succeed(
  AuthBodies,
  (httpEffect) => Effect.provideService(httpEffect, HttpIncomingMessage.MaxBodySize, ByteSize.kibibytes(16))
)
