import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { at, foundClub, listAt, send } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { ConsoleAppLayer, visit } from "./Visit.ts"

const click = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click()

describe.skipIf(withoutBrowser)("A delivery in the console", () => {
  layer(ConsoleAppLayer, { excludeTestServices: true })("for an administrator", (it) => {
    it.effect("is given to every student only after the question whether it should be", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const page = yield* visit(`/console/${club.organization_id}/content/deliveries`, { token: club.token })
        const free = Effect.gen(function*() {
          const { json } = yield* send("GET", `${club.path}/deliveries`, { token: club.token })
          return listAt(json, "data").filter((one) => at(one, "name") === "Aberta").map((one) => at(one, "free"))
        })
        yield* Effect.promise(async () => {
          await click(page, "New delivery")
          await page.getByLabel("Name").fill("Aberta")
          await page.getByLabel(/^Free/).check()
          await page.getByRole("dialog").getByRole("button", { name: "New delivery" }).click()
          await page.getByText("Every student of the club gets Aberta at once").waitFor()
          await click(page, "Cancel")
        })
        assert.deepStrictEqual(yield* free, [])
        yield* Effect.promise(async () => {
          await page.getByLabel(/^Free/).uncheck()
          await page.getByLabel("Days an access lasts").fill("1")
          await page.getByRole("dialog").getByRole("button", { name: "New delivery" }).click()
          await page.getByText("An access lasts 1 day.").waitFor()
          await page.getByLabel(/^Free/).check()
          await click(page, "Save")
          await page.getByText("Every student of the club gets Aberta at once").waitFor()
        })
        assert.deepStrictEqual(yield* free, [false])
        yield* Effect.promise(async () => {
          await click(page, "Give it to every student")
          await page.getByText("Every student of the club gets it. An access lasts 1 day.").waitFor()
        })
        assert.deepStrictEqual(yield* free, [true])
      }).pipe(Effect.scoped))
  })
})
