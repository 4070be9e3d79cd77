import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { removalMail } from "../../../src/conversation/removals/RemovalMail.ts"
import type { Locale } from "../../../src/platform/http/Locale.ts"
import { AppLayer, appLayer, at, enrolledStudent, foundClub, listAt, outcome, send } from "../../harness/App.ts"
import { Mailbox } from "../../harness/Mailbox.ts"

/** A club with a student who asks to be removed. */
const withStudent = Effect.gen(function*() {
  const club = yield* foundClub()
  const student = yield* enrolledStudent(club)
  const { secret, to } = yield* Mailbox
  return {
    club,
    student,
    ask: send("POST", `${club.path}/classroom/me/removal`, { token: student.token }),
    mails: to(student.email),
    link: secret(student.email),
    inbox: Effect.map(
      send("GET", `${club.path}/support/conversations`, { token: club.token }),
      ({ json }) => listAt(json, "data")
    )
  }
})

const confirm = (token: string) => send("POST", "/v1/auth/removal", { body: { token } })

const invalid = [422, "token_invalid"]

layer(AppLayer)("A request to be removed", (it) => {
  it.effect("mails the student a link, and the staff hears of it once that is used", () =>
    Effect.gen(function*() {
      const { ask, inbox, link, mails, student } = yield* withStudent
      const asked = yield* ask
      assert.deepStrictEqual<unknown>([asked.status, asked.json], [202, { data: { accepted: true } }])
      assert.deepStrictEqual((yield* mails).map(({ recipient, subject }) => [recipient, subject]), [
        [student.email, "Confirm that you want your account removed"]
      ])
      assert.deepStrictEqual(yield* inbox, [])
      const confirmed = yield* confirm(yield* link)
      assert.deepStrictEqual<unknown>([confirmed.status, confirmed.json], [200, { data: { requested: true } }])
      const [conversation, ...others] = yield* inbox
      assert.deepStrictEqual(others, [])
      assert.deepInclude(conversation, {
        student: { id: student.id, name: student.name },
        subject: "Please remove my account",
        status: "open",
        unread_count: 1
      })
    }))

  it.effect("is in the language of the club", () =>
    Effect.gen(function*() {
      const { ask, club, inbox, link, mails } = yield* withStudent
      yield* send("PATCH", club.path, { token: club.token, body: { locale: "pt-BR" } })
      yield* ask
      assert.deepStrictEqual((yield* mails).map(({ subject }) => subject), ["Confirme a exclusão da sua conta"])
      yield* confirm(yield* link)
      assert.deepStrictEqual((yield* inbox).map((conversation) => at(conversation, "subject")), [
        "Exclusão da minha conta"
      ])
    }))

  it.effect("is confirmed once, within 24 hours", () =>
    Effect.gen(function*() {
      const { ask, inbox, link } = yield* withStudent
      yield* ask
      const first = yield* link
      yield* confirm(first)
      assert.deepStrictEqual(outcome(yield* confirm(first)), invalid)
      yield* ask
      const second = yield* link
      yield* TestClock.adjust("24 hours")
      assert.deepStrictEqual(outcome(yield* confirm(second)), invalid)
      assert.deepStrictEqual(outcome(yield* confirm("x")), invalid)
      assert.lengthOf(yield* inbox, 1)
    }))

  it.effect("opens one conversation by several links at once, and another after the staff has closed it", () =>
    Effect.gen(function*() {
      const { ask, club, inbox, link } = yield* withStudent
      const links = yield* Effect.replicateEffect(Effect.andThen(ask, link), 5)
      const [last = "", ...atOnce] = links
      const answers = yield* Effect.forEach(atOnce, confirm, { concurrency: "unbounded" })
      assert.deepStrictEqual(
        answers.map(({ json, status }) => [status, json]),
        atOnce.map(() => [200, { data: { requested: true } }])
      )
      const opened = yield* inbox
      assert.deepStrictEqual(opened.map((conversation) => at(conversation, "unread_count")), [1])
      const path = `${club.path}/support/conversations/${String(at(opened[0], "id"))}`
      yield* send("PATCH", path, { token: club.token, body: { status: "closed" } })
      yield* confirm(last)
      assert.deepStrictEqual((yield* inbox).map((conversation) => at(conversation, "status")).toSorted(), [
        "closed",
        "open"
      ])
    }))

  it.effect("neither signs in nor chooses a password by its link", () =>
    Effect.gen(function*() {
      const { ask, inbox, link } = yield* withStudent
      yield* ask
      const token = yield* link
      const exchanged = yield* send("POST", "/v1/auth/exchange", { body: { code: token } })
      const reset = yield* send("POST", "/v1/auth/password/reset", { body: { token, password: "violao e voz" } })
      assert.deepStrictEqual([exchanged, reset].map(({ status }) => status), [422, 422])
      assert.strictEqual((yield* confirm(token)).status, 200)
      assert.lengthOf(yield* inbox, 1)
    }))

  it.effect("is void once the student was removed, with its link", () =>
    Effect.gen(function*() {
      const { ask, club, link, student } = yield* withStudent
      yield* ask
      const token = yield* link
      yield* send("DELETE", `${club.path}/students/${student.id}`, { token: club.token })
      assert.deepStrictEqual(outcome(yield* confirm(token)), invalid)
    }))
})

layer(appLayer({ MAILS_PER_ADDRESS: "2" }))("Requests to be removed above the cap of mails", (it) => {
  it.effect("are answered alike, and mail nothing", () =>
    Effect.gen(function*() {
      const { ask, mails } = yield* withStudent
      const answers = yield* Effect.replicateEffect(ask, 4)
      assert.deepStrictEqual(answers.map(({ status }) => status), [202, 202, 202, 202])
      assert.lengthOf(yield* mails, 2)
    }))
})

describe("the mail that asks for a confirmation", () => {
  it.each<Locale>(["en", "pt-BR"])("has the link and says how long it works, in %s", (locale) => {
    const link = "https://turma.example/removal?token=abc"
    const { html, text } = removalMail(locale, {
      recipient: "bia@example.com",
      name: "Bia",
      club_name: "Violão Fácil",
      link
    })
    assert.include(text, link)
    assert.include(html, `href="${link}"`)
    assert.match(text, /24 (?:hours|horas)/)
    assert.include(text, "Violão Fácil")
  })
})
