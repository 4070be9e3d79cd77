import { assert } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { HttpServer } from "effect/http"
import type { Page } from "playwright-core"
import { appLayer } from "../harness/App.ts"
import { axe, heightOf, keepsScreenshots, openPage, type PageOptions, screenshot } from "../harness/Browser.ts"
import { eventually } from "../harness/Eventually.ts"

/** The service where browsers reach it: cookies over plain HTTP have no prefix. */
export const consoleVariables = { PUBLIC_URL: "http://127.0.0.1" }

export const ConsoleAppLayer = appLayer(consoleVariables).pipe(Layer.provide(Logger.layer([])))

/** The address of the service. */
export const origin = Effect.map(
  HttpServer.HttpServer,
  ({ address }) => address._tag === "UnixPathAddress" ? "" : `http://127.0.0.1:${address.port}`
)

/** Leads a page to an address of the console, and waits until the view is there. */
export const open = Effect.fnUntraced(function*(page: Page, path: string) {
  const base = yield* origin
  yield* Effect.promise(() => page.goto(`${base}${path}`))
  yield* settled(page)
})

/**
 * Leads a page of the console to an address by a link, and waits for the view. The browser loads only the new view. It
 * loads the whole page again if the page is already at the address, or if it asks about unsaved changes.
 */
export const follow = Effect.fnUntraced(function*(page: Page, path: string) {
  const arrived = yield* Effect.promise(() => page.evaluate(clickLink(path)))
  if (arrived === true) yield* settled(page)
  else yield* open(page, path)
})

const clickLink = (path: string) =>
  `new Promise((done) => {
  const link = document.createElement("a")
  link.href = ${JSON.stringify(path)}
  if (link.pathname === location.pathname) return done(false)
  document.body.append(link)
  link.click()
  link.remove()
  setTimeout(() => done(location.pathname + location.search === ${JSON.stringify(path)}))
})`

/** Waits until nothing is loading. */
export const settled = (page: Page) =>
  Effect.promise(async () => {
    await page.locator("h1").first().waitFor()
    await page.locator(".loading").first().waitFor({ state: "detached" })
  })

/** Waits until this is true. A page cannot wait for it by itself: its policy forbids the evaluation of text. */
export const becomes = (question: () => Promise<boolean>): Promise<boolean> =>
  Effect.runPromise(eventually(Effect.promise(question), (isSo) => isSo))

/** A page in the console. It is signed in if the caller gives a session. */
export const visit = Effect.fnUntraced(function*(
  path: string,
  { token, ...options }: PageOptions & { readonly token?: string } = {}
) {
  const page = yield* openPage(options)
  // On a slow machine, an event reaches a live page up to 15 seconds late.
  page.setDefaultTimeout(30_000)
  const base = yield* origin
  if (token !== undefined) {
    yield* Effect.promise(() =>
      page.context().addCookies([{
        name: "turma-session",
        value: token,
        url: base,
        httpOnly: true,
        sameSite: "Strict"
      }])
    )
  }
  yield* open(page, path)
  return page
})

type Look = Required<Pick<PageOptions, "colorScheme" | "width">>

/** Each width and each theme once: contrast depends on the theme, and overflow on the width. */
const looks: ReadonlyArray<Look> = [{ width: 1280, colorScheme: "dark" }, { width: 390, colorScheme: "light" }]

/** Each width in each theme, for the frame around all views: it differs between the widths. */
export const everyLook: ReadonlyArray<Look> = [
  { width: 1280, colorScheme: "dark" },
  { width: 1280, colorScheme: "light" },
  { width: 390, colorScheme: "dark" },
  { width: 390, colorScheme: "light" }
]

/** Checks a view: no serious finding of axe-core, and nothing wider than the page. Also takes a picture of it. */
export const look = Effect.fnUntraced(function*(page: Page, name: string) {
  yield* settled(page)
  yield* axe(page)
  const [isDark, beyond] = yield* Effect.promise(() =>
    page.evaluate<
      [boolean, number]
    >("[matchMedia('(prefers-color-scheme: dark)').matches, document.documentElement.scrollWidth - innerWidth]")
  )
  yield* screenshot(page, `console-${name}-${isDark ? "dark" : "light"}`)
  assert.isAtMost(beyond, 0, `${name} is wider than the page`)
})

const painted = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))"

/** Checks a view on a phone and at a desk, light and dark. Leaves the page as on a phone, light. */
export const lookAll = Effect.fnUntraced(function*(
  page: Page,
  name: string,
  asked = keepsScreenshots() ? everyLook : looks
) {
  for (const { colorScheme, width } of asked) {
    yield* Effect.promise(async () => {
      await page.setViewportSize({ width, height: heightOf(width) })
      // During a transition the colours have the contrast of neither theme.
      await page.emulateMedia({ colorScheme })
      await page.evaluate(painted)
    })
    yield* look(page, name)
  }
})
