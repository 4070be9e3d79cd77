import { assert, describe, it as test, layer } from "@effect/vitest"
import { Effect } from "effect"
import { supportAnswerMail } from "../../../src/conversation/support/SupportAnswerMail.ts"
import { AppLayer, appLayer } from "../../harness/App.ts"
import { Mailbox } from "../../harness/Mailbox.ts"
import { callsOf, listed } from "../../membership/notifications/Notified.ts"
import { idOf, openSupportClub } from "./SupportClub.ts"

const opened = Effect.gen(function*() {
  const club = yield* openSupportClub
  const { to } = yield* Mailbox
  return { ...club, own: callsOf(club).own, mails: (student: { readonly email: string }) => to(student.email) }
})

layer(AppLayer)("An answer of support", (it) => {
  it.effect("is mailed at once, with the student's last words and a link to the conversation, and notified", () =>
    Effect.gen(function*() {
      const { ana, bia, mails, open, organization_id, own, owner, reply, say } = yield* opened
      const id = idOf(yield* open(ana, "Boleto", "Não chegou"))
      yield* say(ana, id, "E agora?")
      yield* reply(id, "Já vejo.\n\nVeja https://banco.example/boleto")
      const [mail, ...others] = yield* mails(ana)
      assert.lengthOf(others, 0)
      assert.strictEqual(mail?.subject, "Support answered: Boleto")
      assert.include(mail?.text, "Já vejo.\n\nVeja https://banco.example/boleto\n")
      assert.include(mail?.text, "You wrote:\n> E agora?\n")
      assert.notInclude(mail?.text, "Não chegou")
      assert.include(mail?.text, `/classroom/${organization_id}/support/${id}\n`)
      assert.notProperty(mail, "unsubscribe")
      assert.deepStrictEqual(
        listed((yield* own(ana)).json, "kind", "title", "excerpt", "actor_name", "target.conversation_id"),
        [["support_answer", "Boleto", "Já vejo. Veja https://banco.example/boleto", owner.name, id]]
      )
      assert.deepStrictEqual(yield* mails(bia), [])
    }))

  it.effect("is read with its conversation, and no other is", () =>
    Effect.gen(function*() {
      const { ana, open, own, ownRead, reply } = yield* opened
      const [id, other] = [idOf(yield* open(ana, "Boleto")), idOf(yield* open(ana, "Pix"))]
      for (const each of [id, other]) yield* reply(each)
      yield* ownRead(ana, id)
      assert.deepStrictEqual(listed((yield* own(ana, "?unread=true")).json, "title"), [["Pix"]])
    }))

  it.effect("is what the staff writes, and no message of the student", () =>
    Effect.gen(function*() {
      const { ana, mails, open, own, say } = yield* opened
      yield* say(ana, idOf(yield* open(ana)))
      assert.deepStrictEqual([yield* mails(ana), listed((yield* own(ana)).json, "id")], [[], []])
    }))

  it.effect("is mailed whatever the student has chosen about notifications", () =>
    Effect.gen(function*() {
      const { ana, mails, open, reply, ...club } = yield* opened
      yield* callsOf(club).choose(ana, "never")
      yield* reply(idOf(yield* open(ana)))
      assert.lengthOf(yield* mails(ana), 1)
    }))
})

layer(appLayer({ MAILS_PER_ADDRESS: "1" }))("An answer of support beyond the caps", (it) => {
  it.effect("is written and notified, without a mail of its own", () =>
    Effect.gen(function*() {
      const { ana, mails, open, own, reply } = yield* opened
      const id = idOf(yield* open(ana))
      for (const body of ["A", "B"]) assert.strictEqual((yield* reply(id, body)).status, 201)
      assert.lengthOf(yield* mails(ana), 1)
      assert.deepStrictEqual(listed((yield* own(ana)).json, "excerpt"), [["B"], ["A"]])
    }))
})

describe("The mail of an answer", () => {
  const answer = {
    recipient: "bia@example.com",
    name: "Bia",
    club_name: "Violão Fácil",
    author_name: "Rita",
    subject: "Boleto",
    body: "Já vejo.",
    answered: "Não chegou",
    link: "https://turma.example/classroom/1/support/2"
  }

  test("is in the language of the club", () => {
    const { subject, text } = supportAnswerMail("pt-BR", answer)
    assert.strictEqual(subject, "Resposta do suporte: Boleto")
    assert.include(text, "Rita, do clube Violão Fácil, respondeu à sua mensagem:\n\nJá vejo.\n")
    assert.include(text, "Você escreveu:\n> Não chegou\n")
  })

  test("turns no name, subject or quoted words into a link", () => {
    const [evil, link] = ["https://evil.example", answer.link]
    const names = { name: evil, club_name: evil, author_name: evil, subject: evil, answered: `Oi\n${evil}` }
    const { html, subject, text } = supportAnswerMail("en", { ...answer, ...names, link })
    for (const part of [subject, text, html]) assert.notInclude(part, "evil.example")
  })
})
