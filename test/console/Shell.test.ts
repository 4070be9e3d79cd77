import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { at, foundClub, send, tokenAs } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { admins, registered } from "../membership/accounts/People.ts"
import { ConsoleAppLayer, everyLook, follow, look, lookAll, visit } from "./Visit.ts"

const enter = (page: Page, label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text)

describe.skipIf(withoutBrowser)("The console", () => {
  layer(ConsoleAppLayer, { excludeTestServices: true })("for an administrator", (it) => {
    it.effect(
      "signs in, founds a club and stays where a link led, on a phone and at a desk, light and dark",
      () =>
        Effect.gen(function*() {
          const { email } = yield* registered(admins)
          const page = yield* visit("/console/new", { width: 390, expected: [/401/] })
          yield* lookAll(page, "sign-in", everyLook)
          yield* Effect.promise(async () => {
            await enter(page, "E-mail", email)
            await enter(page, "Password", "correct horse")
            await page.getByRole("button", { name: "Sign in", exact: true }).click()
            await page.getByRole("heading", { name: "Found a club" }).waitFor()
          })
          yield* lookAll(page, "found")
          yield* Effect.promise(async () => {
            await enter(page, "Name", "Violão Fácil")
            assert.strictEqual(await page.getByLabel("Time zone").inputValue(), "UTC")
            await page.getByLabel("Time zone").selectOption("America/Sao_Paulo")
            await page.getByRole("button", { name: "Found the club" }).click()
            await page.getByRole("heading", { name: "Overview" }).waitFor()
          })
          yield* lookAll(page, "home", everyLook)
          yield* follow(page, "/console/account")
          yield* lookAll(page, "account")
        }).pipe(Effect.scoped)
    )

    it.effect("finds students by name and by e-mail, types of events, and events by id, by the command palette", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const { organization_id, path, token } = club
        const made = yield* send("POST", `${path}/students`, {
          token,
          body: { name: "Violeta Conceição", email: "vc@example.com", send_invite: false }
        })
        const student = String(at(made.json, "data", "id"))
        const page = yield* visit(`/console/${organization_id}`, { token, expected: [/404/] })
        const find = async (text: string, option: string | RegExp) => {
          await page.keyboard.press("Control+k")
          await page.getByRole("combobox", { name: /^Find a/ }).fill(text)
          await page.getByRole("listbox").getByRole("option", { name: option }).click()
        }
        yield* Effect.promise(async () => {
          await find("conceicao", /^Violeta Conceição/)
          await page.waitForURL((url) => url.pathname.endsWith(student))
          await page.getByRole("heading", { name: "Violeta Conceição" }).waitFor()
          await find("vc@exam", /vc@example\.com$/)
          await find("purchase.ref", "Deliveries of purchase.refunded")
          await page.waitForURL((url) => url.search === "?type=purchase.refunded")
          await find(`webhook-id: ${student}`, `Event ${student}`)
          await page.waitForURL((url) => url.pathname.endsWith(`/webhooks/events/${student}`))
        })
        const viewer = yield* visit(`/console/${organization_id}`, { token: yield* tokenAs(club, "viewer") })
        yield* Effect.promise(async () => {
          await viewer.keyboard.press("Control+k")
          await viewer.getByRole("combobox", { name: /^Find a/ }).fill("purchase.ref")
          await viewer.getByText("Nothing has that name").waitFor()
          await viewer.getByRole("combobox", { name: /^Find a/ }).fill("viol")
          await viewer.getByRole("listbox").getByRole("option", { name: /^Violeta/ }).waitFor()
        })
        yield* look(viewer, "palette")
      }).pipe(Effect.scoped))

    it.effect("finds pages by the command palette and by keys", () =>
      Effect.gen(function*() {
        const { token } = yield* foundClub()
        const page = yield* visit("/console", { token })
        yield* Effect.promise(async () => {
          await page.keyboard.press("Control+k")
          await page.getByRole("combobox", { name: "Find a command" }).fill("account")
          await page.keyboard.press("Enter")
          await page.getByRole("heading", { name: "Your account" }).waitFor()
          await page.goBack()
          await page.getByRole("heading", { name: "Overview" }).waitFor()
          await page.keyboard.press("?")
          await page.getByRole("dialog", { name: "Keys" }).waitFor()
        })
        yield* look(page, "keys")
      }).pipe(Effect.scoped))
  })
})
