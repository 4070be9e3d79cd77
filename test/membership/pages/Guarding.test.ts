import { assert, describe, it as plain, layer } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { isOwnForm } from "../../../src/platform/pages/Form.ts"
import { AppLayer, appLayer, at, outcome, send } from "../../harness/App.ts"
import { Mailbox } from "../../harness/Mailbox.ts"
import { call, isRefusal } from "../../harness/RawHttp.ts"
import { startRedis } from "../../harness/Redis.ts"
import { accessCode, admins, newAddress, registered, resetLink, signIn, signUpLink } from "../accounts/People.ts"
import { administrators, clubIn, headingOf, show, submit } from "./Visiting.ts"

const { folder } = administrators
const policy = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; " +
  "frame-ancestors 'none'"

describe("Every page", () => {
  layer(AppLayer)("of those for both", (it) => {
    it.effect.each(["sign-up", "resend", "forgot", "access", "confirm", "reset", "enter", "sign-in", "sign-out"])(
      "keeps secrets from caches, other sites and scripts, whatever it answers: %s",
      (path) =>
        Effect.gen(function*() {
          const club = yield* clubIn("en")
          for (const at of [`${folder}/${path}`, `${club.folder}/${path}`]) {
            const answers = [
              yield* show(`${at}?token=${"A".repeat(43)}`),
              yield* submit(at, {}),
              yield* submit(at, {}, { "sec-fetch-site": "cross-site" }),
              yield* send("POST", at, { body: "{}", headers: { accept: "text/html" } })
            ].slice(path === "sign-out" ? 1 : 0)
            for (const { headers, status, text } of answers) {
              assert.match(headers["content-type"] ?? "", /^text\/html/, `${path} ${status}`)
              assert.strictEqual(headers["cache-control"], "no-store")
              assert.strictEqual(headers["content-security-policy"], policy)
              assert.strictEqual(headers["referrer-policy"], "no-referrer")
              assert.strictEqual(headers["x-content-type-options"], "nosniff")
              assert.notMatch(text, /<script|style=|\son\w+=/)
            }
          }
        })
    )

    it.effect("is found from its folder, which leads to where people sign in", () =>
      Effect.gen(function*() {
        for (const address of [folder, `${folder}/`]) {
          const answer = yield* call("GET", address)
          assert.strictEqual(answer.status, 302, address)
          assert.match(answer.headers["location"] ?? "", new RegExp(`^(?:https://turma\\.example)?${folder}/sign-in$`))
          assert.strictEqual(answer.headers["cache-control"], "no-store")
        }
      }))

    it.effect("says what went wrong in the envelope, unless a page is liked better", () =>
      Effect.gen(function*() {
        const club = yield* clubIn("en")
        const asked = [
          [{ accept: "application/json" }, 401, "unauthenticated"],
          [{ accept: "*/*" }, 401, "unauthenticated"],
          [{ accept: "text/html;q=0.5, application/json" }, 401, "unauthenticated"],
          [{ accept: "*/*", "sec-fetch-site": "cross-site" }, 403, "forbidden"],
          [{ accept: "*/*", "content-type": "text/plain" }, 415, "unsupported_media_type"]
        ] as const
        const entered = { email: yield* newAddress, password: "wrong battery" }
        for (const at of [`${folder}/sign-in`, `${club.folder}/sign-in`]) {
          for (const [headers, status, code] of asked) {
            const answer = yield* submit(at, entered, headers)
            assert.deepStrictEqual([outcome(answer), answer.headers["content-type"]], [
              [status, code],
              "application/json"
            ])
            assert.match(answer.headers["vary"] ?? "", /^Accept, /)
          }
          const page = yield* submit(at, entered)
          assert.strictEqual(page.status, 401)
          assert.match(page.headers["content-type"] ?? "", /^text\/html/)
          assert.match(page.headers["vary"] ?? "", /^Accept, /)
        }
        isRefusal(yield* call("GET", "/classroom/none/sign-in"), 404, "not_found")
        assert.deepStrictEqual(outcome(yield* submit(`${folder}/sign-up`, {}, { accept: "*/*" })), [
          422,
          "validation_failed"
        ])
        const large = yield* submit(`${folder}/sign-in`, { email: "a".repeat(17_000) }, { accept: "*/*" })
        assert.deepStrictEqual(outcome(large), [413, "payload_too_large"])
      }))

    it.effect.each([
      ["percent-encoding that is no UTF-8", "email=a%ff"],
      ["percent-encoding that is none", "email=100%"],
      ["half a percent-encoding", "email=%4"],
      ["bytes that are no UTF-8", Buffer.from([0x61, 0x3d, 0xff])]
    ] as const)("refuses a form with %s", ([, body]) =>
      Effect.gen(function*() {
        const headers = { "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin" }
        for (const path of ["sign-in", "sign-up", "forgot"]) {
          isRefusal(yield* call("POST", `${folder}/${path}`, { headers, body }), 400, "malformed_request")
        }
      }))

    it.effect("is for forms alone: another type, a body of more than 16 KiB and another method are refused", () =>
      Effect.gen(function*() {
        const headers = { accept: "text/html", "sec-fetch-site": "same-origin" }
        const json = yield* send("POST", `${folder}/sign-in`, { body: "{}", headers })
        assert.deepStrictEqual([json.status, headingOf(json)], [415, "That was not a form"])
        const large = yield* submit(`${folder}/sign-in`, { email: "a".repeat(17_000) })
        assert.deepStrictEqual([large.status, headingOf(large)], [413, "That was too much"])
        isRefusal(yield* call("DELETE", `${folder}/sign-in`), 405, "method_not_allowed")
        isRefusal(yield* call("GET", `${folder}/sign-out`), 405, "method_not_allowed")
        isRefusal(yield* call("GET", `${folder}/nothing`), 404, "not_found")
      }))

    it.effect("is not sent by other sites", () =>
      Effect.gen(function*() {
        const link = yield* signUpLink(admins, yield* newAddress)
        const site = (headers: Record<string, string>) => submit(`${folder}/confirm`, { token: link }, headers)
        for (const from of ["cross-site", "same-site"]) {
          const refused = yield* site({ "sec-fetch-site": from })
          assert.deepStrictEqual([refused.status, headingOf(refused)], [403, "That came from another site"])
          assert.isUndefined(refused.headers["set-cookie"])
        }
        assert.strictEqual((yield* site({})).status, 303)
      }))

    it.effect("knows its own forms by a cookie where the browser does not say which site sends them", () =>
      Effect.gen(function*() {
        const { email, password } = yield* registered(admins)
        const shown = yield* show(`${folder}/sign-in`)
        const [cookie = "", ...attributes] = (shown.headers["set-cookie"] ?? "").split("; ")
        assert.includeMembers(attributes, ["Path=/", "HttpOnly", "Secure", "SameSite=Strict"])
        const body = new URLSearchParams({ email, password }).toString()
        const sent = (more: Record<string, string>) =>
          send("POST", `${folder}/sign-in`, {
            body,
            headers: { accept: "text/html", "content-type": "application/x-www-form-urlencoded", ...more }
          })
        const statuses = [{}, { origin: "null" }, { cookie }, { cookie, origin: "null" }].map(sent)
        const found = yield* Effect.all(statuses)
        assert.deepStrictEqual(found.map(({ status }) => status), [403, 403, 303, 303])
      }))
  })

  plain.each([
    [{ "sec-fetch-site": "same-origin" }, false, true],
    [{ "sec-fetch-site": "none" }, false, true],
    [{ "sec-fetch-site": "same-site" }, true, false],
    [{ "sec-fetch-site": "cross-site", origin: "https://turma.example" }, true, false],
    [{}, true, true],
    [{}, false, false],
    [{ origin: "null" }, true, true],
    [{ origin: "null" }, false, false],
    [{ origin: "https://turma.example" }, false, true],
    [{ origin: "http://localhost:3000", host: "localhost:3000" }, false, true],
    [{ origin: "http://localhost:3001", host: "localhost:3000" }, true, false],
    [{ origin: "https://turma.example.evil.example" }, true, false],
    [{ origin: "nonsense", host: "localhost" }, true, false]
  ])("knows a form of ours by what the browser says: %o, with our cookie %s, is %s", (headers, known, expected) => {
    assert.strictEqual(isOwnForm(headers, new URL("https://turma.example/"), known), expected)
  })
})

