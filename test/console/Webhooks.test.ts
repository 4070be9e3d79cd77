import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { at, foundClub, send, tokenAs } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { eventually } from "../harness/Eventually.ts"
import { makeInbox } from "../webhooks/workbench/play/Playing.ts"
import { press, receiving, ReceivingLayer, sees, sendTests, trustedReceiver } from "./Receiving.ts"
import { follow, look, lookAll, open, visit } from "./Visit.ts"

// Takes long: each test shows a new page to a browser, and changes appear on it in real time.

const hostile = "<img src=x onerror=alert(1)> ديانا 👩‍🎓"

describe.skipIf(withoutBrowser)("Webhooks in the console", () => {
  layer(ReceivingLayer, { excludeTestServices: true })("for an administrator", (it) => {
    it.effect("registers an endpoint, shows its secret this once, and tests it", () =>
      Effect.gen(function*() {
        const receiver = yield* trustedReceiver
        const { organization_id, token } = yield* foundClub()
        const page = yield* visit(`/console/${organization_id}/webhooks`, { token, expected: [/422/] })
        yield* sees(page, "Let your own systems know of everything at once")
        yield* Effect.promise(() => page.getByRole("link", { name: "New endpoint" }).click())
        yield* Effect.promise(async () => {
          await page.getByLabel("URL").fill("https://10.0.0.1/")
          await page.getByLabel("Description").fill(hostile)
          await page.getByLabel(/^student\.created/).check()
          await page.getByLabel("The body of student.created").click()
          await page.getByText("\"origin\": \"sign_up\"").waitFor()
        })
        yield* press(page, "Register the endpoint")
        yield* sees(page, /^must be a URL of the public internet/)
        yield* Effect.promise(() => page.getByLabel("URL").fill(receiver.url))
        yield* press(page, "Register the endpoint")
        yield* sees(page, /^whsec_/)
        yield* press(page, "Send a test")
        yield* sees(page, /^Accepted: it answered 204 in/)
        yield* look(page, "webhooks-made")
        const asked = page.getByRole("dialog", { name: "Have you kept the secret?" })
        yield* Effect.promise(async () => {
          await page.getByRole("link", { name: "To the endpoint" }).click()
          await asked.getByRole("button", { name: "Cancel" }).click()
          const entry = await page.evaluate("history.state.entry")
          await page.evaluate("history.back()")
          await asked.getByRole("button", { name: "Cancel" }).click()
          assert.strictEqual(await page.evaluate("history.state.entry"), entry)
          await page.getByText(/^whsec_/).waitFor()
          await page.getByRole("button", { name: "I have kept it" }).click()
          await page.getByText(/^whsec_/).waitFor({ state: "detached" })
          await page.getByRole("link", { name: "To the endpoint" }).click()
        })
        yield* Effect.promise(() => page.getByRole("heading", { name: hostile, level: 1 }).waitFor())
        yield* sees(page, "It delivers: nothing waits.")
        assert.strictEqual(yield* Effect.promise(() => page.getByText(/^whsec_/).count()), 0)
        yield* follow(page, `/console/${organization_id}/webhooks`)
        yield* sees(page, "The endpoint is all right: nothing waits.")
      }).pipe(Effect.scoped))

    it.effect("shows a hold with its countdown when the receiver breaks, probes, and recovers what was lost", () =>
      Effect.gen(function*() {
        const made = yield* receiving({ description: "Our CRM" })
        const { club: { organization_id, token }, path, receiver } = made
        receiver.answerWith({ status: 500, body: "out of order" })
        yield* sendTests(made, 6)
        const page = yield* visit(made.page, { token })
        yield* sees(page, /^Held after \d failures in a row/)
        yield* Effect.promise(() => page.getByRole("timer").first().waitFor())
        yield* look(page, "webhooks-held")
        yield* follow(page, `/console/${organization_id}/webhooks`)
        yield* sees(page, /^The endpoint needs you\. Our CRM: Held after/)
        yield* look(page, "webhooks")
        yield* follow(page, made.page)
        yield* press(page, "Probe now")
        yield* sees(page, /^Not accepted after .+The receiver answered 500/)
        receiver.answerWith({ status: 204 })
        yield* press(page, "Probe now")
        yield* sees(page, /^Accepted: it answered 204/)
        yield* sees(page, /It delivers/)
        yield* press(page, "More actions")
        yield* press(page, "Disable")
        yield* sees(page, /^Now \d deliveries wait: what waits is canceled/)
        yield* Effect.promise(() => page.getByRole("dialog").getByRole("button", { name: "Disable" }).click())
        yield* sees(page, /^Somebody disabled it/)
        yield* press(page, "Enable")
        yield* Effect.promise(() => page.getByRole("dialog").getByRole("button", { name: "Enable" }).click())
        yield* Effect.promise(() => page.getByRole("link", { name: "Recover…" }).click())
        yield* press(page, "Count what would be sent")
        yield* press(page, /^Send \d again$/)
        yield* sees(page, /^It is over: of \d, \d were accepted and 0 were not\.$/)
        const { json } = yield* send("GET", `${path}/deliveries?status=succeeded`, { token })
        assert.isAbove(Number(at(json, "data", "length")), 6)
      }).pipe(Effect.scoped))

    it.effect("rotates the secret with a countdown of 24 hours, and deletes after a typed name", () =>
      Effect.gen(function*() {
        const made = yield* receiving()
        const { club: { token }, path } = made
        const page = yield* visit(made.page, { token, expected: [/404/] })
        yield* press(page, "Rotate")
        yield* sees(page, /also signs for 24 more hours/)
        yield* Effect.promise(() => page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click())
        yield* sees(page, /^whsec_/)
        yield* sees(page, /^(?:24:00:00|23:59:\d\d)$/)
        yield* look(page, "webhooks-rotated")
        yield* press(page, "More actions")
        yield* press(page, "Delete")
        const host = new URL(made.receiver.url).host
        yield* Effect.promise(async () => {
          const dialog = page.getByRole("dialog")
          assert.isTrue(await dialog.getByRole("button", { name: "Delete" }).isDisabled())
          await dialog.getByLabel(`To be sure, enter ${host}`).fill(host)
          await dialog.getByRole("button", { name: "Delete" }).click()
          await page.getByText("Let your own systems know of everything at once").waitFor()
        })
        assert.strictEqual((yield* send("GET", path, { token })).status, 404)
      }).pipe(Effect.scoped))

    it.effect("lists what there is to do though nothing fails, and nothing where there is none", () =>
      Effect.gen(function*() {
        const made = yield* receiving()
        const { club, id, path } = made
        const page = yield* visit(made.page, { token: club.token })
        yield* Effect.promise(() => page.getByRole("heading", { name: "State" }).waitFor())
        const list = page.getByRole("list", { name: "What to look at" })
        assert.strictEqual(yield* Effect.promise(() => list.count()), 0)
        yield* send("POST", `${path}/rotate-secret`, { token: club.token })
        const sql = yield* SqlClient.SqlClient
        const ends = DateTime.add(yield* DateTime.now, { days: 3 })
        yield* sql`
          update webhook_lanes set certificate_ends_at = ${DateTime.toDateUtc(ends)}
          where club_id = ${club.id} and endpoint_id = ${id}`
        yield* Effect.promise(async () => {
          await list.getByText(/^The receiver's certificate ends on \w{3} \d{1,2}, \d{4}, .+: renew it/).waitFor()
          await list
            .getByText(/^A replaced secret signs until \w{3} \d{1,2}, \d{4}, \d{1,2}:.+ Nothing was accepted since/)
            .waitFor()
          assert.strictEqual(await list.getByRole("listitem").count(), 2)
        })
        yield* look(page, "webhooks-advice")
        const portuguese = yield* visit(made.page, { token: club.token, locale: "pt-BR", width: 390 })
        const said = portuguese.getByRole("list", { name: "O que conferir" })
        yield* Effect.promise(async () => {
          await said
            .getByText(/^O certificado do receptor vence em \d{1,2} de \w{3}\. de \d{4}, em [23] dias: renove-o/)
            .waitFor()
          await said.getByText(/^Um segredo substituído ainda assina até .+ ou avalie-o\.$/).waitFor()
        })
        yield* look(portuguese, "webhooks-advice-portuguese")
      }).pipe(Effect.scoped))

    it.effect("shows one administrator what another does", () =>
      Effect.gen(function*() {
        const made = yield* receiving()
        const other = yield* tokenAs(made.club, "admin")
        const [first, second] = yield* Effect.all([
          visit(made.page, { token: made.club.token }),
          visit(made.page, { token: other })
        ])
        yield* press(second, "Change")
        yield* press(first, "Change")
        yield* Effect.promise(async () => {
          await second.getByLabel("Description").fill("By the second")
          await first.getByLabel("Description").fill("By the first")
          await first.getByRole("button", { name: "Save" }).click()
        })
        yield* sees(second, /^Somebody else has changed “Description” meanwhile. It is now: By the first/)
        yield* press(first, "Pause")
        yield* Effect.promise(() => first.getByRole("dialog").getByRole("button", { name: "Pause" }).click())
        yield* sees(second, /^Paused: nothing waits yet, and new events wait until you enable it/)
      }).pipe(Effect.scoped))

    it.effect("tells members who may not, and asks for nothing", () =>
      Effect.gen(function*() {
        const made = yield* receiving()
        const webhooks = `/console/${made.club.organization_id}/webhooks`
        const inbox = `${webhooks}/inboxes/${(yield* makeInbox(made.club)).id}`
        const views = [
          ["editor", [made.page, `${made.page}/recoveries`]],
          ["support", [made.page, inbox]],
          ["viewer", [made.page, `${made.page}/gradings`, `${webhooks}/events`]]
        ] as const
        yield* Effect.forEach(views, ([role, paths]) =>
          Effect.gen(function*() {
            const page = yield* visit(webhooks, { token: yield* tokenAs(made.club, role) })
            yield* Effect.forEach(paths, (path) =>
              Effect.gen(function*() {
                yield* open(page, path)
                yield* sees(page, "Your role does not allow you to see webhooks")
              }), { discard: true })
          }).pipe(Effect.scoped), { discard: true })
      }))

    it.effect("speaks Portuguese too", () =>
      Effect.gen(function*() {
        const made = yield* receiving()
        made.receiver.answerWith({ status: 404 })
        yield* sendTests(made, 5)
        const page = yield* visit(made.page, { token: made.club.token, locale: "pt-BR", width: 390 })
        yield* sees(page, /^Retido após 5 falhas seguidas/)
        yield* press(page, "Testar agora")
        yield* sees(page, /^Não aceito após .+O receptor respondeu 404\. Nada aceita um POST/)
        yield* look(page, "webhooks-portuguese")
      }).pipe(Effect.scoped))

    it.effect("looks well on a phone and at a desk, light and dark", () =>
      Effect.gen(function*() {
        const made = yield* receiving({ description: hostile })
        const { club: { organization_id, token }, path, receiver } = made
        yield* sendTests(made, 3)
        yield* eventually(Effect.sync(() => receiver.requests.length), (count) => count === 3)
        receiver.answerWith({ status: 500, body: "<script>alert(1)</script>" })
        yield* sendTests(made, 1)
        const { json } = yield* eventually(
          send("GET", `${path}/deliveries`, { token }),
          ({ json }) => [0, 1, 2, 3].every((index) => at(json, "data", index, "attempts_count") === 1)
        )
        const page = yield* visit(`/console/${organization_id}/webhooks`, { token, width: 390 })
        yield* lookAll(page, "webhooks-all")
        yield* follow(page, made.page)
        yield* lookAll(page, "webhooks-endpoint")
        yield* follow(page, `${made.page}/deliveries`)
        yield* lookAll(page, "webhooks-deliveries")
        yield* follow(page, `${made.page}/deliveries/${String(at(json, "data", 0, "id"))}`)
        yield* sees(page, "<script>alert(1)</script>")
        yield* lookAll(page, "webhooks-delivery")
        yield* follow(page, `/console/${organization_id}/webhooks/events/${String(at(json, "data", 1, "event_id"))}`)
        yield* lookAll(page, "webhooks-event")
      }).pipe(Effect.scoped))
  })
})
