import { listedAlternatives } from "../../platform/http/document/Alternatives.ts"
import { html, type Markup } from "../../platform/pages/Html.ts"
import { either } from "../../platform/text/either.ts"
import {
  type Answer,
  type ApiDocument,
  type Content,
  type JsonSchema,
  type Listed,
  resolved,
  type Section
} from "./ApiDocument.ts"
import { codeBlock } from "./Code.ts"
import { clientCallOf, curlOf, exampleOf, fetchOf, shellVariable } from "./Examples.ts"
import { bodyFields, fieldItem } from "./Fields.ts"
import { renderDescription } from "./Markdown.ts"

// One page for each subject of the reference, and on it every operation with all that there is to say of it.

const isSuccess = (status: string) => status < "300"
const isFailure = (status: string) => status >= "400"

/** A failure that an operation may answer. */
export interface Failure {
  readonly status: string
  readonly code: string
  readonly when: string
}

const codeIn = (document: ApiDocument, schema: JsonSchema): string | undefined => {
  const error = resolved(document, schema).properties?.["error"]
  const code = error === undefined ? undefined : resolved(document, error).properties?.["code"]
  const value = code?.const ?? code?.enum?.[0]
  return typeof value === "string" ? value : undefined
}

const failuresIn = (
  document: ApiDocument,
  status: string,
  { content, description }: Answer
): ReadonlyArray<Failure> => {
  const schema = content?.["application/json"]?.schema ?? {}
  const all = schema.anyOf ?? schema.oneOf ?? [schema]
  const whens = listedAlternatives(description)
  return all.flatMap((one, index) => {
    const code = codeIn(document, one)
    const when = one.description ?? whens[index] ?? description
    return code === undefined ? [] : [{ status, code, when }]
  })
}

/** The failures of an operation with their codes, by status. */
export const failuresOf = (document: ApiDocument, { responses }: Listed): ReadonlyArray<Failure> =>
  Object.entries(responses).filter(([status]) => isFailure(status))
    .flatMap(([status, answer]) => failuresIn(document, status, answer))

/** Errors that any request may meet: named with every operation, explained in the guide. */
const common = new Set([
  "forbidden",
  "internal_error",
  "malformed_request",
  "not_found",
  "payload_too_large",
  "rate_limited",
  "rate_limit_unavailable",
  "temporarily_unavailable",
  "unauthenticated",
  "unsupported_media_type",
  "validation_failed"
])

/** The failures that are an operation's own, and those that any request may meet. */
export const failuresBy = (
  document: ApiDocument,
  operation: Listed
): { readonly own: ReadonlyArray<Failure>; readonly shared: ReadonlyArray<Failure> } => {
  const all = failuresOf(document, operation)
  return { own: all.filter(({ code }) => !common.has(code)), shared: all.filter(({ code }) => common.has(code)) }
}

const failures = (document: ApiDocument, operation: Listed): Markup => {
  const { own, shared } = failuresBy(document, operation)
  const rows = own.map(({ code, status, when }) =>
    html`<tr><td>${status}</td><td><code>${code}</code></td><td>${renderDescription(when)}</td></tr>`
  )
  return html`<h3>Failures</h3>${
    rows.length === 0
      ? undefined
      : html`<div class="table" tabindex="0" role="region" aria-label="Failures of ${operation.summary}"><table><thead><tr><th
scope="col">Status</th><th scope="col">Code</th><th scope="col">When</th></tr></thead><tbody>${rows}</tbody></table></div>`
  }<p class="soft small">As on other routes: ${
    shared.map(({ code, status }, index) => html`${index === 0 ? "" : ", "}${status} <code>${code}</code>`)
  }. <a href="/docs/guides/errors">What they mean</a>.</p>`
}

const places: Readonly<Record<string, string>> = { path: "In the path", query: "In the query", header: "Headers" }

const parameters = (document: ApiDocument, { parameters, path }: Listed): ReadonlyArray<Markup> =>
  Object.entries(places).flatMap(([place, heading]) => {
    const here = parameters.filter((one) => one.in === place)
    if (here.length === 0) return []
    const items = here.map(({ description, example, name, required, schema }) => {
      const variable = place === "path"
        ? html`<span class="rule">in the examples <code>$${shellVariable(name, path)}</code></span>`
        : undefined
      const must = required === true && place !== "path" ? html`<span class="must">required</span>` : undefined
      const described = {
        ...schema,
        ...description === undefined ? {} : { description },
        ...example === undefined ? {} : { example }
      }
      return fieldItem(document, name, described, html`${must}${variable}`)
    })
    return [html`<h3>${heading}</h3><ul class="fields">${items}</ul>`]
  })

const body = (document: ApiDocument, { requestBody }: Listed): ReadonlyArray<Markup> =>
  Object.entries(requestBody?.content ?? {}).map(([type, { schema = {} }]) =>
    html`<h3>Body, <code>${type}</code></h3>${bodyFields(document, schema)}`
  )

/** A successful answer. */
interface Success {
  readonly status: string
  readonly type: string
  /** Absent without a body. */
  readonly content: Content | undefined
}

/** The answers of an operation that succeeds. */
export const successes = ({ responses }: Listed): ReadonlyArray<Success> =>
  Object.entries(responses).filter(([status]) => isSuccess(status))
    .flatMap(([status, { content = {} }]): ReadonlyArray<Success> => {
      const all = Object.entries(content)
      return all.length === 0
        ? [{ status, type: "", content: undefined }]
        : all.map(([type, one]) => ({ status, type, content: one }))
    })

