import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { createTransport } from "nodemailer"
import PostalMime, { type Email } from "postal-mime"
import { layOut, type Letter } from "../../../src/platform/mail/Layout.ts"
import { type Mail, MailId } from "../../../src/platform/mail/Mail.ts"
import { messageOf } from "../../../src/platform/mail/Message.ts"
import { plainName } from "../../../src/platform/mail/Text.ts"

const id = MailId.make("018f0000-0000-7000-8000-0000000000aa")
const sender = { name: "Turma", address: "no-reply@turma.example" }
const composer = createTransport({ streamTransport: true, buffer: true })

const headersOf = (mail: Mail) =>
  Effect.gen(function*() {
    const { message } = yield* Effect.promise(() => composer.sendMail(messageOf(mail, id, sender, new Date(0))))
    if (!Buffer.isBuffer(message)) return yield* Effect.die("Not composed in memory")
    return yield* Effect.promise(() => PostalMime.parse(message))
  })

// A subject of spaces alone has no header.
const keysOf = ({ headers }: Email) => headers.map(({ key }) => key).filter((key) => key !== "subject")

const letterOf = (text: string): Letter => ({
  locale: "en",
  recipient: "ann@example.com",
  subject: text,
  name: text,
  paragraphs: [text, text],
  actions: [{ label: text, url: text }],
  code: text,
  quote: { label: text, lines: [text, text] },
  footer: text,
  unsubscribe: { label: text, url: text, one_click_url: "https://turma.example/stop" }
})

const markupOf = (html: string) => html.match(/<[^>]*>/g)?.map((tag) => tag.replace(/href="[^"]*"/, "href")) ?? []

/** Any text, often with characters that mails, pages and terminals interpret. */
const Hostile = Schema.Array(Schema.Union([
  Schema.String,
  Schema.Literals(["\r\n", "\n", "\r", "\u2028", "\0", "\u202E", "\uD800", "Bcc: eve@evil.example", "\r\n\r\n", ": "]),
  Schema.Literals(["<script>", "</title>", "\"", "'", "&", "&lt;", " onclick=", "-->", "</p>", "=?utf-8?B?QQ==?="])
])).pipe(Schema.check(Schema.isMaxLength(8)))

describe("the layout of a mail", () => {
  it.effect.prop("lets no text add a header or a recipient", [Hostile], ([parts]) =>
    Effect.gen(function*() {
      const expected = yield* headersOf(layOut(letterOf("x")))
      const email = yield* headersOf(layOut(letterOf(parts.join(""))))
      assert.deepStrictEqual(keysOf(email), keysOf(expected))
      assert.deepStrictEqual(email.to?.map(({ address }) => address), ["ann@example.com"])
    }))

  it.prop("lets no text become markup", [Hostile], ([parts]) => {
    const { html } = layOut(letterOf(parts.join("")))
    assert.deepStrictEqual(markupOf(html), markupOf(layOut(letterOf("x")).html))
  })

  it.prop("lets no text start a line of its own", [Hostile], ([parts]) => {
    const { subject, text } = layOut(letterOf(`a${parts.join("")}`))
    assert.strictEqual(text.split(/[\r\n\u2028\u2029]/).length, layOut(letterOf("a")).text.split("\n").length)
    assert.notMatch(subject, /[\p{Cc}\u2028\u2029]/u)
  })

  it("shows a name with markup as it was entered", () => {
    const { html, text } = layOut({ ...letterOf("x"), name: "Ann <script>alert(1)</script>" })
    assert.include(html, "Hello Ann &lt;script&gt;alert(1)&lt;/script&gt;,")
    assert.include(text, "Hello Ann <script>")
  })

  it("greets in the language of the mail", () => {
    assert.include(layOut({ ...letterOf("x"), locale: "pt-BR", name: "João" }).text, "Olá, João!")
    assert.include(layOut({ ...letterOf("x"), locale: "pt-BR" }).html, "<html lang=\"pt-BR\">")
  })

  it("greets without a name when there is none", () => {
    assert.match(layOut({ ...letterOf("x"), name: undefined }).text, /^Hello,\n/)
  })

  it("writes the address of an action out, for mail programs without buttons", () => {
    const url = "https://turma.example/confirm?token=a&b=c"
    const { html, text } = layOut({ ...letterOf("x"), actions: [{ label: "Confirm", url }] })
    assert.include(text, `Confirm:\n${url}\n`)
    assert.strictEqual(html.split(url.replace("&", "&amp;")).length - 1, 2)
  })

  it("quotes what the reader wrote line by line, as a quote", () => {
    const { html, text } = layOut({ ...letterOf("x"), quote: { label: "You wrote:", lines: ["Why?", "<b>"] } })
    assert.include(text, "You wrote:\n> Why?\n> <b>\n")
    assert.match(html, /<blockquote [^>]+>\n<p>Why\?<\/p>\n<p>&lt;b&gt;<\/p>\n<\/blockquote>/)
  })

  it("loads nothing from elsewhere", () => {
    assert.notMatch(layOut(letterOf("x")).html, /<img|<link|<script|src=|url\(|@import/i)
  })
})

describe("a name in a mail", () => {
  it("is not turned into a link by mail programs", () => {
    const name = plainName("Win at https://evil.example/now or evil.example, mail eve@evil.example")
    assert.notMatch(name, /:\/\/|\w\.\w|\w@\w/)
  })

  it("keeps the letters and dots of real names", () => {
    assert.strictEqual(plainName("José d'Ávila Jr."), "José d'Ávila Jr.")
  })

  it("is cut at 100 characters without breaking one", () => {
    assert.strictEqual(plainName("😀".repeat(200)), `${"😀".repeat(99)}…`)
  })
})
