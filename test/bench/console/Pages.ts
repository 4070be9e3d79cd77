import { Effect, Schema } from "effect"
import { type Browser, type CDPSession, chromium, type Page } from "playwright-core"
import { findChromium, howToGetChromium } from "../../harness/Chromium.ts"

/** The behavior of a list during scrolling. */
export interface Scrolled {
  /** Rows that the list reports at the end. */
  readonly reached: number
  /** The most rows that were on the page at once. */
  readonly onPage: number
  /** MB of JavaScript objects at the start and at the end, after garbage collection. */
  readonly heap: readonly [start: number, end: number]
  /** Milliseconds between two frames. */
  readonly frames: ReadonlyArray<number>
}

/** The first visit to a view, without a cache. */
interface FirstLook {
  /** Bytes over the network, compressed. */
  readonly bytes: number
  /** Milliseconds from the first request until the view is complete and the last long task is over. */
  readonly interactiveMillis: number
}

const noBrowser = new Error(`No browser: ${howToGetChromium}`)

/** Chromium, closed with the scope. */
export const browser = Effect.acquireRelease(
  Effect.flatMap(findChromium, (executablePath) =>
    executablePath === undefined
      ? Effect.die(noBrowser)
      : Effect.promise(() => chromium.launch({ executablePath, args: ["--enable-precise-memory-info"] }))),
  (browser) => Effect.promise(() => browser.close())
)

/** A page without cache or storage that is signed in, closed with the scope. */
export const signedIn = Effect.fnUntraced(function*(chromium: Browser, url: string, token: string) {
  const context = yield* Effect.acquireRelease(
    Effect.promise(() => chromium.newContext({ locale: "en-US", viewport: { width: 1280, height: 800 } })),
    (context) => Effect.promise(() => context.close())
  )
  yield* Effect.promise(() =>
    context.addCookies([{ name: "turma-session", value: token, url, httpOnly: true, sameSite: "Strict" }])
  )
  return yield* Effect.promise(() => context.newPage())
})

/** Opens an address in a page and waits until nothing is loading. Answers the milliseconds. */
export const visit = (page: Page, url: string): Effect.Effect<number> =>
  Effect.promise(async () => {
    const started = performance.now()
    await page.goto(url)
    await page.locator("h1").first().waitFor()
    await page.locator(".loading").first().waitFor({ state: "detached" })
    return performance.now() - started
  })

/** Notes when tasks of over 50 ms end: they keep a page from answering. Milliseconds since the first request. */
const watchTasks = `
  window.longTaskEnds = []
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) window.longTaskEnds.push(startTime + duration)
  }).observe({ type: "longtask", buffered: true })`

const decodeEnds = Schema.decodeUnknownSync(Schema.Array(Schema.Finite))

/** Visits a view without cache or storage. */
export const firstLook = Effect.fnUntraced(function*(chromium: Browser, base: string, path: string, token: string) {
  const page = yield* signedIn(chromium, base, token)
  const session = yield* Effect.promise(() => page.context().newCDPSession(page))
  let bytes = 0
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  yield* Effect.promise(() => session.send("Network.enable"))
  yield* Effect.promise(() => page.addInitScript(watchTasks))
  const shown = yield* visit(page, `${base}${path}`)
  yield* Effect.promise(() => page.waitForLoadState("networkidle"))
  const ends = decodeEnds(yield* Effect.promise(() => page.evaluate("window.longTaskEnds")))
  return { bytes, interactiveMillis: Math.max(shown, ...ends) } satisfies FirstLook
}, Effect.scoped)

const heapOf = (session: CDPSession) =>
  Effect.promise(async () => {
    await session.send("HeapProfiler.collectGarbage")
    return (await session.send("Runtime.getHeapUsage")).usedSize / 2 ** 20
  })

/** One step scrolls to the end of the list, then waits for more rows, at most 2 seconds. It notes frames and rows. */
const scrolling = `
  window.seen ??= { frames: [], onPage: 0, last: undefined }
  window.watchFrames ??= requestAnimationFrame(function frame(at) {
    if (window.seen.last !== undefined) window.seen.frames.push(at - window.seen.last)
    window.seen.last = at
    window.seen.onPage = Math.max(window.seen.onPage, document.querySelectorAll("tr[data-row]").length)
    requestAnimationFrame(frame)
  })
  new Promise((done) => {
    const height = document.documentElement.scrollHeight
    const began = performance.now()
    scrollTo(0, height)
    const look = () =>
      document.documentElement.scrollHeight > height || performance.now() - began > 2000
        ? done(document.documentElement.scrollHeight - height)
        : requestAnimationFrame(look)
    look()
  })`

const decodeSeen = Schema
  .decodeUnknownSync(Schema.Struct({ frames: Schema.Array(Schema.Finite), onPage: Schema.Int, reached: Schema.Int }))

/** Scrolls through this many pages of the list, or to its end. */
export const scroll = Effect.fnUntraced(
  function*(chromium: Browser, base: string, path: string, token: string, pages: number) {
    const page = yield* signedIn(chromium, base, token)
    const session = yield* Effect.promise(() => page.context().newCDPSession(page))
    yield* visit(page, `${base}${path}`)
    yield* Effect.promise(() => page.locator("tr[data-row]").first().waitFor())
    const start = yield* heapOf(session)
    for (let turned = 0; turned < pages; turned++) {
      const grown = yield* Effect.promise(() => page.evaluate(scrolling))
      if (grown === 0) break
    }
    const { frames, onPage, reached } =
      decodeSeen(yield* Effect.promise(() =>
        page.evaluate(`({ ...window.seen, last: undefined,
          reached: Math.round(document.documentElement.scrollHeight / document.querySelector("tr[data-row]").offsetHeight) })`)
      ))
    return { frames, onPage, reached, heap: [start, yield* heapOf(session)] } satisfies Scrolled
  },
  Effect.scoped
)
