import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { appLayer, at, foundClub, listAt, send, tokenAs } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { ConsoleAppLayer, consoleVariables, lookAll, visit } from "./Visit.ts"

type Club = Effect.Success<ReturnType<typeof foundClub>>

const LocalBillingLayer = appLayer({ ...consoleVariables, BILLING_PROVIDER: "local" })
  .pipe(Layer.provide(Logger.layer([])))

const billing = ({ organization_id }: Club) => `/console/${organization_id}/billing`

const addons = (club: Club) =>
  Effect.map(
    send("GET", `${club.path}/billing`, { token: club.token }),
    ({ json }) => listAt(json, "data", "addons").map((one) => at(one, "key"))
  )

describe.skipIf(withoutBrowser)("The console's billing", () => {
  layer(LocalBillingLayer, { excludeTestServices: true })("of a club with a plan", (it) => {
    it.effect("contracts an add-on for what it costs, and removes it for what it gives back", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const page = yield* visit(billing(club), { token: club.token })
        const name = "1,000 more assistant answers"
        yield* Effect.promise(async () => {
          await page.getByText("Everything is within the plan.").waitFor()
          await page.getByText("500 of 500 left this period").first().waitFor()
          await page.getByText("This club has no payment portal").waitFor()
          await page.getByRole("button", { name: `Contract ${name}` }).click()
          const dialog = page.getByRole("dialog", { name: `Contract ${name}` })
          await dialog.getByText("$19.00 a month.").waitFor()
          await dialog.getByText(/About \$\d+\.\d\d for the rest of this period is charged at once/).waitFor()
        })
        assert.deepStrictEqual(yield* addons(club), [])
        yield* Effect.promise(async () => {
          await page.getByRole("dialog").getByRole("button", { name: "Contract", exact: true }).click()
          await page.getByText("1,500 of 1,500 left this period").first().waitFor()
        })
        assert.deepStrictEqual(yield* addons(club), ["assistant_pack"])
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: `Remove ${name}` }).click()
          const dialog = page.getByRole("dialog", { name: `Remove ${name}` })
          await dialog.getByText(/About \$1\d\.\d\d, the rest .* becomes credit on the next invoice/).waitFor()
          await dialog.getByRole("button", { name: "Remove", exact: true }).click()
          await page.getByText("500 of 500 left this period").first().waitFor()
          await page.getByRole("table", { name: "Next invoice" }).getByText("Credit").waitFor()
        })
        assert.deepStrictEqual(yield* addons(club), [])
      }).pipe(Effect.scoped))

    it.effect("says which plan an add-on wants, and which add-on ends only with the plan", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        yield* send("POST", `${club.path}/billing/addons`, { token: club.token, body: { key: "onboarding" } })
        const page = yield* visit(billing(club), { token: club.token })
        yield* Effect.promise(async () => {
          await page.getByText("Ends only with the plan").waitFor()
          await page.getByText("With Growth").waitFor()
          assert.strictEqual(await page.getByRole("button", { name: "Contract Priority support" }).count(), 0)
          await page.getByRole("button", { name: "Lines of invoice 1" }).click()
          await page.getByRole("dialog", { name: "Invoice 1" }).getByText("Starter").waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("is its status alone for who is no administrator", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        for (const role of ["viewer", "editor", "support"] as const) {
          const page = yield* visit(billing(club), { token: yield* tokenAs(club, role) })
          yield* Effect.promise(async () => {
            await page.getByText("Only administrators manage add-ons, payment and invoices.").waitFor()
            await page.getByText("500 of 500 left this period").first().waitFor()
            assert.strictEqual(await page.getByRole("heading", { name: "Invoices" }).count(), 0)
          })
        }
      }).pipe(Effect.scoped))

    it.effect("is said in Portuguese too, amounts as Brazil writes them", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const page = yield* visit(billing(club), { token: club.token, locale: "pt-BR" })
        yield* Effect.promise(async () => {
          await page.getByText("Tudo dentro do plano.").waitFor()
          await page.getByText("500 de 500 restantes neste período").first().waitFor()
          await page.getByRole("table", { name: "Próxima fatura" }).getByText("US$ 29,00").first().waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("on a phone and at a desk, light and dark", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const addons = `${club.path}/billing/addons`
        for (const key of ["assistant_pack", "onboarding"]) {
          yield* send("POST", addons, { token: club.token, body: { key } })
        }
        yield* send("DELETE", `${addons}/assistant_pack`, { token: club.token })
        const page = yield* visit(billing(club), { width: 390, token: club.token })
        yield* Effect.promise(() => page.getByRole("table", { name: "Next invoice" }).waitFor())
        yield* lookAll(page, "billing")
      }).pipe(Effect.scoped))
  })

  layer(ConsoleAppLayer, { excludeTestServices: true })("where there is none", (it) => {
    it.effect("says that nothing is limited and that no plan can be bought", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const page = yield* visit(billing(club), { token: club.token })
        yield* Effect.promise(async () => {
          await page.getByText("The club has no plan and no limits.").waitFor()
          await page.getByText("No plan can be bought here").waitFor()
        })
      }).pipe(Effect.scoped))
  })
})
