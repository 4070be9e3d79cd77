import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { at, foundClub, send } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { eventually } from "../harness/Eventually.ts"
import { press, receiving, ReceivingLayer, sees, sendTests } from "./Receiving.ts"
import { follow, look, visit } from "./Visit.ts"

/** Leaves every read at such an address without an answer. */
const unanswered = (page: Page, address: RegExp) =>
  Effect.promise(() =>
    page.route(address, (route) => route.request().method() === "GET" ? undefined : route.continue())
  )

const unread = Effect.fn("unread")(function*(page: Page, path: string) {
  const { origin } = new URL(page.url())
  yield* Effect.promise(() => page.goto(`${origin}${path}`))
})

describe.skipIf(withoutBrowser)("Webhooks in the console", () => {
  layer(ReceivingLayer, { excludeTestServices: true })("say what is known alone", (it) => {
    it.effect("of an endpoint that is not read yet nothing, in a delivery as in the list", () =>
      Effect.gen(function*() {
        const made = yield* receiving({ description: "Our CRM" })
        const { club: { organization_id, token }, id, path } = made
        yield* sendTests(made, 1)
        const { json } = yield* eventually(
          send("GET", `${path}/deliveries`, { token }),
          ({ json }) => at(json, "data", 0, "status") === "succeeded"
        )
        const delivery = String(at(json, "data", 0, "id"))
        const page = yield* visit(`/console/${organization_id}/webhooks`, { token })
        yield* unanswered(page, new RegExp(`/webhook-endpoints/${id}$`))
        yield* unanswered(page, /\/webhook-endpoints\?/)
        const says = (text: RegExp) => Effect.promise(() => page.getByText(text).count())
        yield* unread(page, `${made.page}/deliveries/${delivery}`)
        yield* sees(page, "What it is")
        assert.strictEqual(yield* says(/deleted|^Delivered/i), 0)
        yield* unread(page, `/console/${organization_id}/webhooks/deliveries`)
        yield* Effect.promise(() => page.locator("tr[data-row] a[href*='/deliveries/']").first().waitFor())
        assert.strictEqual(yield* says(/Deleted endpoint/), 0)
        yield* Effect.promise(() => page.unrouteAll())
        yield* follow(page, `/console/${organization_id}/webhooks/deliveries`)
        yield* Effect.promise(() => page.getByRole("cell", { name: "Our CRM" }).first().waitFor())
      }).pipe(Effect.scoped))

    it.effect("of a payload what was sent to the byte, whatever its layout on the page", () =>
      Effect.gen(function*() {
        const made = yield* receiving()
        const { club: { token }, path, receiver } = made
        yield* sendTests(made, 1)
        const { json } = yield* eventually(
          send("GET", `${path}/deliveries`, { token }),
          ({ json }) => at(json, "data", 0, "status") === "succeeded"
        )
        const page = yield* visit(`${made.page}/deliveries/${String(at(json, "data", 0, "id"))}`, { token })
        yield* Effect.promise(() => page.context().grantPermissions(["clipboard-read", "clipboard-write"]))
        yield* press(page, /^Copy Payload, /)
        yield* sees(page, "Copied")
        assert.strictEqual(
          yield* Effect.promise(() => page.evaluate("navigator.clipboard.readText()")),
          receiver.requests[0]?.body.toString("utf8")
        )
      }).pipe(Effect.scoped))

    it.effect("of the days of a chart when they begin where the club is", () =>
      Effect.gen(function*() {
        const made = yield* receiving()
        const { club: { path, token } } = made
        yield* send("PATCH", path, { token, body: { time_zone: "Pacific/Kiritimati" } })
        const page = yield* visit(`${made.page}?window=30d`, { token })
        yield* sees(page, /^In the club's time zone: Pacific\/Kiritimati/)
        yield* Effect.promise(() => page.getByText("The same as a table").click())
        const table = page.getByRole("table", { name: "What was sent" })
        const begins = yield* Effect.promise(() => table.getByRole("rowheader").allTextContents())
        assert.isAbove(begins.length, 28)
        for (const begin of begins) assert.match(begin, /12:00\sAM$/)
        yield* look(page, "webhooks-club-days")
      }).pipe(Effect.scoped))

    it.effect("of an event by its id, in a club that has no endpoint any more too", () =>
      Effect.gen(function*() {
        const { organization_id, token } = yield* foundClub()
        const page = yield* visit(`/console/${organization_id}/webhooks`, { token, expected: [/404/] })
        yield* sees(page, "Let your own systems know of everything at once")
        yield* Effect.promise(() =>
          page.getByLabel("Event id").fill("webhook-id: 019d4860-d9c0-7f21-8b6c-0d1e2f3a4b5c")
        )
        yield* press(page, "Find")
        yield* sees(page, /^It is older than 90 days \(30 days if it was sent to no endpoint\)/)
      }).pipe(Effect.scoped))

    it.effect("of the event's id in a filter what a line of a log has of it, and that another has none", () =>
      Effect.gen(function*() {
        const { organization_id, token } = yield* foundClub()
        const page = yield* visit(`/console/${organization_id}/webhooks/deliveries?event=nothing`, { token })
        yield* sees(page, "Nothing was sent yet")
        const field = page.getByLabel("Event id")
        yield* Effect.promise(async () => {
          await field.fill("POST /turma 500")
          await field.press("Tab")
        })
        yield* sees(page, "It contains no id")
        yield* Effect.promise(async () => {
          await field.fill("POST /turma 500 webhook-id=019D4860-d9c0-7f21-8b6c-0d1e2f3a4b5c took 3 s")
          await field.press("Tab")
          await page.waitForURL("**/webhooks/deliveries?event=019d4860-d9c0-7f21-8b6c-0d1e2f3a4b5c")
        })
        yield* sees(page, "Nothing matches these filters")
      }).pipe(Effect.scoped))
  })
})
