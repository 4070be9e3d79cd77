import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { at, foundClub, send } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { knock, makeInbox } from "../webhooks/workbench/play/Playing.ts"
import { press, ReceivingLayer, sees } from "./Receiving.ts"
import { follow, look, lookAll, open, visit } from "./Visit.ts"

const hostile = "<img src=x onerror=alert(1)>"

/** Opens the request with this number. */
const opened = (page: Page, name: string) =>
  Effect.promise(async () => {
    const request = page.getByRole("listitem").filter({ hasText: name }).first()
    await request.locator("summary").click()
    await request.getByRole("heading", { name: "Headers" }).waitFor()
    return request
  })

describe.skipIf(withoutBrowser)("Inboxes in the console", () => {
  layer(ReceivingLayer, { excludeTestServices: true })("for an administrator", (it) => {
    it.effect("take what is sent to them, show it as it comes and verify it, and answer as told", () =>
      Effect.gen(function*() {
        const { organization_id, path, token } = yield* foundClub()
        const page = yield* visit(`/console/${organization_id}/webhooks`, { token })
        yield* Effect.promise(() => page.getByRole("link", { name: "Inboxes" }).click())
        yield* sees(page, "See a webhook before there is a receiver")
        yield* press(page, "Make an inbox")
        yield* sees(page, "Nothing has come yet")
        yield* sees(page, /Live$/)
        const url = String(yield* Effect.promise(() => page.locator(".secret code").textContent()))
        const inbox = { play: new URL(url).pathname }
        yield* knock(inbox, { body: hostile, query: "?a=1" })
        yield* sees(page, "1. POST")
        yield* sees(page, "Not signed")
        const first = yield* opened(page, "1. POST")
        yield* Effect.promise(() => first.getByText(hostile).waitFor())
        yield* Effect.promise(() => first.getByText("?a=1").waitFor())

        // The inbox as an endpoint of the club: it gets signed deliveries, and verifies them.
        const address = page.url()
        yield* Effect.promise(() => page.getByRole("link", { name: "Register it as an endpoint" }).click())
        yield* sees(page, /^Its events go to your inbox/)
        yield* Effect.promise(() => page.getByLabel("Description").fill("To the inbox"))
        yield* Effect.promise(() => page.getByLabel(/^student\.created/).check())
        yield* press(page, "Register the endpoint")
        yield* sees(page, /^inbox:/)
        const made = yield* send("GET", `${path}/webhook-endpoints`, { token })
        assert.strictEqual(at(made.json, "data", 0, "kind"), "inbox")
        yield* send("POST", `${path}/webhook-endpoints/${String(at(made.json, "data", 0, "id"))}/test`, { token })
        yield* open(page, new URL(address).pathname)
        yield* sees(page, "2. POST")
        yield* sees(page, "Verified")
        const second = yield* opened(page, "2. POST")
        yield* Effect.promise(() => second.getByText(/signed with a secret or key of To the inbox\.$/).waitFor())
        yield* look(page, "webhooks-inbox-verified")

        yield* Effect.promise(() => page.getByLabel("Status", { exact: true }).fill("503"))
        yield* press(page, "Answer like this from now on")
        yield* sees(page, "From the next request on, it answers like this")
        const refused = yield* knock(inbox, {
          body: "{}",
          headers: { "webhook-id": "1", "webhook-timestamp": "1", "webhook-signature": "v1,AAAA" }
        })
        assert.strictEqual(refused.status, 503)
        yield* sees(page, /answered 503/)
        yield* sees(page, "Not verified")

        yield* press(page, "Delete")
        yield* sees(page, /^The 3 requests it received are erased/)
        yield* Effect.promise(() => page.getByRole("dialog").getByRole("button", { name: "Delete" }).click())
        yield* sees(page, "See a webhook before there is a receiver")
        assert.strictEqual((yield* knock(inbox)).status, 404)
      }).pipe(Effect.scoped))

    it.effect("are five at a time, and say so where somebody wants one more", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        yield* Effect.forEach([1, 2, 3, 4, 5], () => makeInbox(club), { discard: true })
        const page = yield* visit(`/console/${club.organization_id}/webhooks/inboxes`, {
          token: club.token,
          expected: [/409/]
        })
        yield* sees(page, "5 inboxes are open.")
        yield* press(page, "Make an inbox")
        yield* sees(page, /^A club has at most 5 inboxes at a time/)
      }).pipe(Effect.scoped))

    it.effect("look well on a phone and at a desk, light and dark", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const inbox = yield* makeInbox(club)
        yield* knock(inbox, { body: JSON.stringify({ type: "student.created", data: { name: hostile.repeat(20) } }) })
        yield* knock(inbox, { body: "", headers: { "webhook-signature": "v1,AAAA" } })
        const page = yield* visit(`/console/${club.organization_id}/webhooks/inboxes/${inbox.id}`, {
          token: club.token,
          locale: "pt-BR",
          width: 390
        })
        yield* sees(page, "1. POST")
        yield* Effect.promise(() => page.locator("summary").last().click())
        yield* sees(page, "Cabeçalhos")
        yield* lookAll(page, "webhooks-inbox")
        yield* follow(page, `/console/${club.organization_id}/webhooks/inboxes`)
        yield* lookAll(page, "webhooks-inboxes")
      }).pipe(Effect.scoped))
  })
})
