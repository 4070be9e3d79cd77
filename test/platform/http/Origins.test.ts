import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Schema } from "effect"
import { allowing, isOriginRule } from "../../../src/platform/http/Origins.ts"
import { allowedOrigins } from "../../../src/platform/http/server/AllowedOrigins.ts"
import { serverSettings } from "../../../src/platform/http/ServerSettings.ts"

const environment = (variables: Record<string, string>) =>
  Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(variables)))

const Label = Schema.String.check(Schema.isPattern(/^[a-z0-9][a-z0-9-]{0,20}[a-z0-9]$/))
const Port = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 65_535 }))

const allows = (rule: string, origin: string) => allowing([rule])(origin)

describe("A rule of ALLOWED_ORIGINS", () => {
  it.each([
    "https://app.example.com",
    "http://app.example.com",
    "https://app.example.com:8443",
    "http://10.0.0.7:3000",
    "http://[::1]:3000",
    "https://xn--msica-0ra.example",
    "https://*.example.com",
    "https://*.clubs.example.com:8443",
    "http://localhost:*",
    "https://localhost:*",
    "http://127.0.0.1:*",
    "http://[::1]:*"
  ])("is an origin as browsers send it, one label of a domain, or any port of one's own machine: %s", (rule) => {
    assert.isTrue(isOriginRule(rule))
  })

  it("may be none, which allows no page", () => {
    assert.isTrue(isOriginRule("none"))
    for (const origin of ["none", "null", "", "http://localhost:3000"]) assert.isFalse(allowing(["none"])(origin))
  })

  it.each([
    "",
    "*",
    "null",
    "app.example.com",
    "//app.example.com",
    "https://",
    "https://app.example.com/",
    "https://app.example.com/dashboard",
    "https://app.example.com?a",
    "https://app.example.com#a",
    "https://ana@app.example.com",
    "https://ana:secret@app.example.com",
    "https://App.example.com",
    "HTTPS://app.example.com",
    "https://app.example.com:443",
    "http://app.example.com:80",
    "https://app.example.com:",
    "https://app.example.com:0443",
    "https://app.example.com:65536",
    "https://música.example",
    "https://*",
    "https://*.com",
    "https://*.*.example.com",
    "https://a.*.example.com",
    "https://a*.example.com",
    "https://*example.com",
    "https://*.example.com/",
    "https://*.example.com:*",
    "https://*.example.com:443",
    "https://*.168.0.1",
    "http://*.example.com",
    "http://app.example.com:*",
    "http://localhost.example.com:*",
    "http://localhost:*/",
    "http://*:3000",
    "ws://app.example.com",
    "ftp://app.example.com",
    "file:///",
    "chrome-extension://abcdef",
    "data:text/html,a",
    "https://app.example.com https://b.example.com",
    "https://app.example.com\r\nX: y"
  ])("is nothing else: %j", (rule) => {
    assert.isFalse(isOriginRule(rule))
    for (const origin of [rule, "null", "https://app.example.com", "https://a.example.com"]) {
      assert.isFalse(allows(rule, origin), origin)
    }
  })

  it.prop("allows the very origin that it names, and none that differs in a character", [Label, Label, Port], ([
    label,
    domain,
    port
  ]) => {
    const rule = `https://${label}.${domain}.example:${port === 443 ? 444 : port}`
    assert.isTrue(allows(rule, rule))
    for (let at = 0; at < rule.length; at++) {
      assert.isFalse(allows(rule, `${rule.slice(0, at)}x${rule.slice(at)}`))
      assert.isFalse(allows(rule, rule.slice(0, at) + rule.slice(at + 1)))
    }
  })

  it.prop(
    "allows one label before a domain, and neither none nor two",
    [Label, Label, Label],
    ([one, other, domain]) => {
      const rule = `https://*.${domain}.example`
      assert.isTrue(allows(rule, `https://${one}.${domain}.example`))
      assert.isFalse(allows(rule, `https://${domain}.example`))
      assert.isFalse(allows(rule, `https://.${domain}.example`))
      assert.isFalse(allows(rule, `https://${one}.${other}.${domain}.example`))
      assert.isFalse(allows(rule, `https://${one}${domain}.example`))
      assert.isFalse(allows(rule, `http://${one}.${domain}.example`))
      assert.isFalse(allows(rule, `https://${one}.${domain}.example:8443`))
      assert.isFalse(allows(rule, `https://${one}.${domain}.example.evil.example`))
    }
  )

  it.prop("allows any port of one's own machine, and no other host", [Port, Label], ([port, label]) => {
    const rule = "http://localhost:*"
    assert.isTrue(allows(rule, `http://localhost:${port}`))
    assert.isFalse(allows(rule, `https://localhost:${port}`))
    assert.isFalse(allows(rule, `http://localhost.${label}.example:${port}`))
    assert.isFalse(allows(rule, `http://${label}.localhost:${port}`))
    assert.isFalse(allows(rule, `http://localhost${label}:${port}`))
    assert.isFalse(allows(rule, `http://127.0.0.1:${port}`))
  })

  it.prop("allows nothing by chance", [Schema.String, Schema.String], ([rule, origin]) => {
    if (rule !== origin) assert.isFalse(allows(rule, origin))
  })

  it.each([
    "null",
    "",
    "https://a.example.com.evil.com",
    "https://evil.com/https://a.example.com",
    "https://a.example.com@evil.com",
    "https://a.example.com:443",
    "https://a.example.com:8443",
    "https://A.example.com",
    "https://a.EXAMPLE.com",
    "HTTPS://a.example.com",
    "https://a.example.com/",
    "https://a.example.com ",
    " https://a.example.com",
    "https://a.example.com, https://a.example.com",
    "https://а.example.com",
    "https://a。example.com",
    "https://a.example.com\u0000",
    "https://*.example.com",
    "https://a%2eexample.com",
    "http://a.example.com",
    "https://a.b.example.com",
    "https://example.com",
    "http://localhost",
    "http://localhost:",
    "http://localhost:0",
    "http://localhost:03000",
    "http://localhost:3000/",
    "http://localhost:30000x",
    "http://localhost:300000"
  ])("is not met by what looks like it: %j", (origin) => {
    const one = allowing(["https://a.example.com"])
    const below = allowing(["https://*.example.com"])
    const local = allowing(["http://localhost:*"])
    assert.isFalse(one(origin))
    assert.isFalse(below(origin))
    assert.strictEqual(local(origin), origin === "http://localhost")
  })
})

