import { DateTime, Option, Schema } from "effect"
import { HttpBody, HttpServerResponse } from "effect/http"
import type { OwnCookie } from "../../platform/http/OwnCookie.ts"
import { Timestamp } from "../../platform/http/Timestamp.ts"
import { ownText } from "../../platform/text/Utf8.ts"

const Grant = Schema.Struct({
  data: Schema.Struct({ access_token: Schema.String, expires_at: Timestamp, session: Schema.Json })
})

const readGrant = Schema.decodeUnknownOption(Schema.fromJsonString(Grant))

/** Nobody gets an answer in which the token may still be. */
const unknownGrant = HttpServerResponse.empty({ status: 500 })

/**
 * The answer to a sign-in, with its token only in the cookie: no script of the page ever has it. A refusal stays as it
 * is. Any other answer becomes a 500.
 */
export const keepsToken =
  (cookie: OwnCookie) => (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse => {
    const { body } = response
    if (response.status >= 400) return response
    const text = body._tag === "Uint8Array" ? ownText(body.body) : ""
    const grant = readGrant(text)
    if (Option.isNone(grant)) return unknownGrant
    const { access_token, expires_at, session } = grant.value.data
    const shown = HttpServerResponse.setBody(
      response,
      HttpBody.jsonUnsafe({ data: { expires_at: DateTime.formatIso(expires_at), session } })
    )
    return cookie.set(shown, access_token, expires_at)
  }
