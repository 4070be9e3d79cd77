import { html, type Markup } from "../../platform/pages/Html.ts"
import { documentOf } from "../../platform/pages/Page.ts"
import type { Group } from "./ApiDocument.ts"
import type { Guide } from "./GuideFiles.ts"
import type { SiteFile } from "./SiteFile.ts"

/** With a capital letter at its beginning. */
export const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

/** The frame of every page. */
export interface Surroundings {
  readonly guides: ReadonlyArray<Guide>
  readonly groups: ReadonlyArray<Group>
  readonly style: SiteFile
  readonly script: SiteFile
}

/** One page of the documentation. */
export interface DocsPage {
  /** Where it is: `/docs/guides/tour`. */
  readonly address: string
  readonly title: string
  /** Begins with the page's only `h1`. */
  readonly body: Markup
  /** The parts of the page, shown below its link in the contents. */
  readonly parts?: ReadonlyArray<{ readonly text: string; readonly anchor: string }>
  /** Where the same is as Markdown. */
  readonly markdown?: string
}

const link = (page: DocsPage, address: string, text: string): Markup =>
  page.address === address
    ? html`<li><a href="${address}" aria-current="page">${text}</a>${
      page.parts === undefined || page.parts.length === 0 ?
        undefined :
        html`<ul class="parts">${
          page.parts.map((part) => html`<li><a href="#${part.anchor}">${part.text}</a></li>`)
        }</ul>`
    }</li>`
    : html`<li><a href="${address}">${text}</a></li>`

const contents = ({ groups, guides }: Surroundings, page: DocsPage): Markup =>
  html`<nav id="contents" class="contents" popover aria-label="Contents">
<ul>${link(page, "/docs", "Start")}</ul>
<h2>Guides</h2>
<ul>${guides.map(({ name, title }) => link(page, `/docs/guides/${name}`, title))}</ul>
${
    groups.map(({ name, sections }) =>
      html`<h2>${capital(name)}</h2><ul>${
        sections.map((one) => link(page, `/docs/reference/${one.slug}`, one.name))
      }</ul>`
    )
  }
<h2>What we send</h2>
<ul>${link(page, "/docs/events", "Events")}</ul>
<h2>For programs</h2>
<ul><li><a href="/openapi.json" download>OpenAPI document</a></li><li><a href="/llms.txt">llms.txt</a></li></ul>
</nav>`

/** The field in which people search: a form that answers with a page, and with the script a list below it. */
const searchForm = (question: string): Markup =>
  html`<form class="search" action="/docs/search" role="search">
<label class="visually-hidden" for="q">Search the documentation</label>
<input type="search" id="q" name="q" value="${question}" placeholder="Search  /" maxlength="100" autocomplete="off" spellcheck="false">
<div id="found" class="popup" hidden></div>
</form>`

/** The whole page. Bundlers rewrite templates in which a script ends, so the end of ours is joined from two strings. */
export const shell = (surroundings: Surroundings, page: DocsPage, question = ""): string =>
  documentOf({
    locale: "en",
    title: page.title,
    width: "wide",
    head: html`<link rel="stylesheet" href="${surroundings.style.address}">
<script src="${surroundings.script.address}" defer><${"/"}script>
${page.markdown === undefined ? undefined : html`<link rel="alternate" type="text/markdown" href="${page.markdown}">`}`,
    nav: html`<button type="button" class="quiet menu" popovertarget="contents">Contents</button>${
      searchForm(question)
    }`,
    body: html`<div class="docs"><article>${page.body}</article>${contents(surroundings, page)}</div>`
  })
