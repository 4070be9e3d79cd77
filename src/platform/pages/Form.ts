import { ByteSize, Effect, Option, Schema } from "effect"
import { HttpIncomingMessage, HttpServerRequest } from "effect/http"
import type { OwnCookie } from "../http/OwnCookie.ts"
import { isReadable } from "../http/server/ReadableUrl.ts"
import { utf8Option } from "../text/Utf8.ts"

/** The body is not a form of one of our pages; the status says why. */
export class FormRefused extends Schema.TaggedError<FormRefused>()("FormRefused", {
  status: Schema.Literals([400, 403, 415])
}) {}

/** The entered values, by the names of their fields; empty for an empty field. */
export interface Form {
  (field: string): string
}

const hostOf = (origin: string) => URL.parse(origin)?.host

/**
 * True if one of our own pages has sent a form. Browsers say so in `Sec-Fetch-Site`. Over plain http, and in old browsers,
 * that header is missing. Then the origin has to be ours. Pages that give no Referer send no origin or `null`. Then a
 * cookie has to be there that only requests from our own pages have (`hasOwnCookie`).
 */
export const isOwnForm = (
  headers: Readonly<Record<string, string | undefined>>,
  own: URL,
  hasOwnCookie: boolean
): boolean => {
  const site = headers["sec-fetch-site"]
  if (site !== undefined) return site === "same-origin" || site === "none"
  const { host, origin } = headers
  if (origin === undefined || origin === "null") return hasOwnCookie
  return origin === own.origin || (host !== undefined && hostOf(origin) === host)
}

const isForm = (contentType: string | undefined) =>
  /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(contentType ?? "")

/** Refuses what another site sends, whatever it is. Before anything is counted or read. The cookie is as in `isOwnForm`. */
export const checkOrigin = Effect.fnUntraced(function*(own: URL, { name }: OwnCookie) {
  const { cookies, headers } = yield* HttpServerRequest.HttpServerRequest
  if (!isOwnForm(headers, own, cookies[name] !== undefined)) return yield* new FormRefused({ status: 403 })
})

/** Reads a form of at most 16 KiB, whose bytes are UTF-8 in any encoding. Of fields that are there twice the first counts. */
export const readForm = Effect.gen(function*() {
  const request = yield* HttpServerRequest.HttpServerRequest
  if (!isForm(request.headers["content-type"])) return yield* new FormRefused({ status: 415 })
  const text = Option.filter(utf8Option(new Uint8Array(yield* request.arrayBuffer)), isReadable)
  if (Option.isNone(text)) return yield* new FormRefused({ status: 400 })
  const entered = new URLSearchParams(text.value)
  const form: Form = (field) => entered.get(field) ?? ""
  return form
}).pipe(Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.kibibytes(16)))
