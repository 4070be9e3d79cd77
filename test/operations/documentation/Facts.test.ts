import { assert, describe, it } from "@effect/vitest"
import { resolved } from "../../../src/operations/documentation/ApiDocument.ts"
import type { JsonSchema } from "../../../src/operations/documentation/ApiDocument.ts"
import { document } from "../../harness/Document.ts"
import { apiDocument, files, listed } from "./Site.ts"

// Compares the Markdown about operations and events with the document.

const textOf = (operationId: string) => files.get(`/docs/operations/${operationId}.md`) ?? ""

const oneLine = (text: string) => text.replaceAll(/\s+/g, " ").trim()

const partsOf = (schema: JsonSchema): ReadonlyArray<JsonSchema> => [...schema.anyOf ?? [], ...schema.oneOf ?? []]

/** Every field of a schema and of the schemas that it refers to, by its name. Reads a recursive component once. */
const fieldsIn = (
  given: JsonSchema,
  seen: ReadonlySet<string> = new Set()
): ReadonlyArray<readonly [string, JsonSchema]> => {
  if (given.$ref !== undefined && seen.has(given.$ref)) return []
  const deeper = given.$ref === undefined ? seen : new Set([...seen, given.$ref])
  const { contentSchema, items, properties = {}, ...schema } = resolved(apiDocument, given)
  const inner = [...partsOf(schema), items, contentSchema].flatMap((one) => one === undefined ? [] : [one])
  return [
    ...Object.entries(properties),
    ...[...Object.values(properties), ...inner].flatMap((one) => fieldsIn(one, deeper))
  ]
}

const shown = (value: unknown) => `\`${typeof value === "string" ? value : JSON.stringify(value)}\``

/** The facts that a field's line must have: its meaning, null, its only values, its default, and its longest length. */
const factsOf = (given: JsonSchema): ReadonlyArray<string> => {
  const schema = resolved(apiDocument, given)
  const parts = partsOf(schema)
  const others = parts.filter(({ type }) => type !== "null")
  const [only = schema] = others.length === 1 ? others : []
  const one = resolved(apiDocument, only)
  const item = one.items === undefined ? {} : resolved(apiDocument, one.items)
  const words = item.enum === undefined ? [] : ["each one of", ...item.enum.map(shown)]
  return [
    ...given.description === undefined ? [] : [oneLine(given.description)],
    ...others.length < parts.length ? [" or null"] : [],
    ...(one.enum ?? []).map(shown),
    ...schema.default === undefined ? [] : [`by default ${shown(schema.default)}`],
    ...one.maxLength === undefined ? [] : [`${one.maxLength.toLocaleString("en")} characters`],
    ...item.enum?.length === 1 ? [] : words
  ]
}

/** The fields whose line lacks a fact. */
const silent = (text: string, schemas: ReadonlyArray<JsonSchema>) =>
  schemas.flatMap((schema) => fieldsIn(schema)).filter(([name, schema]) => {
    const lines = text.split("\n").filter((line) => line.trimStart().startsWith(`- \`${name}\` (`))
    return !lines.some((line) => factsOf(schema).every((fact) => line.includes(fact)))
  }).map(([name]) => name)

describe("the Markdown of an operation", () => {
  it("says of every field what it means, what it may be, and what it is by default", () => {
    for (const { operationId, requestBody, responses } of listed) {
      const answers = Object.entries(responses).filter(([status]) => status < "300").map(([, { content }]) => content)
      const schemas = [requestBody?.content, ...answers].flatMap((content) =>
        Object.values(content ?? {}).flatMap(({ schema }) => schema === undefined ? [] : [schema])
      )
      assert.deepStrictEqual(silent(textOf(operationId), schemas), [], operationId)
    }
  })

  it("says the same of every parameter", () => {
    for (const { operationId, parameters } of listed) {
      const lines = textOf(operationId).split("\n")
      for (const { description, name, schema } of parameters) {
        const line = lines.find((one) => one.startsWith(`- \`${name}\` (`)) ?? ""
        const facts = factsOf(description === undefined ? schema : { ...schema, description })
        assert.deepStrictEqual(facts.filter((fact) => !line.includes(fact)), [], `${operationId} ${name}`)
      }
    }
  })

  it("names the type of each body, shows each answer of JSON, and says what a stream is made of", () => {
    for (const { operationId, requestBody, responses } of listed) {
      const text = textOf(operationId)
      for (const type of Object.keys(requestBody?.content ?? {})) {
        assert.include(text, `\n## Body, \`${type}\`\n`, operationId)
      }
      const answers = Object.entries(responses).filter(([status]) => status < "300")
      for (const [status, { content = {} }] of answers) {
        for (const type of Object.keys(content)) {
          const [, told = ""] = text.split(`\n## Answer ${status}, \`${type}\`\n`)
          const [part = ""] = told.split("\n## ")
          assert.strictEqual(part.includes("Events, each with data"), type === "text/event-stream", operationId)
          const [, example] = /^```json\n(.*?)^```$/ms.exec(part) ?? []
          if (type === "application/json") assert.isObject(JSON.parse(example ?? ""), operationId)
        }
      }
    }
  })

  it("says when it fails, in the words of the contract", () => {
    let told = 0
    for (const { operationId, responses } of listed) {
      for (const [, status = "", when = ""] of textOf(operationId).matchAll(/^- (\d{3}) `\w+`: (.+)\.$/gm)) {
        assert.include(oneLine(JSON.stringify(responses[status] ?? "")).replaceAll("\\\"", "\""), when, operationId)
        assert.match(when, / /)
        told++
      }
    }
    assert.isAbove(told, 200)
  })
})

describe("the Markdown of a subject", () => {
  it("says what the subject is", () => {
    for (const { description = "", name } of document.tags) {
      const page = files.get(`/docs/reference/${name.toLowerCase().replaceAll(" ", "-")}.md`) ?? ""
      assert.include(page, description, name)
    }
  })
})

describe("the Markdown of events", () => {
  it("says what each is sent with, in its headers and its fields", () => {
    const all = files.get("/docs/events.md") ?? ""
    const index = files.get("/llms.txt") ?? ""
    for (const [type, { post }] of Object.entries(apiDocument.webhooks)) {
      for (const { description = "", name } of post.parameters) {
        const line = all.split("\n").find((one) => one.startsWith(`- \`${name}\` (`)) ?? ""
        assert.include(line, ", required")
        assert.include(line, oneLine(description))
      }
      const schema = post.requestBody?.content["application/json"]?.schema ?? {}
      assert.deepStrictEqual(silent(files.get(`/docs/events/${type}.md`) ?? "", [schema]), [], type)
      const link = `/docs/events/${type}.md): ${oneLine(post.description ?? "")}\n`
      assert.include(index, link)
      assert.include(`${all}\n`, link)
    }
  })
})
