import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Option, Redacted, Result } from "effect"
import { SqlClient } from "effect/sql"
import type { Page } from "playwright-core"
import { SalesWorkersLayer } from "../../src/commerce/sales/SalesWorkers.ts"
import { parseSecret } from "../../src/webhooks/send/Secret.ts"
import { verifySignature } from "../../src/webhooks/send/Signature.ts"
import { anotherTab, withoutBrowser } from "../harness/Browser.ts"
import { eventually } from "../harness/Eventually.ts"
import type { ReceivedRequest, Receiver } from "../harness/Receiver.ts"
import { admins, registered } from "../membership/accounts/People.ts"
import { press, receivingLayer, sees, trustedReceiver } from "./Receiving.ts"
import { secret as shopSecret, sell } from "./SalesWorld.ts"
import { settled, visit } from "./Visit.ts"

// Takes long: one club is founded, sells, teaches and answers in a browser.

/** A refused delivery is retried once, after 20 ms. An endpoint that accepts nothing is held beyond the test's end. */
const StoryLayer = SalesWorkersLayer
  .pipe(Layer.provideMerge(receivingLayer({ WEBHOOK_RETRY_SCHEDULE: "20 millis", WEBHOOK_HOLD_BASE: "30 minutes" })))

const maryam = "مريم الأندلسية 🎸"

const dialog = (page: Page) => page.getByRole("dialog")
const click = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).first().click()
const confirm = (page: Page, name: string) => dialog(page).getByRole("button", { name, exact: true }).click()

/** Follows a link of the page, the only way between views in this test. */
const follow = Effect.fnUntraced(function*(page: Page, name: string | RegExp, within = "main") {
  // Browsers seldom paint a tab in the background, and a click waits for a paint.
  yield* Effect.promise(() => page.bringToFront())
  const link = page.locator(within).getByRole("link", { name, exact: typeof name === "string" }).first()
  yield* Effect.promise(() => link.click())
  yield* settled(page)
})

const area = (page: Page, name: string) => follow(page, name, "nav.areas")

const foundsClub = Effect.fnUntraced(function*(page: Page, email: string) {
  yield* Effect.promise(async () => {
    await page.getByLabel("E-mail", { exact: true }).fill(email)
    await page.getByLabel("Password", { exact: true }).fill("correct horse")
    await click(page, "Sign in")
    await page.getByText("You belong to no club yet").waitFor()
    await page.getByRole("link", { name: "Found a club" }).click()
    await page.getByLabel("Name", { exact: true }).fill("Violão Fácil")
    await click(page, "Found the club")
    await page.getByRole("heading", { name: "Overview" }).waitFor()
  })
})

const makesDelivery = Effect.fnUntraced(function*(page: Page) {
  yield* area(page, "Courses")
  yield* follow(page, "Deliveries")
  yield* Effect.promise(async () => {
    await click(page, "New delivery")
    await dialog(page).getByLabel("Name").fill("Violão em casa")
    await confirm(page, "New delivery")
    await page.getByText("The delivery is empty").waitFor()
  })
})

/** Connects a shop, whose first sale waits for a mapping. Answers the path that the shop writes to. */
const sells = Effect.fnUntraced(function*(page: Page) {
  const sql = yield* SqlClient.SqlClient
  yield* area(page, "Sales")
  yield* follow(page, "Connect a platform")
  const post = yield* Effect.promise(async () => {
    await click(page, "New address")
    await dialog(page).getByLabel("Platform", { exact: true }).selectOption({ label: "Generic" })
    await dialog(page).getByLabel("Name").fill("Minha loja")
    await dialog(page).getByLabel("Secret of the platform").fill(shopSecret)
    await confirm(page, "Make the address")
    await page.getByText("It takes in what the platform signs.").waitFor()
    return new URL(String(await page.locator(".copied code").textContent())).pathname
  })
  yield* sell(post, { id: "order-1", name: maryam, email: "maryam@example.com" })
  // The view tells what was so when it was opened.
  yield* eventually(sql`select from inbound_events where outcome = 'unmapped'`, ({ length }) => length === 1)
  yield* area(page, "Sales")
  yield* sees(page, "1 sale waits for a mapping.")
  yield* Effect.promise(async () => {
    await page.getByRole("button", { name: /^Map Violão/ }).click()
    await dialog(page).getByLabel("Delivery").selectOption({ label: "Violão em casa" })
    await confirm(page, "Map and take in 1 sale")
    await page.getByText("All sales were processed.").waitFor()
  })
  // The view says so once no sale waits for a mapping. The worker makes the student afterwards.
  yield* eventually(sql`select from inbound_events where outcome = 'processed'`, ({ length }) => length === 1)
  yield* area(page, "Students")
  yield* follow(page, maryam)
  yield* sees(page, "Has access to 1 delivery now.")
  return post
})