const successOf = (document: ApiDocument, operation: Listed): ReadonlyArray<Markup> =>
  successes(operation).map(({ content, status, type }) => {
    if (content === undefined) return html`<h3>Answer</h3><p>${status}, without a body.</p>`
    const note = type === "text/event-stream" ? "events, each with data of this shape" : type
    const fields = bodyFields(document, content.schema ?? {})
    return html`<h3>Answer</h3><details><summary>${status}, ${note}</summary>${fields}</details>`
  })

const exampleAnswer = (document: ApiDocument, operation: Listed): ReadonlyArray<Markup> =>
  Object.entries(operation.responses).filter(([status]) => isSuccess(status)).flatMap(([status, { content = {} }]) => {
    const json = content["application/json"]
    if (json === undefined) return []
    const text = JSON.stringify(exampleOf(document, json, false), undefined, 2)
    return [html`<h4>Answer, ${status}</h4>${codeBlock(text, "json", `Example of the answer to ${operation.summary}`)}`]
  })

const examples = (document: ApiDocument, operation: Listed): Markup => {
  const about = operation.summary ?? operation.operationId
  return html`<div class="examples"><h3 class="visually-hidden">Examples</h3><details open><summary>curl</summary>${
    codeBlock(curlOf(document, operation), "sh", `${about} with curl`)
  }</details><details><summary>TypeScript</summary>${
    codeBlock(fetchOf(document, operation), "ts", `${about} with fetch`)
  }<p class="small soft">With the <a href="/docs/guides/typescript">typed client</a>:</p>${
    codeBlock(clientCallOf(operation), "ts", `${about} with the typed client`)
  }</details>${exampleAnswer(document, operation)}</div>`
}

const credentials = [
  ["userSession", "an administrator's session"],
  ["studentSession", "a student's session"],
  ["clubKey", "a club's key"]
] as const

/** The kind of token that the route wants. */
export const credential = ({ security = [] }: Listed): string => {
  const schemes = new Set(security.flatMap((scheme) => Object.keys(scheme)))
  const named = credentials.filter(([scheme]) => schemes.has(scheme)).map(([, words]) => words)
  return named.length === 0 ? "Needs no session." : `With ${either(named)}.`
}

const operationOf = (document: ApiDocument, operation: Listed): Markup => {
  const { description, method, operationId, path, summary } = operation
  return html`<section class="operation" id="${operationId}" aria-labelledby="${operationId}.title">
<h2 id="${operationId}.title">${summary} <a class="anchor" href="#${operationId}" aria-label="Link to ${summary}">#</a></h2>
<p class="route"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></p>
<div class="columns"><div class="text">${description === undefined ? undefined : renderDescription(description)}
<p class="soft">${credential(operation)}</p>
${parameters(document, operation)}${body(document, operation)}${successOf(document, operation)}${
    failures(document, operation)
  }
</div>${examples(document, operation)}</div></section>`
}

/** The variables that the examples use, to be pasted once. */
const prelude = (baseUrl: string): Markup =>
  html`<details class="prelude"><summary>Before you paste an example</summary>
<p>Say once where the service is, who you are and which club you mean. <a href="/docs/guides/authentication">Authentication</a>
says how to get a token; the club's id is an <code>organization_id</code> of <code>GET /v1/me</code>.</p>
${codeBlock(`TURMA=${baseUrl}\nTOKEN=…\nCLUB=…`, "sh", "Variables of the shell")}
${
    codeBlock(`const turma = "${baseUrl}"\nconst token = "…"\nconst club = "…"`, "ts", "Constants of a script")
  }</details>`

/** The page of one subject. */
export const sectionBody = (document: ApiDocument, section: Section, baseUrl: string): Markup =>
  html`<h1>${section.name}</h1>
<p class="lead">${section.description}.</p>
${prelude(baseUrl)}
<ul class="operations">${
    section.operations.map(({ method, operationId, path, summary }) =>
      html`<li><a href="#${operationId}">${summary}</a> <span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></li>`
    )
  }</ul>
${section.operations.map((operation) => operationOf(document, operation))}`

/** The page of what we send: every type of event, with its headers once. */
export const eventsBody = (document: ApiDocument): Markup => {
  const events = Object.entries(document.webhooks)
  const headers = events[0]?.[1].post.parameters ?? []
  return html`<h1>Events</h1>
<p class="lead">What a club's own systems are sent, as <a href="/docs/guides/receivers">Receivers</a> tells: the address, the
signature, the attempts.</p>
<h2 id="headers">Headers <a class="anchor" href="#headers" aria-label="Link to Headers">#</a></h2>
<ul class="fields">${
    headers.map(({ description, name, schema }) =>
      fieldItem(document, name, { ...schema, ...description === undefined ? {} : { description } })
    )
  }</ul>
<ul class="operations">${events.map(([type]) => html`<li><a href="#${type}">${type}</a></li>`)}</ul>
${
    events.map(([type, { post }]) =>
      eventOf(document, type, post.description, post.requestBody?.content["application/json"] ?? {})
    )
  }`
}

const eventOf = (
  document: ApiDocument,
  type: string,
  description: string | undefined,
  content: { readonly schema?: JsonSchema; readonly example?: unknown }
): Markup =>
  html`<section class="operation" id="${type}" aria-labelledby="${type}.title">
<h2 id="${type}.title"><code>${type}</code> <a class="anchor" href="#${type}" aria-label="Link to ${type}">#</a></h2>
<div class="columns"><div class="text">${description === undefined ? undefined : renderDescription(description)}
<h3>Body</h3>${bodyFields(document, content.schema ?? {})}</div>
<div class="examples"><h3 class="visually-hidden">Example</h3>${
    codeBlock(JSON.stringify(exampleOf(document, content, false), undefined, 2), "json", `Example of ${type}`)
  }</div></div></section>`
