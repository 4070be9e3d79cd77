import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Locator, Page } from "playwright-core"
import { settled } from "./Visit.ts"

// A person with a keyboard alone: Tab, Enter, Space, Escape, arrows and text.

/** The name of the focused element, and whether a reader sees it. */
const focus = `(() => {
  const all = globalThis.stops ??= new Set()
  const one = document.activeElement
  const isNew = !all.has(one)
  all.add(one)
  const seen = [one, one.closest("label, .composer, .option")].filter((shown) => shown !== null).some((shown) => {
    const { backgroundColor, boxShadow, outlineStyle } = getComputedStyle(shown)
    return outlineStyle !== "none" || boxShadow !== "none" || shown.matches("main, h1")
  })
  const name = one.getAttribute("aria-label") ?? one.textContent?.trim().slice(0, 40) ?? ""
  return { isNew, seen, name: one.tagName.toLowerCase() + " " + name }
})()`

interface Focus {
  readonly isNew: boolean
  readonly seen: boolean
  readonly name: string
}

/** True if this has the focus. */
const hasFocus = async (of: Locator): Promise<boolean> => await of.and(of.page().locator(":focus")).count() > 0

const tabOn = async (page: Page, to: Locator, passed: ReadonlyArray<string>): Promise<void> => {
  await page.keyboard.press("Tab")
  const { isNew, name, seen } = await page.evaluate<Focus>(focus)
  const way = [...passed, name]
  // A browser shows the focus inside a player itself, and outside the page.
  assert.isTrue(seen || /^(?:body|video)/.test(name), `The focus is not seen: ${way.join(" > ")}`)
  if (await hasFocus(to)) return
  assert.isTrue(isNew || name.startsWith("video"), `The focus goes in a circle: ${way.join(" > ")}`)
  await tabOn(page, to, way)
}

/** Goes on with Tab to this. A reader sees each stop on the way, and no stop comes twice. */
export const tabTo = (page: Page, to: Locator) =>
  Effect.promise(async () => {
    await to.waitFor()
    await page.evaluate("globalThis.stops = new Set()")
    await tabOn(page, to, [])
  })

export const key = (page: Page, name: string) => Effect.promise(() => page.keyboard.press(name))

export const type = (page: Page, text: string) => Effect.promise(() => page.keyboard.type(text))

/** Goes to a link by Tab and follows it. The focus is then at the beginning of the new view. */
export const followByKeys = Effect.fnUntraced(function*(page: Page, link: Locator, title: string | RegExp) {
  yield* tabTo(page, link)
  yield* key(page, "Enter")
  yield* Effect.promise(() => page.getByRole("heading", { name: title, level: 1 }).waitFor())
  yield* settled(page)
  assert.isTrue(yield* Effect.promise(() => hasFocus(page.locator("main"))), `The focus is not in ${String(title)}`)
})
