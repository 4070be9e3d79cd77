import { Effect, Option } from "effect"
import { HttpBody, HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import { RateLimited, RateLimitUnavailable } from "../../identity/limits/RateLimit.ts"
import { preferredLocale } from "../../platform/http/AcceptLanguage.ts"
import { TemporarilyUnavailable } from "../../platform/http/errors.ts"
import type { Locale } from "../../platform/http/Locale.ts"
import { RequestLine } from "../../platform/http/server/RequestLog.ts"
import { FormRefused } from "../../platform/pages/Form.ts"
import { html } from "../../platform/pages/Html.ts"
import { answerPage, documentOf, type Page } from "../../platform/pages/Page.ts"
import { words } from "./words/Words.ts"

const failure = (locale: Locale, title: string, text: string): Page => ({
  locale,
  title,
  body: html`<div class="card stack" role="alert"><h1>${title}</h1><p class="lead">${text}</p></div>`
})

/** A failure as a page. */
export const failurePage = (locale: Locale, status: number) => {
  const { failed } = words[locale]
  const { text, title } = status === 403 || status === 404 || status === 413 || status === 415 || status === 503
    ? failed[status]
    : status === 400
    ? failed[415]
    : failed[500]
  return answerPage(failure(locale, title, text), { status })
}

const tooMany = (locale: Locale, seconds: number) => {
  const { text, title } = words[locale].failed[429]
  return failure(locale, title, text(seconds))
}

// The counters set the wait with the headers, after everything else. So the page is rendered there too.
const tooManyPage = (locale: Locale) =>
  Effect.as(
    HttpEffect.appendPreResponseHandler((_, response) => {
      // A request that prefers no page has the envelope by now.
      if (response.body._tag !== "Uint8Array" || !response.body.contentType.startsWith("text/html")) {
        return Effect.succeed(response)
      }
      const page = documentOf(tooMany(locale, Number(response.headers["retry-after"] ?? 60)))
      return Effect.succeed(HttpServerResponse.setBody(response, HttpBody.text(page, "text/html; charset=utf-8")))
    }),
    answerPage(tooMany(locale, 60), { status: 429 })
  )

const browserLocale = Effect.map(
  HttpServerRequest.HttpServerRequest,
  ({ headers }) => preferredLocale(headers["accept-language"])
)

/** The failures that every form may have. */
type InTheWay = FormRefused | RateLimited | RateLimitUnavailable | TemporarilyUnavailable

const isInTheWay = (error: unknown): error is InTheWay =>
  error instanceof FormRefused || error instanceof RateLimited || error instanceof RateLimitUnavailable ||
  error instanceof TemporarilyUnavailable

/**
 * Answers failures as a page in the browser's language, even if the handler dies or the body is unreadable. Elsewhere
 * the envelope answers those.
 */
export const inPages = <E, R>(handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E | InTheWay, R>) =>
  Effect.gen(function*() {
    const locale = yield* browserLocale
    const line = yield* Effect.serviceOption(RequestLine)
    if (Option.isSome(line)) line.value.refusal = (status) => failurePage(locale, status)
    return yield* Effect.catchIf(handler, isInTheWay, (error) => {
      if (error instanceof RateLimited) return tooManyPage(locale)
      return Effect.succeed(failurePage(locale, error instanceof FormRefused ? error.status : 503))
    })
  })
