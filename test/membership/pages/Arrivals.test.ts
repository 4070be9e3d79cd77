import { assert, describe, it as plain, layer } from "@effect/vitest"
import { Effect } from "effect"
import { maskedAddress } from "../../../src/membership/pages/Visitor.ts"
import { AppLayer, appLayer, at, foundClub, send } from "../../harness/App.ts"
import { Mailbox } from "../../harness/Mailbox.ts"
import {
  accessCode,
  admins,
  currentSession,
  newAddress,
  registered,
  resetLink,
  signedIn,
  signUpLink,
  subjects
} from "../accounts/People.ts"
import {
  administrators,
  arrivalAt,
  bothPages,
  clubIn,
  cookieOf,
  headingOf,
  homeOf,
  keeping,
  type Pages,
  show,
  shownAddress,
  studentPagesOf,
  submit
} from "./Visiting.ts"

const password = "correct horse"

/** A new person, and a form of each page that signs them in, with its path. */
const doors = Effect.fnUntraced(function*({ side }: Pages) {
  const [{ email }, other, third] = [yield* registered(side), yield* registered(side), yield* newAddress]
  return [
    ["sign-in", { email, password }, email],
    ["enter", { code: yield* accessCode(side, email), linked: "yes" }, email],
    ["enter", { code: yield* accessCode(side, email), email }, email],
    ["reset", { token: yield* resetLink(side, other.email), password: "a better one" }, other.email],
    ["confirm", { token: yield* signUpLink(side, third) }, third]
  ] as const
})

/** The address in the newest mail to this person. */
const mailedTo = Effect.fnUntraced(function*(email: string) {
  const { to } = yield* Mailbox
  const text = (yield* to(email)).at(-1)?.text ?? ""
  return new URL(/https:\/\/\S+/.exec(text)?.[0] ?? "nothing://")
})

const nextOf = ({ side }: Pages) =>
  side.kind === "admin"
    ? "5ca1ab1e-0000-4000-8000-000000000001/support/5ca1ab1e-0000-4000-8000-000000000002"
    : "lessons/violao-facil/ask?block=1&q=d%C3%B3#two"

const elsewhere = [
  "//evil.example",
  "/\\evil.example",
  "%2f%2fevil.example",
  "https://evil.example",
  "javascript:alert(1)",
  "../../console",
  "courses/a?x=//evil.example",
  "courses/a#//evil.example",
  "lessons/a/ask/../../../../console",
  "courses/a\r\nset-cookie: a=b"
]

