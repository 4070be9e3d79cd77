import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { EndpointId } from "../../src/webhooks/model/EndpointId.ts"
import { at, send } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { eventually } from "../harness/Eventually.ts"
import { makeDelivery } from "../harness/Webhooks.ts"
import { fill, press, receiving, ReceivingLayer, sees, sendTests } from "./Receiving.ts"
import { follow, look, settled, visit } from "./Visit.ts"

const large = JSON.stringify({
  id: "large",
  type: "student.created",
  data: {
    names: Array.from({ length: 13_000 }, (_, index) => `ديانا 👩‍🎓 <b>${index}</b> "Zoë"'s`),
    long: "x".repeat(400_000)
  }
})

describe.skipIf(withoutBrowser)("Deliveries in the console", () => {
  layer(ReceivingLayer, { excludeTestServices: true })("for an administrator", (it) => {
    it.effect("come by themselves, change by themselves, and can be narrowed", () =>
      Effect.gen(function*() {
        const made = yield* receiving()
        const { club: { token }, path, receiver } = made
        receiver.answerWith({ status: 503 })
        const page = yield* visit(`${made.page}/deliveries`, { token })
        yield* sees(page, "Nothing was sent yet")
        yield* sees(page, /Live$/)
        yield* sendTests(made, 1)
        yield* sees(page, "Retrying")
        receiver.answerWith({ status: 204 })
        const { json } = yield* send("GET", `${path}/deliveries`, { token })
        yield* send("POST", `${path}/deliveries/${String(at(json, "data", 0, "id"))}/resend`, { token })
        yield* sees(page, "Delivered")
        yield* Effect.promise(() => page.getByLabel("Status", { exact: true }).selectOption("failed"))
        yield* sees(page, "Nothing matches these filters")
        assert.include(page.url(), "status=failed")
        yield* press(page, "Clear")
        yield* sees(page, "webhook.test")
      }).pipe(Effect.scoped))

    it.effect("say why, show what was signed, and are verified without telling anybody the secret", () =>
      Effect.gen(function*() {
        const made = yield* receiving()
        const { club: { token }, path, receiver, secret } = made
        receiver.answerWith({ status: 500, body: "<script>alert('it\\'s')</script>" })
        yield* sendTests(made, 1)
        const { json } = yield* eventually(
          send("GET", `${path}/deliveries`, { token }),
          ({ json }) => at(json, "data", 0, "attempts_count") === 1
        )
        const page = yield* visit(`${made.page}/deliveries/${String(at(json, "data", 0, "id"))}`, { token })
        yield* Effect.promise(() => page.context().grantPermissions(["clipboard-read", "clipboard-write"]))
        const sent: Array<string> = []
        page.on("request", (request) => sent.push(`${request.url()} ${request.postData() ?? ""}`))
        yield* sees(page, /^Not delivered yet: the first attempt failed\. The receiver answered 500/)
        yield* sees(page, "<script>alert('it\\'s')</script>")
        yield* sees(page, "webhook-signature")
        yield* sees(page, "Wait for the answer")
        yield* Effect.promise(() => page.getByLabel("The endpoint's secret").fill(`whsec_${"A".repeat(43)}=`))
        yield* press(page, "Verify")
        yield* sees(page, /^This secret did not make any/)
        yield* Effect.promise(() => page.getByLabel("The endpoint's secret").fill(secret))
        yield* press(page, "Verify")
        yield* sees(page, /^It matches: this secret signed exactly this payload/)
        yield* look(page, "webhooks-verified")
        yield* press(page, "Copy as curl")
        yield* sees(page, "Copied")
        const command = yield* Effect.promise(() => page.evaluate("navigator.clipboard.readText()"))
        const words = execFileSync("sh", { input: `curl() { printf '%s\\0' "$@"; }; ${String(command)}` })
          .toString("utf8").split("\0")
        const request = receiver.requests[0]
        assert.include(words, receiver.url)
        assert.include(words, `webhook-signature: ${request?.headers["webhook-signature"] ?? "none"}`)
        assert.include(words, `${request?.body.toString("utf8") ?? "none"}`)
        receiver.answerWith({ status: 200 })
        yield* press(page, "Resend")
        yield* sees(page, "Delivered: the receiver answered 200 at attempt 2.")
        assert.isFalse(sent.some((text) => text.includes(secret.slice(6, 20))))
      }).pipe(Effect.scoped))

    it.effect("of a megabyte stay quick to look through, and nothing in them is interpreted", () =>
      Effect.gen(function*() {
        const made = yield* receiving()
        const { club } = made
        const endpoint = { club_id: club.id, endpoint_id: EndpointId.make(made.id) }
        const { id } = yield* makeDelivery(endpoint, { body: large, status: "succeeded" })
        assert.isAbove(Buffer.byteLength(large), 1_000_000)
        const page = yield* visit(`${made.page}/deliveries/${id}`, { token: club.token })
        const lines = page.locator(".long-text")
        yield* sees(page, /<b>0<\/b>/)
        yield* Effect.promise(() => page.evaluate("document.querySelector('.long-text').scrollTo(0, 20 * 9000)"))
        yield* sees(page, /<b>8997<\/b>/)
        yield* Effect.promise(() => page.evaluate("document.querySelector('.long-text').scrollTo(0, 1e9)"))
        yield* sees(page, /x{400}/)
        const shown = (yield* Effect.promise(() => lines.textContent()))?.length ?? 0
        assert.isBelow(shown, 60_000)
        assert.strictEqual(yield* Effect.promise(() => page.locator(".long-text b").count()), 0)
        yield* look(page, "webhooks-large")
      }).pipe(Effect.scoped))

    it.effect("are listed by the thousand with as many rows on the page as can be seen", () =>
      Effect.gen(function*() {
        const made = yield* receiving()
        const { club } = made
        yield* makeDelivery({ club_id: club.id, endpoint_id: EndpointId.make(made.id) }, { status: "succeeded" })
        yield* fill(made, 1000, "older")
        const page = yield* visit(`${made.page}/deliveries`, { token: club.token })
        yield* sees(page, "student.created")
        const rows = page.locator("tr[data-row]")
        // The page does not know yet how many rows there are.
        assert.strictEqual(
          yield* Effect.promise(() => page.locator("table").getAttribute("aria-rowcount")),
          "-1"
        )
        yield* eventually(
          Effect.promise(async () => {
            await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
            return Number(await page.locator("table").getAttribute("aria-rowcount"))
          }),
          (count) => count >= 1002
        )
        yield* settled(page)
        assert.isBelow(yield* Effect.promise(() => rows.count()), 120)
        yield* sendTests(made, 1)
        yield* look(page, "webhooks-long")
        yield* press(page, "1 new")
        yield* sees(page, "webhook.test")
      }).pipe(Effect.scoped))

    it.effect("are found by the event's id, in all endpoints, and by a student", () =>
      Effect.gen(function*() {
        const made = yield* receiving()
        const { club } = made
        const endpoint = { club_id: club.id, endpoint_id: EndpointId.make(made.id) }
        const { event_id } = yield* makeDelivery(endpoint, { status: "canceled" })
        const page = yield* visit(`/console/${club.organization_id}/webhooks`, {
          token: club.token,
          expected: [/404/]
        })
        yield* Effect.promise(() => page.getByLabel("Event id").fill("nothing"))
        yield* press(page, "Find")
        yield* sees(page, /^It contains no id/)
        yield* Effect.promise(() => page.getByLabel("Event id").fill(`webhook-id: ${event_id}`))
        yield* press(page, "Find")
        yield* sees(page, "It goes to one endpoint, and is not delivered yet.")
        yield* sees(page, /^Not delivered: the endpoint was disabled while it waited/)
        yield* follow(page, `/console/${club.organization_id}/webhooks/events/019d4860-d9c0-7f21-8b6c-0d1e2f3a4b5c`)
        yield* sees(page, /^It is older than 90 days \(30 days if it was sent to no endpoint\)/)
        yield* follow(page, `/console/${club.organization_id}/webhooks/deliveries?student=${event_id}`)
        yield* sees(page, "Nothing matches these filters")
      }).pipe(Effect.scoped))
  })
})
