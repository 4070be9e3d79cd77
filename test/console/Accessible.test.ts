import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { at, foundClub, send } from "../harness/App.ts"
import { axe, withoutBrowser } from "../harness/Browser.ts"
import { plainPaths, viewPaths } from "./ViewList.ts"
import { ConsoleAppLayer, follow, open, visit } from "./Visit.ts"

// Takes long: axe-core looks at every view.

const unknown = "0198a1b2-0000-7000-8000-000000000000"

/** Every read of a club gets this answer. */
const failing = (page: Page, status: 403 | 500) =>
  Effect.promise(() =>
    page.route("**/console/api/v1/clubs/**", (route) =>
      route.fulfill({
        status,
        headers: { "x-request-id": "0198a1b2" },
        json: { error: { code: status === 403 ? "forbidden" : "internal_error", message: "As the test says" } }
      }))
  )

const sees = (page: Page, title: string | RegExp) => Effect.promise(() => page.getByText(title).first().waitFor())

describe.skipIf(withoutBrowser)("The console has nothing grave for axe-core", () => {
  layer(ConsoleAppLayer, { excludeTestServices: true })("where it shows", (it) => {
    it.effect("a club that has nothing yet, without an error, that something is not there, and that somebody may not", () =>
      Effect.gen(function*() {
        const { organization_id, token } = yield* foundClub()
        const second = yield* send("POST", "/v1/clubs", { token, body: { name: "Violão Difícil" } })
        const other = String(at(second.json, "data", "organization_id"))
        // One page reads the scripts of every view. Then it opens each view of another club, without any data of it.
        const page = yield* visit(`/console/${organization_id}`, { token, width: 390, expected: [/403|404/] })
        const lookAt = (path: string, club: string = organization_id) =>
          Effect.andThen(follow(page, `/console/${club}/${path}`), axe(page))
        yield* Effect.forEach(plainPaths, (path) =>
          Effect.gen(function*() {
            yield* lookAt(path)
            assert.deepStrictEqual(yield* Effect.promise(() => page.getByRole("alert").allTextContents()), [], path)
          }), { discard: true })
        yield* Effect.promise(() => page.emulateMedia({ colorScheme: "dark" }))
        yield* Effect.forEach(
          viewPaths.filter((path) => path.includes(":")),
          (path) => lookAt(path.replaceAll(/:\w+/g, unknown)),
          { discard: true }
        )
        yield* lookAt("nowhere")
        yield* sees(page, "There is no such page")
        yield* follow(page, `/console/${unknown}`)
        yield* sees(page, "There is no such page")
        yield* axe(page)
        yield* Effect.promise(() => page.emulateMedia({ colorScheme: "light" }))
        yield* failing(page, 403)
        yield* Effect.forEach(plainPaths, (path) => lookAt(path, other), { discard: true })
      }).pipe(Effect.scoped))

    it.effect("that the service fails or is not reached", () =>
      Effect.gen(function*() {
        const { organization_id, token } = yield* foundClub()
        const page = yield* visit(`/console/${organization_id}`, {
          token,
          expected: [/500|ERR_INTERNET_DISCONNECTED|Failed to load/]
        })
        yield* failing(page, 500)
        yield* Effect.forEach(["", "students", "webhooks", "settings"], (path) =>
          Effect.gen(function*() {
            yield* follow(page, `/console/${organization_id}${path === "" ? "" : `/${path}`}`)
            yield* axe(page)
          }), { discard: true })
        yield* Effect.promise(() => page.unrouteAll({ behavior: "ignoreErrors" }))
        // The browser has the scripts of the view, but not its data.
        yield* open(page, `/console/${organization_id}/members`)
        yield* open(page, `/console/${organization_id}`)
        yield* Effect.promise(async () => {
          await page.context().setOffline(true)
          await page.getByRole("link", { name: "Members" }).click()
        })
        yield* sees(page, "The service cannot be reached")
        yield* axe(page)
      }).pipe(Effect.scoped))

    it.effect("commands, keys, one's clubs, and that a password is wrong", () =>
      Effect.gen(function*() {
        const { organization_id, token } = yield* foundClub()
        const page = yield* visit(`/console/${organization_id}`, { token })
        yield* Effect.promise(async () => {
          await page.keyboard.press("Control+k")
          await page.getByRole("combobox", { name: "Find a command" }).waitFor()
        })
        yield* axe(page)
        yield* Effect.promise(() => page.keyboard.type("no such command"))
        yield* sees(page, "Nothing has that name")
        yield* axe(page)
        yield* Effect.promise(async () => {
          await page.keyboard.press("Escape")
          await page.locator("dialog").waitFor({ state: "detached" })
          await page.keyboard.press("?")
          await page.getByRole("dialog", { name: "Keys" }).waitFor()
        })
        yield* axe(page)
        yield* open(page, "/console?all")
        yield* axe(page)
        const door = yield* visit("/console", { expected: [/401/] })
        yield* Effect.promise(async () => {
          await door.getByLabel("E-mail", { exact: true }).fill("nobody@example.com")
          await door.getByLabel("Password", { exact: true }).fill("a wrong battery")
          await door.getByRole("button", { name: "Sign in", exact: true }).click()
          await door.locator(".toast.bad").waitFor()
        })
        yield* axe(door)
        yield* Effect.promise(() => door.getByRole("button", { name: "Sign in with a mailed code" }).click())
        yield* axe(door)
      }).pipe(Effect.scoped))
  })
})
