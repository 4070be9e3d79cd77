import { Effect, Exit, Schema } from "effect"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import {
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type ConsoleMessage,
  type Page,
  type Request,
  type WebError
} from "playwright-core"
import { inject } from "vitest"
import { howToGetChromium } from "./Chromium.ts"

/** The folder of the pictures of pages. */
export const screenshots = fileURLToPath(new URL("../../test-results/screenshots", import.meta.url))

/**
 * True if tests with a browser are skipped, for `describe.skipIf`: this machine has no browser, and the set-up has said
 * how to get one. With CI=true no test is skipped, so the first page fails instead.
 */
export const withoutBrowser = inject("chromium") === null && process.env["CI"] !== "true"

/** The browser looks up only names of this machine. */
const loopback = "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost, EXCLUDE *.localhost"

const launch = () => {
  const executablePath = inject("chromium")
  if (executablePath === null) throw new Error(`No browser: ${howToGetChromium}`)
  // Without a language, as a bare shell starts it, Chromium reads no file whose name has an accent.
  const env = { ...process.env, LC_ALL: "C.UTF-8" }
  return chromium.launch({ executablePath, args: [`--host-resolver-rules=${loopback}`], env })
}

// One browser for the tests of a worker, from the first page on. Its pipe belongs to the worker, so it ends with it.
let launched: ReturnType<typeof launch> | undefined
const browser = async () => (launched ??= launch())

/** A context without scripts, its options, and a page with scripts that shows the same. */
interface Scriptless {
  readonly context: BrowserContext
  readonly options: BrowserContextOptions
  copy: Promise<Page> | undefined
}
const scriptlessOf = new WeakMap<BrowserContext, Scriptless>()

/** How a test looks at a page. */
export interface PageOptions {
  /** The width in pixels: a phone or a desk. */
  readonly width?: 390 | 1280
  readonly colorScheme?: "light" | "dark"
  readonly locale?: "en-US" | "pt-BR"
  /** The reader's time zone. */
  readonly timeZone?: string
  /** True if scripts run. */
  readonly javaScript?: boolean
  /** Errors of the console that the test expects: they do not fail it. */
  readonly expected?: ReadonlyArray<RegExp>
  /** True if the page moves its clock or adds a script at its start. It keeps both, so no other test gets it. */
  readonly isAlone?: boolean
}

/** The visible height of a page, in pixels. */
export const heightOf = (width: Required<PageOptions>["width"]): number => width === 390 ? 844 : 800

const isLoopback = (url: string) => {
  const { hostname, protocol } = new URL(url)
  return !protocol.startsWith("http") || /^(?:127\.0\.0\.1|(?:.+\.)?localhost)$/.test(hostname)
}

/** The faults on the pages of a context: of scripts, the console and policies, and requests to other machines. */
const watchFaults = (context: BrowserContext, expected: ReadonlyArray<RegExp>) => {
  const faults: Array<string> = []
  const fault = (text: string) => {
    if (!expected.some((pattern) => pattern.test(text))) faults.push(text)
  }
  const onError = (thrown: WebError) => fault(`Uncaught ${String(thrown.error())}`)
  const onConsole = (message: ConsoleMessage) => {
    if (message.type() === "error") fault(`${message.text()} (${message.location().url})`)
  }
  const onRequest = (request: Request) => {
    if (!isLoopback(request.url())) fault(`Asks ${request.url()}`)
  }
  context.on("weberror", onError).on("console", onConsole).on("request", onRequest)
  const stop = () => context.off("weberror", onError).off("console", onConsole).off("request", onRequest)
  return { faults, stop }
}

// A new page has a process of its own, which reads our scripts anew. So the tests of a worker pass empty pages on.
interface Handed {
  readonly context: BrowserContext
  readonly page: Page
}
const free = new Map<string, Array<Handed & { readonly end: NodeJS.Timeout }>>()

/** Milliseconds for which a page waits for the next test: a service that stops waits for its connections. */
const kept = 1000

