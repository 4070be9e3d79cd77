import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { HttpServer } from "effect/http"
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { AppLayer, foundClub } from "../../harness/App.ts"
import { axe, openPage, type PageOptions, screenshot, withoutBrowser } from "../../harness/Browser.ts"

// Takes long: axe-core looks at whole pages of the reference.

const run = promisify(execFile)

const origin = Effect.map(
  HttpServer.HttpServer,
  ({ address }) => `http://127.0.0.1:${address._tag === "UnixPathAddress" ? 0 : address.port}`
)

const visit = Effect.fnUntraced(function*(path: string, options?: PageOptions) {
  const page = yield* openPage(options)
  const url = yield* origin
  yield* Effect.promise(() => page.goto(`${url}${path}`))
  return page
})

describe.skipIf(withoutBrowser)(
  "the documentation in a browser",
  () =>
    layer(AppLayer)((it) => {
      it.effect("is searched by the keyboard alone", () =>
        Effect.gen(function*() {
          const page = yield* visit("/docs")
          yield* Effect.promise(async () => {
            await page.keyboard.press("/")
            // One event, and so one list.
            await page.keyboard.insertText("rotate-secret")
            await page.waitForSelector("#found a")
            await page.keyboard.press("ArrowDown")
            await page.keyboard.press("Enter")
            await page.waitForURL(/\/docs\/reference\/webhook-endpoints#webhookEndpoints.rotateSecret$/)
          })
          assert.include(yield* Effect.promise(() => page.title()), "Webhook endpoints")
        }).pipe(Effect.scoped))

      it.effect("keeps the list that somebody has gone into when a later one comes", () =>
        Effect.gen(function*() {
          const page = yield* visit("/docs", { width: 390 })
          const focused = yield* Effect.promise(async () => {
            const [asked, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
            await page.route(/q=rotate-secret$/, async (route) => {
              asked.resolve()
              await go.promise
              await route.continue()
            })
            await page.keyboard.press("/")
            await page.keyboard.insertText("rotate")
            await page.waitForSelector("#found a")
            // On a phone the field is narrower than a list may be.
            assert.isAbove((await page.locator("#found").boundingBox())?.width ?? 0, 350)
            const later = page.waitForResponse(/q=rotate-secret$/)
            await page.keyboard.insertText("-secret")
            await asked.promise
            await page.keyboard.press("ArrowDown")
            go.resolve()
            await (await later).finished()
            // The page shows a list in the turn after it has it.
            await page.evaluate("new Promise((shown) => setTimeout(shown, 100))")
            return page.evaluate("document.activeElement.closest('#found a') !== null")
          })
          assert.isTrue(focused)
        }).pipe(Effect.scoped))

      it.effect("gives an example that runs as it was copied", () =>
        Effect.gen(function*() {
          const { organization_id, token } = yield* foundClub()
          const page = yield* visit("/docs/reference/courses")
          const url = yield* origin
          const command = yield* Effect.promise(async () => {
            await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
            await page.click(`[id="courses.create"] .copy`)
            await page.waitForSelector(`[id="courses.create"] .copy:text("Copied")`)
            return String(await page.evaluate("navigator.clipboard.readText()"))
          })
          const { stdout } = yield* Effect.promise(() =>
            run("bash", ["-c", command], {
              env: { PATH: process.env["PATH"] ?? "", TURMA: url, TOKEN: token, CLUB: organization_id }
            })
          )
          assert.match(stdout, /^\{"data":\{"id":"/)
        }).pipe(Effect.scoped))

      it.effect.each([
        ["/docs", { width: 1280, colorScheme: "light" }],
        ["/docs", { width: 390, colorScheme: "dark" }],
        ["/docs/guides/receivers", { width: 1280, colorScheme: "dark" }],
        ["/docs/guides/tour", { width: 390, colorScheme: "light" }],
        ["/docs/reference/webhook-endpoints", { width: 1280, colorScheme: "light" }],
        ["/docs/reference/webhook-endpoints", { width: 390, colorScheme: "dark" }],
        ["/docs/events", { width: 1280, colorScheme: "light" }],
        ["/docs/search?q=token", { width: 390, colorScheme: "light" }]
      ] as const)(
        "has nothing serious against it, and is as wide as the window: %s, %o",
        ([path, options]) =>
          Effect.gen(function*() {
            const page = yield* visit(path, options)
            yield* axe(page)
            assert.strictEqual(
              yield* Effect.promise(() => page.evaluate("document.documentElement.scrollWidth")),
              options.width
            )
            const name = path.replaceAll(/\W+/g, "-").slice(1)
            yield* screenshot(page, `${name}-${options.colorScheme}`)
          }).pipe(Effect.scoped)
      )

      it.effect("is read and searched without a script", () =>
        Effect.gen(function*() {
          const page = yield* visit("/docs/guides/tour", { javaScript: false, width: 390 })
          yield* Effect.promise(async () => {
            await page.click("button.menu")
            await page.waitForSelector("#contents:popover-open")
          })
          const search = yield* visit("/docs", { javaScript: false })
          yield* Effect.promise(async () => {
            await search.fill("#q", "slug_taken")
            await search.press("#q", "Enter")
            await search.waitForURL(/\/docs\/search\?q=slug_taken$/)
          })
          const found: unknown = yield* Effect.promise(() => search.textContent(".found li"))
          assert.include(String(found), "/v1/clubs")
        }).pipe(Effect.scoped))
    })
)
