import { assert, describe, it as plain, layer } from "@effect/vitest"
import { Context, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { isDeveloper, isLocalService, localUrl } from "../../../src/operations/front/Developer.ts"
import { MailReaders } from "../../../src/operations/front/MailReaders.ts"
import { prefersPage } from "../../../src/platform/http/request/Accept.ts"
import { version } from "../../../src/platform/version.ts"
import { cookiesOf, valueOf } from "../../console/server/Own.ts"
import { appLayer, send } from "../../harness/App.ts"
import { call, isRefusal, type RawAnswer } from "../../harness/RawHttp.ts"

const page = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
const name = "20260102T030405.006Z-ana@example.com.eml"
const mail = [
  "From: Turma <no-reply@localhost>",
  "To: ana@example.com",
  "Subject: Confirm <b>it</b>",
  "Date: Fri, 02 Jan 2026 03:04:05 +0000",
  "Content-Type: text/plain; charset=utf-8",
  "",
  "Hello <script>alert(1)</script>,\r\n\r\nhttp://127.0.0.1:3000/account/confirm?token=abc&x=1\r\njavascript:alert(1)"
].join("\r\n")

/** A data folder with one mail in it, and a file beside the mails. */
const dataFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), "turma-front-"))
  mkdirSync(join(folder, "mail"))
  writeFileSync(join(folder, "mail", name), mail)
  writeFileSync(join(folder, "mail", "other.eml"), mail)
  writeFileSync(join(folder, name), mail)
  return folder
}

const local = { PUBLIC_URL: "http://127.0.0.1:3000" }
const mailPath = `/mails/${name}`
const asked = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  call(method, path, { headers: { Host: "127.0.0.1:3000", Accept: page, ...headers } })

/** The path and the query of the address that the service prints at its start. */
const printed = Effect.gen(function*() {
  const { address } = yield* MailReaders
  const { host, pathname, search } = new URL(Option.getOrThrow(yield* address))
  assert.strictEqual(host, "127.0.0.1:3000")
  return `${pathname}${search}`
})

const passOf = (headers: Record<string, string>) => valueOf(cookiesOf(headers), "turma-mails")

/** The cookie of the one browser that used the printed address. */
class Reader extends Context.Service<Reader, { readonly Cookie: string }>()("test/Reader") {
  static readonly layer = Layer.effect(
    Reader,
    Effect.gen(function*() {
      const { headers } = yield* asked(yield* printed)
      return Reader.of({ Cookie: `turma-mails=${passOf(headers) ?? ""}` })
    })
  )
}

const ReadLayer = Reader.layer.pipe(Layer.provideMerge(appLayer({ ...local, DATA_DIR: dataFolder() })))

