import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import {
  sanitizeMarkdown,
  settledLength,
  withoutInvisible
} from "../../../../src/assistant/providers/model/SafeMarkdown.ts"

const Hostile = Arbitrary.schema(Schema.Array(Schema.Union([
  Schema.Literals([
    "<",
    "</",
    "<!--",
    "b",
    "!",
    "[",
    "]",
    "(",
    ")",
    ":",
    "://",
    "https",
    "www.",
    "mailto:",
    " ",
    "\n",
    "a",
    ".",
    "*"
  ]),
  Schema.String
])))

describe("a sanitised text", () => {
  it.each([
    ["<script>alert(1)</script>", "script>alert(1)/script>"],
    ["<<b>ola", "b>ola"],
    ["<!-- x -->", "!-- x -->"],
    ["1 < 2 e 3 <4", "1 < 2 e 3 <4"],
    ["![foto](https://evil.example/x.png) fim", "[foto] fim"],
    ["[clique aqui](https://evil.example/?q=1) já", "[clique aqui] já"],
    ["[a](javascript:alert(1)) b", "[a]) b"],
    ["[a](x)(https://evil.example) b", "[a] b"],
    ["[a](\nhttps://evil.example) b", "[a]\n) b"],
    ["[a][b]\n[b]: /x", "[a] [b]\n[b] : /x"],
    ["veja https://evil.example/a?b=c. Depois", "veja . Depois"],
    ["veja <https://evil.example>, depois", "veja , depois"],
    ["WWW.evil.example e FTP://evil", " e "],
    ["mailto:a@b.example fim", " fim"],
    ["**negrito**, `codigo`\n\n- item", "**negrito**, `codigo`\n\n- item"],
    ["Data: 3/4. Uau! (assim)", "Data: 3/4. Uau! (assim)"]
  ])("of %j is %j", (text, clean) => {
    assert.strictEqual(sanitizeMarkdown(text), clean)
  })

  it.prop("has no HTML, no link, no image and no address in it", [Hostile], ([said]) => {
    const text = sanitizeMarkdown(said.join(""))
    assert.notMatch(text, /<[a-z/!?]/i)
    assert.notMatch(text, /\][([:]/)
    assert.notMatch(text, /!\[/)
    assert.notMatch(text, /[a-z][a-z0-9+.-]*:\/\/|(?<![a-z0-9])www\.|mailto:\S/i)
  })

  it.prop("is as clean as it gets", [Hostile], ([said]) => {
    const text = sanitizeMarkdown(said.join(""))
    assert.strictEqual(sanitizeMarkdown(text), text)
  })

  it.prop("is the same in pieces that end with white space", [Hostile], ([said]) => {
    const text = said.join("")
    const cut = settledLength(text)
    assert.strictEqual(sanitizeMarkdown(text.slice(0, cut)) + sanitizeMarkdown(text.slice(cut)), sanitizeMarkdown(text))
  })

  it("has nothing in it that nobody sees", () => {
    assert.strictEqual(withoutInvisible("a\u0000b\u200b\u202ec\r\n\t\ufeff👩‍🏫"), "abc\n\t👩‍🏫")
  })
})
