import { readFileSync } from "node:fs"
import { html, type Markup } from "../../platform/pages/Html.ts"
import { type ApiDocument, type Group, groupsOf, type Listed, readDocument } from "./ApiDocument.ts"

import { ownText } from "../../platform/text/Utf8.ts"
import { type Guide, guideBody, guidePath, guideSections, readGuides } from "./GuideFiles.ts"
import { eventsPath, sectionPath } from "./OperationText.ts"
import { eventsBody, failuresOf, sectionBody } from "./Reference.ts"
import type { Entry } from "./Search.ts"
import { fieldNames } from "./Shape.ts"
import { capital, type DocsPage as ShellPage, shell, type Surroundings } from "./Shell.ts"
import { assetFile, type SiteFile, siteFile } from "./SiteFile.ts"
import { markdownTexts } from "./Texts.ts"

/** The parts of the documentation that are not files. */
export interface Rest {
  /** The entries of the search. */
  readonly entries: ReadonlyArray<Entry>
  /** The page of what is found. */
  readonly found: Frame
  /** The page for an address that does not exist. */
  readonly missing: string
}

/** A page with room in it for what is found. */
interface Frame {
  readonly before: string
  readonly after: string
}

/** A page whose body is built when its turn comes. */
interface DocsPage extends Omit<ShellPage, "body"> {
  readonly body: () => Markup
}

const fileOf = (name: string) => ownText(readFileSync(new URL(`./${name}`, import.meta.url)))

const card = ({ name, summary, title }: Guide): Markup =>
  html`<li><a href="/docs/guides/${name}"><strong>${title}</strong></a><br>${capital(summary)}.</li>`

/** The first page: the guides by their readers, and the things to look up. */
const startPage = (guides: ReadonlyArray<Guide>, groups: ReadonlyArray<Group>): DocsPage => {
  const audiences = [...new Set(guides.map(({ audience }) => audience))]
  const body = () =>
    html`<h1>Documentation</h1>
<p class="lead">Turma is the API of a learning-community platform: clubs that administrators run from a dashboard and
students use in a classroom. The <a href="/docs/guides/tour">tour</a> shows everything once, by commands that you can
paste.</p>
${
      audiences.map((audience) =>
        html`<h2>For ${audience}</h2>
<ul class="cards">${guides.filter((guide) => guide.audience === audience).map(card)}</ul>`
      )
    }
<h2>Reference</h2>
<p>Every operation with its fields, bounds, failures and examples. <a href="/docs/events">Events</a> are what we send. The
same for programs is the <a href="/openapi.json" download>OpenAPI document</a>, and for language models
<a href="/llms.txt">llms.txt</a>, which leads to Markdown of everything.</p>
<ul class="cards">${
      groups.map(({ name, sections }) =>
        html`<li><strong>${capital(name)}</strong><br>${
          sections.map((one, index) =>
            html`${index === 0 ? "" : ", "}<a href="/docs/reference/${one.slug}">${one.name}</a>`
          )
        }</li>`
      )
    }</ul>`
  return { address: "/docs", title: "Documentation", body, markdown: "/llms.txt" }
}

const guidePages = (guides: ReadonlyArray<Guide>): ReadonlyArray<DocsPage> =>
  guides.map((guide) => {
    const { body, headings } = guideBody(guide, guides)
    const parts = headings.filter(({ depth }) => depth === 2)
    return {
      address: `/docs/guides/${guide.name}`,
      title: guide.title,
      body: () => body,
      parts,
      markdown: guidePath(guide)
    }
  })

const referencePages = (
  document: ApiDocument,
  groups: ReadonlyArray<Group>,
  baseUrl: string
): ReadonlyArray<DocsPage> =>
  groups.flatMap(({ sections }) => sections).map((section) => ({
    address: `/docs/reference/${section.slug}`,
    title: section.name,
    body: () => sectionBody(document, section, baseUrl),
    markdown: sectionPath(section),
    parts: section.operations.map(({ operationId, summary }) => ({ anchor: operationId, text: summary ?? operationId }))
  }))

const eventsPage = (document: ApiDocument): DocsPage => ({
  address: "/docs/events",
  title: "Events",
  body: () => eventsBody(document),
  markdown: eventsPath,
  parts: Object.keys(document.webhooks).map((type) => ({ anchor: type, text: type }))
})

const guideEntries = (guides: ReadonlyArray<Guide>): ReadonlyArray<Entry> =>
  guides.flatMap((guide) =>
    guideSections(guide).map(({ heading, text }) => ({
      kind: "Guide" as const,
      title: heading.text,
      address: `/docs/guides/${guide.name}#${heading.anchor}`,
      place: guide.title,
      names: "",
      text: text.replaceAll(/\s+/g, " ").trim()
    }))
  )

