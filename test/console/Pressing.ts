import { Effect } from "effect"
import type { Page, Route } from "playwright-core"
import { follow } from "./Visit.ts"

/** A write that a page sent. */
export interface Write {
  readonly method: string
  /** Without the query. */
  readonly path: string
}

const refusal = { error: { code: "conflict", message: "Nothing is written in this test" } }

/** Refuses every write of the page and answers their list. The test may press every button, and nothing changes. */
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

/** A script of the page: the buttons within these elements that a person can press. */
const pressable = (within: string) =>
  `[...document.querySelectorAll("${within}")].filter((button) =>
  button.matches(":enabled") && button.checkVisibility({ visibilityProperty: true }) && button.offsetWidth > 0)`

/** Waits until the page shows the effect of a press. Turns off form validation, because the tests send empty forms. */
const painted = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0))))
  .then(() => [...document.forms].forEach((form) => { form.noValidate = true }))`

/** The buttons of the page, without the entries of a menu: these are there while it is open. */
const buttons = "main button:not(.menu > ul button)"

/** Presses one of the page's buttons, even if a message of the previous press covers it. Answers its text. */
const press = (index: number) =>
  `(async () => {
  const button = ${pressable(buttons)}[${index}]
  if (button === undefined) return null
  const name = button.textContent
  button.click()
  await ${painted}
  return name
})()`

const entries = `[...document.querySelectorAll("main .menu > ul button")]`

/** Chooses an entry of the open menu. Answers its text. */
const choose = (index: number) =>
  `(async () => {
  const entry = ${entries}[${index}]
  if (entry === undefined) return null
  const name = entry.textContent
  entry.click()
  await ${painted}
  return name
})()`

/** Presses the button that submits the open dialog. Answers true if a dialog is open. */
const doIt = `(() => {
  if (document.querySelector("dialog[open]") === null) return false
  const [deed] = ${pressable("dialog[open] button[type=submit]")}
  deed?.click()
  return true
})()`

/**
 * Presses every button of the page in turn, and chooses every entry of a menu. If that opens a dialog, it also presses
 * the button that submits it. `look` checks the page after each press.
 */
export const pressAll = <E, R>(page: Page, look: (pressed: string) => Effect.Effect<void, E, R>) =>
  Effect.gen(function*() {
    const shown = page.url()
    const { pathname, search } = new URL(shown)
    const count = yield* Effect.promise(() =>
      page.evaluate<number>(`${painted}.then(() => ${pressable(buttons)}.length)`)
    )
    /** Runs a press, looks, and submits what it has opened. True if there was something to press. */
    const pressed = Effect.fnUntraced(function*(script: string) {
      const name = yield* Effect.promise(() => page.evaluate<string | null>(script))
      if (name === null) return false
      yield* look(name)
      yield* Effect.promise(async () => {
        if (!await page.evaluate<boolean>(doIt)) return
        await page.keyboard.press("Escape")
        await page.locator("dialog[open]").first().waitFor({ state: "detached" })
      })
      return true
    })
    yield* Effect.forEach(Array.from({ length: count }, (_, index) => index), (index) =>
      Effect.gen(function*() {
        if (page.url() !== shown) yield* follow(page, pathname + search)
        if (!(yield* pressed(press(index)))) return
        const chosen = yield* Effect.promise(() => page.evaluate<number>(`${entries}.length`))
        for (let entry = 0; entry < chosen; entry++) {
          // A choice closes the menu.
          if (entry > 0) yield* Effect.promise(() => page.evaluate(press(index)))
          yield* pressed(choose(entry))
        }
      }), { discard: true })
  })
