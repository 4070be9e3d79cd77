import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { EndpointId } from "../../src/webhooks/model/EndpointId.ts"
import { at, send } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { eventually } from "../harness/Eventually.ts"
import { makeDelivery } from "../harness/Webhooks.ts"
import { press, receiving, ReceivingLayer, sees } from "./Receiving.ts"
import { follow, look, lookAll, visit } from "./Visit.ts"

type Made = Effect.Success<ReturnType<typeof receiving>>

const make = ({ club, id }: Made, status: "canceled" | "failed" | "pending", count: number) =>
  Effect.forEach(
    Array.from({ length: count }),
    () => makeDelivery({ club_id: club.id, endpoint_id: EndpointId.make(id) }, { status }),
    { discard: true }
  )

const inDialog = (page: Effect.Success<ReturnType<typeof visit>>, name: string) =>
  Effect.promise(() => page.getByRole("dialog").getByRole("button", { name, exact: true }).click())

describe.skipIf(withoutBrowser)("Recoveries in the console", () => {
  layer(ReceivingLayer, { excludeTestServices: true })("for an administrator", (it) => {
    it.effect("count what would be sent, send it once somebody starts it, and say what came of it", () =>
      Effect.gen(function*() {
        const made = yield* receiving()
        yield* make(made, "failed", 2)
        yield* make(made, "canceled", 1)
        const page = yield* visit(made.page, { token: made.club.token })
        yield* Effect.promise(() => page.getByRole("link", { name: "Recover…" }).click())
        yield* sees(page, "Nothing was recovered yet")
        yield* look(page, "webhooks-recoveries-none")
        yield* Effect.promise(async () => {
          await page.getByText("All types of events").click()
          await page.getByLabel("student.created").check()
          await page.getByText("1 type of events").waitFor()
          await page.getByLabel("Most per second").fill("100")
        })
        yield* press(page, "Count what would be sent")
        yield* sees(page, "3 deliveries would be sent again. Nothing is sent until you start it.")
        yield* sees(page, "Nothing is excluded.")
        assert.lengthOf(made.receiver.requests, 0)
        yield* press(page, "Send 3 again")
        yield* sees(page, "It is over: of 3, 3 were accepted and 0 were not.")
        assert.lengthOf(made.receiver.requests, 3)
        yield* look(page, "webhooks-recovery-completed")
        yield* Effect.promise(() => page.getByRole("link", { name: "Choose again" }).click())
        yield* Effect.promise(() => page.getByRole("row", { name: /Completed 3 3 0$/ }).waitFor())
      }).pipe(Effect.scoped))

    it.effect("pause, change their pace, go on and are canceled, and another is not begun meanwhile", () =>
      Effect.gen(function*() {
        const made = yield* receiving()
        yield* make(made, "failed", 200)
        const { club: { token }, path } = made
        const page = yield* visit(`${made.page}/recoveries`, { token })
        yield* Effect.promise(() => page.getByLabel("Most per second").fill("1"))
        yield* press(page, "Count what would be sent")
        yield* press(page, "Send 200 again")
        yield* sees(page, /^\d+ of 200 were sent again\.$/)
        yield* press(page, "Pause")
        yield* sees(page, /^Paused: \d+ of 200 were sent again\./)
        yield* Effect.promise(() => page.getByLabel("Most per second").fill("2"))
        yield* press(page, "Change")
        yield* sees(page, "2 a second")
        yield* look(page, "webhooks-recovery-paused")
        yield* follow(page, `${made.page}/recoveries`)
        yield* sees(page, /^Paused: /)
        assert.strictEqual(yield* Effect.promise(() => page.getByText("Count what would be sent").count()), 0)
        yield* Effect.promise(() => page.getByRole("link", { name: "Show it" }).click())
        yield* press(page, "Go on")
        yield* press(page, "Cancel it")
        yield* sees(page, /^\d+ are not sent again yet and stay as they are/)
        yield* inDialog(page, "Cancel it")
        yield* sees(page, /^Somebody canceled it\./)
        const { json } = yield* send("GET", `${path}/recoveries`, { token })
        assert.strictEqual(at(json, "data", 0, "status"), "canceled")
      }).pipe(Effect.scoped))

    it.effect("are refused in words where the endpoint was disabled meanwhile", () =>
      Effect.gen(function*() {
        const made = yield* receiving()
        const { club: { token }, path } = made
        const page = yield* visit(`${made.page}/recoveries`, { token, expected: [/409/] })
        yield* sees(page, "Count what would be sent")
        yield* send("PATCH", path, { token, body: { status: "disabled" } })
        yield* press(page, "Count what would be sent")
        yield* sees(page, /^The endpoint is not enabled/)
        yield* follow(page, `${made.page}/recoveries`)
        yield* sees(page, /Enable it first\.$/)
      }).pipe(Effect.scoped))

    it.effect("have a sister: a paused endpoint is enabled at a rate, says what is left, and is let go", () =>
      Effect.gen(function*() {
        const made = yield* receiving({ status: "paused" })
        yield* make(made, "pending", 120)
        const page = yield* visit(made.page, { token: made.club.token })
        yield* press(page, "Enable")
        yield* sees(page, /^Now 120 deliveries wait: what waits is sent/)
        yield* Effect.promise(() => page.getByLabel("Most per second").fill("1"))
        yield* inDialog(page, "Enable")
        yield* sees(page, /^Events that waited during the pause are sent at 1 a second at most: \d+ of them remain/)
        yield* look(page, "webhooks-drain")
        yield* press(page, "Send the rest at full speed")
        yield* eventually(Effect.sync(() => made.receiver.requests.length), (count) => count === 120)
        yield* sees(page, "It delivers: nothing waits.")
      }).pipe(Effect.scoped))

    it.effect("look well on a phone and at a desk, light and dark", () =>
      Effect.gen(function*() {
        const made = yield* receiving({ description: "Our CRM" })
        yield* make(made, "failed", 3)
        const { club: { token } } = made
        const page = yield* visit(`${made.page}/recoveries`, { token, locale: "pt-BR", width: 390 })
        yield* press(page, "Contar o que seria enviado")
        yield* sees(page, /^3 envios seriam reenviados\./)
        yield* lookAll(page, "webhooks-recovery")
        yield* follow(page, `${made.page}/recoveries`)
        yield* sees(page, "Não começou")
        yield* lookAll(page, "webhooks-recoveries")
      }).pipe(Effect.scoped))
  })
})
