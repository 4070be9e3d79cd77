import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { imageOf, imagesIn, inserted, linked, type Mark, marked } from "../../../src/browser/parts/writing.ts"

/** A text whose selected part stands between two bars. */
const written = (shown: string) => {
  const [left = "", inner = "", right = ""] = shown.split("|")
  return { text: left + inner + right, start: left.length, end: left.length + inner.length }
}

const shown = ({ end, start, text }: { readonly text: string; readonly start: number; readonly end: number }) =>
  `${text.slice(0, start)}|${text.slice(start, end)}|${text.slice(end)}`

describe("A button of the field for Markdown", () => {
  it.each<readonly [Mark, string, string]>([
    ["bold", "sopre |devagar|", "sopre **|devagar|**"],
    ["italic", "||", "*||*"],
    ["code", "|a|", "`|a|`"],
    ["heading", "um\nd|oi|s\ntrês", "um\n|## dois|\ntrês"],
    ["list", "|um\ndois|", "|- um\n- dois|"],
    ["numbers", "u|m\ndo|is", "|1. um\n1. dois|"],
    ["quote", "||", "|> |"]
  ])("writes %s at the selection", (mark, before, after) => {
    assert.strictEqual(shown(marked(written(before), mark)), after)
  })

  const plain = Schema.String.check(Schema.isPattern(/^[^*`\n]{0,20}$/))

  it.prop(
    "takes its mark off again, and leaves the text as it was",
    { left: plain, inner: plain, right: plain, mark: Schema.Literals(["bold", "italic", "code"]) },
    ({ inner, left, mark, right }) => {
      const first = { text: left + inner + right, start: left.length, end: left.length + inner.length }
      assert.deepStrictEqual(marked(marked(first, mark), mark), first)
    }
  )

  it("takes the beginnings of lines off again", () => {
    assert.strictEqual(shown(marked(marked(written("|um\ndois|"), "quote"), "quote")), "|um\ndois|")
  })

  it("makes a link of the selected words, and selects the address to be typed over", () => {
    assert.strictEqual(shown(linked(written("veja |aqui|."), "https://")), "veja [aqui](|https://|).")
    assert.strictEqual(shown(linked(written("||"), "https://")), "[https://](|https://|)")
  })

  it("puts an image of the library at the cursor, and finds the images that a text names", () => {
    const id = "019d4860-d9c0-7fc9-8adf-df03b324fe0d"
    const image = imageOf("um ] título", id)
    assert.strictEqual(image, `![um   título](media:${id})`)
    assert.strictEqual(shown(inserted(written("a |b| c"), image)), `a ${image}|| c`)
    assert.deepStrictEqual(imagesIn(`${image} e ${image}, ![](https://example.com/a.png)`), [id])
  })
})
