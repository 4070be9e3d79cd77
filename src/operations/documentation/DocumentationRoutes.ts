import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { NotFound } from "../../platform/http/errors.ts"
import { staticAnswer } from "../../platform/http/server/StaticAnswer.ts"
import { PublicUrls } from "../../platform/http/ServerSettings.ts"
import { pageHeaders, pagePolicy, policyText } from "../../platform/pages/Page.ts"
import { Documentation } from "./Documentation.ts"
import { longestQuestion } from "./Search.ts"
import type { SiteFile } from "./SiteFile.ts"

/** Our own script runs, and asks us alone; the examples are text. */
const policy = policyText({
  ...pagePolicy,
  "script-src": "'self'",
  "connect-src": "'self'",
  "img-src": "'self' data:"
})

const headers = { ...pageHeaders, "content-security-policy": policy, "cache-control": "no-cache" }

const page = "text/html; charset=utf-8"

const markdownType = "text/markdown; charset=utf-8"

/** Programs that read Markdown name it, with or without pages; browsers do not. With a weight of zero it is refused. */
const namesMarkdown = /(?:^|,)\s*text\/markdown\s*(?:;(?!\s*q=0(?:\.0*)?\s*(?:,|$))|,|$)/i

const isNegotiated = ({ contentType, markdown }: SiteFile) => markdown !== undefined || contentType === markdownType

const answerOf = (file: SiteFile) =>
  staticAnswer(
    HttpServerResponse.uint8Array(file.bytes, {
      contentType: file.contentType,
      headers: isNegotiated(file) ? { ...headers, vary: "Accept" } : headers
    }),
    file.immutable ? "public, max-age=31536000, immutable" : "no-cache"
  )

/** Without the slash that a browser or a person puts behind it. */
const pathOf = (url: string) => (url.split("?")[0] ?? "").replace(/(?<=.)\/$/, "")

/** Every address of the documentation, for people and for programs, and the document of the contract. */
export const documentationRoutes = [
  { method: "GET", path: "/openapi.json" },
  { method: "GET", path: "/llms.txt" },
  { method: "GET", path: "/llms-full.txt" },
  { method: "GET", path: "/docs" },
  { method: "GET", path: "/docs/search" },
  { method: "GET", path: "/docs/:page" },
  { method: "GET", path: "/docs/:part/:page" }
] as const

/** Answers them. `program` makes them. */
export const documentationLayer = (program: URL) =>
  HttpRouter.use(Effect.fnUntraced(function*(router) {
    const documentation = yield* Documentation
    const answers = new WeakMap<SiteFile, HttpServerResponse.HttpServerResponse>()

    const answer = (file: SiteFile) => {
      const known = answers.get(file) ?? answerOf(file)
      answers.set(file, known)
      return known
    }

    const missing = Effect.map(documentation.missing, (text) =>
      HttpServerResponse.text(text, { status: 404, contentType: page, headers: { ...headers, vary: "Accept" } }))

    const isProgram = (path: string, accept: string) =>
      path.endsWith(".md") || namesMarkdown.test(accept)

    /** The file at a path, or its Markdown if `Accept` asks for that. Only people get a page for a missing file. */
    const fileAt = Effect.fnUntraced(function*(path: string, accept = "") {
      const file = yield* documentation.file(path)
      if (file === undefined) {
        return yield* isProgram(path, accept) ? new NotFound() : missing
      }
      if (file.markdown === undefined || !namesMarkdown.test(accept)) {
        return answer(file)
      }
      const markdown = yield* documentation.file(file.markdown)
      if (markdown === undefined) {
        return answer(file)
      }
      return HttpServerResponse.setHeader(answer(markdown), "content-location", markdown.address)
    })

    const read = Effect.flatMap(
      HttpServerRequest.HttpServerRequest,
      ({ headers, url }) => fileAt(pathOf(url), headers["accept"])
    )

    const found = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) => {
      const query = new URL(url, "http://localhost").searchParams
      const question = (query.get("q") ?? "").slice(0, longestQuestion)
      return Effect.map(
        documentation.found(question, query.get("part") === "list" ? "list" : "page"),
        (text) => HttpServerResponse.text(text, { contentType: page, headers })
      )
    })

    for (const { method, path } of documentationRoutes) {
      yield* router.add(method, path, path === "/docs/search" ? found : read)
    }
  })).pipe(Layer.provide(Documentation.layer(program)), Layer.provide(PublicUrls.layer))
