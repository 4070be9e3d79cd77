import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { OneTimeTokens } from "../../../src/identity/tokens/OneTimeTokens.ts"
import { maskedAddress } from "../../../src/membership/pages/Visitor.ts"
import { AppLayer, foundClub, send } from "../../harness/App.ts"
import { Mailbox } from "../../harness/Mailbox.ts"
import { accessCode, newAddress, registered, resetLink, signUpLink } from "../accounts/People.ts"
import { arrivalAt, bothPages, headingOf, show, studentPagesOf, submit } from "./Visiting.ts"

const goneTitle = "This link does not work any more"

describe("A link that is too old", () => {
  layer(AppLayer)("of", (it) => {
    for (const [who, made] of bothPages) {
      it.effect(`${who} is known for 30 days, and mails a new one with one click`, () =>
        Effect.gen(function*() {
          const pages = yield* made
          const { folder, side } = pages
          const tokens = yield* OneTimeTokens
          const { secret } = yield* Mailbox
          const { email } = yield* registered(side)
          const [code, token] = [yield* accessCode(side, email), yield* resetLink(side, email)]
          const links = [
            { path: `enter?code=${code}`, kind: "access", form: { page: "enter", link: code } },
            { path: `reset?token=${token}`, kind: "forgot", form: { page: "reset", link: token } }
          ] as const
          yield* TestClock.adjust("1 hour")
          yield* tokens.sweep
          for (const { form, kind, path } of links) {
            const old = yield* show(`${folder}/${path}`)
            assert.strictEqual(headingOf(old), goneTitle)
            assert.include(old.text, `We can mail a link to ${maskedAddress(email)}.`)
            assert.include(old.text, `action="${folder}/${kind}"`)
            assert.strictEqual((yield* submit(`${folder}/${kind}`, form)).status, 202)
            assert.notInclude([code, token], yield* secret(email))
          }
          yield* TestClock.adjust("29 days")
          yield* tokens.sweep
          assert.include((yield* show(`${folder}/${links[0].path}`)).text, maskedAddress(email))
          yield* TestClock.adjust("1 day")
          yield* tokens.sweep
          for (const { path } of links) {
            const forgotten = yield* show(`${folder}/${path}`)
            assert.strictEqual(headingOf(forgotten), goneTitle)
            assert.notInclude(forgotten.text, maskedAddress(email))
            assert.include(forgotten.text, "name=\"email\"")
          }
        }))

      it.effect(`${who} confirms nothing, and names nobody`, () =>
        Effect.gen(function*() {
          const { folder, side } = yield* made
          const email = yield* newAddress
          const link = yield* signUpLink(side, email)
          yield* TestClock.adjust("24 hours")
          for (
            const page of [
              yield* show(`${folder}/confirm?token=${link}`),
              yield* submit(`${folder}/confirm`, { token: link })
            ]
          ) {
            assert.strictEqual(headingOf(page), goneTitle)
            assert.notInclude(page.text, maskedAddress(email))
          }
        }))

      it.effect(`${who} signs in once, whatever is clicked at once`, () =>
        Effect.gen(function*() {
          const pages = yield* made
          const { folder, side } = pages
          const { email } = yield* registered(side)
          const code = yield* accessCode(side, email)
          const click = submit(`${folder}/enter`, { code, linked: "yes" })
          const answers = yield* Effect.all([click, click, click], { concurrency: "unbounded" })
          assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [303, 422, 422])
          assert.lengthOf(answers.filter((answer) => arrivalAt(pages, answer).session !== ""), 1)
        }))
    }

    it.effect("a student who was removed names nobody", () =>
      Effect.gen(function*() {
        const club = yield* foundClub({ locale: "en" })
        const { folder, side } = studentPagesOf(club)
        const { email } = yield* registered(side)
        const code = yield* accessCode(side, email)
        const { json } = yield* send("GET", `${club.path}/students`, { token: club.token })
        const [student] = Object(json).data
        yield* send("DELETE", `${club.path}/students/${String(Object(student).id)}`, { token: club.token })
        const page = yield* show(`${folder}/enter?code=${code}`)
        assert.strictEqual(headingOf(page), goneTitle)
        assert.notInclude(page.text, maskedAddress(email))
      }))
  })
})
