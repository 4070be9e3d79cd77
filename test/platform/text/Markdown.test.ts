import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { imageIds, plainText } from "../../../src/platform/text/Markdown.ts"

const id = "0199a000-0000-7000-8000-00000000000a"
const other = "0199a000-0000-7000-8000-00000000000b"

const Words = Schema.Array(Schema.String.check(Schema.isPattern(/^[a-zà-ÿ0-9.,]{1,8}$/))).check(Schema.isMaxLength(20))

describe("the images that a text names", () => {
  it.each([
    ["", []],
    ["Antes ![A capa](media:0199A000-0000-7000-8000-00000000000A) depois", [id]],
    [`![](media:${id})\n\n![b](<media:${other}> "t")\n![](media:${id})`, [id, other]],
    [`[um link](https://example.com) media:${id} ![x](media:nope)`, []]
  ] as const)("of %j are %j", (text, expected) => {
    assert.deepStrictEqual(imageIds(text), expected)
  })
})

describe("a text without its marks", () => {
  it.each([
    ["# Respirar", "Respirar"],
    ["## Um ##\nDois", "Um\nDois"],
    ["Título\n===\ntexto", "Título\ntexto"],
    ["um **forte**, um *leve*, um __forte__, um _leve_ e ~~nada~~", "um forte, um leve, um forte, um leve e nada"],
    ["***ambos***", "ambos"],
    ["2 * 3 * 4 e 2*3=6", "2 * 3 * 4 e 2*3=6"],
    ["nome_de_arquivo e #1", "nome_de_arquivo e #1"],
    ["[um link](https://example.com/a_b) e [outro](<a b> \"Título\")", "um link e outro"],
    ["[![alt](media:x)](https://example.com)", "alt"],
    ["[não é] um (link)", "[não é] um (link)"],
    [`![Uma flauta](media:${id})`, "Uma flauta"],
    ["- um\n- dois\n  * três\n1. quatro", "um\ndois\ntrês\n1. quatro"],
    ["> dito\n> > duas vezes", "dito\nduas vezes"],
    ["a\n\n---\n\nb", "a\n\nb"],
    ["| Nota | Dedo |\n|---|:-:|\n| Dó | 1 |", "Nota   Dedo\nDó   1"],
    ["Use `ls -l` assim", "Use ls -l assim"],
    ["```sh\n# não é título\na * b\n```\ndepois", "# não é título\na * b\ndepois"],
    ["\\*literal\\* e a\\b", "*literal* e a\\b"],
    ["<b>texto</b> & &amp;", "<b>texto</b> & &amp;"],
    ["linha\r\noutra", "linha\noutra"],
    ["", ""]
  ])("of %j is %j", (markdown, expected) => {
    assert.strictEqual(plainText(markdown), expected)
  })

  it.prop("is the text itself if it has no marks", { words: Words }, ({ words }) => {
    const text = words.join(" ").trim()
    assert.strictEqual(plainText(text), text)
  })

  it.prop("has all words of the text", { words: Words }, ({ words }) => {
    const text = words.map((word, n) =>
      [`**${word}**`, `# ${word}`, `[${word}](https://a.example)`, `- ${word}`][n % 4]
    )
    assert.strictEqual(plainText(text.join("\n\n")), words.join("\n\n"))
  })

  it.prop("is never longer than the text", { text: Schema.String }, ({ text }) => {
    assert.isAtMost(plainText(text).length, text.length)
  })
})

describe("a text that is made to take long", () => {
  const length = 100_000
  const parts = [
    "[",
    "![",
    "](",
    "](<b",
    "[a](b \"",
    "*a ",
    "**a *b ",
    "_a_ __",
    "*_",
    "*a_b",
    "~~a ",
    "`a``b",
    ">",
    "> ",
    "- ",
    "# ",
    "\\",
    "|a",
    "|-",
    " ",
    "- \n",
    "```\n",
    "](media:",
    "~",
    "<a "
  ]
  it.each(parts)("takes as long as its length allows: %j", (part) => {
    const text = part.repeat(length / part.length)
    const begun = performance.now()
    plainText(text)
    imageIds(text)
    // A step for each character takes a hundredth of this.
    assert.isBelow(performance.now() - begun, 5000)
  })
})
