import { DateTime } from "effect"
import { HttpServerResponse } from "effect/http"

/** A cookie of our own host: no script reads it, and no other site's page sends it. */
export interface OwnCookie {
  readonly name: string
  readonly set: (
    response: HttpServerResponse.HttpServerResponse,
    value: string,
    expires: DateTime.Utc
  ) => HttpServerResponse.HttpServerResponse
  readonly clear: (response: HttpServerResponse.HttpServerResponse) => HttpServerResponse.HttpServerResponse
}

/**
 * A cookie with this name. Over HTTPS it has the prefix that keeps other hosts from setting it; over HTTP, on this machine,
 * not every browser would take that.
 */
export const ownCookie = (name: string, isSecure: boolean): OwnCookie => {
  const full = isSecure ? `__Host-${name}` : name
  const options = { httpOnly: true, path: "/", sameSite: "strict", secure: isSecure } as const
  return {
    name: full,
    set: (response, value, expires) =>
      HttpServerResponse.setCookieUnsafe(response, full, value, { ...options, expires: DateTime.toDateUtc(expires) }),
    clear: (response) => HttpServerResponse.setCookieUnsafe(response, full, "", { ...options, maxAge: 0 })
  }
}
