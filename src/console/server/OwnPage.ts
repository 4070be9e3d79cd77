import { HttpServerResponse } from "effect/http"

/** A header that no form can send. A page of another origin has to ask first, and the service never grants it. */
const ownHeader = "turma-console"

/**
 * True if the console's own page sends a request. The browser says that it has the same origin, and only a script can
 * set the header. Browsers say it over HTTPS and on this machine. A request without it is refused.
 */
export const isOwnPage = (headers: Readonly<Record<string, string | undefined>>): boolean =>
  headers["sec-fetch-site"] === "same-origin" && headers[ownHeader] === "1"

const refusal = (message: string) =>
  HttpServerResponse.jsonUnsafe({ error: { code: "forbidden", message } }, {
    status: 403,
    headers: { "cache-control": "no-store" }
  })

/** The answer for any other page. */
export const notOwnPage =
  refusal("Only the console's own pages are answered here, over HTTPS or on this machine: programs call /v1 with a token")

/** The answer for a script that asks for a token. */
export const otherDoor = refusal("The console signs in at /console/session, which keeps the token from its scripts")
