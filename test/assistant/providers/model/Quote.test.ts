import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import { citationOf } from "../../../../src/assistant/providers/model/Quote.ts"
import { passage, passages } from "./Questions.ts"

const cited = (number: number, text: string, among = passages) =>
  Option.getOrNull(Option.map(citationOf(among, { passage: number, text }), ({ cited_text }) => cited_text))

describe("a quote", () => {
  it("is a citation of the passage that it names, with everything about its source", () => {
    assert.deepStrictEqual(Option.getOrNull(citationOf(passages, { passage: 2, text: "consolida a memória" })), {
      ...passages[1]!.source,
      cited_text: "consolida a memória",
      seconds: null
    })
  })

  it.each([
    ["words that stand nowhere", 1, "A respiração cura tudo"],
    ["words of another passage", 1, "consolida a memória"],
    ["words in another case", 1, "a respiração lenta"],
    ["a passage that was not shown", 3, "A respiração lenta"],
    ["the passage before the first", 0, "A respiração lenta"],
    ["half a passage", 1.5, "A respiração lenta"],
    ["too little to show anything", 1, "reduz"],
    ["nothing", 1, "         "]
  ])("of %s is none", (_what, number, text) => {
    assert.isNull(cited(number, text))
  })

  it("of a transcript names the second at which it is said, and of a page none", () => {
    const body = "[00:05] Bem-vindos\n[01:35] Afine a corda solta\n[02:10] Até logo"
    const spoken = passage(body, { source_kind: "media" })
    const printed = passage(body, { source_kind: "media", page_from: 2, page_to: 2 })
    const seconds = (number: number) =>
      Option.getOrUndefined(citationOf([spoken, printed], { passage: number, text: "Afine a corda" }))?.seconds
    assert.deepStrictEqual([seconds(1), seconds(2)], [95, null])
  })

  it("is what stands in the passage where the white space is another", () => {
    assert.strictEqual(
      cited(1, " respira  fundo (4s) ", [passage("Então respira\nfundo (4s) e solta.")]),
      "respira\nfundo (4s)"
    )
  })

  it.prop("that is a citation stands word for word in its passage", [Schema.String, Schema.String], ([body, text]) => {
    const found = cited(1, text, [passage(body + text)])
    assert.isTrue(found === null ? text.trim().length < 8 : (body + text).includes(found))
  })
})
