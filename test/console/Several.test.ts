import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { appLayer, send } from "../harness/App.ts"
import { anotherTab, withoutBrowser } from "../harness/Browser.ts"
import { PostgresLayer } from "../harness/Postgres.ts"
import { redisUrl } from "../harness/Redis.ts"
import { admins, registered } from "../membership/accounts/People.ts"
import { press, receiving, receivingLayer, sees, sendTests } from "./Receiving.ts"
import { consoleVariables, openPerson, origin, settled, visit } from "./Visit.ts"

/** Two processes on one database and one Redis. The first sends webhooks too. */
const processes = Effect.gen(function*() {
  const database = Layer.succeedContext(yield* Effect.context<Layer.Success<typeof PostgresLayer>>())
  const shared = { REDIS_URL: redisUrl() }
  return {
    first: yield* Layer.build(Layer.fresh(receivingLayer(shared, { database }))),
    second: yield* Layer.build(Layer.fresh(appLayer({ ...consoleVariables, ...shared }, { database })))
  }
})

const DatabaseLayer = Layer.merge(PostgresLayer, Logger.layer([]))

describe.skipIf(withoutBrowser)("Two processes with the console", () => {
  layer(DatabaseLayer, { excludeTestServices: true })("on one database", (it) => {
    it.effect("know a session that began at either, until it is ended at either", () =>
      Effect.gen(function*() {
        const { first, second } = yield* processes
        const { email } = yield* Effect.provide(registered(admins), second)
        const page = yield* Effect.provide(visit("/console/account", { expected: [/401/] }), first)
        // Cookies belong to the host, not to a port.
        const elsewhere = yield* Effect.provide(origin, second)
        assert.notStrictEqual(new URL(page.url()).origin, elsewhere)
        const other = yield* Effect.promise(async () => {
          await page.getByLabel("E-mail", { exact: true }).fill(email)
          await page.getByLabel("Password", { exact: true }).fill("correct horse")
          await page.getByRole("button", { name: "Sign in", exact: true }).click()
          await page.getByText("This one").waitFor()
          const other = await anotherTab(page)
          await other.goto(`${elsewhere}/console/account`)
          return other
        })
        yield* settled(other)
        yield* sees(other, "This one")
        yield* Effect.promise(async () => {
          await openPerson(other)
          await other.getByRole("button", { name: "Sign out" }).click()
          await other.getByRole("button", { name: "Sign in", exact: true }).waitFor()
          await page.bringToFront()
          await page.getByLabel("Name", { exact: true }).fill("Ana Lima")
          await page.getByRole("button", { name: "Save" }).dispatchEvent("click")
          await page.getByRole("button", { name: "Sign in", exact: true }).waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("show what the other settles, and end what is followed with a session that the other ends", () =>
      Effect.gen(function*() {
        const { first, second } = yield* processes
        const made = yield* Effect.provide(receiving(), first)
        const { club: { token } } = made
        made.receiver.answerWith({ status: 503 })
        const page = yield* Effect.provide(visit(`${made.page}/deliveries`, { token, expected: [/401/] }), second)
        yield* sees(page, /Live$/)
        yield* Effect.provide(sendTests(made, 1), first)
        yield* sees(page, "Retrying")
        yield* Effect.promise(() => page.locator("tr[data-row] a").first().click())
        yield* sees(page, /^Not delivered yet: the first attempt failed\. The receiver answered 503/)
        made.receiver.answerWith({ status: 204 })
        // One process gets the request, and the other sends the delivery.
        yield* press(page, "Resend")
        yield* sees(page, "Delivered: the receiver answered 204 at attempt 2.")
        yield* Effect.promise(() => page.goBack())
        yield* sees(page, /Live$/)
        yield* Effect.provide(send("DELETE", "/v1/auth/session", { token }), first)
        yield* sees(page, "Your session has ended")
      }).pipe(Effect.scoped))
  })
})