const bodiesOf = ({ requestBody, responses }: Listed) => [
  ...Object.values(requestBody?.content ?? {}),
  ...Object.entries(responses).filter(([status]) => status < "300").flatMap(([, { content = {} }]) =>
    Object.values(content)
  )
]

const operationEntries = (document: ApiDocument, groups: ReadonlyArray<Group>): ReadonlyArray<Entry> =>
  groups.flatMap(({ sections }) => sections).flatMap(({ operations, slug }) =>
    operations.map((operation) => {
      const { description = "", method, operationId, parameters, path, summary } = operation
      const fields = bodiesOf(operation).flatMap(({ schema = {} }) => fieldNames(document, schema))
      const codes = failuresOf(document, operation).map(({ code }) => code)
      return {
        kind: "Operation" as const,
        title: summary ?? operationId,
        address: `/docs/reference/${slug}#${operationId}`,
        place: `${method} ${path}`,
        names: [...new Set([operationId, ...parameters.map(({ name }) => name), ...fields, ...codes])].join(" "),
        text: description.replaceAll("`", "").replaceAll(/\s+/g, " ")
      }
    })
  )

const eventEntries = (document: ApiDocument): ReadonlyArray<Entry> =>
  Object.entries(document.webhooks).map(([type, { post }]) => ({
    kind: "Event" as const,
    title: type,
    address: `/docs/events#${type}`,
    place: "webhook",
    names: Object.values(post.requestBody?.content ?? {}).flatMap(({ schema = {} }) => fieldNames(document, schema))
      .join(" "),
    text: post.description ?? ""
  }))

/** Stands where the answer goes until there is one. */
const hole = "\u{F8FF}"

const searchFrame = (surroundings: Surroundings): Frame => {
  const body = html`<h1>Search</h1>${hole}`
  const [before = "", after = ""] = shell(surroundings, { address: "/docs/search", title: "Search", body }).split(hole)
  return { before, after }
}

const missingPage = (surroundings: Surroundings) =>
  shell(surroundings, {
    address: "",
    title: "No such page",
    body: html`<h1>No such page</h1><p>It may have moved: <a href="/docs">start here</a>, or search above.</p>`
  })

const assets = () => ({
  style: assetFile("docs", "css", "text/css; charset=utf-8", fileOf("docs.css")),
  script: assetFile("docs", "js", "text/javascript; charset=utf-8", fileOf("browser/docs.js"))
})

/** A file that is built when its turn comes. */
interface Turn {
  readonly address: string
  readonly make: () => SiteFile
}

const turnOf = (surroundings: Surroundings) => ({ body, ...page }: DocsPage): Turn => ({
  address: page.address,
  make: () => {
    const text = shell(surroundings, { ...page, body: body() })
    return { ...siteFile(page.address, "text/html; charset=utf-8", text), markdown: page.markdown }
  }
})

/** The input of the documentation. */
export interface Source {
  /** The OpenAPI document as JSON. */
  readonly document: string
  /** Where the service is, for the examples: without a slash at its end. */
  readonly baseUrl: string
  /** The address that a request waits for, which is built first. */
  readonly first: string
}

/** Builds the whole documentation, and hands each file on as soon as it is complete. */
export const makeSite = (source: Source, publish: (file: SiteFile) => void): Rest => {
  publish(siteFile("/openapi.json", "application/json", source.document))
  const document: ApiDocument = readDocument(source.document)
  const [guides, groups] = [readGuides(), groupsOf(document)]
  const { script, style } = assets()
  publish(style)
  publish(script)
  const surroundings: Surroundings = { guides, groups, style, script }
  const pages = [
    startPage(guides, groups),
    ...guidePages(guides),
    ...referencePages(document, groups, source.baseUrl),
    eventsPage(document)
  ]
  const turns = [
    ...pages.map(turnOf(surroundings)),
    ...markdownTexts(document, guides, groups, source.baseUrl).map(({ address, text }): Turn => ({
      address,
      make: () => siteFile(address, "text/markdown; charset=utf-8", text())
    }))
  ]
  const isWanted = ({ address }: Turn) => address === source.first
  for (const { make } of [...turns.filter(isWanted), ...turns.filter((one) => !isWanted(one))]) publish(make())
  return {
    entries: [...guideEntries(guides), ...operationEntries(document, groups), ...eventEntries(document)],
    found: searchFrame(surroundings),
    missing: missingPage(surroundings)
  }
}
