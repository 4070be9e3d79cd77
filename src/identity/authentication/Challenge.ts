import { Effect, Redacted } from "effect"
import { HttpEffect, type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Session } from "../people/Session.ts"
import { Unauthenticated } from "./Authentication.ts"

/** The kinds of session that a route takes. */
export type Wanted = Session["kind"] | "either"

const wanted: Record<Wanted, string> = {
  admin: "an administrator's live session: Authorization: Bearer <token> from POST /v1/auth/admin/sign-in",
  student: "a student's live session: Authorization: Bearer <token> from POST /v1/auth/sign-in",
  either: "a live session: Authorization: Bearer <token> from POST /v1/auth/admin/sign-in or POST /v1/auth/sign-in"
}

const holders: Record<Session["kind"], string> = { admin: "an administrator", student: "a student" }

/** Names the credential that a 401 is about (RFC 6750, 3). */
export const challenge = (isPresented: boolean): Effect.Effect<void, never, HttpServerRequest.HttpServerRequest> =>
  HttpEffect.appendPreResponseHandler((_, response) =>
    Effect.succeed(HttpServerResponse.setHeader(
      response,
      "www-authenticate",
      `Bearer realm="turma"${isPresented ? ", error=\"invalid_token\"" : ""}`
    ))
  )

/**
 * The failure of a request whose credential opens no session that the route takes. `found` is the kind of a live session
 * that it does open: whoever presents a session's token may know what it is.
 */
export const unauthenticated = (
  route: Wanted,
  credential: Redacted.Redacted,
  found?: Session["kind"]
): Effect.Effect<Unauthenticated, never, HttpServerRequest.HttpServerRequest> => {
  const isPresented = Redacted.value(credential) !== ""
  // Whether a token is missing, unknown, expired or revoked, the body is the same.
  const message = found === undefined
    ? `This route wants ${wanted[route]}`
    : `The token is ${holders[found]}'s; this route wants ${wanted[route]}`
  return Effect.as(challenge(isPresented), new Unauthenticated({ error: { message } }))
}
