import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { at, foundClub, send, tokenAs } from "../harness/App.ts"
import { anotherTab, withoutBrowser } from "../harness/Browser.ts"
import { eventually } from "../harness/Eventually.ts"
import { makeStudent } from "../harness/Makers.ts"
import { ConsoleAppLayer, openPerson, origin, settled, visit } from "./Visit.ts"

const lookAgain = (page: Page) => page.evaluate("dispatchEvent(new Event('focus'))")

/** A club with this many students. */
const crowd = Effect
  .fnUntraced(function*(count: number, nameOf: (index: number) => string = (index) => `Aluna ${index}`) {
    const club = yield* foundClub()
    yield* Effect.forEach(
      Array.from({ length: count }, (_, index) => index),
      (index) => makeStudent(club, { name: nameOf(index + 100) }),
      { concurrency: 4 }
    )
    return club
  })

const seen = (page: Page, expression: string) => Effect.promise(() => page.evaluate<unknown>(expression))

const until = (page: Page, expression: string, isExpected: (value: unknown) => boolean) =>
  eventually(seen(page, expression), isExpected)

const isAt = (page: Page, top: number) => until(page, "scrollY", (value) => value === top)

/** Scrolls a list to this offset in pixels and waits for its rows. Answers the name in the middle of the page. */
const goDown = Effect.fnUntraced(function*(page: Page, to: number) {
  yield* until(page, `scrollTo(0, ${to}), scrollY`, (value) => value === to)
  return String(yield* until(page, visibleName, (name) => name !== ""))
})

/** The name in the row in the middle of the page. Empty while the page has not read that row. */
const visibleName = `(() => {
  const rows = [...document.querySelectorAll("tr[data-row] a.row")]
  const row = rows.find((one) => one.getBoundingClientRect().top > innerHeight / 2)
  return row?.querySelector("bdi")?.textContent ?? ""
})()`

