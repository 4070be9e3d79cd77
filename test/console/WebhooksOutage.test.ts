import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { foundClub } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { press, ReceivingLayer, sees } from "./Receiving.ts"
import { lookAll, visit } from "./Visit.ts"

describe.skipIf(withoutBrowser)("Webhooks in the console", () => {
  layer(ReceivingLayer, { excludeTestServices: true })("simulate an outage", (it) => {
    it.effect("and show what becomes of its events and when, on a phone and at a desk, light and dark", () =>
      Effect.gen(function*() {
        const { organization_id, token } = yield* foundClub()
        const page = yield* visit(`/console/${organization_id}/webhooks`, { token, expected: [/422/] })
        yield* Effect.promise(() => page.getByRole("link", { name: "Simulate an outage" }).click())
        yield* sees(page, /follows the rules of real deliveries/)
        yield* Effect.promise(async () => {
          await page.getByLabel("From", { exact: true }).fill("2026-04-01T09:00")
          await page.getByLabel("To", { exact: true }).fill("2026-04-01T09:00")
          await page.getByLabel("Events an hour").fill("20")
        })
        yield* press(page, "Simulate")
        yield* sees(page, /must be later than from/)
        yield* Effect.promise(() => page.getByLabel("To", { exact: true }).fill("2026-04-01T12:00"))
        yield* press(page, "Simulate")
        yield* sees(page, /^All 60 events are delivered, the last/)
        yield* sees(page, /until .+ one attempt at a time is sent/)
        assert.isAbove(yield* Effect.promise(() => page.locator("figure rect.bar").count()), 1)
        assert.isAbove(yield* Effect.promise(() => page.locator("tr[data-row]").count()), 20)
        yield* lookAll(page, "webhooks-outage")
        yield* Effect.promise(() => page.getByLabel("To", { exact: true }).fill("2026-04-08T09:00"))
        yield* press(page, "Simulate")
        yield* sees(page, /^Not one of 3,360 events is delivered by itself\. The endpoint is disabled/)
      }).pipe(Effect.scoped))
  })
})
