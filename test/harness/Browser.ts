import { Effect, Schema } from "effect"
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
  return chromium.launch({ executablePath, args: [`--host-resolver-rules=${loopback}`] })
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
  /** True if the page moves its clock. Its context keeps that clock, so no other test gets that context. */
  readonly movesClock?: boolean
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

// A new context and its first page, which reads our scripts, take twice the time of a further page. So the tests of a
// worker pass empty contexts on.
const free = new Map<string, Array<{ readonly context: BrowserContext; readonly end: NodeJS.Timeout }>>()

/** Milliseconds for which a context waits for the next test: a service that stops waits for its connections. */
const kept = 300

/** Closes the pages of a context and clears their storage. */
const empty = async (context: BrowserContext) => {
  const [first, ...others] = context.pages()
  if (first === undefined || !first.url().startsWith("http")) throw new Error("Nothing shows what was kept")
  await Promise.all(others.map((page) => page.close()))
  await first.evaluate("localStorage.clear()")
  await first.close()
  await Promise.all([context.clearCookies(), context.clearPermissions(), context.setOffline(false)])
}

const takeContext = async (key: string, options: BrowserContextOptions) => {
  const found = free.get(key)?.pop()
  if (found === undefined) return (await browser()).newContext(options)
  clearTimeout(found.end)
  return found.context
}

const giveBack = async (key: string, context: BrowserContext) => {
  try {
    await empty(context)
  } catch {
    // Its page was closed or was not ours, so the next test gets a new context.
    return context.close()
  }
  const all = free.get(key) ?? []
  const end = setTimeout(() => {
    free.set(key, (free.get(key) ?? []).filter((one) => one.context !== context))
    void context.close()
  }, kept)
  free.set(key, [...all, { context, end }])
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
    javaScript = true,
    locale = "en-US",
    movesClock = false,
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
  const key = JSON.stringify(options)
  const isHandedOn = javaScript && !movesClock
  const context = yield* Effect.acquireRelease(
    Effect.promise(async () => isHandedOn ? takeContext(key, options) : (await browser()).newContext(options)),
    (context) => Effect.promise(() => isHandedOn ? giveBack(key, context) : context.close())
  )
  if (!javaScript) scriptlessOf.set(context, { context, options, copy: undefined })
  const { faults, stop } = watchFaults(context, expected)
  yield* Effect.addFinalizer(() => {
    stop()
    return faults.length === 0 ? Effect.void : Effect.die(new Error(["On the page:", ...faults].join("\n  ")))
  })
  return yield* Effect.promise(() => context.newPage())
})

const decodeFindings = Schema.decodeUnknownSync(Schema.Array(Schema.Struct({
  id: Schema.String,
  impact: Schema.NullOr(Schema.String),
  help: Schema.String,
  nodes: Schema.Array(Schema.Struct({ html: Schema.String }))
})))

/** The minified axe-core: a page parses it in half the time. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

// Without `preload: false`, axe-core fetches style sheets again, which a strict policy refuses. A list of passed rules
// takes longer than one of violations.
const runAxe = `axe.run({ preload: false, resultTypes: ["violations"] }).then(({ violations }) =>
  violations.map(({ help, id, impact, nodes }) => ({ help, id, impact, nodes: nodes.map(({ html }) => ({ html })) })))`

/** A page with scripts, for contexts without them. It ends with the context. */
const copyFor = async ({ context, options }: Scriptless, url: string): Promise<Page> => {
  const copy = await (await browser()).newContext({ ...options, javaScriptEnabled: true })
  context.once("close", () => void copy.close())
  const page = await copy.newPage()
  // Style sheets have relative addresses, so the copy has the same origin.
  await page.route(url, (route) => route.fulfill({ body: "", contentType: "text/html" }))
  await page.goto(url)
  return page
}

// axe-core waits for timers, which never fire without scripts. For such a page it examines a copy.
const scripted = async (page: Page): Promise<Page> => {
  const scriptless = scriptlessOf.get(page.context())
  if (scriptless === undefined) return page
  const copy = await (scriptless.copy ??= copyFor(scriptless, page.url()))
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
