import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AppLayer, at, send } from "../../harness/App.ts"
import {
  accessCode,
  confirm,
  currentSession,
  newAddress,
  registered,
  resetLink,
  signIn,
  signUpLink
} from "../accounts/People.ts"
import { arrivalAt, bothPages, clubIn, cookieOf, headingOf, homeOf, show, shownAddress, submit } from "./Visiting.ts"

const token = "A".repeat(43)

describe("The page of a mailed link", () => {
  layer(AppLayer)("for", (it) => {
    for (const [who, made] of bothPages) {
      it.effect(`confirms the address of ${who} with the click alone, once, and signs in`, () =>
        Effect.gen(function*() {
          const pages = yield* made
          const { folder, side } = pages
          const email = yield* newAddress
          const link = yield* signUpLink(side, email)
          const page = yield* show(`${folder}/confirm?token=${link}`)
          assert.strictEqual(page.status, 200)
          assert.include(page.text, `<form class="stack" method="post" action="${folder}/confirm">`)
          assert.include(page.text, `<input type="hidden" name="token" value="${link}">`)
          assert.include(page.text, `<strong><bdi>Ana Souza</bdi></strong>${shownAddress(email)}`)
          assert.strictEqual((yield* signIn(side, email)).status, 403)

          const done = arrivalAt(pages, yield* submit(`${folder}/confirm`, { token: link }))
          assert.deepStrictEqual([done.status, done.location], [303, homeOf(pages)])
          assert.strictEqual(at((yield* currentSession(done.session)).json, "data", "account", "email"), email)
          assert.strictEqual((yield* signIn(side, email)).status, 200)

          const again = yield* submit(`${folder}/confirm`, { token: link })
          assert.deepStrictEqual([again.status, headingOf(again)], [422, "Your address is confirmed"])
          assert.include(again.text, `action="${folder}/access"`)
        }))

      it.effect(`gives ${who} a new password, once, and signs in`, () =>
        Effect.gen(function*() {
          const pages = yield* made
          const { folder, side } = pages
          const { email } = yield* registered(side)
          const link = yield* resetLink(side, email)
          const page = yield* show(`${folder}/reset?token=${link}`)
          assert.include(page.text, "autocomplete=\"new-password\"")
          assert.include(page.text, shownAddress(email))
          assert.strictEqual((yield* signIn(side, email)).status, 200)

          const short = yield* submit(`${folder}/reset`, { token: link, password: "short" })
          assert.strictEqual(short.status, 422)
          assert.match(short.text, /aria-describedby="password-hint password-wrong" aria-invalid="true" autofocus>/)
          assert.notInclude(short.text, "\"short\"")

          const done = arrivalAt(pages, yield* submit(`${folder}/reset`, { token: link, password: "a better one" }))
          assert.deepStrictEqual([done.status, done.location], [303, homeOf(pages)])
          assert.strictEqual(at((yield* currentSession(done.session)).json, "data", "account", "email"), email)
          assert.strictEqual((yield* signIn(side, email, "a better one")).status, 200)

          const again = yield* submit(`${folder}/reset`, { token: link, password: "a worse one" })
          assert.deepStrictEqual([again.status, headingOf(again)], [422, "This link does not work any more"])
          assert.include(again.text, `action="${folder}/forgot"`)
          assert.strictEqual((yield* signIn(side, email, "a worse one")).status, 401)
        }))

      it.effect(`signs ${who} in with one click, and nothing to enter`, () =>
        Effect.gen(function*() {
          const pages = yield* made
          const { folder, side } = pages
          const { email } = yield* registered(side)
          const code = yield* accessCode(side, email)
          const page = yield* show(`${folder}/enter?code=${code}`)
          assert.include(page.text, `<form class="stack" method="post" action="${folder}/enter">`)
          assert.include(page.text, `<input type="hidden" name="code" value="${code}">`)
          assert.strictEqual(
            [...page.text.matchAll(/<input /g)].length,
            [...page.text.matchAll(/type="hidden"/g)].length
          )

          const done = arrivalAt(pages, yield* submit(`${folder}/enter`, { code, linked: "yes" }))
          assert.deepStrictEqual([done.status, done.location], [303, homeOf(pages)])
          assert.strictEqual(at((yield* currentSession(done.session)).json, "data", "account", "email"), email)

          const again = yield* submit(`${folder}/enter`, { code, linked: "yes" })
          assert.deepStrictEqual([again.status, headingOf(again)], [422, "This link does not work any more"])
          assert.isUndefined(again.headers["set-cookie"])
        }))

      it.effect(`names the account of a code to ${who} before anything happens, and no other one`, () =>
        Effect.gen(function*() {
          const { folder, side } = yield* made
          const attacker = yield* registered(side, { name: "<b>Ana</b>" })
          const victim = yield* registered(side)
          const code = yield* accessCode(side, attacker.email)
          // The query names nobody.
          for (const more of ["", `&email=${victim.email}&name=Bia`]) {
            const page = yield* show(`${folder}/enter?code=${code}${more}`)
            assert.include(
              page.text,
              `<strong><bdi>&lt;b&gt;Ana&lt;/b&gt;</bdi></strong>${shownAddress(attacker.email)}`
            )
            assert.notInclude(page.text, victim.email)
          }
          const unknown = yield* show(`${folder}/enter?code=${token}`)
          assert.notInclude(unknown.text, "@")
          const used = yield* submit(`${folder}/enter`, { code: token, linked: "yes", email: victim.email })
          assert.deepStrictEqual([used.status, used.headers["set-cookie"]], [422, undefined])
        }))

      it.effect(`shows ${who} a link as often as a scanner follows it, and changes nothing`, () =>
        Effect.gen(function*() {
          const pages = yield* made
          const { folder, side } = pages
          const { email } = yield* registered(side)
          const stranger = yield* newAddress
          const links = [
            `confirm?token=${yield* signUpLink(side, stranger)}`,
            `reset?token=${yield* resetLink(side, email)}`,
            `enter?code=${yield* accessCode(side, email)}`
          ]
          for (const link of links) {
            for (const method of ["GET", "GET", "HEAD"] as const) {
              const { headers, status } = yield* send(method, `${folder}/${link}`, { headers: { accept: "text/html" } })
              assert.strictEqual(status, 200)
              assert.notInclude(headers["set-cookie"] ?? "", cookieOf(pages))
            }
          }
          assert.strictEqual((yield* signIn(side, stranger)).status, 403)
          assert.strictEqual((yield* signIn(side, email)).status, 200)
          for (const link of links) {
            const [path = "", field = "", secret = ""] = link.split(/[?=]/)
            const form = { [field]: secret, linked: "yes", password: "a better one" }
            // The new password has ended the code.
            assert.strictEqual((yield* submit(`${folder}/${path}`, form)).status, path === "enter" ? 422 : 303, path)
          }
        }))

      it.effect(`takes a code that ${who} enters by hand only with its address, which can be corrected`, () =>
        Effect.gen(function*() {
          const pages = yield* made
          const { folder, side } = pages
          const { email } = yield* registered(side)
          const victim = yield* registered(side)
          const code = yield* accessCode(side, email)
          assert.match((yield* show(`${folder}/enter`)).text, /name="email"[^]*name="code" type="text"/)
          for (const mistyped of ["", "ana@", `x${email}`, victim.email]) {
            const refused = yield* submit(`${folder}/enter`, { code: ` ${code} `, email: mistyped })
            assert.strictEqual(refused.status, 422)
            assert.match(refused.text, new RegExp(`name="email"[^>]* value="${mistyped}"`))
            assert.match(refused.text, new RegExp(`name="code" type="text"[^>]* value="${code}"`))
          }
          const refused = yield* submit(`${folder}/enter`, { code, email: victim.email })
          const unknown = yield* submit(`${folder}/enter`, { code: token, email: victim.email })
          assert.strictEqual(unknown.text.replaceAll(token, ""), refused.text.replaceAll(code, ""))
          const none = yield* submit(`${folder}/enter`, { code: "", email: "" })
          for (const name of ["email", "code"]) assert.include(none.text, `<a href="#${name}">`)
          const done = arrivalAt(pages, yield* submit(`${folder}/enter`, { code, email: ` ${email.toUpperCase()} ` }))
          assert.strictEqual(at((yield* currentSession(done.session)).json, "data", "account", "email"), email)
        }))

      it.effect(`takes no link of the other kind of account from ${who}`, () =>
        Effect.gen(function*() {
          const { folder, side } = yield* made
          const [, other] = bothPages.find(([name]) => name !== who) ?? ["", made]
          const { side: otherSide } = yield* other
          const email = yield* newAddress
          const link = yield* signUpLink(otherSide, email)
          assert.strictEqual((yield* submit(`${folder}/confirm`, { token: link })).status, 422)
          assert.strictEqual((yield* confirm(otherSide, link)).status, 200)
          assert.isNotEmpty(side.base)
        }))
    }

    it.effect.each(["confirm", "reset", "enter"])(
      "asks for a new one where the link is broken: %s",
      (path) =>
        Effect.gen(function*() {
          for (const secret of ["", "%3Cscript%3E", "a".repeat(300)]) {
            const page = yield* show(`/account/${path}?token=${secret}&code=${secret}`)
            assert.strictEqual(page.status, 200)
            assert.notInclude(page.text, "script")
            assert.include(page.text, "<form")
          }
          const answer = yield* submit(`/account/${path}`, {
            token: "<script>",
            code: "<script>",
            password: "long enough"
          })
          assert.strictEqual(answer.status, 422)
          assert.notInclude(answer.text, "script")
        })
    )

    it.effect.each([
      ["en", ["Confirm your address", "Choose a new password", "Sign in"]],
      ["pt-BR", ["Confirme seu endereço", "Escolha uma nova senha", "Entrar"]]
    ] as const)("is in the language of the club while it works: %s", ([locale, headings]) =>
      Effect.gen(function*() {
        const { folder, side } = yield* clubIn(locale)
        const { email } = yield* registered(side)
        const links = [
          `confirm?token=${yield* signUpLink(side, yield* newAddress)}`,
          `reset?token=${yield* resetLink(side, email)}`,
          `enter?code=${yield* accessCode(side, email)}`
        ]
        const shown = yield* Effect.forEach(links, (link) => show(`${folder}/${link}`, { "accept-language": "xx" }))
        assert.deepStrictEqual(shown.map(headingOf), [...headings])
        for (const { headers } of shown) assert.strictEqual(headers["content-language"], locale)
      }))

    it.effect.each([
      ["en", "confirm", "This link does not work any more"],
      ["pt-BR", "confirm", "Este link não funciona mais"],
      ["en", "reset", "This link does not work any more"],
      ["pt-BR", "reset", "Este link não funciona mais"],
      ["en", "enter", "This link does not work any more"],
      ["pt-BR", "enter", "Este link não funciona mais"],
      ["en", "sign-up", "Create your account"],
      ["pt-BR", "sign-up", "Crie sua conta"],
      ["en", "sign-in", "Sign in"],
      ["pt-BR", "sign-in", "Entrar"],
      ["en", "forgot", "Forgot your password?"],
      ["pt-BR", "forgot", "Esqueceu a senha?"],
      ["en", "resend", "Send the confirmation again"],
      ["pt-BR", "resend", "Enviar a confirmação de novo"],
      ["en", "access", "Sign in with a mailed code"],
      ["pt-BR", "access", "Entrar com um código por e-mail"]
    ] as const)(
      "is in the language of the club, or of an administrator's browser: %s, %s",
      ([locale, path, heading]) =>
        Effect.gen(function*() {
          const { folder } = yield* clubIn(locale)
          const other = locale === "en" ? "pt-BR" : "en"
          const ofClub = yield* show(`${folder}/${path}?token=${token}&code=${token}`, { "accept-language": other })
          const ofBrowser = yield* show(`/account/${path}?token=${token}&code=${token}`, { "accept-language": locale })
          for (const { headers, status, text } of [ofClub, ofBrowser]) {
            assert.strictEqual(status, 200)
            assert.include(text, `<html lang="${locale}">`)
            assert.strictEqual(headingOf({ text }), heading)
            assert.strictEqual(headers["content-language"], locale)
          }
        })
    )
  })
})
