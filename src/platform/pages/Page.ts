import { HttpServerResponse } from "effect/http"
import type { Locale } from "../http/Locale.ts"
import { html, type Markup } from "./Html.ts"
import { icon, styleSheet } from "./Look.ts"

/** Whose page it is. */
export interface Brand {
  readonly name: string
  /** The address of its mark on this site. */
  readonly mark: string
}

/** One page, without the parts that all have. */
export interface Page {
  /** The language that it is written in. */
  readonly locale: Locale
  /** Named in the tab and the history, before the brand's name; no secret. */
  readonly title: string
  /** What is in `main`. It begins with the page's only `h1`. */
  readonly body: Markup
  /** `narrow` for one thing to read and to do (the default), `wide` for more. */
  readonly width?: "narrow" | "wide"
  /** More for the head: style sheets and scripts of this page, by address. */
  readonly head?: Markup
  /** At the top, in the tab and in its title: ours unless it says otherwise. */
  readonly brand?: Brand | undefined
  /** Where the name at the top leads: the front page unless it says otherwise. */
  readonly home?: string
  /** Beside the name at the top: links to other pages. */
  readonly nav?: Markup
  /** Below everything. */
  readonly foot?: Markup
}

const words = {
  "pt-BR": { skip: "Ir para o conteúdo", front: "página inicial", home: "início" },
  en: { skip: "Skip to the content", front: "front page", home: "start" }
} as const

const ours: Brand = { name: "Turma", mark: icon.path }

/** The whole document. */
export const documentOf = (
  { body, brand = ours, foot, head, home = "/", locale, nav, title, width = "narrow" }: Page
): string =>
  html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<title>${title} · ${brand.name}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="icon" href="${brand.mark}">
<link rel="stylesheet" href="${styleSheet.path}">
${head}
</head>
<body>
<a class="skip" href="#content">${words[locale].skip}</a>
<header class="bar">
<a class="brand" href="${home}" aria-label="${brand.name}, ${
    home === "/" ? words[locale].front : words[locale].home
  }"><img src="${brand.mark}" alt="" width="28" height="28">${brand.name}</a>
${nav}
</header>
<main id="content" tabindex="-1" class="${width}">
${body}
</main>
${foot === undefined ? undefined : html`<footer class="foot">${foot}</footer>`}
</body>
</html>
`.text

/**
 * The rights of a page: it loads our style sheet and images, sends forms to us, and does nothing else. A page that does
 * more (the documentation searches with a script of its own) extends these and says why.
 */
export const pagePolicy = {
  "default-src": "'none'",
  "style-src": "'self'",
  "img-src": "'self'",
  "form-action": "'self'",
  "base-uri": "'none'",
  "frame-ancestors": "'none'"
} as const

/** A policy as its header has it. */
export const policyText = (policy: Readonly<Record<string, string>>): string =>
  Object.entries(policy).map(([directive, sources]) => `${directive} ${sources}`).join("; ")

/** Of every page: nobody keeps it or frames it, no link says where it was followed from, nothing runs in it. */
export const pageHeaders = {
  "cache-control": "no-store",
  "content-security-policy": policyText(pagePolicy),
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
} as const

interface AnswerOptions {
  readonly status?: number
  /** In place of those of `pageHeaders`, or beside them. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A page as an answer, with every header of `pageHeaders`. */
export const answerPage = (page: Page, { headers = {}, status = 200 }: AnswerOptions = {}) =>
  HttpServerResponse.text(documentOf(page), {
    status,
    contentType: "text/html; charset=utf-8",
    headers: { ...pageHeaders, "content-language": page.locale, ...headers }
  })