describe("The front page", () => {
  layer(ReadLayer)("in development", (it) => {
    it.effect("is a page for a browser, in its language, and JSON for a program", () =>
      Effect.gen(function*() {
        const { headers, status, text } = yield* asked("/", { "Accept-Language": "pt-BR" })
        assert.strictEqual(status, 200)
        assert.include(text, "<html lang=\"pt-BR\">")
        for (const to of ["/console", "/docs", "/openapi.json", "/v1/health", "/account/sign-up"]) {
          assert.include(text, `href="${to}"`)
        }
        assert.strictEqual(headers["vary"], "Accept, Accept-Language, Origin")
        assert.strictEqual(headers["cache-control"], "no-store")
        for (const accept of [undefined, "*/*", "application/json"]) {
          const answer = yield* send("GET", "/", { headers: accept === undefined ? {} : { accept } })
          assert.deepStrictEqual(answer.json, {
            data: {
              name: "Turma",
              version,
              documentation: "http://127.0.0.1:3000/docs",
              openapi: "http://127.0.0.1:3000/openapi.json",
              health: "http://127.0.0.1:3000/v1/health"
            }
          })
        }
        isRefusal(yield* call("DELETE", "/"), 405, "method_not_allowed")
      }))

    it.effect("lists the mails that were written, and shows one as text with its links", () =>
      Effect.gen(function*() {
        const reader = yield* Reader
        const front = yield* asked("/", reader)
        assert.include(front.text, `<a href="/mails/${encodeURIComponent(name)}">Confirm &lt;b&gt;it&lt;/b&gt;</a>`)
        assert.notInclude(front.text, "other.eml")
        const { headers, status, text } = yield* asked(mailPath, reader)
        assert.strictEqual(status, 200)
        assert.include(text, "ana@example.com")
        assert.include(text, "Hello &lt;script&gt;alert(1)&lt;/script&gt;,")
        const link = "http://127.0.0.1:3000/account/confirm?token=abc&amp;x=1"
        assert.include(text, `<a href="${link}">${link}</a>`)
        assert.notMatch(text, /<script|href="javascript/)
        assert.strictEqual(headers["cache-control"], "no-store")
        assert.strictEqual(headers["referrer-policy"], "no-referrer")
      }))

    it.effect.each([
      ["no cookie", undefined],
      ["an empty one", "turma-mails="],
      ["one that was made up", `turma-mails=9999999999999.${"A".repeat(43)}`],
      ["that of another program", "turma-session=abc"]
    ])(
      "shows no mail to a browser with %s, and says which line of the start has the address",
      ([, cookie]) =>
        Effect.gen(function*() {
          const sent = cookie === undefined ? {} : { Cookie: cookie }
          const front = yield* asked("/", sent)
          assert.strictEqual(front.status, 200)
          assert.include(front.text, "href=\"/console\"")
          const shown = yield* asked(mailPath, sent)
          assert.strictEqual(shown.status, 403)
          assert.strictEqual(shown.headers["cache-control"], "no-store")
          for (const { text } of [front, shown]) {
            assert.include(text, "prints at its start, in the line “Mails:”")
            assert.notInclude(text, "ana@example.com")
          }
          const portuguese = yield* asked(mailPath, { ...sent, "Accept-Language": "pt-BR" })
          assert.include(portuguese.text, "na linha “Mails:”")
          isRefusal(yield* asked(mailPath, { ...sent, Accept: "application/json" }), 403, "forbidden")
          isRefusal(yield* asked("/mails/other.eml", { ...sent, Accept: "*/*" }), 403, "forbidden")
        })
    )

    it.effect.each([
      ["another name, as after a DNS rebinding", { Host: "evil.example" }],
      ["a name that only looks like ours", { Host: "localhost.evil.example" }],
      ["a proxy", { "X-Forwarded-For": "127.0.0.1" }],
      ["another kind of proxy", { Forwarded: "for=127.0.0.1" }]
    ] as const)("shows no mail to who comes by %s", ([, headers]) =>
      Effect.gen(function*() {
        const sent = { ...yield* Reader, ...headers }
        const front = yield* asked("/", sent)
        assert.strictEqual(front.status, 200)
        assert.notInclude(front.text, "id=\"mails\"")
        isRefusal(yield* asked(mailPath, sent), 404, "not_found", "There is no such route: see /docs")
      }))

    it.effect.each([
      `..%2f${name}`,
      `%2e%2e%2f${name}`,
      `.about%2f..%2f${name}`,
      "other.eml",
      "..%2f..%2fetc%2fpasswd",
      "%00"
    ])("opens no other file: %s", (path) =>
      Effect.gen(function*() {
        isRefusal(yield* asked(`/mails/${path}`, yield* Reader), 404, "not_found")
      }))
  })

  layer(appLayer({ ...local, DATA_DIR: dataFolder() }))(
    "at the address that the start prints",
    (it) => {
      it.effect("lets one browser read mails, once, for twelve hours, and takes the token out of the address bar", () =>
        Effect.gen(function*() {
          const address = yield* printed
          const isRefused = ({ headers, status }: RawAnswer) =>
            assert.deepStrictEqual([status, headers["location"], headers["set-cookie"]], [302, "/#mails", undefined])
          isRefused(yield* asked("/?token="))
          isRefused(yield* asked(`/?token=${"A".repeat(43)}`))
          isRefused(yield* asked(address, { Host: "evil.example" }))
          isRefused(yield* asked(address, { "X-Forwarded-For": "127.0.0.1" }))
          isRefused(yield* asked(address, { "Sec-Fetch-Site": "cross-site" }))
          isRefused(yield* asked(address, {}, "HEAD"))
          const program = yield* asked(address, { Accept: "*/*" })
          assert.deepStrictEqual([program.status, program.headers["set-cookie"]], [200, undefined])

          const opened = yield* asked(address, { "Sec-Fetch-Site": "none" })
          assert.deepStrictEqual([opened.status, opened.headers["location"]], [302, "/#mails"])
          assert.strictEqual(opened.headers["cache-control"], "no-store")
          assert.strictEqual(opened.headers["referrer-policy"], "no-referrer")
          const [cookie = "", ...others] = cookiesOf(opened.headers)
          assert.deepStrictEqual(others, [])
          const [, ...attributes] = cookie.split("; ")
          const named = attributes.map((attribute) => attribute.replace(/^(Expires)=.*/, "$1")).toSorted()
          assert.deepStrictEqual(named, ["Expires", "HttpOnly", "Path=/", "SameSite=Strict"])
          const pass = passOf(opened.headers) ?? ""
          assert.notInclude(address, pass)
          const reader = { Cookie: `turma-mails=${pass}` }
          assert.include((yield* asked("/", reader)).text, "ana@example.com")

          isRefused(yield* asked(address))
          isRefused(yield* asked(address, reader))
          yield* TestClock.adjust("12 hours")
          assert.notInclude((yield* asked("/", reader)).text, "ana@example.com")
          assert.strictEqual((yield* asked(mailPath, reader)).status, 403)
        }))
    }
  )

  for (
    const [where, variables] of [
      ["mails leave", { SMTP_URL: "smtp://127.0.0.1:25" }],
      ["the database is elsewhere", { DATABASE_URL: "postgres://turma@db.example/turma" }],
      ["the service is public", { PUBLIC_URL: "https://turma.example" }]
    ] as const
  ) {
    layer(appLayer({ ...local, DATA_DIR: dataFolder(), ...variables }))(
      `where ${where}`,
      (it) => {
        it.effect("shows no mail to anybody", () =>
          Effect.gen(function*() {
            assert.isTrue(Option.isNone(yield* (yield* MailReaders).address))
            const front = yield* asked("/?token=abc")
            assert.strictEqual(front.status, 200)
            assert.notInclude(front.text, "id=\"mails\"")
            isRefusal(yield* asked(mailPath), 404, "not_found", "There is no such route: see /docs")
            isRefusal(yield* call("POST", mailPath), 404, "not_found", "There is no such route: see /docs")
          }))
      }
    )
  }
})

describe("Who develops", () => {
  plain.each([
    ["127.0.0.1", "localhost:3000", true],
    ["127.0.0.1", "127.0.0.1", true],
    ["::1", "[::1]:3000", true],
    ["::ffff:127.0.0.1", "turma.localhost:3000", true],
    ["10.0.0.7", "localhost:3000", false],
    ["192.168.0.2", "127.0.0.1:3000", false],
    ["127.0.0.1", "turma.example", false],
    ["127.0.0.1", "127.0.0.1.evil.example", false],
    ["127.0.0.1", "", false]
  ])("is at this machine, from %s by the name %s: %s", (peer, host, expected) => {
    const asked = { peer: Option.some(peer), headers: { host }, version: "1.1" }
    assert.strictEqual(isDeveloper(asked), expected)
    assert.isFalse(isDeveloper({ ...asked, peer: Option.none() }))
    assert.isFalse(isDeveloper({ ...asked, headers: { host, "x-forwarded-for": "127.0.0.1" } }))
    for (const site of ["none", "same-origin"]) {
      assert.strictEqual(isDeveloper({ ...asked, headers: { host, "sec-fetch-site": site } }), expected)
    }
    const others = [
      { origin: "http://localhost:9999" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "cross-site" },
      { "cf-connecting-ip": "9.9.9.9" },
      { "x-forwarded-proto": "https" },
      { via: "1.1 proxy" }
    ]
    for (const more of others) assert.isFalse(isDeveloper({ ...asked, headers: { host, ...more } }))
    // Like a request of a proxy that forwards no headers.
    assert.isFalse(isDeveloper({ ...asked, version: "1.0" }))
  })

  plain.each([
    ["http://127.0.0.1:3000", true],
    ["http://0.0.0.0:3000", true],
    ["http://[::]:3000", true],
    ["http://localhost", true],
    ["https://turma.example", false],
    ["http://localhost.evil.example", false]
  ])("has a service of their own at %s: %s", (url, expected) => {
    assert.strictEqual(isLocalService(new URL(url)), expected)
  })

  plain.each([
    ["http://127.0.0.1:3000", "http://127.0.0.1:3000/"],
    ["http://turma.localhost:3000/at", "http://turma.localhost:3000/at"],
    ["http://0.0.0.0:3000", "http://127.0.0.1:3000/"],
    ["http://[::]:3000", "http://127.0.0.1:3000/"]
  ])("asks a service at %s for %s", (url, expected) => {
    assert.strictEqual(localUrl(new URL(url)).href, expected)
  })
})

describe("A header that says what is accepted", () => {
  plain.each([
    [page, true],
    ["text/html", true],
    ["application/json, text/html;q=0.9", false],
    ["text/html;q=0", false],
    ["*/*", false],
    ["", false],
    [undefined, false]
  ])("asks for a page or not: %s, %s", (accept, expected) => {
    assert.strictEqual(prefersPage(accept), expected)
  })
})