/** Makes a course with a module and a live lesson, and adds it to the delivery that the club sold. */
const teaches = Effect.fnUntraced(function*(page: Page) {
  yield* area(page, "Courses")
  yield* Effect.promise(async () => {
    await click(page, "New course")
    await dialog(page).getByLabel("Title").fill("Do zero")
    await confirm(page, "Save")
    await page.getByLabel("New module", { exact: true }).fill("Antes")
    await page.getByLabel("New module", { exact: true }).press("Enter")
    await page.getByLabel("New lesson in Antes").fill("Respirar")
    await page.getByLabel("New lesson in Antes").press("Enter")
    await page.getByRole("link", { name: "Respirar" }).click()
    await click(page, "Text")
    await page.getByRole("textbox", { name: "Text" }).fill("Antes de tocar, respire.")
    await click(page, "Save")
    await page.getByRole("list", { name: "The lesson's blocks" }).getByText("respire.").waitFor()
    await click(page, "Publication")
    await confirm(page, "Save")
    await page.getByText("Visible since").waitFor()
  })
  yield* area(page, "Courses")
  yield* follow(page, "Deliveries")
  yield* follow(page, "Violão em casa")
  yield* Effect.promise(async () => {
    await page.getByLabel("Add to it").selectOption({ label: "Course: Do zero" })
    await page.getByRole("list", { name: "What is in it" }).getByText("Do zero").waitFor()
  })
})

/** Registers an endpoint and tests it. Answers its secret. */
const listens = Effect.fnUntraced(function*(page: Page, { url }: Receiver) {
  yield* area(page, "Webhooks")
  yield* follow(page, "New endpoint")
  const secret = yield* Effect.promise(async () => {
    await page.getByLabel("URL").fill(url)
    await page.getByLabel("Description").fill("Our CRM")
    await page.getByLabel(/^student\.created/).check()
    await page.getByLabel(/^access\.granted/).check()
    await page.getByLabel(/^purchase\.paid/).check()
    await click(page, "Register the endpoint")
    return String(await page.locator(".secret code").textContent())
  })
  yield* press(page, "Send a test")
  yield* sees(page, /^Accepted: it answered 204 in/)
  yield* press(page, "I have kept it")
  yield* follow(page, "To the endpoint")
  yield* sees(page, "It delivers: nothing waits.")
  return secret
})

/** The rows in the list of deliveries with this type and state. */
const rowsOf = (page: Page, type: string, state: string) =>
  page.locator("tr[data-row]").filter({ hasText: type }).filter({ hasText: state })

/** Enrols a student by hand. */
const enrols = Effect.fnUntraced(function*(page: Page, name: string, email: string) {
  yield* area(page, "Students")
  yield* Effect.promise(async () => {
    await click(page, "Add a student")
    await dialog(page).getByLabel("Name", { exact: true }).fill(name)
    await dialog(page).getByLabel("E-mail").fill(email)
    await dialog(page).getByLabel("Violão em casa").check()
    await confirm(page, "Add the student")
    await page.getByText("Has access to 1 delivery now.").waitFor()
  })
})

/** Opens the first delivery in this state from the list. Its page says why it is not delivered. */
const saysWhy = Effect.fnUntraced(function*(page: Page, status: "failed" | "pending", why: RegExp) {
  yield* Effect.promise(async () => {
    await page.getByLabel("Status", { exact: true }).selectOption(status)
    await page.waitForURL(new RegExp(`status=${status}`))
    await page.locator("tr[data-row] a").first().click()
  })
  yield* sees(page, why)
  yield* Effect.promise(() => page.goBack())
  yield* settled(page)
})

/** The ids of the accepted deliveries, in order. Fails if the signature of one is not valid. */
const accepted = (requests: ReadonlyArray<ReceivedRequest>, refused: ReadonlySet<ReceivedRequest>, secret: string) => {
  const secrets = [Redacted.value(Option.getOrThrow(parseSecret(secret)))]
  return requests.filter((request) => !refused.has(request)).map(({ body, headers, receivedAt }) => {
    const id = headers["webhook-id"] ?? ""
    const verified = verifySignature({
      body,
      id,
      now: DateTime.makeUnsafe(receivedAt),
      secrets,
      signature: headers["webhook-signature"],
      timestamp: headers["webhook-timestamp"]
    })
    assert.isTrue(Result.isSuccess(verified), `${id} is not signed`)
    return id
  }).toSorted()
}