describe("ALLOWED_ORIGINS", () => {
  const dashboard = "https://dashboard.turma.example"
  const classroom = "https://classroom.turma.example:8443"
  const pages = { DASHBOARD_URL: `${dashboard}/app/`, CLASSROOM_URL: `${classroom}/` }
  const database = { DATABASE_URL: "postgres://turma@db.example/turma" }

  /** The tested origins that may call. */
  const allowed = (variables: Record<string, string>) =>
    Effect.map(
      allowedOrigins,
      (allows) =>
        [dashboard, classroom, "https://turma.example", "http://localhost:5173", "http://127.0.0.1:80", "null"]
          .filter(allows)
    ).pipe(environment(variables))

  it.effect("is, unless it says otherwise, where the two apps are", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* allowed({ ...database, ...pages }), [dashboard, classroom])
      assert.deepStrictEqual(yield* allowed({ ...database, CLASSROOM_URL: pages.CLASSROOM_URL }), [classroom])
      assert.deepStrictEqual(yield* allowed({ ...database, PUBLIC_URL: "https://turma.example" }), [])
    }))

  it.effect("is with the embedded database also one's own machine", () =>
    Effect.gen(function*() {
      const own = ["http://localhost:5173", "http://127.0.0.1:80"]
      assert.deepStrictEqual(yield* allowed({}), own)
      assert.deepStrictEqual(yield* allowed(pages), [dashboard, classroom, ...own])
    }))

  it.effect("is what it says, and nothing beside it", () =>
    Effect.gen(function*() {
      const ALLOWED_ORIGINS = "https://turma.example, https://*.turma.example"
      assert.deepStrictEqual(yield* allowed({ ...pages, ALLOWED_ORIGINS }), [dashboard, "https://turma.example"])
    }))

  it.effect.each(["*", "null", "https://turma.example/", "https://turma.example,*", "https://turma.example,"])(
    "is refused by name: %s",
    (ALLOWED_ORIGINS) =>
      Effect.gen(function*() {
        const read = serverSettings.ALLOWED_ORIGINS.read.pipe(environment({ ALLOWED_ORIGINS }))
        const { message } = yield* Effect.flip(read)
        assert.match(
          message,
          /^ALLOWED_ORIGINS: expected origins as browsers send them .* for example ALLOWED_ORIGINS=/
        )
        assert.notInclude(message, "\n")
      })
  )
})
