import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { at, foundClub, listAt, send, tokenAs, tokenOf } from "../harness/App.ts"
import { anotherTab, axe, withoutBrowser } from "../harness/Browser.ts"
import { admins, registered } from "../membership/accounts/People.ts"
import { ConsoleAppLayer, openPerson, origin, settled, visit } from "./Visit.ts"

// Takes long: twelve visits to the console in a browser.

const enterSession = async (page: Page, email: string) => {
  await page.getByLabel("E-mail", { exact: true }).fill(email)
  await page.getByLabel("Password", { exact: true }).fill("correct horse")
  await page.getByRole("button", { name: "Sign in", exact: true }).click()
}

/** A person with a password, and their session in the console. */
const signedIn = Effect.gen(function*() {
  const { email } = yield* registered(admins)
  const answer = yield* send("POST", "/v1/auth/admin/sign-in", { body: { email, password: "correct horse" } })
  const token = String(at(answer.json, "data", "access_token"))
  const club = yield* send("POST", "/v1/clubs", { token, body: { name: "Flauta <i>Fácil</i>" } })
  return { email, token, club: String(at(club.json, "data", "organization_id")) }
})

/** Another tab of the same browser. */
const tab = Effect.fnUntraced(function*(page: Page, path: string) {
  const base = yield* origin
  const other = yield* Effect.promise(() => anotherTab(page))
  other.setDefaultTimeout(30_000)
  yield* Effect.promise(() => other.goto(`${base}${path}`))
  yield* settled(other)
  return other
})