/** Events of a page for which tests listen. */
const heard = ["console", "dialog", "download", "framenavigated", "request", "requestfinished", "response"]

/** Leads a page to an empty one, clears what it keeps, and closes the others of its context. */
const empty = async ({ context, page }: Handed) => {
  if (!page.url().startsWith("http")) throw new Error("Nothing shows what was kept")
  heard.forEach((event) => page.removeAllListeners(event))
  await Promise.all(context.pages().filter((one) => one !== page).map((one) => one.close()))
  await page.unrouteAll({ behavior: "ignoreErrors" })
  // An address of the same site keeps the process of the page, and reaches its storage.
  await page.route("**/nowhere", (route) => route.fulfill({ body: "", contentType: "text/html" }))
  await page.goto(new URL("/nowhere", page.url()).href)
  await page.unroute("**/nowhere")
  await page.evaluate("localStorage.clear(), sessionStorage.clear()")
  await Promise.all([context.clearCookies(), context.clearPermissions(), context.setOffline(false)])
}

const newPage = async (options: BrowserContextOptions): Promise<Handed> => {
  const context = await (await browser()).newContext(options)
  return { context, page: await context.newPage() }
}

const takePage = async (key: string, options: BrowserContextOptions): Promise<Handed> => {
  const found = free.get(key)?.pop()
  if (found === undefined) return newPage(options)
  clearTimeout(found.end)
  return found
}

const giveBack = async (key: string, { context, page }: Handed) => {
  try {
    await empty({ context, page })
  } catch {
    // The page was closed or was not ours, so the next test gets a new one.
    return context.close()
  }
  const all = free.get(key) ?? []
  const end = setTimeout(() => {
    free.set(key, (free.get(key) ?? []).filter((one) => one.context !== context))
    void context.close()
  }, kept)
  free.set(key, [...all, { context, page, end }])
}

/** Characters of a page's text that a failed test shows. */
const mostShown = 4000

/** Shows where a page was and its text, beside the failure of its test. */
const showPage = async (page: Page) => {
  const text = await page.locator("body").innerText({ timeout: 2000 }).catch(String)
  process.stderr.write(`The page ${page.url()}:\n${text.slice(0, mostShown)}\n`)
}

/**
 * A page without cookies or storage of another test, closed with the scope. The scope then dies if the console showed
 * errors, scripts threw or requests left the machine. Resources refused by the page's Content-Security-Policy count as
 * errors, too.
 */
export const openPage = Effect.fnUntraced(function*(
  {
    colorScheme = "light",
    expected = [],
    isAlone = false,
    javaScript = true,
    locale = "en-US",
    timeZone = "UTC",
    width = 1280
  }: PageOptions = {}
) {
  const options = {
    colorScheme,
    locale,
    timezoneId: timeZone,
    javaScriptEnabled: javaScript,
    // Animations repaint the page over and over.
    reducedMotion: "reduce" as const,
    viewport: { width, height: heightOf(width) }
  }
  // A page changes its width and its colours, but neither its language nor its time zone.
  const key = JSON.stringify([javaScript, locale, timeZone])
  const { context, page } = yield* Effect.acquireRelease(
    Effect.promise(() => isAlone ? newPage(options) : takePage(key, options)),
    (handed) => Effect.promise(() => isAlone ? handed.context.close() : giveBack(key, handed))
  )
  yield* Effect.promise(async () => {
    await page.setViewportSize(options.viewport)
    await page.emulateMedia({ colorScheme })
  })
  if (!javaScript && !scriptlessOf.has(context)) scriptlessOf.set(context, { context, options, copy: undefined })
  const { faults, stop } = watchFaults(context, expected)
  yield* Effect.addFinalizer((exit) => {
    stop()
    const found = faults.length === 0
      ? Effect.void
      : Effect.die(new Error(["On the page:", ...faults].join("\n  ")))
    return Exit.isFailure(exit) ? Effect.andThen(Effect.promise(() => showPage(page)), found) : found
  })
  return page
})