const lines: Array<string> = []
const KeptLog = Logger.layer([Logger.make((line) => void lines.push(Logger.formatLogFmt.log(line)))])

describe("What is written down", () => {
  layer(AppLayer.pipe(Layer.provide(KeptLog)))("of a visit", (it) => {
    it.effect("holds no token, no code and no address of anybody", () =>
      Effect.gen(function*() {
        const { email } = yield* registered(admins)
        const secrets = [yield* resetLink(admins, email), yield* accessCode(admins, email)]
        for (const [path, name] of [["reset", "token"], ["enter", "code"]] as const) {
          for (const secret of secrets) {
            yield* show(`${folder}/${path}?${name}=${secret}`)
            yield* submit(`${folder}/${path}?${name}=${secret}`, { [name]: secret, password: "a better one" })
          }
        }
        const log = lines.join("\n")
        assert.include(log, `route=${folder}/reset`)
        for (const secret of [...secrets, email]) assert.notInclude(log, secret)
      }))
  })
})

describe("A visitor who tries too often", () => {
  layer(appLayer({ RATE_LIMIT_CREDENTIALS: "3" }))("is", (it) => {
    it.effect("told when to try again, by the counter that the API has", () =>
      Effect.gen(function*() {
        const email = yield* newAddress
        yield* signIn(admins, email)
        for (let n = 0; n < 2; n++) yield* submit(`${folder}/forgot`, { email })
        const refused = yield* submit(`${folder}/forgot`, { email }, { "accept-language": "pt-BR" })
        assert.deepStrictEqual([refused.status, headingOf(refused)], [429, "Tentativas demais"])
        assert.include(refused.text, `Tente de novo em ${refused.headers["retry-after"]} segundos.`)
        assert.match(refused.headers["ratelimit"] ?? "", /"credentials";r=0/)
        assert.strictEqual((yield* signIn(admins, email)).status, 429)
        assert.strictEqual((yield* show(`${folder}/forgot`)).status, 200)
      }))
  })

  layer(appLayer({ RATE_LIMIT_CREDENTIALS: "3" }))("is", (it) => {
    it.effect("no reason to be left with a session that cannot be ended", () =>
      Effect.gen(function*() {
        const statuses = []
        for (let n = 0; n < 5; n++) statuses.push((yield* submit(`${folder}/sign-out`, {})).status)
        assert.notInclude(statuses, 429)
        for (let n = 0; n < 5; n++) statuses.push((yield* submit(`${folder}/confirm`, { token: "a" })).status)
        assert.include(statuses, 429)
      }))
  })

  layer(appLayer())("with passwords is", (it) => {
    it.effect("stopped after ten, by the counter that the API has", () =>
      Effect.gen(function*() {
        const { email } = yield* registered(admins)
        for (let n = 0; n < 10; n++) {
          assert.strictEqual(
            (yield* submit(`${folder}/invitation`, { token: "x", email, password: "wrong" })).status,
            401
          )
        }
        const refused = yield* submit(`${folder}/club`, {
          email,
          password: "correct horse",
          club_name: "x",
          locale: "en"
        })
        assert.deepStrictEqual([refused.status, headingOf(refused)], [429, "Too many attempts"])
        assert.include(refused.text, "15 minutes")
        assert.strictEqual((yield* signIn(admins, email)).status, 429)
      }))
  })

  layer(Logger.layer([]), { excludeTestServices: true })((it) => {
    it.effect("gets a page that says so while nothing can be counted", () =>
      Effect.gen(function*() {
        const redis = yield* startRedis()
        const app = yield* Layer.build(appLayer({ REDIS_URL: redis.url }))
        yield* redis.stop
        const refused = yield* Effect.provide(submit(`${folder}/sign-in`, { email: "a@b.example", password: "x" }), app)
        assert.deepStrictEqual([refused.status, headingOf(refused)], [503, "Not possible at the moment"])
      }))
  })
})

describe("With apps elsewhere", () => {
  const apps = { DASHBOARD_URL: "https://dash.example/app", CLASSROOM_URL: "https://class.example" }
  layer(appLayer(apps))("a mail", (it) => {
    it.effect("links there, and there are no pages here", () =>
      Effect.gen(function*() {
        const club = yield* clubIn("en")
        const { to } = yield* Mailbox
        for (const { side } of [administrators, club]) {
          const email = yield* newAddress
          const link = yield* signUpLink(side, email)
          const app = side.kind === "admin"
            ? "https://dash.example/app/confirm?"
            : `https://class.example/confirm?club=${side.place.club_id}&`
          assert.include((yield* to(email))[0]?.text, `${app}token=${link}`)
        }
        isRefusal(yield* call("GET", `${folder}/confirm`), 404, "not_found")
        isRefusal(yield* call("POST", `${club.folder}/confirm`), 404, "not_found")
        assert.isUndefined(at((yield* send("GET", "/v1/health")).json, "error"))
      }))
  })
})
