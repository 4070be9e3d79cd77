import { HttpServerResponse } from "effect/http"
import type { PageName } from "../build/place.ts"

type Headers = Readonly<Record<string, string | undefined>>

/**
 * The value of our page's header. No form can send it, and the service lets no page of another origin send it. Undefined
 * unless the browser says that the page has our origin. Browsers say it over HTTPS
 * and on this machine.
 */
export const ownPage = (headers: Headers, page: PageName): string | undefined =>
  headers["sec-fetch-site"] === "same-origin" ? headers[`turma-${page}`] : undefined

const refusal = (message: string) =>
  HttpServerResponse.jsonUnsafe({ error: { code: "forbidden", message } }, {
    status: 403,
    headers: { "cache-control": "no-store" }
  })

/** The answer for any other page. */
export const notOwnPage = (page: PageName) =>
  refusal(`Only the ${page}'s own pages are answered here, over HTTPS or on this machine: programs call /v1 with a token`)

/** The answer for a script that asks for a token. */
export const otherDoor = (page: PageName) =>
  refusal(`The ${page} signs in at /${page}/session, which keeps the token from its scripts`)
