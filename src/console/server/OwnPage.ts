import { HttpServerResponse } from "effect/http"

/** What no form can send, and no page of another origin without asking first, which is never granted. */
export const ownHeader = "turma-console"

/**
 * Whether the console's own page sends a request: the browser says that it is of the same origin, and the header is there
 * that only a script sets. Browsers say it over HTTPS and on this machine; whoever does not say it is refused.
 */
export const isOwnPage = (headers: Readonly<Record<string, string | undefined>>): boolean =>
  headers["sec-fetch-site"] === "same-origin" && headers[ownHeader] === "1"

const refusal = (message: string) =>
  HttpServerResponse.jsonUnsafe({ error: { code: "forbidden", message } }, {
    status: 403,
    headers: { "cache-control": "no-store" }
  })

/** What everybody else is told. */
export const notOwnPage = refusal(
  "Only the console's own pages are answered here, over HTTPS or on this machine: programs call /v1 with a token"
)

/** What a script is told that asks for a token, which it would have. */
export const otherDoor = refusal("The console signs in at /console/session, which keeps the token from its scripts")
