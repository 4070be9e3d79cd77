import axeCore from "axe-core"
import { Effect, Schema } from "effect"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core"
import { inject } from "vitest"
import { howToGetChromium } from "./Chromium.ts"

/** Where the pictures of a run are kept. */
export const screenshots = fileURLToPath(new URL("../../test-results/screenshots", import.meta.url))

/**
 * Whether tests with a browser are skipped, for `describe.skipIf`: there is none, and the set-up has said how to get one.
 * With CI=true nothing is skipped, so the first page fails instead.
 */
export const withoutBrowser = inject("chromium") === null && process.env["CI"] !== "true"

/** A name is only looked up where it is this machine's own. */
const loopback = "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost, EXCLUDE *.localhost"

const launch = () => {
  const executablePath = inject("chromium")
  if (executablePath === null) throw new Error(`No browser: ${howToGetChromium}`)
  return chromium.launch({ executablePath, args: [`--host-resolver-rules=${loopback}`] })
}

// One for the tests of a worker, from the first page on. It ends with the worker, whose pipe it hangs on.
let launched: ReturnType<typeof launch> | undefined
const browser = async () => (launched ??= launch())

/** Contexts in which no script runs, and how they were made. */
const scriptless = new WeakMap<BrowserContext, BrowserContextOptions>()

/** How a page is looked at. */
export interface PageOptions {
  /** A phone or a desk. */
  readonly width?: 390 | 1280
  readonly colorScheme?: "light" | "dark"
  readonly locale?: "en-US" | "pt-BR"
  /** Where the reader's clocks are. */
  readonly timeZone?: string
  /** Whether scripts run. */
  readonly javaScript?: boolean
  /** Errors of the console that the test is about: no faults. */
  readonly expected?: ReadonlyArray<RegExp>
}

/** How much of a page is seen at once, in pixels. */
export const heightOf = (width: Required<PageOptions>["width"]): number => width === 390 ? 844 : 800

const isLoopback = (url: string) => {
  const { hostname, protocol } = new URL(url)
  return !protocol.startsWith("http") || /^(?:127\.0\.0\.1|(?:.+\.)?localhost)$/.test(hostname)
}

/** What goes wrong on the pages of a context, in its own words: scripts, the console, policies, whom they ask. */
const watchFaults = (context: BrowserContext, expected: ReadonlyArray<RegExp>) => {
  const faults: Array<string> = []
  const fault = (text: string) => {
    if (!expected.some((pattern) => pattern.test(text))) faults.push(text)
  }
  context.on("weberror", (thrown) => fault(`Uncaught ${String(thrown.error())}`))
  context.on("console", (message) => {
    if (message.type() === "error") fault(`${message.text()} (${message.location().url})`)
  })
  context.on("request", (request) => {
    if (!isLoopback(request.url())) fault(`Asks ${request.url()}`)
  })
  return faults
}

/**
 * A page of its own: no cookie, storage or cache of another test. Closed with the scope, which then dies of the errors of
 * the console, scripts that threw, what the page's Content-Security-Policy refused, and requests that leave the machine.
 */
export const openPage = Effect.fnUntraced(function*(
  { colorScheme = "light", expected = [], javaScript = true, locale = "en-US", timeZone = "UTC", width = 1280 }:
    PageOptions = {}
) {
  const options = {
    colorScheme,
    locale,
    timezoneId: timeZone,
    javaScriptEnabled: javaScript,
    viewport: { width, height: heightOf(width) }
  }
  const context = yield* Effect.acquireRelease(
    Effect.promise(async () => (await browser()).newContext(options)),
    (context) => Effect.promise(() => context.close())
  )
  if (!javaScript) scriptless.set(context, options)
  const faults = watchFaults(context, expected)
  yield* Effect.addFinalizer(() =>
    faults.length === 0 ? Effect.void : Effect.die(new Error(["On the page:", ...faults].join("\n  ")))
  )
  return yield* Effect.promise(() => context.newPage())
})

const decodeFindings = Schema.decodeUnknownSync(Schema.Struct({
  violations: Schema.Array(Schema.Struct({
    id: Schema.String,
    impact: Schema.NullOr(Schema.String),
    help: Schema.String,
    nodes: Schema.Array(Schema.Struct({ html: Schema.String }))
  }))
}))

// axe-core waits for timers, which do not come where scripts are forbidden: there it looks at a copy.
const withScripts = async <A>(page: Page, work: (page: Page) => Promise<A>): Promise<A> => {
  const options = scriptless.get(page.context())
  if (options === undefined) return work(page)
  const context = await (await browser()).newContext({ ...options, javaScriptEnabled: true })
  const copy = await context.newPage()
  const body = await page.content()
  await copy.route(page.url(), (route) => route.fulfill({ body, contentType: "text/html" }))
  await copy.goto(page.url())
  const done = await work(copy)
  await context.close()
  return done
}

/** Dies of what axe-core finds serious or critical on the page as it is, naming rules and elements. */
export const axe = (page: Page) =>
  Effect.promise(async () => {
    const found = await withScripts(page, async (page) => {
      if (await page.evaluate("window.axe === undefined")) await page.evaluate(axeCore.source)
      // It would fetch style sheets again, which a strict policy of the page refuses.
      return page.evaluate("axe.run({ preload: false })")
    })
    const { violations } = decodeFindings(found)
    const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical")
    if (grave.length === 0) return
    const lines = grave.map(({ help, id, impact, nodes }) =>
      [`${impact} ${id}: ${help}`, ...nodes.slice(0, 5).map(({ html }) => `  ${html}`)].join("\n")
    )
    throw new Error(`axe-core at ${page.url()}:\n${lines.join("\n")}`)
  })

/** Keeps a picture of the whole page, as `name-390.png`: for people to look at, and compared with nothing. */
export const screenshot = (page: Page, name: string) =>
  Effect.promise(() => {
    const width = page.viewportSize()?.width ?? 0
    return page.screenshot({ fullPage: true, path: join(screenshots, `${name}-${width}.png`) })
  })
