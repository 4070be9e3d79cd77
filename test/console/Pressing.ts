import { Effect } from "effect"
import type { Page, Route } from "playwright-core"
import { follow } from "./Visit.ts"

/** A write that a page asked for. */
export interface Write {
  readonly method: string
  /** Without the query. */
  readonly path: string
}

const refusal = { error: { code: "conflict", message: "Nothing is written in this test" } }

/** Refuses what a page writes, and answers the list of it, so that everything may be pressed and stays as it is. */
export const withoutWrites = (page: Page) =>
  Effect.promise(async () => {
    const writes: Array<Write> = []
    const refuse = (route: Route) => {
      const request = route.request()
      if (request.method() === "GET") return route.fallback()
      writes.push({ method: request.method(), path: new URL(request.url()).pathname.replace("/console/api", "") })
      return route.fulfill({ status: 409, json: refusal })
    }
    await page.route("**/console/api/**", refuse)
    return writes
  })

/** What can be pressed within these elements, as a script of the page. */
const pressable = (within: string) =>
  `[...document.querySelectorAll("${within}")].filter((button) =>
  button.matches(":enabled") && button.checkVisibility({ visibilityProperty: true }) && button.offsetWidth > 0)`

/** Until what a press has changed is shown. Forms are sent as they are: what is wrong with them is not asked here. */
const painted = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0))))
  .then(() => [...document.forms].forEach((form) => { form.noValidate = true }))`

/** Presses one of the page's buttons, whatever else lies over it: a message of the one before. Answers what it is called. */
const press = (index: number) =>
  `(async () => {
  const button = ${pressable("main button")}[${index}]
  if (button === undefined) return null
  const name = button.textContent
  button.click()
  await ${painted}
  return name
})()`

/** Does what the open dialog is about. Answers whether there is one. */
const doIt = `(() => {
  if (document.querySelector("dialog[open]") === null) return false
  const [deed] = ${pressable("dialog[open] button[type=submit]")}
  deed?.click()
  return true
})()`

/**
 * Presses every button of the page, one after another, and in each dialog that this opens the one that does it. `look` sees
 * what each of them opened.
 */
export const pressAll = <E, R>(page: Page, look: (pressed: string) => Effect.Effect<void, E, R>) =>
  Effect.gen(function*() {
    const shown = page.url()
    const { pathname, search } = new URL(shown)
    const count = yield* Effect.promise(() =>
      page.evaluate<number>(`${painted}.then(() => ${pressable("main button")}.length)`)
    )
    yield* Effect.forEach(Array.from({ length: count }, (_, index) => index), (index) =>
      Effect.gen(function*() {
        if (page.url() !== shown) yield* follow(page, pathname + search)
        const name = yield* Effect.promise(() => page.evaluate<string | null>(press(index)))
        if (name === null) return
        yield* look(name)
        yield* Effect.promise(async () => {
          if (!await page.evaluate<boolean>(doIt)) return
          await page.keyboard.press("Escape")
          await page.locator("dialog[open]").first().waitFor({ state: "detached" })
        })
      }), { discard: true })
  })