/** Another tab beside a page, of the same size: their context may come from a test with another. */
export const anotherTab = async (page: Page): Promise<Page> => {
  const other = await page.context().newPage()
  const size = page.viewportSize()
  if (size !== null) await other.setViewportSize(size)
  return other
}

const decodeFindings = Schema.decodeUnknownSync(Schema.Array(Schema.Struct({
  id: Schema.String,
  impact: Schema.NullOr(Schema.String),
  help: Schema.String,
  nodes: Schema.Array(Schema.Struct({ html: Schema.String }))
})))

/** The minified axe-core: a page parses it in half the time. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

// Without `preload: false`, axe-core fetches style sheets again, which a strict policy refuses. A list of passed rules
// takes longer than one of violations. A rule itself says how grave its violations are, so lighter rules do not run.
const runAxe = `axe.run({
  preload: false,
  resultTypes: ["violations"],
  rules: Object.fromEntries(axe._audit.rules.flatMap(({ enabled, id, impact }) =>
    enabled && impact !== "serious" && impact !== "critical" ? [[id, { enabled: false }]] : []))
}).then(({ violations }) =>
  violations.map(({ help, id, impact, nodes }) => ({ help, id, impact, nodes: nodes.map(({ html }) => ({ html })) })))`

/** A page with scripts, for a context without them. It ends with the context. */
const copyFor = async ({ context, options }: Scriptless): Promise<Page> => {
  const copy = await newPage({ ...options, javaScriptEnabled: true })
  context.once("close", () => void copy.context.close())
  return copy.page
}

// axe-core waits for timers, which never fire without scripts. For such a page it examines a copy.
const scripted = async (page: Page): Promise<Page> => {
  const scriptless = scriptlessOf.get(page.context())
  if (scriptless === undefined) return page
  const copy = await (scriptless.copy ??= copyFor(scriptless))
  const viewport = page.viewportSize()
  if (viewport !== null) await copy.setViewportSize(viewport)
  const isDark = await page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
  await copy.emulateMedia({ colorScheme: isDark === true ? "dark" : "light" })
  // Style sheets have relative addresses, so the copy has the same origin.
  const url = page.url()
  if (url.startsWith("http") && !copy.url().startsWith(`${new URL(url).origin}/`)) {
    await copy.route(url, (route) => route.fulfill({ body: "", contentType: "text/html" }))
    await copy.goto(url)
    await copy.unroute(url)
  }
  await copy.setContent(await page.content())
  return copy
}

/** Dies if axe-core finds something serious or critical on the page. The error names rules and elements. */
export const axe = (page: Page) =>
  Effect.promise(async () => {
    const looked = await scripted(page)
    if (await looked.evaluate("window.axe === undefined")) await looked.evaluate(axeSource)
    const found = await looked.evaluate(runAxe)
    const grave = decodeFindings(found).filter(({ impact }) => impact === "serious" || impact === "critical")
    if (grave.length === 0) return
    const lines = grave.map(({ help, id, impact, nodes }) =>
      [`${impact} ${id}: ${help}`, ...nodes.slice(0, 5).map(({ html }) => `  ${html}`)].join("\n")
    )
    throw new Error(`axe-core at ${page.url()}:\n${lines.join("\n")}`)
  })

/** True if the run keeps pictures of pages. */
export const keepsScreenshots = (): boolean => process.env["TEST_SCREENSHOTS"] === "1"

/**
 * With TEST_SCREENSHOTS=1, keeps a picture of the whole page, as `name-390.png`. People look at it; no test compares
 * it.
 */
export const screenshot = (page: Page, name: string) =>
  Effect.promise(async () => {
    if (!keepsScreenshots()) return
    const width = page.viewportSize()?.width ?? 0
    await page.screenshot({ fullPage: true, path: join(screenshots, `${name}-${width}.png`) })
  })
