import { Context, Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { preferredLocale } from "../AcceptLanguage.ts"
import type { Locale } from "../Locale.ts"
import { RequestLine } from "./RequestLog.ts"

/** The language that the request asks for. Its answer then says by `Vary` that it depends on `Accept-Language`. */
export const askedLocale: Effect.Effect<Locale, never, HttpServerRequest.HttpServerRequest> = Effect
  .withFiber((fiber) => {
    const line = Context.getOrUndefined(fiber.context, RequestLine)
    if (line !== undefined) line.isWorded = true
    return Effect.map(
      HttpServerRequest.HttpServerRequest,
      ({ headers }) => preferredLocale(headers["accept-language"])
    )
  })
