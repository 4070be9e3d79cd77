import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { Partitions } from "../../src/platform/sql/Partitions.ts"
import { leaseOfWorker, workerMark } from "../../src/webhooks/engine/dispatch/WorkerOfLease.ts"
import { EndpointId } from "../../src/webhooks/model/EndpointId.ts"
import { appLayer, at, foundClub, send } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { makeDelivery } from "../harness/Webhooks.ts"
import { ConsoleAppLayer, consoleVariables, look, lookAll, open, visit } from "./Visit.ts"

// Takes long: the page follows the service at its own pace.

const secret = "a-long-random-text"

const OperatorAppLayer = Partitions.layer.pipe(
  Layer.provideMerge(appLayer({ ...consoleVariables, INTERNAL_SECRET: secret })),
  Layer.provide(Logger.layer([]))
)

/** A held endpoint, and one whose lane a worker has leased, with another due delivery and counts for 15 minutes. */
const lanes = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const club = yield* foundClub()
  const endpoint = Effect.map(
    send("POST", `${club.path}/webhook-endpoints`, {
      token: club.token,
      body: { url: "https://93.184.215.14/secreto", event_types: ["student.created"], description: "Descrição secreta" }
    }),
    ({ json }) => EndpointId.make(String(at(json, "data", "id")))
  )
  const [held, taken] = [yield* endpoint, yield* endpoint]
  for (const endpoint_id of [held, taken, taken]) yield* makeDelivery({ club_id: club.id, endpoint_id })
  const now = yield* DateTime.now
  const [since, until] = [DateTime.subtractDuration(now, Duration.minutes(90)), DateTime.addDuration(now, "10 minutes")]
  yield* sql`
    update webhook_lanes set holds = 2, failing_since = ${DateTime.toDateUtc(since)}, due_at = null,
      hold_until = ${DateTime.toDateUtc(until)}
    where club_id = ${club.id} and endpoint_id = ${held}`
  const digits = DateTime.toEpochMillis(now).toString(16).padStart(12, "0")
  const id = `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-000000000000`
  const mark = workerMark(4321, "00000000-0000-4000-8000-00000000beef")
  yield* sql`
    update webhook_lanes set lease_id = ${leaseOfWorker(id, mark)},
      due_at = ${DateTime.toDateUtc(DateTime.addDuration(now, "25 seconds"))}
    where club_id = ${club.id} and endpoint_id = ${taken}`
  const quarter = new Date(Math.floor(DateTime.toEpochMillis(now) / 900_000 - 1) * 900_000)
  yield* sql`
    insert into webhook_counts
    select ${club.id}, ${taken}, ${quarter}::timestamptz, 4321, 987, 65${sql.literal(", 0".repeat(25))}`
  return { club, held, mark, taken }
})

