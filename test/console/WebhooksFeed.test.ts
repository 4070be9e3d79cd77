import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { at, listAt, send } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { eventually } from "../harness/Eventually.ts"
import { newAddress } from "../membership/accounts/People.ts"
import { receiving, ReceivingLayer, sees } from "./Receiving.ts"
import { lookAll, open, visit } from "./Visit.ts"

const hostile = "<img src=x onerror=alert(1)> ديانا"

/** Two students of a club. The first has two events, and no endpoint subscribes to the second. */
const happened = Effect.gen(function*() {
  const made = yield* receiving({ description: hostile })
  const { path, token } = made.club
  const add = (name: string) =>
    Effect.gen(function*() {
      const { json } = yield* send("POST", `${path}/students`, { token, body: { name, email: yield* newAddress } })
      return String(at(json, "data", "id"))
    })
  const ana = yield* add("Ana Lima")
  yield* send("PATCH", `${path}/students/${ana}`, { token, body: { name: "Ana Luz" } })
  yield* add("Bia Reis")
  yield* eventually(
    send("GET", `${path}/events`, { token }),
    ({ json }) =>
      listAt(json, "data").length === 3 &&
      [0, 2].every((index) => at(json, "data", index, "deliveries", 0, "status") === "succeeded")
  )
  return { ...made, feed: `/console/${made.club.organization_id}/webhooks/events` }
})

describe.skipIf(withoutBrowser)("The feed of events in the console", () => {
  layer(ReceivingLayer, { excludeTestServices: true })("for an administrator", (it) => {
    it.effect("has every event in its order with what became of it, and is narrowed by type and student", () =>
      Effect.gen(function*() {
        const { club: { organization_id, token } } = yield* happened
        const page = yield* visit(`/console/${organization_id}/webhooks`, { token })
        yield* Effect.promise(() => page.getByRole("link", { name: "Events", exact: true }).click())
        const rows = page.locator("tr[data-row]")
        const types = () =>
          rows.locator("td:first-child a").evaluateAll((all) => all.map((one) => one.firstChild?.textContent))
        yield* Effect.promise(async () => {
          await rows.nth(2).waitFor()
          await rows.getByText("Sent to no endpoint", { exact: true }).waitFor()
        })
        assert.deepStrictEqual(yield* Effect.promise(types), ["student.created", "student.updated", "student.created"])
        yield* Effect.promise(() => rows.first().getByText("Delivered").waitFor())
        yield* Effect.promise(() => rows.first().getByText(hostile).waitFor())
        yield* Effect.promise(async () => {
          await page.getByLabel("Type of event").selectOption("student.updated")
          await page.waitForURL(/type=student\.updated/)
          await rows.nth(1).waitFor({ state: "detached" })
          await page.getByLabel("Type of event").selectOption("")
          await page.getByLabel("Student").fill("Bia")
          await page.getByRole("button", { name: /^Bia Reis/ }).click()
          await rows.nth(1).waitFor({ state: "detached" })
          await page.getByRole("button", { name: "Show all students again, not only Bia Reis" }).click()
          await rows.nth(2).waitFor()
          await page.getByRole("button", { name: "Last hour" }).click()
          await page.waitForURL(/back=1$/)
          await rows.nth(2).waitFor()
          await page.getByRole("link", { name: /^student\.updated/ }).click()
        })
        yield* sees(page, "It was sent to no endpoint.")
        yield* sees(page, /^Payload, /)
      }).pipe(Effect.scoped))

    it.effect("says so where nothing happened, and why it cannot be read", () =>
      Effect.gen(function*() {
        const { club: { organization_id, token } } = yield* receiving()
        const feed = `/console/${organization_id}/webhooks/events`
        const page = yield* visit(feed, { token, expected: [/410/] })
        yield* sees(page, "Nothing happened in this period")
        yield* Effect.promise(() =>
          page.route(/\/api\/v1\/.+\/events\?/, (route) =>
            route.fulfill({
              status: 410,
              json: { error: { code: "cursor_expired", message: "Events after this cursor no longer exist" } }
            }))
        )
        yield* open(page, `${feed}?back=all`)
        yield* sees(page, "Events after this cursor no longer exist")
      }).pipe(Effect.scoped))

    it.effect("looks well on a phone and at a desk, light and dark", () =>
      Effect.gen(function*() {
        const { club: { token }, feed } = yield* happened
        const page = yield* visit(feed, { token, locale: "pt-BR", width: 390 })
        yield* sees(page, "Sem destino")
        yield* lookAll(page, "webhooks-events")
      }).pipe(Effect.scoped))
  })
})
