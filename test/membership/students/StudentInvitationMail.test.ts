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

  it.each([
    [
      "pt-BR",
      ["Curso de violão"],
      "Seu acesso a Curso de violão",
      "está liberado: Curso de violão.",
      "Entrar no clube"
    ],
    ["en", ["Curso de violão"], "Your access to Curso de violão", "is ready: Curso de violão.", "Enter the club"],
    ["pt-BR", ["A", "B", "C"], "Seu acesso ao clube Violão Fácil", "está liberado: A, B e C.", "Entrar no clube"],
    ["en", ["A", "B"], "Your access to the club Violão Fácil", "is ready: A and B.", "Enter the club"],
    [
      "pt-BR",
      ["A", "B", "C", "D", "E", "F"],
      "Seu acesso ao clube Violão Fácil",
      "A, B, C, D e mais 2.",
      "Entrar no clube"
    ]
  ] as const)("names in %s what it is for: %j", (locale, deliveries, subject, sentence, button) => {
    const mail = studentInvitation(locale, { ...invited, deliveries })
    assert.strictEqual(mail.subject, subject)
    assert.include(mail.text, sentence)
    assert.include(mail.text, button)
  })

  it.each([["pt-BR", "Começar o curso"], ["en", "Start the course"]] as const)(
    "has a button in %s for the course that it leads to: %s",
    (locale, button) => {
      const mail = studentInvitation(locale, { ...invited, deliveries: ["Curso"], is_course: true })
      assert.include(mail.html, button)
    }
  )

  it("carries its link in text and HTML", () => {
    const { html, text } = studentInvitation("en", invited)
    assert.include(text, invited.link)
    assert.include(html, "href=\"https://turma.example/access?club=1&amp;code=abc\"")
  })

  it("turns no name of a club, student or delivery into a link", () => {
    const evil = "https://evil.example"
    const named = { club_name: evil, name: "www.evil.example", deliveries: [evil] }
    const { html, subject, text } = studentInvitation("en", { ...invited, ...named })
    for (const part of [subject, text, html]) assert.notInclude(part, "evil.example")
  })
})
