import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { at, foundClub, send } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { accessCode, admins, registered, signIn } from "../membership/accounts/People.ts"
import { ConsoleAppLayer, openPerson, visit } from "./Visit.ts"

/** A person with a password, and their session in the console. */
const person = Effect.gen(function*() {
  const { email } = yield* registered(admins)
  const answer = yield* signIn(admins, email)
  return { email, token: String(at(answer.json, "data", "access_token")) }
})

const enterSession = async (page: Page, email: string) => {
  await page.getByLabel("E-mail", { exact: true }).fill(email)
  await page.getByLabel("Password", { exact: true }).fill("correct horse")
  await page.getByRole("button", { name: "Sign in", exact: true }).click()
}

/** Errors in the browser's console that the tests cause on purpose. */
const expected = [/Failed to load|ERR_FAILED|TypeError/]

/** Leads to an address from a script, without a request to the server. */
const leadTo = (page: Page, path: string) =>
  page.evaluate(`history.pushState(null, "", ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent("popstate"))`)

describe.skipIf(withoutBrowser)("In the console", () => {
  layer(ConsoleAppLayer, { excludeTestServices: true })("somebody", (it) => {
    it.effect("is told that a password is wrong, and stays signed in", () =>
      Effect.gen(function*() {
        const { token } = yield* person
        const page = yield* visit("/console/account", { token, expected: [/401/] })
        yield* Effect.promise(async () => {
          await page.getByLabel("Current password").fill("a wrong battery")
          await page.getByLabel("New password").fill("another battery")
          await page.getByRole("button", { name: "Change the password" }).click()
          await page.locator(".toast.bad").waitFor()
          assert.strictEqual(await page.getByRole("dialog").count(), 0)
        })
      }).pipe(Effect.scoped))

    it.effect("whose sign-out does not reach the service is told so and stays, and signs out once it does", () =>
      Effect.gen(function*() {
        const { token } = yield* person
        const page = yield* visit("/console/account", { token, expected: [...expected, /401/] })
        yield* Effect.promise(async () => {
          await page.route("**/console/session", (route) => route.abort())
          await openPerson(page)
          await page.getByRole("button", { name: "Sign out" }).click()
          await page.getByText("The service was not reached").waitFor()
          await page.getByRole("heading", { name: "Your account" }).waitFor()
          await page.unroute("**/console/session")
          await page.getByRole("button", { name: "Sign out" }).click()
          await page.getByRole("button", { name: "Sign in", exact: true }).waitFor()
          assert.strictEqual(await page.locator(".toast").count(), 0)
        })
        assert.strictEqual((yield* send("GET", "/v1/me", { token })).status, 401)
      }).pipe(Effect.scoped))

    it.effect("of whom it is not known who they are may have it asked again", () =>
      Effect.gen(function*() {
        const { token } = yield* person
        const page = yield* visit("/console/account", { token, expected: [...expected, /503/] })
        yield* Effect.promise(async () => {
          // The page itself asks again after an hour.
          await page.route("**/console/api/v1/me", (route) =>
            route.fulfill({
              status: 503,
              headers: { "retry-after": "3600" },
              json: { error: { code: "overloaded", message: "Too busy" } }
            }))
          await page.reload()
          const again = page.getByRole("button", { name: "Try again" })
          await again.waitFor()
          await page.unroute("**/console/api/v1/me")
          await again.click()
          await page.getByRole("heading", { name: "Your account" }).waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("whose session may not be read is asked for once, not without end", () =>
      Effect.gen(function*() {
        const { token } = yield* person
        const page = yield* visit("/console/account", { token, expected: [...expected, /403/] })
        yield* Effect.promise(async () => {
          let asked = 0
          await page.route("**/console/api/v1/me", (route) => {
            asked++
            return route.fulfill({ status: 403, json: { error: { code: "forbidden" } } })
          })
          const refused = page.waitForResponse((response) => response.status() === 403)
          await page.evaluate(`dispatchEvent(new Event("focus"))`)
          await refused
          // Everything that the refusal would set off comes before the answers to these.
          const ask = () => page.evaluate(`fetch("/v1/health").then((answer) => answer.text())`)
          await ask().then(ask).then(ask)
          assert.strictEqual(asked, 1)
        })
      }).pipe(Effect.scoped))

    it.effect("sees nothing of who was here before", () =>
      Effect.gen(function*() {
        const [first, second] = [yield* person, yield* person]
        yield* signIn(admins, first.email)
        const page = yield* visit("/console/account", { token: first.token, expected: [/401/] })
        yield* Effect.promise(() => page.getByRole("button", { name: "End", exact: true }).waitFor())
        yield* send("DELETE", "/v1/auth/session", { token: first.token })
        yield* Effect.promise(async () => {
          await page.getByLabel("Name", { exact: true }).fill("Ana Lima")
          await page.getByRole("button", { name: "Save" }).dispatchEvent("click")
          await page.getByRole("dialog", { name: "Your session has ended" }).waitFor()
          const held = Promise.withResolvers<void>()
          await page.route("**/v1/auth/sessions*", async (route) => {
            await held.promise
            await route.continue()
          })
          await enterSession(page, second.email)
          await page.getByText(second.email).waitFor()
          assert.strictEqual(await page.getByRole("button", { name: "End", exact: true }).count(), 0)
          assert.strictEqual(await page.locator(".toast").count(), 0)
          held.resolve()
          await page.getByText("This one").waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("who signs in again is shown what was refused in between", () =>
      Effect.gen(function*() {
        const { email, token } = yield* person
        const page = yield* visit("/console/new", { token, expected: [/401/] })
        yield* send("DELETE", "/v1/auth/session", { token })
        yield* Effect.promise(async () => {
          await openPerson(page)
          await page.getByRole("link", { name: "Your account" }).click()
          await page.getByRole("dialog", { name: "Your session has ended" }).waitFor()
          await enterSession(page, email)
          await page.getByText("This one").waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("signs in with the code of a link and the address that it was mailed to, and the URL keeps no code", () =>
      Effect.gen(function*() {
        const { email } = yield* person
        const code = yield* accessCode(admins, email)
        const page = yield* visit(`/console?code=${code}`, { expected: [/401/] })
        yield* Effect.promise(async () => {
          const button = page.getByRole("button", { name: "Sign in", exact: true })
          await button.waitFor()
          await page.waitForURL(({ href }) => !href.includes("code"))
          await page.getByLabel("E-mail").fill(email)
          await button.click()
          await page.getByRole("heading", { name: "Your clubs" }).waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("signs nobody in to the account of whoever sent them the link", () =>
      Effect.gen(function*() {
        const [{ email }, attacker] = [yield* person, yield* person]
        const code = yield* accessCode(admins, attacker.email)
        const page = yield* visit(`/console?code=${code}`, { expected: [/401/, /422/] })
        yield* Effect.promise(async () => {
          const button = page.getByRole("button", { name: "Sign in", exact: true })
          await button.click()
          await page.getByLabel("E-mail").fill(email)
          await button.click()
          await page.getByText("of another address").waitFor()
          assert.deepStrictEqual((await page.context().cookies()).map(({ name }) => name), [])
        })
        const { status } = yield* send("POST", "/v1/auth/admin/exchange", { body: { code } })
        assert.strictEqual(status, 200)
      }).pipe(Effect.scoped))

    it.effect("finds no page at an address that is no text", () =>
      Effect.gen(function*() {
        const { organization_id, token } = yield* foundClub()
        const page = yield* visit(`/console/${organization_id}`, { token })
        yield* Effect.promise(async () => {
          await leadTo(page, `/console/${organization_id}/keys/%E0%A4%A`)
          await page.getByRole("heading", { name: "There is no such page" }).waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("goes on elsewhere where a page cannot be shown, and comes back to it", () =>
      Effect.gen(function*() {
        const { token } = yield* foundClub()
        const page = yield* visit("/console?all", { token, expected })
        yield* Effect.promise(async () => {
          await page.route("**/v1/auth/sessions*", (route) => route.fulfill({ json: { data: [null] } }))
          await openPerson(page)
          await page.getByRole("link", { name: "Your account" }).click()
          await page.getByRole("heading", { name: "This page could not be shown" }).waitFor()
          await page.unroute("**/v1/auth/sessions*")
          await page.goBack()
          await page.getByRole("heading", { name: "Your clubs" }).waitFor()
          await page.goForward()
          await page.getByText("This one").waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("waits for a slow answer, however often it is asked for", () =>
      Effect.gen(function*() {
        const { organization_id, token } = yield* foundClub()
        const page = yield* visit(`/console/${organization_id}/students`, { token, isAlone: true })
        yield* Effect.promise(async () => {
          const asked = Promise.withResolvers<void>()
          const held = Promise.withResolvers<void>()
          const id = "0198a1b2-0000-7000-8000-000000000000"
          const counts = { created: 0, existing: 0, failed: 0, granted: 0, processed: 3, total: 8 }
          const data = {
            ...counts,
            id,
            status: "running",
            dry_run: false,
            unknown_columns: [],
            created_at: "2027-01-01T00:00:00.000Z"
          }
          let times = 0
          await page.route(`**/students/imports/${id}`, async (route) => {
            times++
            asked.resolve()
            await held.promise
            await route.fulfill({ json: { data } })
          })
          await page.clock.install()
          await leadTo(page, `/console/${organization_id}/students/imports/${id}`)
          await asked.promise
          await page.clock.runFor(5000)
          assert.strictEqual(times, 1)
          held.resolve()
          await page.getByText("3 of 8 rows").first().waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("closes a dialog by a click beside it, not by letting go there", () =>
      Effect.gen(function*() {
        const { organization_id, token } = yield* foundClub()
        const page = yield* visit(`/console/${organization_id}/members`, { token })
        yield* Effect.promise(async () => {
          await page.keyboard.press("n")
          const dialog = page.getByRole("dialog")
          await dialog.getByRole("heading").hover()
          await page.mouse.down()
          await page.mouse.move(5, 5)
          await page.mouse.up()
          assert.isTrue(await dialog.isVisible())
          await page.mouse.click(5, 5)
          await dialog.waitFor({ state: "detached" })
        })
      }).pipe(Effect.scoped))
  })
})
