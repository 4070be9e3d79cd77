import { assert, describe, it } from "@effect/vitest"
import {
  accessCode,
  accountExists,
  confirmEmail,
  passwordChanged,
  resetPassword
} from "../../../src/membership/accounts/Mails.ts"
import type { Locale } from "../../../src/platform/http/Locale.ts"

const recipient = "ana@example.com"
const link = "https://turma.example/go?token=abc"
const forgot_link = "https://turma.example/forgot"
const club_name = "Violão Fácil"

const allIn = (locale: Locale) => [
  confirmEmail(locale, { recipient, name: "Ana", link }),
  accountExists(locale, { recipient, sign_in_link: link, forgot_link }),
  resetPassword(locale, { recipient, name: "Ana", link }),
  passwordChanged(locale, { recipient, name: "Ana", forgot_link }),
  accessCode(locale, { recipient, name: "Ana", code: "K7QF-93MX" })
]

describe("the mails about accounts", () => {
  it("are written in Portuguese and in English", () => {
    assert.deepStrictEqual(allIn("pt-BR").map(({ subject }) => subject), [
      "Confirme seu e-mail",
      "Você já tem uma conta",
      "Crie uma nova senha",
      "Sua senha foi alterada",
      "Seu código de acesso"
    ])
    assert.deepStrictEqual(allIn("en").map(({ subject }) => subject), [
      "Confirm your e-mail address",
      "You already have an account",
      "Create a new password",
      "Your password was changed",
      "Your access code"
    ])
  })

  it("say in both languages how long a link or code is valid", () => {
    const validity = (locale: Locale) =>
      allIn(locale).map(({ text }) => /(?:valid for|vale por) (\d+ \p{L}+)/u.exec(text)?.[1])
    assert.deepStrictEqual(validity("en"), ["24 hours", undefined, "1 hour", undefined, "15 minutes"])
    assert.deepStrictEqual(validity("pt-BR"), ["24 horas", undefined, "1 hora", undefined, "15 minutos"])
  })

  it("carry their link in text and HTML", () => {
    for (const { html, text } of [confirmEmail("en", { recipient, link }), resetPassword("en", { recipient, link })]) {
      assert.include(text, link)
      assert.include(html, `href="${link}"`)
    }
  })

  it("offer to sign in or to create a password where an account exists", () => {
    const { html } = accountExists("pt-BR", { recipient, sign_in_link: link, forgot_link })
    assert.include(html, `href="${link}"`)
    assert.include(html, `href="${forgot_link}"`)
  })

  it("name the club of a student, and Turma for an administrator", () => {
    assert.include(accessCode("pt-BR", { recipient, code: "1", club_name }).text, "no clube Violão Fácil")
    assert.include(resetPassword("en", { recipient, link }).text, "with Turma")
  })

  it("keep the access code out of the subject", () => {
    const mail = accessCode("en", { recipient, code: "K7QF-93MX" })
    assert.notInclude(mail.subject, "K7QF")
    assert.include(mail.text, "\nK7QF-93MX\n")
    assert.include(mail.html, ">K7QF-93MX<")
  })

  it("turn neither a club's nor a person's name into a link", () => {
    const { html, text } = confirmEmail("en", {
      recipient,
      name: "evil.example/now",
      club_name: "www.evil.example",
      link
    })
    assert.notInclude(text + html, "evil.example")
  })
})
