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

/** Where pictures of pages are kept. */
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

/** A context in which no script runs, how it was made, and a page with scripts that shows the same. */
interface Scriptless {
  readonly context: BrowserContext
  readonly options: BrowserContextOptions
  copy: Promise<Page> | undefined
}
const scriptlessOf = new WeakMap<BrowserContext, Scriptless>()

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
  /** Whether the page moves its clock, which its context keeps: no other test gets that. */
  readonly movesClock?: boolean
}

/** How much of a page is seen at once, in pixels. */
export const heightOf = (width: Required<PageOptions>["width"]): number => width === 390 ? 844 : 800

const isLoopback = (url: string) => {
  const { hostname, protocol } = new URL(url)
  return !protocol.startsWith("http") || /^(?:127\.0\.0\.1|(?:.+\.)?localhost)$/.test(hostname)
}

/** The faults on the pages of a context, in its own words: scripts, the console, policies, the servers they ask. */
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

// A context is made, and its first page reads the scripts of ours, in twice the time of a further page. So the tests of a
// worker hand contexts on, empty.
const free = new Map<string, Array<{ readonly context: BrowserContext; readonly end: NodeJS.Timeout }>>()

/** For so many milliseconds a context waits for the next test: a service that stops waits for its connections. */
const kept = 300

/** Closes the pages of a context and forgets what they have kept. */
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
    // Its page was closed, or showed no page of ours: the next test gets a new one.
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
 * A page of its own: no cookie or storage of another test. Closed with the scope, which then dies of the errors of the
 * console, scripts that threw, what the page's Content-Security-Policy refused, and requests that leave the machine.
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
    // What moves is painted over and over.
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

/** The small form of axe-core: a page parses it in half the time. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

// Without `preload: false` it fetches style sheets again, which a strict policy of the page refuses. A list of what passes
// takes longer to make than what fails.
const runAxe = `axe.run({ preload: false, resultTypes: ["violations"] }).then(({ violations }) =>
  violations.map(({ help, id, impact, nodes }) => ({ help, id, impact, nodes: nodes.map(({ html }) => ({ html })) })))`

/** A page where scripts run, for contexts without scripts. It ends with their scope. */
const copyFor = async ({ context, options }: Scriptless, url: string): Promise<Page> => {
  const copy = await (await browser()).newContext({ ...options, javaScriptEnabled: true })
  context.once("close", () => void copy.close())
  const page = await copy.newPage()
  // Style sheets are found from the address, so the copy has the same origin.
  await page.route(url, (route) => route.fulfill({ body: "", contentType: "text/html" }))
  await page.goto(url)
  return page
}

// axe-core waits for timers, which do not come where scripts are forbidden: there it looks at a copy.
const scripted = async (page: Page): Promise<Page> => {
  const scriptless = scriptlessOf.get(page.context())
  if (scriptless === undefined) return page
  const copy = await (scriptless.copy ??= copyFor(scriptless, page.url()))
  await copy.setContent(await page.content())
  return copy
}

/** Dies of what axe-core finds serious or critical on the page as it is, naming rules and elements. */
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

/** Whether pictures of pages are asked for. */
export const keepsScreenshots = (): boolean => process.env["TEST_SCREENSHOTS"] === "1"

/**
 * With TEST_SCREENSHOTS=1, keeps a picture of the whole page, as `name-390.png`: for people to look at, and compared with
 * nothing.
 */
export const screenshot = (page: Page, name: string) =>
  Effect.promise(async () => {
    if (!keepsScreenshots()) return
    const width = page.viewportSize()?.width ?? 0
    await page.screenshot({ fullPage: true, path: join(screenshots, `${name}-${width}.png`) })
  })
