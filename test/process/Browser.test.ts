import { assert, describe, it, vi } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { existsSync } from "node:fs"
import { rm } from "node:fs/promises"
import { createServer, type RequestListener } from "node:http"
import { join } from "node:path"
import { axe, openPage, type PageOptions, screenshot, screenshots, withoutBrowser } from "../harness/Browser.ts"
import { listening } from "../harness/Listening.ts"

// Tests the harness itself: it shows a page, and notices every fault on it.

const policy = "default-src 'none'; style-src 'self'"

const html = (body: string) =>
  `<!doctype html><html lang="en"><head><title>A page</title><link rel="stylesheet" href="/a.css"></head>
   <body><main><h1>Hello</h1>${body}</main></body></html>`

const served = (body: string): RequestListener => (request, response) => {
  const [type, content] = request.url === "/a.css"
    ? ["text/css", "@media (max-width: 400px) { h1 { color: rgb(0, 0, 1) } }"]
    : ["text/html", html(body)]
  response.writeHead(200, { "content-type": type, "content-security-policy": policy })
  response.end(content)
}

const visit = Effect.fnUntraced(function*(body: string, options?: PageOptions) {
  const port = yield* listening(createServer(served(body)))
  const page = yield* openPage(options)
  yield* Effect.promise(() => page.goto(`http://127.0.0.1:${port}/`))
  return page
})

/** The failure of a test of this page. */
const deathOf = <A, E>(test: Effect.Effect<A, E>) =>
  Effect.map(Effect.exit(test), (exit) => Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "nothing")

const looks = Effect.fnUntraced(function*(body: string, options?: PageOptions) {
  const page = yield* visit(body, options)
  return yield* Effect.promise(() =>
    page.evaluate(`[innerWidth, navigator.language, matchMedia("(prefers-color-scheme: dark)").matches,
      getComputedStyle(document.querySelector("h1")).color]`)
  )
}, Effect.scoped)

describe.skipIf(withoutBrowser)("a page in a browser", () => {
  it.effect("is as wide, as dark and in the language that was asked for", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* looks("", { width: 390, colorScheme: "dark", locale: "pt-BR" }), [
        390,
        "pt-BR",
        true,
        "rgb(0, 0, 1)"
      ])
      assert.deepStrictEqual(yield* looks(""), [1280, "en-US", false, "rgb(0, 0, 0)"])
    }))

  it.effect("is kept as a picture where pictures are asked for, and nowhere else", () =>
    Effect.gen(function*() {
      const file = join(screenshots, "harness-390.png")
      yield* Effect.promise(() => rm(file, { force: true }))
      const page = yield* visit("", { width: 390 })
      const isKeptWith = Effect.fnUntraced(function*(asked: string) {
        vi.stubEnv("TEST_SCREENSHOTS", asked)
        yield* screenshot(page, "harness")
        return existsSync(file)
      }, Effect.ensuring(Effect.sync(() => vi.unstubAllEnvs())))
      assert.isFalse(yield* isKeptWith(""))
      assert.isTrue(yield* isKeptWith("1"))
    }))

  it.effect("is looked through for what keeps people out, with scripts and without", () =>
    Effect.gen(function*() {
      const page = yield* visit("<p>All is well.</p>")
      yield* axe(page)
      const worse = yield* deathOf(Effect.scoped(Effect.flatMap(visit("<input id=a>", { javaScript: false }), axe)))
      assert.match(worse, /critical label: .*\n {2}<input id="a">/)
    }))

  it.each([
    ["a script that the policy refuses", "<script>1</script>", /Content Security Policy/],
    ["a picture of elsewhere", "<img alt='' src='http://turma.example/a.png'>", /Asks http:\/\/turma\.example\/a\.png/]
  ])("fails its test with %s", (_, body, fault) =>
    Effect.gen(function*() {
      assert.match(yield* deathOf(Effect.scoped(visit(body))), fault)
    }).pipe(Effect.runPromise))

  it.effect("fails its test with an error of a script, unless it is expected", () =>
    Effect.gen(function*() {
      const throwing = (expected: ReadonlyArray<RegExp>) =>
        Effect.scoped(Effect.gen(function*() {
          const page = yield* visit("", { expected })
          yield* Effect.promise(() =>
            page.evaluate("new Promise((done) => setTimeout(() => { done(); throw new Error('Oh') }))")
          )
          yield* Effect.promise(() => page.evaluate("console.error('Said')"))
        }))
      const death = yield* deathOf(throwing([]))
      assert.include(death, "Uncaught Error: Oh")
      assert.include(death, "Said")
      assert.strictEqual(yield* deathOf(throwing([/Oh/, /Said/])), "nothing")
    }))
})