describe.skipIf(withoutBrowser)("A club's story", () => {
  layer(StoryLayer, { excludeTestServices: true })("in the console", (it) => {
    it.effect("is founded, sells, teaches, tells its systems, sees them break and mends what they missed", () =>
      Effect.gen(function*() {
        const receiver = yield* trustedReceiver
        const refused = new Set<ReceivedRequest>()
        const { email } = yield* registered(admins)
        const page = yield* visit("/console", { expected: [/401/] })
        yield* foundsClub(page, email)
        yield* makesDelivery(page)
        const post = yield* sells(page)
        yield* teaches(page)
        const secret = yield* listens(page, receiver)

        // An event is delivered, and appears on an open page without a reload.
        yield* follow(page, "Deliveries")
        yield* sees(page, /Live$/)
        const endpoint = page.url()
        const other = yield* Effect.promise(() => anotherTab(page))
        yield* Effect.promise(() => other.goto(endpoint))
        yield* settled(other)
        yield* enrols(other, "Nuno 🎸", "nuno@example.com")
        yield* sell(post, { id: "order-2", name: "Bia", email: "bia@example.com" })
        yield* Effect.promise(async () => {
          await rowsOf(page, "purchase.paid", "Delivered").waitFor()
          await rowsOf(page, "access.granted", "Delivered").nth(1).waitFor()
          await rowsOf(page, "student.created", "Delivered").nth(1).waitFor()
        })

        // The receiver breaks. The endpoint is held, and the waiting deliveries say why.
        receiver.answerWith((request) => {
          refused.add(request)
          return { status: 500, body: "out of order" }
        })
        yield* sell(post, { id: "order-3", name: "Caê", email: "cae@example.com" })
        // With more first attempts at once, the endpoint might be held before any second one.
        yield* Effect.promise(() => page.locator("tr[data-row]").filter({ hasText: "Given up" }).first().waitFor())
        yield* enrols(other, "Davi", "davi@example.com")
        yield* follow(page, "Overview")
        yield* sees(page, /^Held after \d+ failures in a row/)
        yield* sell(post, { id: "order-4", name: "Eva", email: "eva@example.com" })
        yield* follow(page, "Deliveries")
        yield* Effect.promise(() => rowsOf(page, "purchase.paid", "Waiting").waitFor())
        yield* saysWhy(page, "failed", /^Given up after 2 attempts\. The receiver answered 500/)
        yield* saysWhy(page, "pending", /^Not (?:sent yet|delivered yet).* The endpoint is held after failures/)
        yield* area(other, "Overview")
        yield* sees(other, /1 held after failures/)

        // The receiver works again. An accepted probe releases the waiting deliveries, recovery sends the failed ones.
        receiver.answerWith({ status: 204 })
        yield* follow(page, "Overview")
        yield* press(page, "Probe now")
        yield* sees(page, /^Accepted: it answered 204/)
        yield* sees(page, "It delivers: nothing waits.")
        yield* follow(page, "Recover…")
        yield* press(page, "Count what would be sent")
        yield* press(page, /^Send \d+ again$/)
        yield* sees(page, /^It (?:is over: of \d+, \d+ were accepted and 0 were not|was sent again, and accepted)\.$/)
        yield* follow(page, "Choose again")
        yield* follow(page, "Deliveries")
        yield* Effect.promise(async () => {
          const status = page.getByLabel("Status", { exact: true })
          await status.selectOption("failed")
          await page.getByText("Nothing matches these filters").waitFor()
          await status.selectOption("pending")
          await page.waitForURL(/status=pending/)
          await page.getByText("Nothing matches these filters").waitFor()
          await page.getByRole("button", { name: "Clear" }).click()
          await rowsOf(page, "purchase.paid", "Delivered").nth(2).waitFor()
        })
        // The events of five people, three of them buyers, and the two tests.
        const ids = yield* eventually(
          Effect.sync(() => accepted(receiver.requests, refused, secret)),
          ({ length }) => length >= 15
        )
        assert.deepStrictEqual(ids, [...new Set(ids)])
        assert.lengthOf(ids, 15)
        assert.strictEqual(yield* Effect.promise(() => page.locator("tr[data-row]").count()), 15)
      }).pipe(Effect.scoped))
  })
})