describe.skipIf(withoutBrowser)("A list in the console", () => {
  layer(ConsoleAppLayer, { excludeTestServices: true })("for who works with it", (it) => {
    it.effect(
      "is where it was for whoever goes back to it, and keeps its place when it is read anew",
      () =>
        Effect.gen(function*() {
          const club = yield* crowd(230)
          const page = yield* visit(`/console/${club.organization_id}/students`, { token: club.token })
          const name = yield* goDown(page, 6000)
          yield* Effect.promise(async () => {
            const asked = page.waitForResponse((response) => response.url().includes("/students?"))
            await lookAgain(page)
            await asked
          })
          yield* isAt(page, 6000)
          assert.strictEqual(yield* seen(page, visibleName), name)
          yield* Effect.promise(async () => {
            await page.locator("a.row", { hasText: name.slice(0, 9) }).first().click()
            await page.getByRole("navigation", { name: "About the student" }).waitFor()
          })
          yield* isAt(page, 0)
          yield* Effect.promise(() => page.goBack())
          yield* isAt(page, 6000)
          yield* until(page, visibleName, (value) => value === name)
          yield* Effect.promise(() => page.reload())
          yield* isAt(page, 6000)
          yield* until(page, visibleName, (value) => value === name)
        }).pipe(Effect.scoped)
    )

    it.effect("has its rows and its place on a phone too, though each card has its own height", () =>
      Effect.gen(function*() {
        // The first names fill a line, and later ones up to ten.
        const club = yield* crowd(160, (index) => `Aluna ${index}${" de Albuquerque".repeat((259 - index) / 14)}`)
        const page = yield* visit(`/console/${club.organization_id}/students`, { token: club.token, width: 390 })
        for (const to of [4000, 2000, 9000]) yield* goDown(page, to)
        const name = yield* goDown(page, 6000)
        yield* Effect.promise(async () => {
          await page.locator("a.row", { hasText: name.slice(0, 9) }).first().click()
          await page.getByRole("navigation", { name: "About the student" }).waitFor()
          await page.goBack()
        })
        yield* isAt(page, 6000)
        yield* until(page, visibleName, (value) => value === name)
        yield* until(
          page,
          "scrollTo(0, document.documentElement.scrollHeight), document.querySelector('main').textContent",
          (text) => String(text).includes("Aluna 100")
        )
      }).pipe(Effect.scoped))

    it.effect("hears what another tab changes, and loses the row of what is not there any more", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const { json } = yield* send("POST", `${club.path}/deliveries`, { token: club.token, body: { name: "Tudo" } })
        yield* send("POST", `${club.path}/deliveries`, { token: club.token, body: { name: "Nada" } })
        const path = `/console/${club.organization_id}/content/deliveries`
        const page = yield* visit(path, { token: club.token })
        const base = yield* origin
        const other = yield* Effect.promise(() => anotherTab(page))
        other.setDefaultTimeout(30_000)
        yield* Effect.promise(() => other.goto(`${base}${path}/${String(at(json, "data", "id"))}`))
        yield* settled(other)
        yield* Effect.promise(async () => {
          await page.getByRole("link", { name: "Tudo" }).waitFor()
          await other.getByLabel("Name", { exact: true }).fill("Quase tudo")
          await other.getByRole("button", { name: "Save", exact: true }).click()
          await page.getByRole("link", { name: "Quase tudo" }).waitFor()
          await other.getByRole("button", { name: "More actions" }).click()
          await other.getByRole("button", { name: "Delete", exact: true }).click()
          await other.getByRole("button", { name: "Delete the delivery" }).click()
          await page.getByRole("link", { name: "Quase tudo" }).waitFor({ state: "detached" })
          await page.getByRole("link", { name: "Nada" }).waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("reads nothing of what another tab changes while nobody sees it, and looks again then", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const { json } = yield* send("POST", `${club.path}/deliveries`, { token: club.token, body: { name: "Tudo" } })
        const path = `/console/${club.organization_id}/content/deliveries`
        const page = yield* visit(path, { token: club.token })
        const base = yield* origin
        const other = yield* Effect.promise(() => anotherTab(page))
        other.setDefaultTimeout(30_000)
        yield* Effect.promise(() => other.goto(`${base}${path}/${String(at(json, "data", "id"))}`))
        yield* settled(other)
        const asked: Array<string> = []
        yield* Effect.promise(async () => {
          await page.evaluate(`(() => {
            Object.defineProperty(document, "visibilityState", { configurable: true, get: () => "hidden" })
            // Heard after the console has heard it.
            globalThis.heard = new Promise((resolve) => {
              new BroadcastChannel("turma-changed").addEventListener("message", () => setTimeout(resolve))
            })
          })()`)
          page.on("request", (request) => asked.push(request.url()))
          await other.getByLabel("Name", { exact: true }).fill("Quase tudo")
          await other.getByRole("button", { name: "Save", exact: true }).click()
          await page.evaluate("heard")
          assert.deepStrictEqual(asked, [])
          await page.evaluate("delete document.visibilityState, document.dispatchEvent(new Event('visibilitychange'))")
          await page.getByRole("link", { name: "Quase tudo" }).waitFor()
          assert.lengthOf(asked.filter((url) => new URL(url).pathname.endsWith("/deliveries")), 1)
        })
      }).pipe(Effect.scoped))

    it.effect("looks for the place where one was for some seconds alone, though it is not read", () =>
      Effect.gen(function*() {
        const club = yield* crowd(30)
        const page = yield* visit(`/console/${club.organization_id}/students`, { token: club.token, isAlone: true })
        yield* goDown(page, 300)
        yield* Effect.promise(async () => {
          await page.addInitScript(`{
            const { fetch, scrollTo } = globalThis
            globalThis.asked = false
            globalThis.fetch = (...request) => {
              if (String(request[0]).includes("/students?")) globalThis.asked = true
              return fetch(...request)
            }
            globalThis.tries = 0
            globalThis.scrollTo = (...to) => {
              globalThis.tries++
              scrollTo(...to)
            }
          }`)
          await page.route("**/students?**", () => new Promise<void>(() => {}))
          // The clock stops before the page asks for the students. Otherwise a timeout could end the request early.
          await page.clock.install()
          await page.clock.pauseAt("2099-01-01T00:00:00Z")
          await page.reload()
        })
        const isAsked = Effect.promise(async () => {
          await page.clock.runFor(20)
          return await page.evaluate("asked")
        })
        yield* eventually(isAsked, (is) => is === true)
        yield* Effect.promise(async () => {
          await page.clock.runFor(15_000)
          const tries = Number(await page.evaluate("tries"))
          assert.isAbove(tries, 60)
          await page.clock.runFor(1000)
          assert.strictEqual(await page.evaluate("tries"), tries)
          await page.locator(".loading").first().waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("shows on looking again what somebody else has added", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        yield* send("POST", `${club.path}/deliveries`, { token: club.token, body: { name: "Tudo" } })
        const page = yield* visit(`/console/${club.organization_id}/content/deliveries`, { token: club.token })
        yield* Effect.promise(() => page.getByRole("link", { name: "Tudo" }).waitFor())
        yield* send("POST", `${club.path}/deliveries`, { token: club.token, body: { name: "Mais" } })
        yield* Effect.promise(async () => {
          await lookAgain(page)
          await page.getByRole("link", { name: "Mais" }).waitFor()
        })
      }).pipe(Effect.scoped))
  })

  layer(ConsoleAppLayer, { excludeTestServices: true })("of a page", (it) => {
    it.effect("has a heading and a title while it is read, and where that fails", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const missing = "01900000-0000-7000-8000-000000000000"
        const page = yield* visit(`/console/${club.organization_id}`, { token: club.token, expected: [/404/] })
        const pages = [
          [`content/courses/${missing}`, "Courses"],
          [`content/lessons/${missing}`, "Courses"],
          [`content/deliveries/${missing}`, "Courses"],
          [`content/repositories/${missing}`, "Courses"],
          [`community/spaces/${missing}`, "Community"],
          [`community/posts/${missing}`, "Community"],
          [`keys/${missing}`, "Keys"]
        ] as const
        const base = yield* origin
        // The club's requests wait until the test has looked at the page.
        let isHeld = true
        const held: Array<() => void> = []
        yield* Effect.promise(() =>
          page.route("**/console/api/v1/clubs/**", async (route) => {
            if (isHeld) await new Promise<void>((resolve) => held.push(resolve))
            await route.continue()
          })
        )
        yield* Effect.forEach(pages, ([path, title]) =>
          Effect.promise(async () => {
            isHeld = true
            await page.goto(`${base}/console/${club.organization_id}/${path}`, { waitUntil: "domcontentloaded" })
            await page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor()
            assert.strictEqual(await page.getByRole("heading", { level: 1 }).count(), 1, path)
            isHeld = false
            for (const go of held.splice(0)) go()
            await page.getByRole("heading", { level: 3 }).first().waitFor()
            assert.strictEqual(await page.getByRole("heading", { level: 1 }).count(), 1, path)
            assert.strictEqual(await page.title(), `${title} · Turma`)
          }))
      }).pipe(Effect.scoped))

    it.effect("is shown in a browser that lets it keep nothing", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const token = yield* tokenAs(club, "admin")
        const page = yield* visit(`/console/${club.organization_id}`, { token, isAlone: true })
        const base = yield* origin
        yield* Effect.promise(async () => {
          await page.addInitScript(() => {
            Object.defineProperty(globalThis, "localStorage", {
              get: () => {
                throw new DOMException("Denied", "SecurityError")
              }
            })
          })
          await page.goto(`${base}/console/${club.organization_id}/members`)
          await page.getByRole("heading", { name: "Members" }).waitFor()
          await openPerson(page)
          await page.getByLabel("Language").selectOption("pt-BR")
          await page.getByRole("heading", { name: "Equipe" }).waitFor()
          await page.getByLabel("Tema").selectOption("dark")
          await page.locator("html[data-theme=dark]").waitFor()
        })
      }).pipe(Effect.scoped))
  })
})
