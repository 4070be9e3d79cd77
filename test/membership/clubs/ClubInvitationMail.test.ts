import { assert, describe, it } from "@effect/vitest"
import { clubInvitation } from "../../../src/membership/clubs/ClubInvitationMail.ts"

const recipient = "ana@example.com"
const link = "https://turma.example/invitation?token=abc"
const club_name = "Violão Fácil"

describe("the mail that invites to a club", () => {
  const invited = { recipient, club_name, inviter_name: "Bia", role: "admin", link } as const

  it("says in Portuguese who invites to which club with which role, and for how long", () => {
    const { subject, text } = clubInvitation("pt-BR", invited)
    assert.strictEqual(subject, "Convite para o clube Violão Fácil")
    assert.include(text, "Bia convida você para a equipe do clube Violão Fácil. Seu acesso: administração.")
    assert.include(text, "O convite vale por 7 dias.")
  })

  it("says in English who invites to which club with which role, and for how long", () => {
    const { subject, text } = clubInvitation("en", invited)
    assert.strictEqual(subject, "Invitation to the club Violão Fácil")
    assert.include(text, "Bia invites you to join the club Violão Fácil. Your role there: administrator.")
    assert.include(text, "The invitation is valid for 7 days.")
  })

  it("carries its link in text and HTML", () => {
    const { html, text } = clubInvitation("en", invited)
    assert.include(text, link)
    assert.include(html, `href="${link}"`)
  })

  it("turns neither the club's nor the inviter's name into a link", () => {
    const named = { club_name: "https://evil.example", inviter_name: "www.evil.example" }
    const { html, subject, text } = clubInvitation("en", { ...invited, ...named })
    for (const part of [subject, text, html]) assert.notInclude(part, "evil.example")
  })
})
