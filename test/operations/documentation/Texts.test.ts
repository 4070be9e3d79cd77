import { assert, describe, it } from "@effect/vitest"
import { OpenApi } from "effect/http-api"
import { readdirSync } from "node:fs"
import { Api } from "../../../src/Api.ts"
import { curlOf } from "../../../src/operations/documentation/Examples.ts"
import { guideText, parseGuide } from "../../../src/operations/documentation/GuideFiles.ts"
import { makeSite } from "../../../src/operations/documentation/Site.ts"
import { guide, project } from "../../guides/Guides.ts"
import { document, isObject, type JsonSchema, operations } from "../../harness/Document.ts"
import { apiDocument, files, listed } from "./Site.ts"

// Markdown for programs: of every guide, every operation and every type of event.

const base = "https://turma.example"

const texts = [...files].filter(([address]) => /\.(?:md|txt)$/.test(address))
const textAt = (address: string) => files.get(address) ?? ""

const guides = readdirSync(`${project}src/guides`).map((file) => file.replace(/\.md$/, ""))
const eventTypes = Object.keys(document.webhooks)

const withoutCode = (text: string) => text.replaceAll(/^```.*?^```$/gms, "").replaceAll(/(`+)[^`].*?\1/gs, "")

const linksOf = (text: string) => [...withoutCode(text).matchAll(/\]\(([^)]*)\)/g)].map(([, target = ""]) => target)

/** The anchor of a heading in addresses. */
const anchorOf = (heading: string) =>
  heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").trim().replaceAll(" ", "-")

/** The name of every field of a schema in the document. */
const namesIn = (schema: unknown, seen: ReadonlySet<string> = new Set()): ReadonlyArray<string> => {
  if (Array.isArray(schema)) return schema.flatMap((one) => namesIn(one, seen))
  if (!isObject(schema)) return []
  const { $ref, additionalProperties, allOf, anyOf, contentSchema, items, oneOf, properties = {} }: JsonSchema = schema
  const name = $ref?.split("/").at(-1) ?? ""
  const behind = $ref === undefined || seen.has(name)
    ? []
    : namesIn(document.components.schemas[name], new Set([...seen, name]))
  return [
    ...Object.entries(properties).flatMap(([field, one]) => [field, ...namesIn(one, seen)]),
    ...behind,
    ...[additionalProperties, allOf, anyOf, contentSchema, items, oneOf].flatMap((one) => namesIn(one, seen))
  ]
}

const schemasOf = (holder: unknown): ReadonlyArray<unknown> =>
  isObject(holder) && isObject(holder["content"])
    ? Object.values(holder["content"]).map((media) => isObject(media) ? media["schema"] : undefined)
    : []