describe.skipIf(withoutBrowser)("In the console", () => {
  layer(ConsoleAppLayer, { excludeTestServices: true })("somebody", (it) => {
    it.effect("goes by keys, goes back, reloads and comes by a link, and is where the address says", () =>
      Effect.gen(function*() {
        const { organization_id, token } = yield* foundClub()
        const page = yield* visit(`/console/${organization_id}/settings/audit?outcome=refused`, { token })
        yield* Effect.promise(async () => {
          await page.getByRole("heading", { name: "Audit log" }).waitFor()
          assert.strictEqual(await page.getByLabel("Outcome").inputValue(), "refused")
          // Both keys at once: the second must come within 1.5 seconds.
          await Promise.all([page.keyboard.press("g"), page.keyboard.press("e")])
          await page.getByRole("heading", { name: "Members" }).waitFor()
          await page.getByRole("link", { name: "Keys" }).click()
          await page.getByRole("heading", { name: "Keys", exact: true }).waitFor()
          await page.goBack()
          await page.getByRole("heading", { name: "Members" }).waitFor()
          await page.goBack()
          await page.getByRole("heading", { name: "Audit log" }).waitFor()
          assert.match(page.url(), /outcome=refused$/)
          await page.goForward()
          await page.reload()
          await page.getByRole("heading", { name: "Members" }).waitFor()
          assert.strictEqual(await page.title(), "Members · Turma")
          await page.goto(page.url().replace("/members", "/nowhere"))
          await page.getByRole("heading", { name: "There is no such page" }).waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("writes into fields without giving commands, and closes a dialog by Escape", () =>
      Effect.gen(function*() {
        const { organization_id, token } = yield* foundClub()
        const page = yield* visit(`/console/${organization_id}/members`, { token })
        yield* Effect.promise(async () => {
          await page.keyboard.press("n")
          await page.getByRole("dialog").getByLabel("E-mail").pressSequentially("g w n ?")
          assert.strictEqual(await page.getByRole("dialog").count(), 1)
          await page.keyboard.press("Escape")
          await page.getByRole("dialog").waitFor({ state: "detached" })
          const opener = page.getByRole("button", { name: "Invite somebody" })
          await opener.click()
          await page.getByRole("button", { name: "Close" }).click()
          assert.isTrue(await opener.evaluate((button) => button === button.ownerDocument.activeElement))
        })
      }).pipe(Effect.scoped))

    it.effect("sees in one tab what another changes, and is signed out of both at once", () =>
      Effect.gen(function*() {
        const { club, token } = yield* signedIn
        const page = yield* visit(`/console/${club}/keys`, { token, expected: [/401/] })
        const other = yield* tab(page, `/console/${club}/keys`)
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "Make a key" }).click()
          await page.getByRole("dialog").getByLabel("Name").fill("Loja")
          await page.getByRole("button", { name: "Make the key" }).click()
          await page.getByRole("button", { name: "I have kept it" }).click()
          await other.getByRole("link", { name: "Loja" }).waitFor()
          await openPerson(other)
          await other.getByRole("button", { name: "Sign out" }).click()
          await other.getByRole("button", { name: "Sign in", exact: true }).waitFor()
          await page.getByRole("button", { name: "Sign in", exact: true }).waitFor()
        })
        assert.strictEqual((yield* send("GET", "/v1/me", { token })).status, 401)
      }).pipe(Effect.scoped))

    it.effect("whose session is ended elsewhere signs in over the page and keeps what was entered", () =>
      Effect.gen(function*() {
        const { club, email, token } = yield* signedIn
        const page = yield* visit(`/console/${club}/settings`, { token, expected: [/401/] })
        yield* Effect.promise(() => page.getByLabel("Name", { exact: true }).fill("Not yet saved"))
        yield* send("DELETE", "/v1/auth/session", { token })
        yield* Effect.promise(async () => {
          // Another request may already have opened the dialog, which then covers the button.
          await page.getByRole("button", { name: "Save" }).dispatchEvent("click")
          const dialog = page.getByRole("dialog", { name: "Your session has ended" })
          await dialog.waitFor()
          await dialog.getByLabel("E-mail", { exact: true }).fill(email)
          await dialog.getByLabel("Password", { exact: true }).fill("correct horse")
          await dialog.getByRole("button", { name: "Sign in", exact: true }).click()
          await dialog.waitFor({ state: "detached" })
          assert.strictEqual(await page.getByLabel("Name", { exact: true }).inputValue(), "Not yet saved")
          await page.getByRole("button", { name: "Save" }).click()
          await page.locator(".side").getByText("Not yet saved").waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("cannot close the dialog of an ended session, and gets a page of their own as somebody else", () =>
      Effect.gen(function*() {
        const [first, second] = [yield* signedIn, yield* signedIn]
        const page = yield* visit(`/console/${first.club}/settings`, { token: first.token, expected: [/401|403|404/] })
        yield* Effect.promise(() => page.getByLabel("Name", { exact: true }).fill("A secret of the first"))
        yield* send("DELETE", "/v1/auth/session", { token: first.token })
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "Save" }).dispatchEvent("click")
          const dialog = page.getByRole("dialog", { name: "Your session has ended" })
          await dialog.waitFor()
          await page.keyboard.press("Escape")
          await page.keyboard.press("Escape")
          await dialog.waitFor()
          await enterSession(page, second.email)
          await page.getByRole("heading", { name: "There is no such page" }).waitFor()
          assert.notInclude(await page.content(), "A secret of the first")
          await page.getByRole("link", { name: "Your clubs" }).first().click()
          await page.getByRole("heading", { name: "Overview" }).waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("is told that the service is not reached, and goes on once it is", () =>
      Effect.gen(function*() {
        const { organization_id, token } = yield* foundClub()
        const page = yield* visit(`/console/${organization_id}`, {
          token,
          expected: [/ERR_INTERNET_DISCONNECTED|Failed to load/]
        })
        yield* Effect.promise(async () => {
          await page.getByRole("link", { name: "Members" }).click()
          await page.getByRole("cell", { name: "Owner" }).waitFor()
          await page.context().setOffline(true)
          await page.getByRole("link", { name: "Overview" }).click()
          await page.getByText("The service cannot be reached").waitFor()
          await page.context().setOffline(false)
          await page.getByText("The service cannot be reached").waitFor({ state: "detached" })
          await page.getByRole("link", { name: "Members" }).click()
          await page.getByRole("cell", { name: "Owner" }).waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("changes language and theme at once, in other tabs too, and both are kept", () =>
      Effect.gen(function*() {
        const { organization_id, token } = yield* foundClub()
        const page = yield* visit(`/console/${organization_id}/members`, { token })
        const other = yield* tab(page, `/console/${organization_id}/members`)
        yield* Effect.promise(async () => {
          await openPerson(page)
          await page.getByLabel("Language").selectOption("pt-BR")
          await page.getByRole("heading", { name: "Equipe" }).waitFor()
          await other.getByRole("heading", { name: "Equipe" }).waitFor()
          assert.strictEqual(await page.getAttribute("html", "lang"), "pt-BR")
          await page.getByLabel("Tema").selectOption("dark")
          await other.locator("html[data-theme=dark]").waitFor()
          await page.reload()
          await page.getByRole("heading", { name: "Equipe" }).waitFor()
          assert.strictEqual(await page.getAttribute("html", "data-theme"), "dark")
        })
        yield* axe(page)
      }).pipe(Effect.scoped))

    it.effect("finds landmarks, and the content by its first key, on a phone the areas behind a button", () =>
      Effect.gen(function*() {
        const { organization_id, token } = yield* foundClub()
        const page = yield* visit(`/console/${organization_id}`, { token, width: 390 })
        yield* Effect.promise(async () => {
          assert.strictEqual(await page.getByRole("main").count(), 1)
          assert.strictEqual(await page.getByRole("heading", { level: 1 }).count(), 1)
          await page.keyboard.press("Tab")
          assert.strictEqual(await page.evaluate("document.activeElement.textContent"), "Skip to the content")
          const areas = page.getByRole("navigation", { name: "Areas of the club" })
          assert.isFalse(await areas.isVisible())
          const menu = page.getByRole("button", { name: "Menu" })
          await page.keyboard.press("Tab")
          await page.keyboard.press("Enter")
          await areas.waitFor()
          assert.strictEqual(await menu.getAttribute("aria-expanded"), "true")
        })
        yield* axe(page)
        yield* Effect.promise(async () => {
          await page.getByRole("link", { name: "Members" }).click()
          await page.getByRole("heading", { name: "Members" }).waitFor()
          assert.isFalse(await page.getByRole("navigation", { name: "Areas of the club" }).isVisible())
        })
      }).pipe(Effect.scoped))

    it.effect("ends their other sessions from their account", () =>
      Effect.gen(function*() {
        const { email, token } = yield* signedIn
        const other = yield* send("POST", "/v1/auth/admin/sign-in", { body: { email, password: "correct horse" } })
        const page = yield* visit("/console/account", { token })
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "End", exact: true }).first().waitFor()
          await page.getByRole("button", { name: "End all others" }).click()
          await page.getByText("All other sessions have ended").waitFor()
          await page.getByRole("button", { name: "End", exact: true }).first().waitFor({ state: "detached" })
        })
        const ended = String(at(other.json, "data", "access_token"))
        assert.strictEqual((yield* send("GET", "/v1/me", { token: ended })).status, 401)
        assert.strictEqual((yield* send("GET", "/v1/me", { token })).status, 200)
      }).pipe(Effect.scoped))

    it.effect("whose role is changed sees what it may, without signing in again", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const token = yield* tokenAs(club, "viewer")
        const page = yield* visit(`/console/${club.organization_id}/members`, { token })
        const me = yield* send("GET", "/v1/me", { token })
        yield* Effect.promise(async () => {
          assert.strictEqual(await page.getByRole("link", { name: "Keys" }).count(), 0)
          assert.strictEqual(await page.getByRole("button", { name: "Invite somebody" }).count(), 0)
        })
        yield* send("PATCH", `${club.path}/members/${String(at(me.json, "data", "id"))}`, {
          token: club.token,
          body: { role: "admin" }
        })
        yield* Effect.promise(async () => {
          await page.evaluate("dispatchEvent(new Event('focus'))")
          await page.getByRole("link", { name: "Keys" }).waitFor()
          await page.getByRole("button", { name: "Invite somebody" }).waitFor()
        })
        assert.isNotEmpty(listAt(me.json, "data", "organizations"))
        assert.isString(yield* tokenOf(club.owner))
      }).pipe(Effect.scoped))

    it.effect("whose role was taken is told when something is refused, and belongs to no club once removed", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const token = yield* tokenAs(club, "admin")
        const me = yield* send("GET", "/v1/me", { token })
        const member = `${club.path}/members/${String(at(me.json, "data", "id"))}`
        const page = yield* visit(`/console/${club.organization_id}/settings`, { token, expected: [/403|404/] })
        yield* send("PATCH", member, { token: club.token, body: { role: "viewer" } })
        yield* Effect.promise(async () => {
          await page.getByLabel("Name", { exact: true }).fill("Not mine to change")
          await page.getByRole("button", { name: "Save" }).click()
          await page.getByRole("link", { name: "Keys" }).waitFor({ state: "detached" })
          await page.getByText("Viewer", { exact: true }).waitFor()
          await page.getByLabel("Name", { exact: true }).waitFor({ state: "detached" })
        })
        yield* send("DELETE", member, { token: club.token })
        yield* Effect.promise(async () => {
          await page.evaluate("dispatchEvent(new Event('focus'))")
          await page.getByRole("heading", { name: "There is no such page" }).waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("sees a club that they founded in another tab, without loading the page again", () =>
      Effect.gen(function*() {
        const { token } = yield* signedIn
        const page = yield* visit("/console?all", { token })
        const other = yield* tab(page, "/console/new")
        yield* Effect.promise(async () => {
          await other.getByLabel("Name", { exact: true }).fill("Violão Novo")
          await other.getByRole("button", { name: "Found the club" }).click()
          await other.getByRole("heading", { name: "Overview" }).waitFor()
          await page.getByRole("link", { name: "Violão Novo" }).waitFor()
        })
      }).pipe(Effect.scoped))
  })
})
