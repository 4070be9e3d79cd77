import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { readMarkdown } from "../../../src/browser/parts/MarkdownReader.ts"
import type { Block, Inline } from "../../../src/browser/parts/MarkdownTree.ts"

const rules = { isSmall: false, origin: "https://turma.example", root: "/classroom" }
const read = (text: string) => readMarkdown(text, rules)
const readSmall = (text: string) => readMarkdown(text, { ...rules, isSmall: true })

const text = (words: string): Inline => ({ kind: "text", text: words })
const paragraph = (...children: ReadonlyArray<Inline>): Block => ({ kind: "paragraph", children })
const id = "018f2f3a-7c1e-7b52-9d3f-0a1b2c3d4e5f"

/** The words of a tree, without what they look like. */
const wordsOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(wordsOf).join("")
  if (typeof value !== "object" || value === null) return ""
  return Object.entries(value).map(([key, part]) => key === "text" || key === "alt" ? String(part) : wordsOf(part))
    .join("")
}

const linksOf = (value: unknown): ReadonlyArray<string> => {
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, part]) => key === "to" ? [String(part)] : linksOf(part))
}

describe("A text in Markdown", () => {
  it("has paragraphs, headings below the view's own, lists, quotes, code, tables and lines", () => {
    assert.deepStrictEqual(read("## Ar\n\n#### Sopro\n\n**a** _b_ ~~c~~ `d`\ne"), [
      { kind: "heading", level: 3, children: [text("Ar")] },
      { kind: "heading", level: 5, children: [text("Sopro")] },
      paragraph(
        { kind: "strong", children: [text("a")] },
        text(" "),
        { kind: "em", children: [text("b")] },
        text(" "),
        { kind: "del", children: [text("c")] },
        text(" "),
        { kind: "code", text: "d" },
        { kind: "break" },
        text("e")
      )
    ])
    assert.deepStrictEqual(read("3. um\n4. dois\n\n> quem\n\n---\n\n```js\na && b\n```\n\n| x |\n|--|\n| y |"), [
      {
        kind: "list",
        start: 3,
        items: [[{ kind: "line", children: [text("um")] }], [{ kind: "line", children: [text("dois")] }]]
      },
      { kind: "quote", children: [paragraph(text("quem"))] },
      { kind: "rule" },
      { kind: "code", text: "a && b" },
      { kind: "table", head: [[text("x")]], rows: [[[text("y")]]] }
    ])
  })

  it("shows HTML as the letters that it is, in a line and as a block", () => {
    assert.strictEqual(
      wordsOf(read("oi <img src=x onerror=alert(1)>\n\n<script>alert(1)</script>\n\n&lt;b&gt; &#x3c;i>")),
      "oi <img src=x onerror=alert(1)><script>alert(1)</script><b> <i>"
    )
  })

  it("leads to pages of the web, mail addresses and our own pages, and nowhere else", () => {
    assert.deepStrictEqual(
      linksOf(read([
        "[a](https://a.example/?x=1&amp;y=2) <http://b.example> [c](mailto:c@d.example) www.e.example",
        "[f](/classroom/clube/lessons/sopro) [g](https://turma.example/classroom/x)"
      ].join("\n"))),
      [
        "https://a.example/?x=1&y=2",
        "http://b.example/",
        "mailto:c@d.example",
        "http://www.e.example/",
        "/classroom/clube/lessons/sopro",
        "/classroom/x"
      ]
    )
    for (
      const to of [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "java&#10;script:alert(1)",
        "&#106;avascript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "vbscript:x",
        "blob:https://turma.example/1",
        "file:///etc/passwd",
        "/console",
        "/v1/auth/sign-out",
        "/classroom/../console",
        "sopro",
        "#"
      ]
    ) {
      assert.deepStrictEqual(linksOf(read(`[palavra](${to})`)), [], to)
      assert.include(wordsOf(read(`[palavra](${to})`)), "palavra", to)
    }
    // Another site, however it is written.
    assert.deepStrictEqual(linksOf(read("[a](//evil.example/classroom)")), [])
  })

  it("shows images of the library alone, and of others what they are called", () => {
    assert.deepStrictEqual(read(`![Uma flauta](media:${id})`), [
      paragraph({ kind: "image", mediaId: id, alt: "Uma flauta" })
    ])
    assert.deepStrictEqual(read("![Uma flauta](https://evil.example/pixel.png)"), [paragraph(text("Uma flauta"))])
    assert.deepStrictEqual(read("![Uma flauta](media:../../x)"), [paragraph(text("Uma flauta"))])
  })

  it("has neither headings nor images, tables or rules in a post", () => {
    assert.deepStrictEqual(readSmall(`# Oi\n\n**a** ![flauta](media:${id})\n\n- x\n\n---\n\n| a |\n|--|\n| b |`), [
      paragraph(text("Oi")),
      paragraph({ kind: "strong", children: [text("a")] }, text(" "), text("flauta")),
      { kind: "list", start: undefined, items: [[{ kind: "line", children: [text("x")] }]] },
      paragraph(text("---")),
      paragraph(text("| a |\n|--|\n| b |"))
    ])
  })

  it("is as it was written if no parser ends with it: marks, lines or gaps without end, lists and quotes in each other", () => {
    for (
      const endless of [
        "_a".repeat(50_000),
        "*a ".repeat(20_000),
        "> ".repeat(500),
        ">".repeat(100_000),
        `${"a".repeat(20_000)}@`,
        `a${" ".repeat(20_000)}b`,
        "+ ".repeat(10_000),
        "> 1. - ".repeat(3000),
        "- a\na@".repeat(3000),
        "-\r=\r".repeat(5000),
        "-\n\u00a0\n".repeat(5000)
      ]
    ) {
      assert.isUndefined(read(endless))
    }
    assert.isDefined(read("**sopro** e pausa\n\n".repeat(4000)))
    assert.isDefined(read(`${"-".repeat(80)}\n${"| a |\n|--|\n| b |\n".repeat(100)}\n${"- a\n".repeat(400)}`))
  })

  it.prop("loses no word of what was typed", [Schema.Array(Schema.Literals(["ar", "som", "sol"]))], ([words]) => {
    const typed = words.join(" ")
    assert.strictEqual(wordsOf(read(typed)), typed)
    assert.strictEqual(wordsOf(readSmall(`> ${typed}`)), typed === "" ? "" : typed)
  })
})
