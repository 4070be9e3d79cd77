import { assert, describe, it } from "@effect/vitest"
import { studentInvitation } from "../../../src/membership/students/StudentInvitationMail.ts"

const invited = {
  recipient: "bia@example.com",
  name: "Bia",
  club_name: "Violão Fácil",
  link: "https://turma.example/access?club=1&code=abc"
}

describe("the mail that lets a student in", () => {
  it("says in Portuguese which club it is, and how long the link works", () => {
    const { subject, text } = studentInvitation("pt-BR", invited)
    assert.strictEqual(subject, "Seu acesso ao clube Violão Fácil")
    assert.include(text, "Olá, Bia!")
    assert.include(text, "Ele vale por 7 dias e só pode ser usado uma vez.")
  })

  it("says in English which club it is, and how long the link works", () => {
    const { subject, text } = studentInvitation("en", invited)
    assert.strictEqual(subject, "Your access to the club Violão Fácil")
    assert.include(text, "Hello Bia,")
    assert.include(text, "It is valid for 7 days and works once.")
  })

  it("carries its link in text and HTML", () => {
    const { html, text } = studentInvitation("en", invited)
    assert.include(text, invited.link)
    assert.include(html, "href=\"https://turma.example/access?club=1&amp;code=abc\"")
  })

  it("turns neither the club's nor the student's name into a link", () => {
    const named = { club_name: "https://evil.example", name: "www.evil.example" }
    const { html, subject, text } = studentInvitation("en", { ...invited, ...named })
    for (const part of [subject, text, html]) assert.notInclude(part, "evil.example")
  })
})
