import { assert, beforeEach, describe, it } from "@effect/vitest"
import { withFiles } from "../harness/Files.ts"
import { needTools } from "../tools/Needed.ts"
import { judge, lineOf, prose, withoutExceptions } from "../tools/Prose.ts"
import type { Finding } from "../tools/prose/Kind.ts"
import { phrases } from "../tools/prose/phrases.ts"

const judged = (files: Record<string, string>) => withFiles(files, (folder) => judge(Object.keys(files), folder))

const found = async (files: Record<string, string>) =>
  (await judged(files)).findings.map(({ file, kind, line, message, rule }) => ({ file, kind, line, message, rule }))

const long =
  "A delivery waits in the queue of its endpoint until a worker takes it and sends the body of the event with its headers to the receiver again."

/** A sentence with the phrase. */
const saying = (phrase: string) => {
  const words = phrase.replace("…", "it ends, and it ends")
  return words.startsWith("^") ? `${words.slice(1)} ends a lease in a queue.` : `Each lease ${words} ends.`
}

const finding: Finding = {
  file: "src/guides/tour.md",
  kind: "pages",
  line: 3,
  rule: "long",
  message: "26 words",
  text: "A sentence with many words."
}

describe("the prose check", () => {
  beforeEach((context) => needTools(context, prose))

  it("finds a sentence of more than 25 words, and counts code and an address as one", async () => {
    const text = `${long}\n\n${long.replace("of the event with its headers", "`of the event with its headers`")}\n`
    assert.deepStrictEqual(await found({ "a.md": text }), [
      { file: "a.md", kind: "pages", line: 1, rule: "long", message: "28 words" }
    ])
  })

  it("finds a passive with a vague verb, and one that names its actor", async () => {
    const text = "The club is told.\nA row is locked by the worker.\nA delivery is sent and a body is signed.\n"
    assert.sameDeepMembers(await found({ "a.md": text }), [
      { file: "a.md", kind: "pages", line: 1, rule: "passive", message: "\"told\": say who does what" },
      {
        file: "a.md",
        kind: "pages",
        line: 2,
        rule: "passive",
        message: "\"is locked by the worker\": make the actor the subject"
      }
    ])
  })

  it("finds a word that has a simpler one, but no word of the field", async () => {
    assert.deepStrictEqual(await found({ "a.md": "The queue is very long. The request has an address.\n" }), [
      { file: "a.md", kind: "pages", line: 1, rule: "word", message: "\"very\": write nothing" }
    ])
  })

  it("finds every phrase of the list and names what to write", async () => {
    const text = phrases.map(({ phrase }) => saying(phrase)).join("\n\n")
    const messages = (await found({ "a.md": text })).map(({ line, message }) => `${line} ${message}`)
    const expected = phrases.map(({ instead, phrase }, index) =>
      `${index * 2 + 1} "${phrase.replace("^", "")}": write ${instead}`
    )
    assert.includeMembers(messages, expected)
  })

  it("is not mistaken", async () => {
    const texts = [
      "There is no limit.",
      "The lease is no longer held.",
      "What is a lease?",
      "What it does",
      "Use `none` for that.",
      "The log says \"None of which was told\".",
      "The endpoint is held, but for longer."
    ]
    const files = texts.map((text) => [`${text.replaceAll(/\W+/g, "-")}.md`, `${text}\n`])
    assert.deepStrictEqual(await found(Object.fromEntries(files)), [])
  })

  it("sees that a sentence ends after code, a number and a short word", async () => {
    const half = "A delivery waits in the queue of its endpoint until a worker takes it,"
    const files = ["`code`", "20", "100,000", "an id"].map((
      end
    ) => [`${end.replaceAll(/\W/g, "-")}.md`, `${half} after ${end}. ${half} after ${end}.\n`])
    assert.deepStrictEqual(await found(Object.fromEntries(files)), [])
  })

  it("reads headings, items and cells, each as a sentence, and no code", async () => {
    const text = "# None\n\n- None\n\n| Head |\n|---|\n| None |\n\n```sh\nnone\n```\n"
    assert.deepStrictEqual((await found({ "a.md": text })).map(({ line }) => line), [1, 3, 7])
  })

  it("reads the summary of a page, and nothing else before it begins", async () => {
    const text = "---\ntitle: None\norder: 1\naudience: whoever\nsummary: none of it\n---\n\n# None\n"
    assert.deepStrictEqual((await found({ "a.md": text })).map(({ line }) => line), [5, 8])
  })

  it("reads messages of the source, but neither SQL, types nor Portuguese", async () => {
    const text = [
      `import { sql } from "None of the files"`,
      "export const message = (name: string) => `The club of which ${name} is the owner`",
      `export const other = { fault: "The receiver is told." }`,
      "export const rows = sql`None of the rows is it`",
      `export type Which = "None of the types is it"`,
      `export const words = "None of the clubes para a turma is"`,
      `export const code = "none_of_the_codes"`
    ].join("\n")
    assert.deepStrictEqual((await found({ "src/A.ts": text })).map(({ kind, line, rule }) => [kind, line, rule]), [
      ["messages", 2, "phrase"],
      ["messages", 3, "passive"]
    ])
  })

  it("reads comments and docstrings, each line of a comment in its place", async () => {
    const text = [
      "/**",
      " * The lease of a worker.",
      " *",
      " * None is free.",
      " */",
      "export const lease = 1 // None",
      "",
      "// The first line",
      "// goes on. The club is told.",
      "export const url = \"https://none.test\""
    ].join("\n")
    assert.deepStrictEqual((await found({ "test/A.ts": text })).map(({ kind, line, rule }) => [kind, line, rule]), [
      ["comments", 4, "phrase"],
      ["comments", 6, "phrase"],
      ["comments", 9, "passive"]
    ])
  })

  it("reads the descriptions of the OpenAPI document, and shows them where the source says them", async () => {
    const document = {
      info: { description: "The club is told." },
      paths: { "/a": { get: { summary: "None is of a club", example: { description: "None" } } } }
    }
    const files = {
      "openapi.json": JSON.stringify(document),
      "src/A.ts": "export const a = 1\nexport const summary = \"The club is told.\"\n"
    }
    const { findings, sentences } = await judged(files)
    assert.sameMembers(findings.map(lineOf), [
      "src/A.ts:2: passive: \"told\": say who does what: The club is told.",
      "openapi.json#/paths/~1a/get/summary:1: phrase: \"none\": write no … by its name: None is of a club",
      "openapi.json#/paths/~1a/get/summary:1: phrase: \"is of\": write belongs to, or has: None is of a club"
    ])
    assert.deepStrictEqual(sentences, { api: 2 })
  })

  it("leaves exceptions out, and names those that nothing was found for", () => {
    const used = { file: finding.file, rule: finding.rule, text: "with many", why: "A test shows it." }
    const unused = { ...used, text: "with few" }
    assert.deepStrictEqual(withoutExceptions([finding], [used, unused]), { findings: [], unused: [unused] })
    assert.deepStrictEqual(withoutExceptions([finding], [unused]).findings, [finding])
  })
})
