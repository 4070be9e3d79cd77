import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AppLayer, at, send, tokenOf } from "../../harness/App.ts"
import { foundClub } from "../../harness/App.ts"
import { Mailbox } from "../../harness/Mailbox.ts"
import { makeClub } from "../../harness/Makers.ts"
import { admins, currentSession, newAddress, registered, signIn, subjects } from "../accounts/People.ts"
import { guest, invite } from "../clubs/Invite.ts"
import {
  administrators,
  arrivalAt,
  bothPages,
  headingOf,
  homeOf,
  keeping,
  show,
  studentPagesOf,
  submit
} from "./Visiting.ts"

const entered = { name: "Ana Souza", password: "correct horse" }

describe("A form", () => {
  layer(AppLayer)("of", (it) => {
    for (const [who, made] of bothPages) {
      it.effect(`${who} signs up, and asks for the mail again`, () =>
        Effect.gen(function*() {
          const { folder, side } = yield* made
          const { secret } = yield* Mailbox
          const email = yield* newAddress
          const sent = yield* submit(`${folder}/sign-up`, { ...entered, email: ` ${email.toUpperCase()} ` })
          assert.deepStrictEqual([sent.status, headingOf(sent)], [202, "Look into your mailbox"])
          const first = yield* secret(email)
          assert.strictEqual((yield* submit(`${folder}/resend`, { email })).status, 202)
          assert.notStrictEqual(yield* secret(email), first)
          assert.strictEqual((yield* submit(`${folder}/confirm`, { token: first })).status, 303)
          assert.strictEqual((yield* signIn(side, email)).status, 200)
        }))

      it.effect(`${who} signs in, and says what is wrong`, () =>
        Effect.gen(function*() {
          const pages = yield* made
          const { folder, side } = pages
          const { email } = yield* registered(side)
          const right = arrivalAt(pages, yield* submit(`${folder}/sign-in`, { email, password: "correct horse" }))
          assert.deepStrictEqual([right.status, right.location], [303, homeOf(pages)])
          assert.strictEqual(at((yield* currentSession(right.session)).json, "data", "account", "email"), email)
          const wrong = yield* submit(`${folder}/sign-in`, { email, password: "wrong battery" })
          assert.strictEqual(wrong.status, 401)
          assert.include(wrong.text, "role=\"alert\"")
          assert.include(wrong.text, `value="${email}"`)
          assert.notInclude(wrong.text, "wrong battery")
          assert.strictEqual((yield* submit(`${folder}/sign-in`, { email: "nobody", password: "" })).status, 422)
        }))

      it.effect(`${who} tells nobody whether there is an account`, () =>
        Effect.gen(function*() {
          const { folder, side } = yield* made
          const { email } = yield* registered(side)
          const stranger = yield* newAddress
          for (const path of ["forgot", "access", "resend"]) {
            const known = yield* submit(`${folder}/${path}`, { email })
            const unknown = yield* submit(`${folder}/${path}`, { email: stranger })
            assert.strictEqual(known.status, 202)
            assert.strictEqual(known.text.replaceAll(email, ""), unknown.text.replaceAll(stranger, ""))
          }
          assert.deepStrictEqual(yield* subjects(stranger), [])
          assert.includeMembers([...yield* subjects(email)], ["Create a new password", "Your access code"])
        }))
    }

    it.effect("keeps what was entered, but for the password, and names each field that is wrong", () =>
      Effect.gen(function*() {
        const { status, text } = yield* submit("/account/sign-up", { name: "", email: "ana@", password: "1234567" })
        assert.strictEqual(status, 422)
        for (const name of ["name", "email", "password"]) {
          assert.include(text, `<a href="#${name}">`)
          assert.match(
            text,
            new RegExp(`<input id="${name}"[^>]* aria-describedby="[^"]*${name}-wrong" aria-invalid="true"`)
          )
          assert.include(text, `<p class="wrong" id="${name}-wrong">`)
        }
        assert.strictEqual([...text.matchAll(/ autofocus/g)].length, 1)
        assert.include(text, "value=\"ana@\"")
        assert.notInclude(text, "1234567")
      }))

    it.effect("lets in with a registration code, which its link fills in", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        yield* send("PATCH", club.path, { token: club.token, body: { sign_up_open: false } })
        const made = yield* send("POST", `${club.path}/registration-links`, {
          token: club.token,
          body: { delivery_id: null }
        })
        const url = new URL(String(at(made.json, "data", "url")))
        assert.strictEqual(url.pathname, `/classroom/${club.organization_id}/sign-up`)
        const page = yield* show(`${url.pathname}${url.search}`)
        const code = String(at(made.json, "data", "code"))
        assert.include(page.text, `value="${code}"`)
        const { secret } = yield* Mailbox
        const email = yield* newAddress
        yield* submit(url.pathname, { ...entered, email, registration_code: code })
        const { folder } = studentPagesOf(club)
        assert.strictEqual((yield* submit(`${folder}/confirm`, { token: yield* secret(email) })).status, 303)
      }))

    it.effect("accepts an invitation with the invited address, and goes on to the club, signed in", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const { email } = yield* registered(admins)
        const other = yield* registered(admins)
        yield* invite(club, { email, role: "editor" })
        const { secret } = yield* Mailbox
        const token = yield* secret(email)
        const page = yield* show(`/account/invitation?token=${token}`)
        assert.include(page.text, `<input type="hidden" name="token" value="${token}">`)
        assert.notInclude(page.text, "Violão")

        const stranger = yield* submit("/account/invitation", { token, email: other.email, password: "correct horse" })
        assert.deepStrictEqual([stranger.status, headingOf(stranger)], [422, "This link does not work any more"])
        assert.notInclude(stranger.text, "Violão")
        const wrong = yield* submit("/account/invitation", { token, email, password: "wrong battery" })
        assert.strictEqual(wrong.status, 401)
        assert.include(wrong.text, `value="${token}"`)

        const done = arrivalAt(
          administrators,
          yield* submit("/account/invitation", { token, email, password: "correct horse" })
        )
        assert.deepStrictEqual([done.status, done.location], [303, `/console/${club.organization_id}`])
        const mine = done.session
        assert.strictEqual(
          at((yield* send("GET", "/v1/me", { token: mine })).json, "data", "organizations", 0, "role"),
          "editor"
        )
        // A refused form leaves no session.
        const sessions = yield* send("GET", "/v1/auth/sessions", { token: mine })
        assert.strictEqual(at(sessions.json, "data", "length"), 1)
        assert.strictEqual(
          (yield* submit("/account/invitation", { token, email, password: "correct horse" })).status,
          422
        )
      }))

    it.effect("founds a club, and goes on to it, signed in", () =>
      Effect.gen(function*() {
        const { email } = yield* registered(admins)
        const right = { email, password: "correct horse" }
        const nameless = yield* submit("/account/club", { ...right, club_name: " ", locale: "pt-BR" })
        assert.strictEqual(nameless.status, 422)
        assert.include(nameless.text, "<option value=\"pt-BR\" lang=\"pt-BR\" selected>")
        const stranger = yield* submit("/account/club", { ...right, password: "wrong", club_name: "x", locale: "en" })
        assert.strictEqual(stranger.status, 401)
        const done = arrivalAt(
          administrators,
          yield* submit("/account/club", { ...right, club_name: "<b>Violão</b> & Cia", locale: "pt-BR" })
        )
        const id = /^\/console\/([\w-]{36})$/.exec(done.location ?? "")?.[1] ?? ""
        assert.strictEqual(done.status, 303)
        assert.include((yield* show(`/classroom/${id}/sign-up`)).text, "lang=\"pt-BR\"")
        const sessions = yield* send("GET", "/v1/auth/sessions", { token: done.session })
        assert.strictEqual(at(sessions.json, "data", "length"), 1)
      }))

    it.effect("shows the name of a hostile club as text", () =>
      Effect.gen(function*() {
        const club = yield* makeClub({ name: "<script>alert(1)</script>\"'" })
        const page = yield* show(`${studentPagesOf(club).folder}/sign-in`)
        assert.include(page.text, "&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;")
        assert.notInclude(page.text, "<script")
      }))

    it.effect("of a club that is not there looks like any other and leads nowhere", () =>
      Effect.gen(function*() {
        const { folder } = studentPagesOf({ organization_id: "5ca1ab1e-0000-4000-8000-000000000001" })
        const email = yield* newAddress
        assert.strictEqual((yield* show(`${folder}/sign-up`)).status, 200)
        assert.strictEqual((yield* submit(`${folder}/sign-up`, { ...entered, email })).status, 202)
        assert.strictEqual((yield* submit(`${folder}/sign-in`, { email, password: "correct horse" })).status, 403)
        assert.strictEqual((yield* submit(`${folder}/sign-in`, { email, password: "wrong battery" })).status, 401)
        assert.deepStrictEqual(yield* subjects(email), [])
        assert.strictEqual(headingOf(yield* show("/classroom/none/sign-in")), "There is nothing here")
        assert.strictEqual((yield* submit("/classroom/none/sign-in", {})).status, 404)
      }))

    it.effect("ends the session that the browser keeps, and no other one", () =>
      Effect.gen(function*() {
        const { user } = yield* guest
        const [token, own] = [yield* tokenOf(user), yield* tokenOf(user)]
        const isLive = (session: string) =>
          Effect.map(send("GET", "/v1/me", { token: session }), ({ status }) => status === 200)
        for (const cookie of ["", "nonsense"]) {
          const answer = yield* submit("/account/sign-out", { access_token: token }, keeping(administrators, cookie))
          assert.strictEqual(answer.status, 200)
        }
        assert.isTrue(yield* isLive(token))
        const done = yield* submit("/account/sign-out", {}, keeping(administrators, own))
        assert.deepStrictEqual([done.status, headingOf(done)], [200, "You are signed out"])
        assert.match(done.headers["set-cookie"] ?? "", /^__Host-turma-session=; Max-Age=0; Path=\/; HttpOnly; Secure/)
        assert.deepStrictEqual([yield* isLive(own), yield* isLive(token)], [false, true])
      }))
  })
})
