import type { ApiDocument, JsonSchema, Listed, Parameter, Section } from "./ApiDocument.ts"
import { curlOf, exampleOf, shellVariable } from "./Examples.ts"
import { bodyText, codeFence, codeSpan, fieldText, oneLine, sentence } from "./FieldText.ts"
import { credential, failuresBy, successes } from "./Reference.ts"
import { shapeOf } from "./Shape.ts"

// Each operation and each type of event as a page of Markdown, for programs that read: all links are absolute.

const linkTo = (baseUrl: string) => (text: string, path: string) => `[${text}](${baseUrl}${path})`

/** Parts with a line between them; a missing part leaves no line. */
export const joined = (...parts: ReadonlyArray<string | undefined>): string =>
  `${parts.filter((part) => part !== undefined && part !== "").join("\n\n")}\n`

/** A description of some paragraphs. */
const paragraphs = (text: string) => text.split(/\n{2,}/).map(sentence).join("\n\n")

const places: Readonly<Record<string, string>> = { path: "In the path", query: "In the query", header: "Headers" }

const parameterText = (
  document: ApiDocument,
  { description, example, name, required, schema, ...one }: Parameter,
  path: string
) => {
  const described: JsonSchema = {
    ...schema,
    ...description === undefined ? {} : { description },
    ...example === undefined ? {} : { example }
  }
  const notes = one.in === "path"
    ? [`in the example ${codeSpan(`$${shellVariable(name, path)}`)}`]
    : required === true
    ? ["required"]
    : []
  return fieldText(name, shapeOf(document, described), notes)
}

const parametersText = (document: ApiDocument, { parameters, path }: Listed) =>
  Object.entries(places).flatMap(([place, heading]) => {
    const here = parameters.filter((one) => one.in === place)
    return here.length === 0
      ? []
      : [`## ${heading}`, here.map((one) => parameterText(document, one, path)).join("\n")]
  })

const requestText = (document: ApiDocument, { requestBody }: Listed) =>
  Object.entries(requestBody?.content ?? {}).flatMap(([type, { schema = {} }]) => [
    `## Body, ${codeSpan(type)}`,
    bodyText(shapeOf(document, schema))
  ])

const answersText = (document: ApiDocument, operation: Listed) =>
  successes(operation).flatMap(({ content, status, type }) => {
    if (content === undefined) return [`## Answer ${status}`, "Without a body."]
    const note = type === "text/event-stream" ? "Events, each with data of this shape:" : undefined
    return [
      `## Answer ${status}, ${codeSpan(type)}`,
      note,
      bodyText(shapeOf(document, content.schema ?? {})),
      type === "application/json"
        ? codeFence(JSON.stringify(exampleOf(document, content, false), undefined, 2), "json")
        : undefined
    ]
  })

/** That nothing has changed, or that it is elsewhere. */
const othersText = ({ responses }: Listed) =>
  Object.entries(responses).filter(([status]) => status.startsWith("3"))
    .flatMap(([status, { description }]) => [`## Answer ${status}`, sentence(oneLine(description))])

const failuresText = (document: ApiDocument, operation: Listed, baseUrl: string) => {
  const { own, shared } = failuresBy(document, operation)
  return [
    "## Failures",
    own.map(({ code, status, when }) => `- ${status} ${codeSpan(code)}: ${sentence(oneLine(when))}`).join("\n"),
    `As on other routes: ${shared.map(({ code, status }) => `${status} ${codeSpan(code)}`).join(", ")}. ${
      linkTo(baseUrl)("What they mean", "/docs/guides/errors.md")
    }.`
  ]
}

const keyNote = ({ security = [] }: Listed, link: ReturnType<typeof linkTo>) =>
  security.some((scheme) => "clubKey" in scheme)
    ? `, and ${link("Keys of a club", "/docs/guides/club-keys.md")} how to get a key`
    : ""

/** Where the Markdown of an operation is. */
export const operationPath = ({ operationId }: Listed): string => `/docs/operations/${operationId}.md`

/** Where the list of the types of events is. */
export const eventsPath = "/docs/events.md"

/** Where the Markdown of a type of event is. */
export const eventPath = (type: string): string => `/docs/events/${type}.md`

/** Where the list of a subject's operations is. */
export const sectionPath = ({ slug }: Section): string => `/docs/reference/${slug}.md`

/** An operation with all that there is to say of it. */
export const operationText = (document: ApiDocument, section: Section, operation: Listed, baseUrl: string): string => {
  const { description, method, operationId, path, summary } = operation
  const link = linkTo(baseUrl)
  return joined(
    `# ${summary ?? operationId}`,
    `${codeSpan(`${method} ${path}`)}, ${codeSpan(operationId)} of ${link(section.name, sectionPath(section))}`,
    paragraphs(description ?? ""),
    credential(operation),
    ...parametersText(document, operation),
    ...requestText(document, operation),
    "## Example",
    codeFence(curlOf(document, operation), "sh"),
    `${codeSpan("$TURMA")} is ${codeSpan(baseUrl)}; ${
      link("Authentication", "/docs/guides/authentication.md")
    } says how to get a token${keyNote(operation, link)}.`,
    ...answersText(document, operation),
    ...othersText(operation),
    ...failuresText(document, operation, baseUrl)
  )
}

/** The operations of a subject, each with its address. */
export const sectionText = (section: Section, baseUrl: string): string =>
  joined(
    `# ${section.name}`,
    section.description === undefined ? undefined : sentence(section.description),
    section.operations.map((operation) => operationLink(operation, baseUrl)).join("\n")
  )

/** An item of a list that leads to an operation. */
export const operationLink = (operation: Listed, baseUrl: string): string =>
  `- ${linkTo(baseUrl)(operation.summary ?? operation.operationId, operationPath(operation))}: ${
    codeSpan(`${operation.method} ${operation.path}`)
  }`

/** An item of a list that leads to a type of event. */
export const eventLink = (document: ApiDocument, type: string, baseUrl: string): string => {
  const description = document.webhooks[type]?.post.description ?? type
  return `- ${linkTo(baseUrl)(type, eventPath(type))}: ${oneLine(description)}`
}

/** The requests that we send: the headers, and the types of events, each with its address. */
export const eventsText = (document: ApiDocument, baseUrl: string): string => {
  const events = Object.entries(document.webhooks)
  const headers = events[0]?.[1].post.parameters ?? []
  return joined(
    "# Events",
    `Events that a club's own systems get, as ${
      linkTo(baseUrl)("Webhooks", "/docs/guides/receivers.md")
    } tells: the address, the signature, the attempts.`,
    "## Headers",
    headers.map((one) => parameterText(document, one, "")).join("\n"),
    "## Types",
    events.map(([type]) => eventLink(document, type, baseUrl)).join("\n")
  )
}

/** A type of event with all that there is to say of it. */
export const eventText = (document: ApiDocument, type: string, baseUrl: string): string => {
  const { description, requestBody } = document.webhooks[type]?.post ?? {}
  const content = requestBody?.content["application/json"] ?? {}
  return joined(
    `# ${type}`,
    `A type of event, sent with the headers of ${linkTo(baseUrl)("every event", eventsPath)}.`,
    paragraphs(description ?? ""),
    `## Body, ${codeSpan("application/json")}`,
    bodyText(shapeOf(document, content.schema ?? {})),
    "## Example",
    codeFence(JSON.stringify(exampleOf(document, content, false), undefined, 2), "json")
  )
}
