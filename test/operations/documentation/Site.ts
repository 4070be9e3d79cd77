import { OpenApi } from "effect/http-api"
import { Api } from "../../../src/Api.ts"
import { type ApiDocument, groupsOf, readDocument } from "../../../src/operations/documentation/ApiDocument.ts"
import type { Entry } from "../../../src/operations/documentation/Search.ts"
import { makeSite } from "../../../src/operations/documentation/Site.ts"

// The whole documentation, for tests that need no server.

const json = JSON.stringify(OpenApi.fromApi(Api))
const made = new Map<string, string>()

/** The parts of the site besides its files. */
const rest = makeSite(
  { document: json, baseUrl: "https://turma.example", first: "/docs" },
  ({ address, bytes }) => made.set(address, new TextDecoder().decode(bytes))
)

/** Every file by its address, in the order of the calls that handed them over. */
export const files: ReadonlyMap<string, string> = made

/** The entries that a search can find. */
export const entries: ReadonlyArray<Entry> = rest.entries

/** The contract's document. */
export const apiDocument: ApiDocument = readDocument(json)

/** Every operation of the document, in its order. */
export const listed = groupsOf(apiDocument).flatMap(({ sections }) => sections).flatMap(({ operations, slug }) =>
  operations.map((operation) => ({ ...operation, slug }))
)

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: "\"", "#39": "'" }

/** The text of HTML without its elements. */
const textOf = (html: string) =>
  html.replaceAll(/<[^>]*>/g, "").replaceAll(/&(#?\w+);/g, (_, name: string) => entities[name] ?? "")

/** The blocks of code in this language on a page. */
export const codeOf = (page: string, language: string): ReadonlyArray<string> =>
  [...page.matchAll(new RegExp(`<code data-language="${language}">(.*?)</code></pre>`, "gs"))].map(([, code = ""]) =>
    textOf(code)
  )
