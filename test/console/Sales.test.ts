import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Page } from "playwright-core"
import { at, listAt, send, tokenAs } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { openClub, openShop, SalesLayer, secret, sell, work } from "./SalesWorld.ts"
import { follow, look, lookAll, visit } from "./Visit.ts"

// Takes long: in real time, a page asks every few seconds for new sales.

const click = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click()
const said = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()
const dialog = (page: Page) => page.getByRole("dialog")

const arabic = "مريم الأندلسية 🎸"
const maryam = { id: "order-17", name: arabic, email: "maryam@example.com" }

describe.skipIf(withoutBrowser)("Sales in the console", () => {
  layer(SalesLayer, { excludeTestServices: true })("for an administrator", (it) => {
    it.effect("look well on a phone and at a desk, light and dark", () =>
      Effect.gen(function*() {
        const { delivery, page: sales, path, post, token } = yield* openShop
        yield* send("POST", `${path}/product-mappings`, {
          token,
          body: { platform: "generic", external_product_id: "flauta", delivery_id: delivery.id, access_days: 365 }
        })
        yield* sell(post, maryam)
        yield* sell(post, { id: "order-18", name: "Bia", email: "bia@example.com", product: "flauta" })
        yield* work
        const page = yield* visit(sales, { width: 390, token })
        yield* Effect.promise(() => said(page, "1 sale waits for a mapping."))
        yield* lookAll(page, "sales")
        yield* Effect.promise(async () => {
          await click(page, "Map Violão <b>do zero</b> violao")
          await dialog(page).getByLabel("Delivery").selectOption({ label: "Violão em casa" })
        })
        yield* lookAll(page, "sales-map")
        const { json } = yield* send("GET", `${path}/inbound-events`, { token })
        yield* follow(page, `${sales}/events/${String(at(json, "data", 0, "id"))}`)
        yield* lookAll(page, "sales-event")
        yield* follow(page, `${sales}/products`)
        yield* lookAll(page, "sales-products")
        yield* follow(page, `${sales}/platforms`)
        yield* Effect.promise(() => page.getByText("Steps on").click())
        yield* lookAll(page, "sales-platforms")
      }).pipe(Effect.scoped))

    it.effect("begin with an address, whose steps and secret lead to the first signed sale", () =>
      Effect.gen(function*() {
        const { page: sales, token } = yield* openClub
        const page = yield* visit(sales, { token })
        const url = yield* Effect.promise(async () => {
          await said(page, "No sales platform is connected yet.")
          await page.getByRole("link", { name: "Connect a platform" }).click()
          await page.getByRole("button", { name: "New address" }).first().click()
          await dialog(page).getByLabel("Platform", { exact: true }).selectOption({ label: "Generic" })
          await dialog(page).getByLabel("Name").fill("Minha loja")
          await click(page, "Make the address")
          await said(page, "It refuses everything until the platform's secret is entered.")
          await said(page, /Make a secret/)
          await click(page, "Change: Minha loja")
          await page.getByLabel("Secret of the platform").fill(secret)
          await click(page, "Save")
          await said(page, "It takes in what the platform signs.")
          return String(await page.locator(".copied code").textContent())
        })
        yield* sell(new URL(url).pathname, maryam)
        yield* work
        yield* follow(page, sales)
        yield* Effect.promise(async () => {
          await said(page, "1 sale waits for a mapping.")
          await page.getByRole("link", { name: "purchase.approved" }).waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("of an unmapped product wait, and are taken in when it is mapped: the student gets access", () =>
      Effect.gen(function*() {
        const { page: sales, path, post, token } = yield* openShop
        yield* sell(post, maryam)
        yield* work
        const page = yield* visit(sales, { token })
        yield* Effect.promise(async () => {
          await said(page, "Waits for a mapping")
          await click(page, "Map Violão <b>do zero</b> violao")
          await dialog(page).getByLabel("Delivery").selectOption({ label: "Violão em casa" })
          await dialog(page).getByLabel("Days of access").fill("365")
          await click(page, "Map and take in 1 sale")
          await said(page, "1 sale is being processed")
        })
        yield* work
        const { json } = yield* send("GET", `${path}/students?search=maryam`, { token })
        const student = String(at(json, "data", 0, "id"))
        yield* follow(page, sales)
        yield* Effect.promise(async () => {
          await said(page, "All sales were processed.")
          await page.getByRole("link", { name: "purchase.approved" }).click()
          await said(page, "It was processed: the buyer has the product's access.")
          await said(page, /"email": "maryam@example.com"/)
          await page.getByRole("link", { name: "Show the student" }).click()
          await page.getByRole("heading", { name: arabic }).waitFor()
          assert.include(page.url(), student)
          await said(page, "Has access to 1 delivery now.")
          await page.getByRole("link", { name: "after an event from a sales platform" }).waitFor()
          await page.getByRole("link", { name: "Purchases" }).click()
          await said(page, "R$149.50")
        })
        yield* look(page, "student-purchases-paid")
      }).pipe(Effect.scoped))

    it.effect("stay mapped where taking in what waited fails, and it is offered again", () =>
      Effect.gen(function*() {
        const { page: sales, path, post, token } = yield* openShop
        yield* sell(post, maryam)
        yield* work
        const page = yield* visit(sales, { token, expected: [/422/] })
        yield* Effect.promise(async () => {
          const body = JSON.stringify({ error: { code: "validation_failed", message: "Not now" } })
          await page.route(/reprocess$/, (route) =>
            route.fulfill({ status: 422, contentType: "application/json", body }), { times: 1 })
          await click(page, "Map Violão <b>do zero</b> violao")
          await dialog(page).getByLabel("Delivery").selectOption({ label: "Violão em casa" })
          await click(page, "Map and take in 1 sale")
          await page.locator(".toast.bad").waitFor()
          await dialog(page).getByRole("heading", { name: "Sales waited for this mapping" }).waitFor()
          await click(page, "Take in 1 sale")
          await said(page, "1 sale is being processed")
        })
        const { json } = yield* send("GET", `${path}/product-mappings`, { token })
        assert.lengthOf(listAt(json, "data"), 1)
      }).pipe(Effect.scoped))

    it.effect("that came while one looks bring a line, and what waits can be processed again", () =>
      Effect.gen(function*() {
        const { page: sales, post, token } = yield* openShop
        const page = yield* visit(sales, { token })
        const listed: Array<string> = []
        page.on("request", (request) => {
          const { pathname, searchParams } = new URL(request.url())
          const isAll = searchParams.get("limit") === "100" && !searchParams.has("outcome")
          if (isAll && pathname.endsWith("/inbound-events")) listed.push(pathname)
        })
        yield* Effect.promise(() => said(page, "Nothing has come in yet"))
        yield* sell(post, maryam)
        yield* work
        yield* Effect.promise(async () => {
          await said(page, "1 sale waits for a mapping.")
          // The page updates its summary at once, but lists new events only when the person asks for them.
          assert.deepStrictEqual(listed, [])
          await said(page, "Nothing has come in yet")
          await click(page, "There are new events: show them")
          await page.getByRole("link", { name: "purchase.approved" }).click()
          await page.getByRole("button", { name: "Map the product" }).waitFor()
          await click(page, "Process again")
          await dialog(page).getByRole("button", { name: "Process again" }).click()
          await said(page, "It was stored and is being processed.")
        })
        yield* work
        yield* Effect.promise(() => said(page, /No mapping covers its product yet/))
      }).pipe(Effect.scoped))

    it.effect("are given by mappings that are made, changed and deleted", () =>
      Effect.gen(function*() {
        const { page: sales, path, post, token } = yield* openShop
        yield* sell(post, maryam)
        yield* work
        const page = yield* visit(`${sales}/products`, { token, expected: [/409/] })
        const enter = async (days: string) => {
          await dialog(page).getByLabel("Platform", { exact: true }).selectOption({ label: "Generic" })
          await dialog(page).getByLabel("Product on the platform").fill("violao")
          await dialog(page).getByLabel("Delivery").selectOption({ label: "Violão em casa" })
          await dialog(page).getByLabel("Days of access").fill(days)
          await dialog(page).getByRole("button", { name: "Map a product" }).click()
        }
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "Map a product" }).first().click()
          await enter("30")
          await page.getByRole("heading", { name: "Sales waited for this mapping" }).waitFor()
          await click(page, "Take in 1 sale")
          await said(page, "30 days")
          await page.getByRole("button", { name: "Map a product" }).first().click()
          await enter("10")
          await said(page, "The product is mapped to this delivery already: change that mapping")
          await page.keyboard.press("Escape")
          await click(page, "Change: violao")
          await dialog(page).getByLabel("Days of access").fill("60")
          await click(page, "Save")
          await said(page, "60 days")
          await click(page, "More for violao")
          await click(page, "Delete: violao")
          await said(page, /Access that it gave stays/)
          await dialog(page).getByRole("button", { name: "Delete" }).click()
          await said(page, "No product is mapped yet")
        })
        assert.lengthOf(listAt((yield* send("GET", `${path}/product-mappings`, { token })).json, "data"), 0)
      }).pipe(Effect.scoped))

    it.effect("stop and go on with their address, which is replaced, switched off and deleted", () =>
      Effect.gen(function*() {
        const { page: sales, path, post, token } = yield* openShop
        const page = yield* visit(`${sales}/platforms`, { token, expected: [/422/] })
        const deed = async (name: string, text: string | RegExp) => {
          await click(page, `${name}: Minha loja 🎻`)
          await said(page, text)
          await dialog(page).getByRole("button", { name, exact: true }).click()
        }
        yield* Effect.promise(async () => {
          await said(page, post)
          await click(page, "Change: Minha loja 🎻")
          await dialog(page).getByLabel("Name").fill("  ")
          await dialog(page).getByRole("button", { name: "Save" }).click()
          await dialog(page).locator(".wrong").waitFor()
          await page.keyboard.press("Escape")
          await deed("Replace the address", /works for 24 more hours/)
          await page.getByText(post).waitFor({ state: "detached" })
          await page.getByText("The previous address still works for").waitFor()
        })
        yield* sell(post, maryam)
        yield* Effect.promise(async () => {
          await click(page, "More for Minha loja 🎻")
          await deed("Disable", /Until you enable it again, the platform gets 404/)
          await said(page, "While it is off, the platform gets 404.")
          await deed("Enable", "From now on it takes in what the platform sends.")
          await said(page, "It takes in what the platform signs.")
          await click(page, "More for Minha loja 🎻")
          await deed("Delete", /its sales give no access/)
          await said(page, "No address yet")
        })
        assert.lengthOf(listAt((yield* send("GET", `${path}/inbound-webhooks`, { token })).json, "data"), 0)
      }).pipe(Effect.scoped))

    it.effect("are filtered by outcome, platform and time, and stay quick where there are many", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { id, page: sales, path, post, token } = yield* openShop
        yield* sell(post, maryam)
        yield* work
        const { json } = yield* send("GET", `${path}/inbound-webhooks`, { token })
        yield* sql`
          insert into inbound_events (
            club_id, id, inbound_webhook_id, platform, event_name, body_hash, order_key, product_ids, offer_ids,
            received_at, outcome, finished_at
          )
          select ${id}::uuid, ('019a0000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
            ${String(at(json, "data", 0, "id"))}::uuid, 'generic', 'old.' || n, sha256(n::text::bytea), 'event:' || n,
            '{}', '{}', '2025-10-20'::timestamptz + n * interval '1 millisecond', 'ignored', '2025-10-21'
          from generate_series(1, 20000) n`
        const page = yield* visit(`${sales}?time=7d`, { token })
        yield* Effect.promise(async () => {
          await page.getByRole("link", { name: "purchase.approved" }).waitFor()
          assert.strictEqual(await page.getByRole("link", { name: "old." }).count(), 0)
          await page.getByLabel("Period").selectOption("")
          await page.getByRole("link", { name: "old.20000" }).waitFor()
          await page.getByLabel("Result").selectOption("failed")
          await page.getByRole("heading", { name: "Nothing matches" }).waitFor()
          await page.getByLabel("Result").selectOption("ignored")
          await page.getByRole("link", { name: "old.20000" }).waitFor()
          await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
          await page.getByRole("link", { name: "old.19901" }).waitFor()
          assert.isBelow(await page.locator("tr[data-row]").count(), 100)
        })
      }).pipe(Effect.scoped))

    it.effect("are shown to administrators: support is not led there, and is told so by a link", () =>
      Effect.gen(function*() {
        const { page: sales, ...club } = yield* openShop
        const page = yield* visit(sales, { token: yield* tokenAs(club, "support"), expected: [/403/] })
        yield* Effect.promise(async () => {
          assert.strictEqual(await page.getByRole("link", { name: "Sales", exact: true }).count(), 0)
          await said(page, "Your role in this club does not allow you to see this")
        })
      }).pipe(Effect.scoped))
  })
})