describe("the documentation as Markdown", () => {
  it("has a text for every guide, every operation and every type of event, and no other but their lists", () => {
    const sections = new Set(listed.map(({ slug }) => `/docs/reference/${slug}.md`))
    assert.sameMembers(texts.map(([address]) => address), [
      ...guides.map((name) => `/docs/guides/${name}.md`),
      ...operations.map(({ operationId }) => `/docs/operations/${operationId}.md`),
      ...eventTypes.map((type) => `/docs/events/${type}.md`),
      ...sections,
      "/docs/events.md",
      "/llms.txt",
      "/llms-full.txt"
    ])
  })

  it("says of an operation what it is, how it is called, whom it is for and what may fail", () => {
    for (const operation of listed) {
      const { description = "", method, operationId, parameters, path, responses, security = [], summary = "" } =
        operation
      const text = textAt(`/docs/operations/${operationId}.md`)
      assert.isTrue(text.startsWith(`# ${summary}\n\n\`${method} ${path}\`, `), operationId)
      assert.include(text, curlOf(apiDocument, operation))
      for (const part of description.split(/\n{2,}/)) assert.include(text, part)
      for (const { name } of parameters) assert.include(text, `\n- \`${name}\` (`)
      for (const status of Object.keys(responses)) {
        assert.match(text, new RegExp(`^## Answer ${status}\\b|\\b${status} \``, "m"), operationId)
      }
      const schemes = new Set(security.flatMap((scheme) => Object.keys(scheme)))
      const who = {
        userSession: "an administrator's session",
        studentSession: "a student's session",
        clubKey: "a club's key"
      }
      const [, named = ""] = /^(Needs no session|With (?:an administrator's|a student's|a club's) .*)\.$/m.exec(text) ??
        []
      const ofKeys = `[Keys of a club](${base}/docs/guides/club-keys.md) how to get a key`
      assert.strictEqual(text.includes(ofKeys), schemes.has("clubKey"), operationId)
      for (const [scheme, words] of Object.entries(who)) {
        assert.strictEqual(named.includes(words), schemes.has(scheme), operationId)
      }
    }
  })

  it("names every field of a body that is sent and of one that is answered", () => {
    let named = 0
    for (const { name, operationId, requestBody, responses } of operations) {
      const text = textAt(`/docs/operations/${operationId}.md`)
      const answers = Object.entries(responses).filter(([status]) => status < "300").map(([, answer]) => answer)
      const fields = [requestBody, ...answers].flatMap(schemasOf).flatMap((schema) => namesIn(schema))
      named += fields.length
      const silent = [...new Set(fields)].filter((field) => !text.includes(`- \`${field}\` (`))
      assert.deepStrictEqual(silent, [], name)
    }
    assert.isAbove(named, 2000)
    for (const type of eventTypes) {
      const fields = schemasOf(document.webhooks[type]?.post.requestBody).flatMap((schema) => namesIn(schema))
      const text = textAt(`/docs/events/${type}.md`)
      assert.deepStrictEqual(fields.filter((field) => !text.includes(`- \`${field}\` (`)), [], type)
    }
  })

  it("says the bounds of a field, and shows an answer", () => {
    const text = textAt("/docs/operations/gamification.replaceLevels.md")
    assert.match(text, /^ {2}- `name` \(string, required, 1 to 40 characters/m)
    assert.match(text, /^## Answer 200, `application\/json`$.*^```json\n\{\n {2}"data": /ms)
  })

  it("has no link that leads nowhere, and none that needs to know where it is read", () => {
    const dead = texts.flatMap(([address, text]) =>
      linksOf(text).filter((target) => {
        if (!target.startsWith(base)) return !/^https:\/\/[\w.-]+(?:\/|$)/.test(target)
        const [path = "", anchor] = target.slice(base.length).split("#")
        const headings = [...textAt(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading))
        return !files.has(path) || (anchor !== undefined && !headings.includes(anchor))
      }).map((target) => `${address}: ${target}`)
    )
    assert.deepStrictEqual(dead, [])
    assert.isAbove(texts.flatMap(([, text]) => linksOf(text)).length, 1000)
  })

  it("has no HTML in it, and no marks of tests", () => {
    for (const [address, text] of texts) {
      assert.notMatch(withoutCode(text), /<[a-z!/]|&(?:amp|lt|gt|quot|#\d+);/i, address)
      assert.notMatch(text, /<!--/, address)
    }
  })

  it("is the same however often it is made, and what somebody waits for is made first", () => {
    const source = { document: JSON.stringify(OpenApi.fromApi(Api)), baseUrl: base, first: "/llms.txt" }
    const again = new Map<string, string>()
    makeSite(source, ({ address, bytes }) => again.set(address, new TextDecoder().decode(bytes)))
    assert.strictEqual([...again.keys()].find((address) => /\.(?:md|txt)$/.test(address)), "/llms.txt")
    for (const [address, text] of texts) assert.strictEqual(again.get(address), text, address)
  })

  it("is named by the page that says the same", () => {
    const pages = [...files].filter(([, text]) => text.startsWith("<!doctype html>"))
    for (const [address, page] of pages) {
      const [, alternate] = /<link rel="alternate" type="text\/markdown" href="([^"]+)">/.exec(page) ?? []
      assert.strictEqual(alternate, address === "/docs" ? "/llms.txt" : `${address}.md`)
    }
  })
})

describe("llms.txt", () => {
  const text = textAt("/llms.txt")

  it("is a title, a summary, a note, and sections of nothing but links", () => {
    const [head = "", ...sections] = text.split(/^## /m)
    assert.match(head, /^# Turma\n\n> [^\n]+\n\n[^\n#]+\n\n$/)
    for (const section of sections) {
      assert.match(section, /^[^\n]+\n\n(?:- \[[^\]\n]+\]\(https:[^)\n]+\): [^\n]+\n)+\n?$/)
    }
    const titles = sections.map((section) => section.split("\n")[0])
    assert.deepStrictEqual([titles[0], ...titles.slice(-2)], ["Guides", "Events", "Optional"])
    assert.includeMembers(titles, ["Operations: dashboard", "Operations: classroom", "Operations: webhooks"])
  })

  it("leads to every guide, every operation and every type of event", () => {
    const links = new Set(linksOf(text))
    const wanted = [
      ...guides.map((name) => `${base}/docs/guides/${name}.md`),
      ...operations.map(({ operationId }) => `${base}/docs/operations/${operationId}.md`),
      ...eventTypes.map((type) => `${base}/docs/events/${type}.md`),
      `${base}/openapi.json`,
      `${base}/llms-full.txt`
    ]
    assert.deepStrictEqual(wanted.filter((link) => !links.has(link)), [])
  })

  it("has every guide in one text beside it", () => {
    const whole = textAt("/llms-full.txt")
    for (const name of guides) assert.include(whole, textAt(`/docs/guides/${name}.md`).trim())
  })
})

describe("a guide as Markdown", () => {
  const all = [parseGuide("a", "---\ntitle: A\norder: 1\naudience: everybody\nsummary: b\n---\n\n# A\n")]
  const textOf = (body: string) => {
    const file = `---\ntitle: B\norder: 2\naudience: everybody\nsummary: c\n---\n\n${body}\n`
    const made = parseGuide("b", file)
    return guideText(made, [...all, made], base)
  }

  it.each([
    ["a link to a guide", "[x](a.md)", `[x](${base}/docs/guides/a.md)\n`],
    ["a link to a place in a guide", "[x](a.md#there)", `[x](${base}/docs/guides/a.md#there)\n`],
    ["a link to a place of its own", "[x](#here)", `[x](${base}/docs/guides/b.md#here)\n`],
    ["a link to a page of others", "[`x`](https://example.com/y)", "[`x`](https://example.com/y)\n"],
    ["a link to a file that is no page", "See [the bundle](../cli/README.md).", "See the bundle.\n"],
    ["marks of tests", "a\n\n<!-- tour -->\n\nb", "a\n\nb\n"],
    ["code", "`[x](a.md)`\n\n```sh\n[x](a.md) <!-- a -->\n```", "`[x](a.md)`\n\n```sh\n[x](a.md) <!-- a -->\n```\n"]
  ])("is right with %s", (_, body, expected) => {
    assert.strictEqual(textOf(body), expected)
  })

  it("has all of the guide's code", () => {
    const code = (text: string) => text.match(/^```.*?^```$/gms)
    for (const name of guides) assert.deepStrictEqual(code(textAt(`/docs/guides/${name}.md`)), code(guide(name)), name)
  })
})
