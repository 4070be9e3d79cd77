import { Effect, Redacted } from "effect"
import { HttpEffect, type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Session } from "../people/Session.ts"
import { Unauthenticated } from "./Authentication.ts"

/**
 * The credentials that a route accepts: a session of one kind or of either, and whether a key of the club does as well.
 */
export type Wanted = Session["kind"] | "either" | "admin-or-key" | "either-or-key" | "key"

const admin = "an administrator's live session: Authorization: Bearer <token> from POST /v1/auth/admin/sign-in"
const either = "a live session: Authorization: Bearer <token> from POST /v1/auth/admin/sign-in or POST /v1/auth/sign-in"
const key = "a key of the club: Authorization: Bearer turma_..."

const wanted: Record<Wanted, string> = {
  admin,
  student: "a student's live session: Authorization: Bearer <token> from POST /v1/auth/sign-in",
  either,
  "admin-or-key": `${admin}, or ${key}`,
  "either-or-key": `${either}, or ${key}`,
  key
}

/** The kind of a token that opens something, but not this route. */
export type Found = Session["kind"] | "key"

const holders: Record<Found, string> = { admin: "an administrator's", student: "a student's", key: "a club's key" }

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
 * The failure of a request whose credential opens no session that the route accepts. `found` is the kind of the
 * credential: a caller who presents a token may know its kind.
 */
export const unauthenticated = (
  route: Wanted,
  credential: Redacted.Redacted,
  found?: Found
): Effect.Effect<Unauthenticated, never, HttpServerRequest.HttpServerRequest> => {
  const isPresented = Redacted.value(credential) !== ""
  // The body is the same for a missing, unknown, expired or revoked token.
  const message = found === undefined
    ? `This route wants ${wanted[route]}`
    : `The token is ${holders[found]}; this route wants ${wanted[route]}`
  return Effect.as(challenge(isPresented), new Unauthenticated({ error: { message } }))
}
