import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AppLayer, at } from "../../harness/App.ts"
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
import { administrators, bothPages, clubIn, headingOf, show, submit } from "./Visiting.ts"

const token = "A".repeat(43)

describe("The page of a mailed link", () => {
  layer(AppLayer)("for", (it) => {
    for (const [who, made] of bothPages) {
      it.effect(`confirms the address of ${who} with the click alone, and once`, () =>
        Effect.gen(function*() {
          const { folder, side } = yield* made
          const email = yield* newAddress
          const link = yield* signUpLink(side, email)
          const page = yield* show(`${folder}/confirm?token=${link}`)
          assert.strictEqual(page.status, 200)
          assert.include(page.text, `<form class="stack" method="post" action="${folder}/confirm">`)
          assert.include(page.text, `<input type="hidden" name="token" value="${link}">`)
          assert.strictEqual((yield* signIn(side, email)).status, 403)

          const done = yield* submit(`${folder}/confirm`, { token: link })
          assert.deepStrictEqual([done.status, headingOf(done)], [200, "Your address is confirmed"])
          assert.include(done.text, `href="${folder}/sign-in"`)
          assert.notInclude(done.text, link)
          assert.strictEqual((yield* signIn(side, email)).status, 200)

          const again = yield* submit(`${folder}/confirm`, { token: link })
          assert.deepStrictEqual([again.status, headingOf(again)], [422, "This link does not work any more"])
          assert.include(again.text, `action="${folder}/resend"`)
        }))

      it.effect(`gives ${who} a new password, and once`, () =>
        Effect.gen(function*() {
          const { folder, side } = yield* made
          const { email } = yield* registered(side)
          const link = yield* resetLink(side, email)
          const page = yield* show(`${folder}/reset?token=${link}`)
          assert.include(page.text, "autocomplete=\"new-password\"")
          assert.strictEqual((yield* signIn(side, email)).status, 200)

          const short = yield* submit(`${folder}/reset`, { token: link, password: "short" })
          assert.strictEqual(short.status, 422)
          assert.match(short.text, /aria-describedby="password-hint password-wrong" aria-invalid="true" autofocus>/)
          assert.notInclude(short.text, "\"short\"")

          const done = yield* submit(`${folder}/reset`, { token: link, password: "a better one" })
          assert.deepStrictEqual([done.status, headingOf(done)], [200, "Your new password is saved"])
          assert.strictEqual((yield* signIn(side, email, "a better one")).status, 200)

          const again = yield* submit(`${folder}/reset`, { token: link, password: "a worse one" })
          assert.deepStrictEqual([again.status, headingOf(again)], [422, "This link does not work any more"])
          assert.include(again.text, `action="${folder}/forgot"`)
          assert.strictEqual((yield* signIn(side, email, "a worse one")).status, 401)
        }))

      it.effect(`signs ${who} in with a code, shows the token once, and signs out again`, () =>
        Effect.gen(function*() {
          const { folder, side } = yield* made
          const { email } = yield* registered(side)
          const code = yield* accessCode(side, email)
          const page = yield* show(`${folder}/enter?code=${code}`)
          assert.include(page.text, `<input type="hidden" name="code" value="${code}">`)
          assert.match(
            page.text,
            /<input id="email" name="email" type="email" autocomplete="email" value="" [^>]*required/
          )
          const isAdministrator = folder === administrators.folder
          assert.strictEqual(page.text.includes(`href="/console?code=${code}"`), isAdministrator)

          const done = yield* submit(`${folder}/enter`, { code, linked: "yes", email: ` ${email.toUpperCase()} ` })
          assert.deepStrictEqual([done.status, headingOf(done)], [200, "You are signed in"])
          assert.notInclude(done.text, code)
          const access_token = /id="access_token"[^>]* value="([\w-]{43})"/.exec(done.text)?.[1] ?? ""
          assert.strictEqual(at((yield* currentSession(access_token)).json, "data", "account", "email"), email)

          const again = yield* submit(`${folder}/enter`, { code, linked: "yes", email })
          assert.strictEqual(again.status, 422)
          assert.include(again.text, "was used already or is too old")
          assert.include(again.text, `href="${folder}/access"`)

          assert.strictEqual(headingOf(yield* submit(`${folder}/sign-out`, { access_token })), "You are signed out")
          assert.strictEqual((yield* currentSession(access_token)).status, 401)
          assert.strictEqual((yield* submit(`${folder}/sign-out`, { access_token })).status, 200)
        }))

      it.effect(`signs ${who} in to no account of somebody else, whose code stays unused`, () =>
        Effect.gen(function*() {
          const { folder, side } = yield* made
          const attacker = yield* registered(side)
          const victim = yield* registered(side)
          const code = yield* accessCode(side, attacker.email)
          const linked = { code, linked: "yes" }
          // The page does not fill in an address from the link.
          const page = yield* show(`${folder}/enter?code=${code}&email=${attacker.email}`)
          assert.notInclude(page.text, attacker.email)

          const bare = yield* submit(`${folder}/enter`, linked)
          assert.strictEqual(bare.status, 422)
          assert.match(bare.text, /name="email"[^>]* aria-invalid="true" autofocus>/)
          const refused = yield* submit(`${folder}/enter`, { ...linked, email: victim.email })
          assert.strictEqual(refused.status, 422)
          assert.include(refused.text, `value="${victim.email}"`)
          assert.include(refused.text, `<input type="hidden" name="code" value="${code}">`)
          for (const { text } of [bare, refused]) assert.notInclude(text, "access_token")
          const unknown = yield* submit(`${folder}/enter`, { ...linked, code: token, email: victim.email })
          assert.strictEqual(unknown.text.replaceAll(token, ""), refused.text.replaceAll(code, ""))

          const owner = yield* submit(`${folder}/enter`, { ...linked, email: attacker.email })
          assert.strictEqual(headingOf(owner), "You are signed in")
        }))

      it.effect(`takes a code that ${who} enters by hand, and lets the address be corrected`, () =>
        Effect.gen(function*() {
          const { folder, side } = yield* made
          const { email } = yield* registered(side)
          const code = yield* accessCode(side, email)
          assert.match((yield* show(`${folder}/enter`)).text, /name="email"[^]*name="code" type="text"/)
          for (const mistyped of ["", "ana@", `x${email}`]) {
            const refused = yield* submit(`${folder}/enter`, { code: ` ${code} `, email: mistyped })
            assert.strictEqual(refused.status, 422)
            assert.match(refused.text, new RegExp(`name="email"[^>]* value="${mistyped}"`))
            assert.match(refused.text, new RegExp(`name="code" type="text"[^>]* value="${code}"`))
          }
          const none = yield* submit(`${folder}/enter`, { code: "", email: "" })
          for (const name of ["email", "code"]) assert.include(none.text, `<a href="#${name}">`)
          const done = yield* submit(`${folder}/enter`, { code, email })
          assert.strictEqual(headingOf(done), "You are signed in")
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
      ["en", "confirm", "Confirm your e-mail address"],
      ["pt-BR", "confirm", "Confirme seu endereço de e-mail"],
      ["en", "reset", "Choose a new password"],
      ["pt-BR", "reset", "Escolha uma nova senha"],
      ["en", "enter", "Sign in"],
      ["pt-BR", "enter", "Entrar"],
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
