import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Page } from "playwright-core"
import { EndpointId } from "../../src/webhooks/model/EndpointId.ts"
import { at, send } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { eventually } from "../harness/Eventually.ts"
import { makeDelivery } from "../harness/Webhooks.ts"
import { fill, type Received, receiving, ReceivingLayer, sees, sendTests } from "./Receiving.ts"
import { becomes, settled, visit } from "./Visit.ts"

// Takes long: in real time, a page asks every few seconds for news.

const endpointOf = ({ club, id }: Received) => ({ club_id: club.id, endpoint_id: EndpointId.make(id) })

const turn = (page: Page, state: "hidden" | "visible") =>
  Effect.promise(() =>
    page.evaluate(`
      Object.defineProperty(document, "visibilityState", { configurable: true, get: () => "${state}" })
      document.dispatchEvent(new Event("visibilitychange"))
    `)
  )

const rowsOf = (page: Page) =>
  Effect.promise(async () => Number(await page.locator("table").getAttribute("aria-rowcount")))

/** Scrolls down to the end of the list, until it has this many rows in all. */
const reaches = (page: Page, rows: number) =>
  eventually(
    Effect.andThen(
      Effect.promise(() => page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")),
      rowsOf(page)
    ),
    (count) => count === rows + 1
  )

/** The answer with the beginning of the list. */
const beginning = (page: Page) => page.waitForResponse(/\/deliveries\?(?!.*cursor)(?=.*limit=100)/)

describe.skipIf(withoutBrowser)("A live list of deliveries", () => {
  layer(ReceivingLayer, { excludeTestServices: true })("for an administrator", (it) => {
    it.effect("is read anew where more has happened than is told, while nobody looked", () =>
      Effect.gen(function*() {
        const made = yield* receiving()
        yield* makeDelivery(endpointOf(made), { status: "succeeded" })
        const page = yield* visit(`${made.page}/deliveries`, { token: made.club.token })
        yield* sees(page, /Live$/)
        yield* turn(page, "hidden")
        yield* sees(page, "Not live")
        yield* fill(made, 150, "newer")
        const renewed = beginning(page)
        yield* turn(page, "visible")
        yield* Effect.promise(() => renewed)
        yield* reaches(page, 151)
      }).pipe(Effect.scoped))

    it.effect("keeps the place of somebody who reads further down, and shows all that is new at the top", () =>
      Effect.gen(function*() {
        const made = yield* receiving()
        yield* makeDelivery(endpointOf(made), { status: "succeeded" })
        yield* fill(made, 300, "older")
        const page = yield* visit(`${made.page}/deliveries`, { token: made.club.token })
        yield* sees(page, /Live$/)
        yield* reaches(page, 301)
        yield* turn(page, "hidden")
        yield* sees(page, "Not live")
        yield* fill(made, 150, "newer")
        yield* turn(page, "visible")
        const more = page.getByRole("button", { name: "100+ new", exact: true })
        yield* Effect.promise(() => more.waitFor())
        assert.strictEqual(yield* Effect.promise(() => page.getByRole("status").getByRole("button").count()), 0)
        assert.strictEqual(yield* rowsOf(page), 302)
        assert.isAbove(Number(yield* Effect.promise(() => page.evaluate("scrollY"))), 3000)
        const renewed = beginning(page)
        yield* Effect.promise(() => more.click())
        yield* Effect.promise(() => renewed)
        yield* reaches(page, 451)
      }).pipe(Effect.scoped))

    it.effect("shows what comes to fit its filter later, and counts it", () =>
      Effect.gen(function*() {
        const made = yield* receiving()
        const older = yield* makeDelivery(endpointOf(made), { status: "succeeded" })
        yield* makeDelivery(endpointOf(made), { status: "failed" })
        const page = yield* visit(`${made.page}/deliveries?status=failed`, { token: made.club.token })
        yield* sees(page, /Live$/)
        assert.strictEqual(yield* rowsOf(page), 2)
        const sql = yield* SqlClient.SqlClient
        yield* sql`
          update webhook_deliveries set status = 'failed'
          where club_id = ${made.club.id}::uuid and endpoint_id = ${made.id}::uuid and id = ${older.id}::uuid`
        yield* Effect.promise(() => page.locator("tr[data-row]").nth(1).waitFor())
        assert.strictEqual(yield* rowsOf(page), 3)
      }).pipe(Effect.scoped))

    it.effect("counts what is new among its rows", () =>
      Effect.gen(function*() {
        const made = yield* receiving()
        yield* makeDelivery(endpointOf(made), { status: "succeeded" })
        const page = yield* visit(`${made.page}/deliveries`, { token: made.club.token })
        yield* sees(page, /Live$/)
        assert.strictEqual(yield* rowsOf(page), 2)
        yield* fill(made, 3, "newer")
        yield* Effect.promise(() => page.locator("tr[aria-rowindex='5']").waitFor())
        assert.strictEqual(yield* rowsOf(page), 5)
      }).pipe(Effect.scoped))

    it.effect("is followed no more once it is refused", () =>
      Effect.gen(function*() {
        const made = yield* receiving()
        yield* makeDelivery(endpointOf(made), { status: "succeeded" })
        const page = yield* visit(made.page, { token: made.club.token, expected: [/404/] })
        yield* Effect.promise(() =>
          page.route(/\/deliveries\/stream/, (route) =>
            route.fulfill({ status: 404, json: { error: { code: "not_found", message: "Nothing is here" } } }))
        )
        yield* Effect.promise(() =>
          page.getByRole("link", { name: "Deliveries" }).first().click()
        )
        yield* settled(page)
        yield* sees(page, "Not live")
        assert.strictEqual(yield* Effect.promise(() => page.getByText("Read every 5 seconds").count()), 0)
      }).pipe(Effect.scoped))
  })
})

describe.skipIf(withoutBrowser)("What is shown of webhooks", () => {
  layer(ReceivingLayer, { excludeTestServices: true })("for an administrator", (it) => {
    it.effect("of an endpoint says how old it is after a failure, and is read again", () =>
      Effect.gen(function*() {
        const made = yield* receiving()
        const page = yield* visit(made.page, { token: made.club.token, expected: [/503/] })
        yield* sees(page, /^It delivers|^Nothing was sent/)
        yield* Effect.promise(() =>
          page.route(
            (url) => url.pathname.endsWith(`/webhook-endpoints/${made.id}`),
            (route) => route.fulfill({ status: 503, json: { error: { code: "unavailable", message: "Later" } } })
          )
        )
        yield* sees(page, /^As of .*: it could not be loaded since\.$/)
        yield* Effect.promise(() => page.unrouteAll())
        yield* Effect.promise(() => page.getByText(/^As of /).waitFor({ state: "detached" }))
      }).pipe(Effect.scoped))

    it.effect("of an event and its delivery changes by itself, and is announced", () =>
      Effect.gen(function*() {
        const made = yield* receiving()
        const { club: { organization_id, token }, path, receiver } = made
        receiver.answerWith({ status: 503 })
        yield* sendTests(made, 1)
        const { json } = yield* eventually(
          send("GET", `${path}/deliveries`, { token }),
          ({ json }) => at(json, "data", 0, "attempts_count") === 1
        )
        const [id, event] = [String(at(json, "data", 0, "id")), String(at(json, "data", 0, "event_id"))]
        const [first, second] = yield* Effect.all([
          visit(`/console/${organization_id}/webhooks/events/${event}`, { token }),
          visit(`${made.page}/deliveries/${id}`, { token })
        ])
        yield* sees(first, "It goes to one endpoint, and is not delivered yet.")
        yield* Effect.promise(() => second.getByRole("status").getByText("Retrying").waitFor())
        receiver.answerWith({ status: 204 })
        yield* send("POST", `${path}/deliveries/${id}/resend`, { token })
        yield* sees(first, "It went to one endpoint, and was delivered.")
        yield* Effect.promise(() => second.getByRole("status").getByText("Delivered").waitFor())
      }).pipe(Effect.scoped))

    it.effect("in a chart goes on saying what is pointed at when it is drawn anew", () =>
      Effect.gen(function*() {
        const made = yield* receiving()
        const page = yield* visit(made.page, { token: made.club.token })
        const value = page.locator(".plot .u-legend .u-value").first()
        yield* Effect.promise(async () => {
          const plot = page.locator(".plot .uplot").first()
          await plot.locator(".u-over").hover()
          await becomes(async () => /\d{4}/.test((await value.textContent()) ?? ""))
          const before = await plot.elementHandle()
          await page.evaluate("dispatchEvent(new Event('focus'))")
          await becomes(() => page.evaluate((drawn) => drawn?.isConnected === false, before))
          assert.match((await value.textContent()) ?? "", /\d{4}/)
        })
      }).pipe(Effect.scoped))
  })
})