describe("A person who signs in on a page", () => {
  layer(AppLayer)("as", (it) => {
    for (const [who, made] of bothPages) {
      it.effect(`${who} goes on with a session in a cookie, and no token is ever shown`, () =>
        Effect.gen(function*() {
          const pages = yield* made
          for (const [path, form, email] of yield* doors(pages)) {
            const answer = yield* submit(`${pages.folder}/${path}`, form)
            const { attributes, location, session, status } = arrivalAt(pages, answer)
            assert.deepStrictEqual([status, location], [303, homeOf(pages)], path)
            assert.match(attributes, /^; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/)
            assert.strictEqual(answer.headers["cache-control"], "no-store")
            assert.notInclude(answer.text, session)
            assert.strictEqual(at((yield* currentSession(session)).json, "data", "account", "email"), email)
            const page = yield* show(`${pages.folder}/sign-in`, keeping(pages, session))
            assert.strictEqual(headingOf(page), "You are signed in")
            assert.include(page.text, shownAddress(email))
            assert.include(page.text, `href="${homeOf(pages)}"`)
            assert.notInclude(page.text, session)
          }
        }))

      it.effect(`${who} goes on to a page of the list`, () =>
        Effect.gen(function*() {
          const pages = yield* made
          const next = nextOf(pages)
          for (const [path, form] of yield* doors(pages)) {
            const answer = yield* submit(`${pages.folder}/${path}?next=${encodeURIComponent(next)}`, form)
            assert.strictEqual(arrivalAt(pages, answer).location, `${homeOf(pages)}/${next}`)
          }
        }))

      it.effect(`${who} goes on to no other address, whatever a link says`, () =>
        Effect.gen(function*() {
          const pages = yield* made
          const { folder, side } = pages
          const { email } = yield* registered(side)
          for (const next of elsewhere) {
            const query = `next=${encodeURIComponent(next)}`
            const page = yield* show(`${folder}/sign-in?${query}`)
            assert.include(page.text, `action="${folder}/sign-in"`)
            assert.notInclude(page.text, "evil")
            const answer = yield* submit(`${folder}/sign-in?${query}`, { email, password, next })
            assert.strictEqual(arrivalAt(pages, answer).location, homeOf(pages), next)
          }
        }))

      it.effect(`${who} keeps the page to go on to through a mailed link`, () =>
        Effect.gen(function*() {
          const pages = yield* made
          const { folder, side } = pages
          const { email } = yield* registered(side)
          const query = `next=${encodeURIComponent(nextOf(pages))}`
          assert.include((yield* show(`${folder}/sign-in?${query}`)).text, `href="${folder}/access?`)
          yield* submit(`${folder}/access?${query}`, { email })
          const link = yield* mailedTo(email)
          assert.strictEqual(link.searchParams.get("next"), nextOf(pages))
          const page = yield* show(`${link.pathname}${link.search}`)
          const action = /action="([^"]*)"/.exec(page.text)?.[1] ?? ""
          assert.strictEqual(action, `${folder}/enter?${query.replaceAll("%2F", "%2F")}`)
          const code = link.searchParams.get("code") ?? ""
          const { location } = arrivalAt(pages, yield* submit(action, { code, linked: "yes" }))
          assert.strictEqual(location, `${homeOf(pages)}/${nextOf(pages)}`)
        }))

      it.effect(`${who} keeps it through the mail about a new password or a new account`, () =>
        Effect.gen(function*() {
          const pages = yield* made
          const { folder, side } = pages
          const query = `next=${encodeURIComponent(nextOf(pages))}`
          const [{ email }, stranger] = [yield* registered(side), yield* newAddress]
          yield* submit(`${folder}/forgot?${query}`, { email })
          yield* submit(`${folder}/sign-up?${query}`, { name: "Ana Souza", email: stranger, password })
          for (const [address, form] of [[email, { password: "a better one" }], [stranger, {}]] as const) {
            const link = yield* mailedTo(address)
            const action = /action="([^"]*)"/.exec((yield* show(`${link.pathname}${link.search}`)).text)?.[1] ?? ""
            const token = link.searchParams.get("token") ?? ""
            const { location } = arrivalAt(pages, yield* submit(action, { token, ...form }))
            assert.strictEqual(location, `${homeOf(pages)}/${nextOf(pages)}`)
          }
        }))

      it.effect(`${who} is asked before another person's session ends in this browser`, () =>
        Effect.gen(function*() {
          const pages = yield* made
          const { folder, side } = pages
          const other = yield* signedIn(side)
          const browser = keeping(pages, other.token)
          for (const [path, form, email] of (yield* doors(pages)).filter((door) => !("email" in door[1]))) {
            const [[field = "", secret = ""] = []] = Object.entries(form)
            const shown = yield* show(`${folder}/${path}?${field}=${secret}`, browser)
            // A mailbox on the web sends no cookie with the link, so the form asks.
            const asked = yield* submit(`${folder}/${path}`, form, browser)
            for (const { headers, status, text } of [shown, asked]) {
              assert.strictEqual(status, 200)
              assert.include(text, `Another account is open in this browser: ${other.email}.`)
              assert.include(text, shownAddress(email))
              assert.include(text, `<input type="hidden" name="instead" value="yes">`)
              assert.notInclude(headers["set-cookie"] ?? "", cookieOf(pages))
            }
          }
          assert.strictEqual((yield* currentSession(other.token)).status, 200)
          const code = yield* accessCode(side, (yield* registered(side)).email)
          const done = yield* submit(`${folder}/enter`, { code, linked: "yes", instead: "yes" }, browser)
          assert.strictEqual(arrivalAt(pages, done).status, 303)
          assert.strictEqual((yield* currentSession(other.token)).status, 401)
        }))

      it.effect(`${who} is not asked about a session of their own, which the new one replaces`, () =>
        Effect.gen(function*() {
          const pages = yield* made
          const { folder, side } = pages
          const { email, token } = yield* signedIn(side)
          const code = yield* accessCode(side, email)
          const browser = keeping(pages, token)
          assert.notInclude((yield* show(`${folder}/enter?code=${code}`, browser)).text, "Another account")
          const done = arrivalAt(pages, yield* submit(`${folder}/enter`, { code, linked: "yes" }, browser))
          assert.strictEqual((yield* currentSession(token)).status, 401)
          assert.strictEqual((yield* currentSession(done.session)).status, 200)
        }))

      it.effect(`${who} gets a new link for an old one with one click, at the same address`, () =>
        Effect.gen(function*() {
          const pages = yield* made
          const { folder, side } = pages
          const { email } = yield* registered(side)
          const code = yield* accessCode(side, email)
          yield* submit(`${folder}/enter`, { code, linked: "yes" })
          const query = `next=${encodeURIComponent(nextOf(pages))}`
          const old = yield* show(`${folder}/enter?code=${code}&${query}`)
          assert.deepStrictEqual([old.status, headingOf(old)], [200, "This link does not work any more"])
          assert.include(old.text, `We can mail a link to ${maskedAddress(email)}.`)
          assert.notInclude(old.text, email)
          assert.notInclude(old.text, "Ana Souza")
          assert.include(old.text, `<input type="hidden" name="link" value="${code}">`)
          const sent = yield* submit(`${folder}/access?${query}`, { page: "enter", link: code })
          assert.deepStrictEqual([sent.status, headingOf(sent)], [202, "Look into your mailbox"])
          assert.notInclude(sent.text, email)
          const link = yield* mailedTo(email)
          assert.strictEqual(link.searchParams.get("next"), nextOf(pages))
          assert.notStrictEqual(link.searchParams.get("code"), code)
        }))

      it.effect(`${who} needs no new link while signed in in this browser`, () =>
        Effect.gen(function*() {
          const pages = yield* made
          const { folder, side } = pages
          const [one, other] = [yield* registered(side), yield* signedIn(side)]
          const code = yield* accessCode(side, one.email)
          const { session } = arrivalAt(pages, yield* submit(`${folder}/enter`, { code, linked: "yes" }))
          const renewal = { page: "enter", link: code }
          const before = (yield* subjects(one.email)).length
          for (
            const answer of [
              yield* show(`${folder}/enter?code=${code}`, keeping(pages, session)),
              yield* submit(`${folder}/access`, renewal, keeping(pages, session))
            ]
          ) {
            assert.deepStrictEqual([answer.status, headingOf(answer)], [200, "You are signed in"])
            assert.include(answer.text, `href="${homeOf(pages)}"`)
          }
          assert.strictEqual((yield* subjects(one.email)).length, before)
          const another = yield* submit(`${folder}/access`, renewal, keeping(pages, other.token))
          assert.strictEqual(another.status, 202)
        }))

      it.effect(`${who} learns nothing by a link that we never sent`, () =>
        Effect.gen(function*() {
          const { folder } = yield* made
          const unknown = "A".repeat(43)
          for (const page of ["enter", "reset", "confirm"]) {
            const shown = yield* show(`${folder}/${page}?code=${unknown}&token=${unknown}`)
            assert.strictEqual(headingOf(shown), "This link does not work any more")
            assert.include(shown.text, "name=\"email\"")
            const sent = yield* submit(`${folder}/access`, { page, link: unknown })
            assert.strictEqual(sent.status, 422)
            assert.include(sent.text, "name=\"email\"")
          }
        }))
    }

    it.effect("in two clubs has two sessions in one browser, and neither opens the other club", () =>
      Effect.gen(function*() {
        const [one, two] = [yield* clubIn("en"), yield* clubIn("en")]
        assert.notStrictEqual(cookieOf(one), cookieOf(two))
        const email = yield* newAddress
        const arrived = yield* Effect.forEach([one, two], (pages) =>
          Effect.gen(function*() {
            yield* registered(pages.side, { email })
            return arrivalAt(pages, yield* submit(`${pages.folder}/sign-in`, { email, password }))
          }))
        const browser = {
          cookie: arrived.map(({ session }, n) => `${cookieOf(n === 0 ? one : two)}=${session}`).join("; ")
        }
        for (const pages of [one, two]) {
          assert.strictEqual(headingOf(yield* show(`${pages.folder}/sign-in`, browser)), "You are signed in")
        }
        // The session of one club in the cookie of the other is nobody's.
        const swapped = keeping(two, arrived[0]?.session ?? "")
        assert.strictEqual(headingOf(yield* show(`${two.folder}/sign-in`, swapped)), "Sign in")
        yield* submit(`${one.folder}/sign-out`, {}, browser)
        assert.strictEqual((yield* currentSession(arrived[0]?.session ?? "")).status, 401)
        assert.strictEqual((yield* currentSession(arrived[1]?.session ?? "")).status, 200)
      }))

    it.effect("takes a link only on the pages of its club", () =>
      Effect.gen(function*() {
        const [one, two] = [yield* clubIn("en"), yield* clubIn("en")]
        for (const [path, form, email] of (yield* doors(one)).slice(1)) {
          const [[field = "", secret = ""] = []] = Object.entries(form)
          const shown = yield* show(`${two.folder}/${path}?${field}=${secret}`)
          assert.strictEqual(headingOf(shown), "This link does not work any more")
          const answer = yield* submit(`${two.folder}/${path}`, form)
          assert.deepStrictEqual([answer.status, answer.headers["set-cookie"]], [422, undefined])
          if (!("email" in form)) { for (const { text } of [shown, answer]) assert.notInclude(text, email) }
          const right = yield* submit(`${one.folder}/${path}`, form)
          assert.strictEqual(arrivalAt(one, right).status, 303)
        }
      }))

    it.effect("gets a sign-in mailed with one click where their address is confirmed already", () =>
      Effect.gen(function*() {
        const club = yield* clubIn("pt-BR")
        const email = yield* newAddress
        const link = yield* signUpLink(club.side, email)
        yield* submit(`${club.folder}/confirm`, { token: link })
        const old = yield* show(`${club.folder}/confirm?token=${link}`)
        assert.strictEqual(headingOf(old), "Seu endereço já está confirmado")
        assert.strictEqual((yield* submit(`${club.folder}/access`, { page: "confirm", link })).status, 202)
        assert.strictEqual((yield* mailedTo(email)).pathname, `${club.folder}/enter`)
      }))

    it.effect("gets no new link for one that ended with a change of their address", () =>
      Effect.gen(function*() {
        const club = yield* foundClub({ locale: "en" })
        const pages = studentPagesOf(club)
        const { email } = yield* registered(pages.side)
        const code = yield* accessCode(pages.side, email)
        const { json } = yield* send("GET", `${club.path}/students`, { token: club.token })
        const student = String(at(json, "data", 0, "id"))
        const body = { email: yield* newAddress }
        const { status } = yield* send("PATCH", `${club.path}/students/${student}`, { token: club.token, body })
        assert.strictEqual(status, 200)
        assert.notInclude((yield* show(`${pages.folder}/enter?code=${code}`)).text, "We can mail a link to")
      }))

    it.effect("as an administrator is known in the console by the same cookie", () =>
      Effect.gen(function*() {
        const { email } = yield* registered(admins)
        const { session } = arrivalAt(administrators, yield* submit("/account/sign-in", { email, password }))
        const headers = { ...keeping(administrators, session), "sec-fetch-site": "same-origin", "turma-console": "1" }
        const { json } = yield* send("GET", "/console/api/v1/auth/session", { headers })
        assert.strictEqual(at(json, "data", "account", "email"), email)
      }))
  })

  layer(appLayer({ PUBLIC_URL: "http://turma.example" }))("over plain http", (it) => {
    it.effect("has a cookie without the prefix, which only HTTPS has", () =>
      Effect.gen(function*() {
        const { email } = yield* registered(admins)
        const { headers } = yield* submit("/account/sign-in", { email, password })
        assert.match(
          headers["set-cookie"] ?? "",
          /^turma-session=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/
        )
      }))
  })

  plain.each([
    ["noel@example.com", "n…\u2060@example.com"],
    ["é@example.com", "é…\u2060@example.com"],
    ["🎸ana@example.com", "🎸…\u2060@example.com"],
    ["a@b@example.com", "a…\u2060@example.com"]
  ])("recognizes %s as %s", (email, masked) => {
    assert.strictEqual(maskedAddress(email), masked)
  })
})
