import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { HttpServer } from "effect/http"
import type { Page } from "playwright-core"
import { axe, heightOf, keepsScreenshots, openPage, type PageOptions, screenshot } from "./Browser.ts"
import { eventually } from "./Eventually.ts"

// How tests visit the pages that run in a browser: the console and the classroom.

/** The settings of a service that browsers reach: cookies over plain HTTP have no prefix. */
export const pageVariables = { PUBLIC_URL: "http://127.0.0.1" }

/** The address of the service. */
export const origin = Effect.map(
  HttpServer.HttpServer,
  ({ address }) => address._tag === "UnixPathAddress" ? "" : `http://127.0.0.1:${address.port}`
)

/** Leads a page to an address of the site, and waits until the view is there. */
export const open = Effect.fnUntraced(function*(page: Page, path: string) {
  const base = yield* origin
  yield* Effect.promise(() => page.goto(`${base}${path}`))
  yield* settled(page)
})

/**
 * Leads a page of the site to an address by a link, and waits for the view. The browser loads only the new view. It
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

/** A session for a page, and the name of its cookie there. */
interface Cookie {
  readonly name: string
  readonly token: string | undefined
}

/** A page of the site at an address. It is signed in if there is a token. */
export const visitWith = Effect.fnUntraced(function*(path: string, cookie: Cookie, options: PageOptions = {}) {
  const page = yield* openPage(options)
  // On a slow machine, an event reaches a live page up to 15 seconds late.
  page.setDefaultTimeout(30_000)
  const base = yield* origin
  const { name, token } = cookie
  if (token !== undefined) {
    yield* Effect.promise(() =>
      page.context().addCookies([{ name, value: token, url: base, httpOnly: true, sameSite: "Strict" }])
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

const painted = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))"

/** The looks at the views of a site, whose pictures begin with its name. */
export const looking = (site: "console" | "classroom") => {
  /** Checks a view: no serious finding of axe-core, and nothing wider than the page. Also takes a picture of it. */
  const look = Effect.fnUntraced(function*(page: Page, name: string) {
    yield* settled(page)
    yield* axe(page)
    const [isDark, beyond] = yield* Effect.promise(() =>
      page.evaluate<
        [boolean, number]
      >("[matchMedia('(prefers-color-scheme: dark)').matches, document.documentElement.scrollWidth - innerWidth]")
    )
    yield* screenshot(page, `${site}-${name}-${isDark ? "dark" : "light"}`)
    assert.isAtMost(beyond, 0, `${name} is wider than the page`)
  })

  /** Checks a view on a phone and at a desk, light and dark. Leaves the page as on a phone, light. */
  const lookAll = Effect.fnUntraced(function*(
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

  return { look, lookAll }
}
