import { assert, describe, it } from "@effect/vitest"
import { html } from "../../../src/platform/pages/Html.ts"

const hostile = `<script>alert("1")</script>'&`
const harmless = "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;"

describe("A template of HTML", () => {
  it("escapes what anybody entered, in content and in attributes", () => {
    assert.strictEqual(html`<p title="${hostile}">${hostile}</p>`.text, `<p title="${harmless}">${harmless}</p>`)
  })

  it("takes other markup as it is, and lists one after the other", () => {
    const items = ["a", hostile].map((text) => html`<li>${text}</li>`)
    assert.strictEqual(html`<ul>${items}</ul>`.text, `<ul><li>a</li><li>${harmless}</li></ul>`)
  })

  it("shows numbers, zero too, and nothing of what is absent", () => {
    assert.strictEqual(html`${0}|${null}|${undefined}|${false}|${""}`.text, "0||||")
  })

  it("shows half a character as one that can be sent", () => {
    assert.strictEqual(html`${"\ud800"}`.text, "\ufffd")
  })

  it.each([
    "javascript:alert(1)",
    " javascript:alert(1)",
    "JAVASCRIPT:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "//elsewhere.example",
    "/\\elsewhere.example",
    "/\t/elsewhere.example",
    "https:elsewhere"
  ])("links nowhere instead of to %s", (address) => {
    assert.strictEqual(html`<a href="${address}">x</a>`.text, "<a href=\"#\">x</a>")
    assert.strictEqual(
      html`<form method="post" action="${address}"></form>`.text,
      "<form method=\"post\" action=\"#\"></form>"
    )
  })

  it.each([
    "https://a.example/?b=1&c=2",
    "http://127.0.0.1:3000/",
    "/docs",
    "./next",
    "#content",
    "?page=2",
    "mailto:a@b.c"
  ])(
    "links to %s",
    (address) => {
      assert.strictEqual(html`<a href="${address}">x</a>`.text, `<a href="${address.replace("&", "&amp;")}">x</a>`)
    }
  )

  it("refuses attributes without quotes, scripts and style sheets", () => {
    assert.throws(() => html`<p title=${"a"}></p>`, /without quotes/)
    assert.throws(() => html`<script>${"a"}</script>`, /script/)
    assert.throws(() => html`<style media="all">a {} ${"b"}</style>`, /style/)
    assert.strictEqual(html`<script src="${"/a.js"}"></script>${"b"}`.text, "<script src=\"/a.js\"></script>b")
  })
})
