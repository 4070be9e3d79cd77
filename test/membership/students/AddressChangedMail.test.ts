import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { addressChanged } from "../../../src/membership/students/AddressChangedMail.ts"

const changed = {
  recipient: "bia@example.com",
  is_new: false,
  name: "Bia",
  club_name: "Violão Fácil",
  changed_at: DateTime.makeUnsafe("2026-11-22T07:41:00Z"),
  time_zone: "America/Sao_Paulo",
  contact: { name: "Ana", email: "ana@example.com" },
  sign_in_link: "https://turma.example/sign-in?club=1"
}

describe("the mail that tells of a changed address", () => {
  it("says in Portuguese what happened, when, and whom to write to", () => {
    const { subject, text } = addressChanged("pt-BR", changed)
    assert.strictEqual(subject, "Seu e-mail no clube Violão Fácil foi alterado")
    assert.include(text, "Olá, Bia!")
    assert.include(text, "alterou o e-mail da sua conta em 22 de novembro de 2026 às 04:41 (America/Sao_Paulo).")
    assert.include(text, "Todas as sessões foram encerradas")
    assert.include(text, "escreva para Ana (ana@example.com), que é titular do clube.")
  })

  it("says in English what happened, when, and whom to write to", () => {
    const { subject, text } = addressChanged("en", changed)
    assert.strictEqual(subject, "Your e-mail address in the club Violão Fácil was changed")
    assert.include(text, "Hello Bia,")
    assert.match(text, /account there on November 22, 2026 at 4:41.AM \(America\/Sao_Paulo\)\./)
    assert.include(text, "All sessions were ended")
    assert.include(text, "write to Ana (ana@example.com), who runs the club.")
  })

  it("leads to signing in from the new address alone", () => {
    for (const locale of ["en", "pt-BR"] as const) {
      assert.notInclude(addressChanged(locale, changed).text, changed.sign_in_link)
      assert.include(addressChanged(locale, { ...changed, is_new: true }).text, changed.sign_in_link)
    }
  })

  it("turns no name into a link", () => {
    const named = { club_name: "https://evil.example", name: "www.evil.example" }
    const contact = { name: "evil.example/x", email: "ana@example.com" }
    const { html, subject, text } = addressChanged("en", { ...changed, ...named, contact })
    for (const part of [subject, text, html]) assert.notInclude(part, "evil.example")
  })
})
