import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { at, foundClub, send } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { press, receiving, ReceivingLayer, sees, sendTests, trustedReceiver } from "./Receiving.ts"
import { look, lookAll, visit } from "./Visit.ts"

const filter = { field: "data.student.verified", equals: false }

describe.skipIf(withoutBrowser)("What an endpoint is sent, and how, in the console", () => {
  layer(ReceivingLayer, { excludeTestServices: true })("for an administrator", (it) => {
    it.effect("is limited, and filtered by what was tried before", () =>
      Effect.gen(function*() {
        const made = yield* receiving()
        const { club: { token }, path } = made
        const page = yield* visit(made.page, { token, expected: [/422/] })
        yield* press(page, "Change: Traffic")
        yield* Effect.promise(async () => {
          await page.getByLabel("Attempts a second, at most").fill("20")
          await page.getByRole("button", { name: "Save" }).click()
          await page.getByText("Saved").waitFor()
        })
        yield* press(page, "Change: Filter")
        const text = page.getByRole("textbox", { name: "Filter" })
        yield* Effect.promise(async () => {
          await text.fill("{\"field\":")
          await page.getByText("This is not a JSON object yet.").waitFor()
          assert.isTrue(await page.getByRole("button", { name: "Save" }).isDisabled())
          await text.fill("{\"field\":\"data.student.verified\",\"like\":true}")
          await page.getByRole("button", { name: "Save" }).click()
          await page.getByText(/^must be \{field, equals\}/).waitFor()
          await text.fill(JSON.stringify(filter))
          await page.getByRole("button", { name: "Try it" }).click()
          await page.getByText("This event would not be sent.").waitFor()
          await page.getByText("data.student.verified is true").waitFor()
          await text.fill(JSON.stringify({ not: filter }))
          assert.strictEqual(await page.getByText("This event would not be sent.").count(), 0)
          await page.getByRole("button", { name: "Try it" }).click()
          await page.getByText("This event would be sent.").waitFor()
        })
        yield* look(page, "webhooks-filter")
        yield* press(page, "Save")
        yield* Effect.promise(() => page.getByRole("figure").getByText("Only matching events are sent").waitFor())
        const { json } = yield* send("GET", path, { token })
        assert.deepStrictEqual(at(json, "data", "filter"), { not: filter })
        assert.strictEqual(at(json, "data", "max_per_second"), 20)
        assert.isNull(at(json, "data", "max_in_flight"))
      }).pipe(Effect.scoped))

    it.effect("has headers of its own, whose values nobody sees again", () =>
      Effect.gen(function*() {
        const made = yield* receiving()
        const page = yield* visit(made.page, { token: made.club.token, expected: [/422/] })
        yield* press(page, "Change: Headers")
        const set = (name: string, value: string) =>
          Effect.promise(async () => {
            await page.getByLabel("Name", { exact: true }).fill(name)
            await page.getByLabel("Value", { exact: true }).fill(value)
            await page.getByRole("button", { name: "Set it" }).click()
          })
        yield* set("Host", "elsewhere")
        yield* sees(page, /is set by the service or the connection/)
        yield* set("X-Api-Key", "k-4711")
        yield* sees(page, "x-api-key")
        assert.strictEqual(yield* Effect.promise(() => page.getByLabel("Value", { exact: true }).inputValue()), "")
        assert.notInclude(yield* Effect.promise(() => page.content()), "k-4711")
        yield* look(page, "webhooks-headers")
        yield* sendTests(made, 1)
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "Take away x-api-key" }).click()
          await page.getByText(/requests do not carry x-api-key\./).waitFor()
          await page.getByRole("dialog").getByRole("button", { name: "Take away" }).click()
          await page.getByText("You have set no headers of your own.").waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("is signed by a key whose public part has an address", () =>
      Effect.gen(function*() {
        const made = yield* receiving()
        const page = yield* visit(made.page, { token: made.club.token })
        yield* sees(page, "The secret, with HMAC (v1)")
        yield* press(page, "Change: Signatures")
        yield* Effect.promise(() => page.getByLabel("What signs").selectOption("both"))
        yield* press(page, "Save")
        yield* sees(page, /^whpk_/)
        const [key, address] = yield* Effect.promise(async () => [
          await page.getByText(/^whpk_/).textContent(),
          await page.getByText(/\/\.well-known\/turma\/webhook-keys\//).textContent()
        ])
        const { json } = yield* send("GET", new URL(String(address)).pathname)
        assert.strictEqual(at(json, "data", 0, "public_key"), key)
        yield* press(page, "Rotate")
        yield* sees(page, "The key is replaced too, in the same way. Its address stays.")
        yield* look(page, "webhooks-signatures")
      }).pipe(Effect.scoped))

    it.effect("is chosen with the address already", () =>
      Effect.gen(function*() {
        const receiver = yield* trustedReceiver
        const { organization_id, path, token } = yield* foundClub()
        const page = yield* visit(`/console/${organization_id}/webhooks/new`, { token })
        yield* Effect.promise(async () => {
          await page.getByLabel("URL").fill(receiver.url)
          await page.getByLabel(/^student\.created/).check()
          await page.getByText("Signatures, limits and a filter").click()
          await page.getByLabel("What signs").selectOption("both")
          await page.getByLabel("Attempts at once, at most").fill("4")
          await page.getByRole("textbox", { name: "Filter" }).fill(JSON.stringify(filter))
        })
        yield* look(page, "webhooks-new-shaped")
        yield* press(page, "Register the endpoint")
        yield* sees(page, /^whsec_/)
        const { json } = yield* send("GET", `${path}/webhook-endpoints`, { token })
        const { filter: kept, max_in_flight, max_per_second, signing } = Object(at(json, "data", 0))
        assert.deepStrictEqual(
          { filter: kept, max_in_flight, max_per_second, signing },
          { filter, max_in_flight: 4, max_per_second: null, signing: "both" }
        )
      }).pipe(Effect.scoped))

    it.effect("looks well on a phone and at a desk, light and dark", () =>
      Effect.gen(function*() {
        const made = yield* receiving({
          description: "Our CRM",
          filter: { all: [filter, { field: "data.student.email", exists: true }] },
          headers: { authorization: "Bearer 1", "x-api-key": "k-4711" },
          max_per_second: 20,
          signing: "both"
        })
        const page = yield* visit(made.page, { token: made.club.token, locale: "pt-BR", width: 390 })
        yield* sees(page, "São enviados só estes")
        yield* lookAll(page, "webhooks-shaped")
      }).pipe(Effect.scoped))
  })
})