describe.skipIf(withoutBrowser)("The console for operators", () => {
  layer(OperatorAppLayer, { excludeTestServices: true })("who have the secret", (it) => {
    it.effect("asks for the secret, shows how the service stands without a session, and lets go", () =>
      Effect.gen(function*() {
        const page = yield* visit("/console/operator", { expected: [/401/] })
        const { club, held, mark, taken } = yield* lanes
        yield* Effect.promise(async () => {
          const field = page.getByLabel("INTERNAL_SECRET")
          await field.fill("guess")
          await page.getByRole("button", { name: "Enter" }).click()
          await page.getByText("This is not the service's own secret").waitFor()
          await field.fill(secret)
          await page.getByRole("button", { name: "Enter" }).click()
          await page.getByText("Endpoints are held.").waitFor()
          await page.getByRole("row", { name: /^mails/ }).waitFor()
          const longest = page.getByRole("region", { name: "Held endpoints, longest failing first" })
          await longest.getByText(held).waitFor()
          await page.getByRole("row", { name: new RegExp(`^${mark}`) }).waitFor()
          const deepest = page.getByRole("region", { name: "Endpoints with most waiting" })
          await deepest.getByRole("row", { name: new RegExp(`${taken}.* 2 .*With ${mark} 4321`) }).waitFor()
          await deepest.getByRole("row", { name: new RegExp(`${held}.* 1 .*Held`) }).waitFor()
          const rates = page.getByRole("region", { name: "Rates" })
          await rates.getByRole("row", { name: /4,321 987 65 4.8 1.1/ }).waitFor()
        })
        const shown = yield* Effect.promise(() => page.locator("body").innerText())
        for (const word of ["secreto", "secreta", "93.184", "Violão", club.owner.email]) {
          assert.notInclude(shown, word)
        }
        const kept = yield* Effect.promise(() => page.evaluate("document.cookie + JSON.stringify(localStorage)"))
        assert.notInclude(String(kept), secret)
        yield* open(page, "/console/operator")
        yield* Effect.promise(async () => {
          await page.getByRole("row", { name: /^mails/ }).waitFor()
          await page.getByRole("button", { name: "Sign out" }).click()
          await page.getByLabel("INTERNAL_SECRET").waitFor()
          await page.reload()
          await page.getByLabel("INTERNAL_SECRET").waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("reads it in Portuguese, rates and the deepest lanes too", () =>
      Effect.gen(function*() {
        const page = yield* visit("/console/operator", { expected: [/401/], locale: "pt-BR" })
        const { mark, taken } = yield* lanes
        yield* Effect.promise(async () => {
          await page.getByLabel("INTERNAL_SECRET").fill(secret)
          await page.getByRole("button", { name: "Entrar" }).click()
          const deepest = page.getByRole("region", { name: "Endpoints com mais envios na fila" })
          await deepest.getByRole("row", { name: new RegExp(`${taken}.* 2 .*Com ${mark} 4321`) }).waitFor()
          const rates = page.getByRole("region", { name: "Taxas" })
          await rates.getByRole("row", { name: /\d\.\d{3} [\d.]+ \d+ [\d.]+,\d+ \d+,\d+$/ }).first().waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("shows nothing any more that was asked for before they left", () =>
      Effect.gen(function*() {
        const page = yield* visit("/console/operator", { expected: [/401/] })
        yield* Effect.promise(async () => {
          const [taken, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
          await page.getByLabel("INTERNAL_SECRET").fill(secret)
          await page.getByRole("button", { name: "Enter" }).click()
          await page.getByRole("row", { name: /^mails/ }).waitFor()
          await page.route("**/console/operator/overview", async (route) => {
            // `route.fetch` sends this from outside the page, so it must claim the page's origin itself.
            const headers = { ...route.request().headers(), "sec-fetch-site": "same-origin" }
            const response = await route.fetch({ headers })
            taken.resolve()
            await left.promise
            await route.fulfill({ response })
          })
          await taken.promise
          await page.getByRole("button", { name: "Sign out" }).click()
          await page.getByLabel("INTERNAL_SECRET").waitFor()
          const answered = page.waitForResponse("**/console/operator/overview")
          left.resolve()
          assert.strictEqual((await answered).status(), 200)
          await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
          assert.strictEqual(await page.getByRole("row", { name: /^mails/ }).count(), 0)
          assert.strictEqual(await page.getByLabel("INTERNAL_SECRET").count(), 1)
        })
      }).pipe(Effect.scoped))

    it.effect("sees by itself what changes", () =>
      Effect.gen(function*() {
        const page = yield* visit("/console/operator", { expected: [/401/] })
        yield* Effect.promise(async () => {
          await page.getByLabel("INTERNAL_SECRET").fill(secret)
          await page.getByRole("button", { name: "Enter" }).click()
          await page.getByRole("row", { name: /^mails/ }).waitFor()
        })
        const { held } = yield* lanes
        yield* Effect.promise(() => page.getByText(held).first().waitFor())
      }).pipe(Effect.scoped))

    it.effect("on a phone and at a desk, light and dark", () =>
      Effect.gen(function*() {
        yield* lanes
        const page = yield* visit("/console/operator", { width: 390, expected: [/401/] })
        yield* lookAll(page, "operator-door")
        yield* Effect.promise(async () => {
          await page.getByLabel("INTERNAL_SECRET").fill(secret)
          await page.getByRole("button", { name: "Enter" }).click()
          await page.getByRole("row", { name: /^mails/ }).waitFor()
        })
        yield* lookAll(page, "operator")
      }).pipe(Effect.scoped))
  })

  layer(ConsoleAppLayer, { excludeTestServices: true })("where there is no secret", (it) => {
    it.effect("says so", () =>
      Effect.gen(function*() {
        const page = yield* visit("/console/operator", { expected: [/401|404/] })
        yield* Effect.promise(() => page.getByText("INTERNAL_SECRET is not set where the service runs.").waitFor())
        yield* look(page, "operator-none")
      }).pipe(Effect.scoped))
  })
})
