import { Effect, Schema } from "effect"
import type { Browser, Page } from "playwright-core"

/** Whose page it is. */
export interface Visitor {
  readonly base: string
  readonly organization_id: string
  readonly token: string
}

/** A slow phone: milliseconds more for each answer, and times that its processor is slower. */
const slow = { latency: 150, cpu: 4 } as const

/** Bytes a second of a narrow network, 1.6 Mbit/s, and of one that only the latency slows. */
export const narrow = 1_600_000 / 8
const wide = -1

/** Notes how far things on the page move after they appeared, and when its largest text or image was painted. */
const watch = `
  window.shifts = 0
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) window.painted = startTime
  }).observe({ type: "largest-contentful-paint", buffered: true })
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) window.shifts += value
  }).observe({ type: "layout-shift", buffered: true })`

/** A student's page on a phone, without cache or storage, closed with the scope. */
const phone = Effect.fnUntraced(function*(chromium: Browser, { base, organization_id, token }: Visitor) {
  const context = yield* Effect.acquireRelease(
    Effect.promise(() =>
      chromium.newContext({ locale: "pt-BR", viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 })
    ),
    (context) => Effect.promise(() => context.close())
  )
  yield* Effect.promise(async () => {
    await context.addInitScript(watch)
    await context.addCookies([
      { name: `turma-${organization_id.slice(0, 8)}`, value: token, url: base, httpOnly: true, sameSite: "Strict" }
    ])
  })
  return yield* Effect.promise(() => context.newPage())
})

const slowDown = (page: Page, bytesPerSecond: number) =>
  Effect.promise(async () => {
    const session = await page.context().newCDPSession(page)
    await session.send("Network.enable")
    await session.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: slow.latency,
      downloadThroughput: bytesPerSecond,
      uploadThroughput: bytesPerSecond
    })
    await session.send("Emulation.setCPUThrottlingRate", { rate: slow.cpu })
  })

const decodeNumber = Schema.decodeUnknownSync(Schema.Finite)

/** A view on the slow phone. */
interface SlowLook {
  /** Milliseconds until the text is painted, without any cache and with the files of an earlier visit. */
  readonly first: number
  readonly again: number
  /** The share of the screen that moved, by Chromium's measure, at both visits. */
  readonly shift: number
}

/** Visits a view twice on the slow phone, and waits each time until `selector` is there and nothing loads. */
export const slowLook = Effect.fnUntraced(function*(
  chromium: Browser,
  visitor: Visitor,
  path: string,
  selector: string,
  bytesPerSecond = wide
) {
  const page = yield* phone(chromium, visitor)
  yield* slowDown(page, bytesPerSecond)
  const look = Effect.promise(async () => {
    await page.goto(`${visitor.base}/classroom/${visitor.organization_id}${path}`)
    await page.locator(selector).first().waitFor()
    await page.waitForLoadState("networkidle")
    return {
      millis: decodeNumber(await page.evaluate("window.painted")),
      shift: decodeNumber(await page.evaluate("window.shifts"))
    }
  })
  const [one, other] = [yield* look, yield* look]
  return { first: one.millis, again: other.millis, shift: Math.max(one.shift, other.shift) } satisfies SlowLook
}, Effect.scoped)

/** Scrolls by wheel's steps through the page, and notes the milliseconds between frames. */
const scrolling = (millis: number) => `
  new Promise((done) => {
    const frames = []
    const began = performance.now()
    let last
    const frame = (at) => {
      if (last !== undefined) frames.push(at - last)
      last = at
      scrollBy(0, 60)
      if (performance.now() - began < ${millis}) requestAnimationFrame(frame)
      else done({ frames, reached: scrollY })
    }
    requestAnimationFrame(frame)
  })`

const decodeScrolled = Schema
  .decodeUnknownSync(Schema.Struct({ frames: Schema.Array(Schema.Finite), reached: Schema.Finite }))

/** Scrolls through a view for so many seconds; answers the milliseconds between frames and the pixels. */
export const scrollView = Effect.fnUntraced(function*(
  chromium: Browser,
  visitor: Visitor,
  path: string,
  selector: string,
  seconds: number
) {
  const page = yield* phone(chromium, visitor)
  return yield* Effect.promise(async () => {
    await page.goto(`${visitor.base}/classroom/${visitor.organization_id}${path}`)
    await page.locator(selector).first().waitFor()
    await page.waitForLoadState("networkidle")
    return decodeScrolled(await page.evaluate(scrolling(seconds * 1000)))
  })
}, Effect.scoped)

/** The reads of the API that a view makes, as paths below `/v1`. */
export const readsOf = Effect.fnUntraced(
  function*(chromium: Browser, visitor: Visitor, path: string, selector: string) {
    const page = yield* phone(chromium, visitor)
    const reads: Array<string> = []
    const api = /\/classroom\/api(\/v1\/.*)$/
    page.on("request", (request) => {
      const [, read] = api.exec(request.url()) ?? []
      if (read !== undefined && request.method() === "GET") reads.push(read)
    })
    yield* Effect.promise(async () => {
      await page.goto(`${visitor.base}/classroom/${visitor.organization_id}${path}`)
      await page.locator(selector).first().waitFor()
      await page.waitForLoadState("networkidle")
    })
    return reads
  },
  Effect.scoped
)
