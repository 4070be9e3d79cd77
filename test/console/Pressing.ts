import { Effect } from "effect"
import type { Page, Route } from "playwright-core"
import { open } from "./Visit.ts"

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

/** Until what a press has changed is shown. Forms are sent as they are: what is wrong with them is not asked here. */
const painted = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0))))
  .then(() => [...document.forms].forEach((form) => { form.noValidate = true }))`

/** What can be pressed on a page, without what only moves within a form. */
const pressable = "main button:visible:enabled"

/**
 * Presses every button of a page, one after another, and in each dialog that this opens the one that does it. `look`
 * sees what each of them opened.
 */
export const pressAll = <E, R>(page: Page, address: string, look: (pressed: string) => Effect.Effect<void, E, R>) =>
  Effect.gen(function*() {
    yield* open(page, address)
    const shown = page.url()
    yield* Effect.promise(() => page.evaluate(painted))
    const count = yield* Effect.promise(() => page.locator(pressable).count())
    yield* Effect.forEach(Array.from({ length: count }, (_, index) => index), (index) =>
      Effect.gen(function*() {
        if (page.url() !== shown) yield* open(page, address)
        const button = page.locator(pressable).nth(index)
        if ((yield* Effect.promise(() => page.locator(pressable).count())) <= index) return
        const name = yield* Effect.promise(async () => {
          const name = String(await button.textContent())
          // Whatever else lies over it: a message of the one before.
          await button.dispatchEvent("click")
          await page.evaluate(painted)
          return name
        })
        yield* look(name)
        yield* Effect.promise(async () => {
          const dialog = page.locator("dialog[open]")
          if (await dialog.count() === 0) return
          const deed = dialog.locator("button[type=submit]:visible:enabled")
          if (await deed.count() > 0) await deed.first().dispatchEvent("click")
          await page.keyboard.press("Escape")
          await dialog.first().waitFor({ state: "detached" })
        })
      }), { discard: true })
  })
