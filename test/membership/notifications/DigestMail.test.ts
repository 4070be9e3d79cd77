import { assert, describe, it } from "@effect/vitest"
import { type Digest, digestMail } from "../../../src/membership/notifications/DigestMail.ts"

const reply = { kind: "reply", title: "Respirar", excerpt: "Deite-se.", actor_name: "Rita" } as const

const digest: Digest = {
  recipient: "bia@example.com",
  name: "Bia",
  club_name: "Violão Fácil",
  notifications: [reply],
  notifications_link: "https://turma.example/classroom/1/notifications",
  unsubscribe_link: "https://turma.example/classroom/1/unsubscribe?token=abc",
  one_click_link: "https://turma.example/v1/notifications/unsubscribe?token=abc"
}

describe("The mail about notifications", () => {
  it("says in its subject what happened, if it is one thing", () => {
    const { subject, text } = digestMail("pt-BR", digest)
    assert.strictEqual(subject, "Rita respondeu a você em “Respirar”")
    assert.include(text, "Olá, Bia!")
    assert.include(text, "Rita respondeu a você em “Respirar”: Deite-se.")
    assert.strictEqual(digestMail("en", digest).subject, "Rita replied to you in “Respirar”")
  })

  it("counts several in its subject, and says each kind in its own words", () => {
    const live = { kind: "live", title: "Roda", excerpt: null, actor_name: null } as const
    const { subject, text } = digestMail("pt-BR", { ...digest, notifications: [live, reply] })
    assert.strictEqual(subject, "2 novidades para você no clube Violão Fácil")
    assert.include(text, "\n\nNova live: “Roda”\n\nRita respondeu")
  })

  it("shows ten, and says that there are more", () => {
    const { subject, text } = digestMail("en", { ...digest, notifications: Array.from({ length: 11 }, () => reply) })
    assert.strictEqual(subject, "10+ things are new for you in the club Violão Fácil")
    assert.lengthOf(text.match(/Rita replied/g) ?? [], 10)
    assert.include(text, "There is more for you in the club.")
  })

  it("has the link that ends such mails in text and HTML, and the address for mail programs", () => {
    const { html, text, unsubscribe } = digestMail("pt-BR", digest)
    assert.include(text, `Não quero mais receber estes e-mails:\n${digest.unsubscribe_link}`)
    assert.include(html, `href="${digest.unsubscribe_link}"`)
    assert.strictEqual(unsubscribe, digest.one_click_link)
  })

  it("turns no words of others into a link or markup", () => {
    const evil = { ...reply, title: "https://evil.example", excerpt: "<b>www.evil.example", actor_name: "evil.example" }
    const { html, subject, text } = digestMail("en", { ...digest, notifications: [evil] })
    for (const part of [subject, text, html]) assert.notInclude(part, "evil.example")
    assert.notInclude(html, "<b>")
  })
})
