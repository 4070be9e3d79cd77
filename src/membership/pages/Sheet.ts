import { html, type Markup } from "../../platform/pages/Html.ts"
import type { Page } from "../../platform/pages/Page.ts"
import type { Place } from "./Place.ts"

/** The content of a page, and its status. */
export interface Sheet {
  readonly title: string
  /** Below the title, the first of it. */
  readonly intro?: string
  readonly body?: Markup
  /** Other ways, below. */
  readonly links?: ReadonlyArray<Way>
  readonly status?: number
}

/** A link to another page. */
export interface Way {
  readonly label: string
  readonly to: string
}

/** Where to go next: the first as a button. */
export const next = ([first, ...others]: readonly [Way, ...ReadonlyArray<Way>]) =>
  html`<div class="actions"><a class="button" href="${first.to}">${first.label}</a>${
    others.map(({ label, to }) => html`<a href="${to}">${label}</a>`)
  }</div>`

/** The page of a sheet. */
export const pageOf = (
  { face, label, locale, to }: Place,
  { body, intro, links = [], title }: Sheet
): Page => ({
  locale,
  title,
  home: to("sign-in"),
  brand: face?.brand,
  head: html`${face !== undefined && html`<link rel="stylesheet" href="${face.sheet}">`}`,
  body: html`<div class="card stack">
${face === undefined && html`<p class="eyebrow">${label}</p>`}
<h1>${title}</h1>
${intro !== undefined && html`<p class="lead">${intro}</p>`}
${body}
</div>
${
    links.length > 0 &&
    html`<ul class="ways">${links.map((way) => html`<li><a href="${way.to}">${way.label}</a></li>`)}</ul>`
  }`
})
