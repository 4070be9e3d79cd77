import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { send } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { press, receiving, ReceivingLayer, sees } from "./Receiving.ts"
import { follow, look, lookAll, visit } from "./Visit.ts"

// Takes long: probes are sent to receivers while a browser watches.

type Made = Effect.Success<ReturnType<typeof receiving>>

const refused = /"probe":"(?:unsigned|wrong_signature|other_body|old|future)"/

/** The receiver accepts the valid probes and refuses the others, by the name in each probe's body. */
const isRight = ({ receiver }: Made) =>
  receiver.answerWith(({ body }) => ({ status: refused.test(body.toString("utf8")) ? 401 : 204 }))

const inDialog = (page: Effect.Success<ReturnType<typeof visit>>, name: string) =>
  Effect.promise(() => page.getByRole("dialog").getByRole("button", { name, exact: true }).click())

describe.skipIf(withoutBrowser)("Gradings in the console", () => {
  layer(ReceivingLayer, { excludeTestServices: true })("for an administrator", (it) => {
    it.effect("say what is sent before it is, and then what a receiver does wrong", () =>
      Effect.gen(function*() {
        const made = yield* receiving({ description: "Our CRM" })
        made.receiver.answerWith({ status: 204 })
        const page = yield* visit(made.page, { token: made.club.token })
        yield* Effect.promise(() => page.getByRole("link", { name: "Gradings" }).click())
        yield* sees(page, "It was not graded yet")
        yield* look(page, "webhooks-gradings-none")
        yield* press(page, "Grade the receiver")
        yield* sees(page, /^12 test events go to it/)
        assert.lengthOf(made.receiver.requests, 0)
        yield* inDialog(page, "Send the probes")
        yield* sees(page, /^F: nothing works as it should\./)
        yield* sees(page, "It answers 2xx to everything: it verifies no signature, or answers before it verifies")
        isRight(made)
        yield* Effect.promise(() => page.getByRole("link", { name: "Gradings" }).click())
        yield* press(page, "Grade the receiver")
        yield* inDialog(page, "Send the probes")
        yield* sees(page, /^A: nothing is wrong\./)
        assert.lengthOf(made.receiver.requests, 26)
        assert.strictEqual(yield* Effect.promise(() => page.getByText("Not as it should").count()), 0)
        yield* Effect.promise(() => page.getByRole("link", { name: "Gradings" }).click())
        yield* Effect.promise(() => page.getByRole("row", { name: /Grade A/ }).waitFor())
        yield* Effect.promise(() => page.getByRole("row", { name: /Grade F/ }).waitFor())
      }).pipe(Effect.scoped))

    it.effect("take a closed connection for a refusal, and an answer of 429 for nothing", () =>
      Effect.gen(function*() {
        const made = yield* receiving()
        const { receiver } = made
        const closing = (what: RegExp) =>
          receiver.answerWith(async ({ body }) => {
            if (what.test(body.toString("utf8"))) await Effect.runPromise(receiver.dropConnections)
            return { status: 204 }
          })
        const page = yield* visit(`${made.page}/gradings`, { token: made.club.token })
        const probe = (name: string) => page.getByRole("listitem").filter({ hasText: name })
        const grade = Effect.gen(function*() {
          yield* follow(page, `${made.page}/gradings`)
          yield* press(page, "Grade the receiver")
          yield* inDialog(page, "Send the probes")
        })
        closing(refused)
        yield* grade
        yield* sees(page, /^A: nothing is wrong\./)
        yield* Effect.promise(() => probe("to be refused").getByText(/As it should/).nth(4).waitFor())
        assert.strictEqual(yield* Effect.promise(() => page.getByText("Not as it should").count()), 0)
        closing(/./)
        yield* grade
        yield* sees(page, /^F: nothing works as it should\./)
        yield* Effect.promise(() => probe("A correct event").getByText("Not as it should").waitFor())
        assert.strictEqual(yield* Effect.promise(() => probe("to be refused").count()), 0)
        receiver.answerWith({ status: 429 })
        yield* grade
        yield* sees(page, /^F: nothing works as it should\./)
        yield* Effect.promise(() => probe("With a wrong signature").getByText("Shows nothing").waitFor())
        assert.strictEqual(yield* Effect.promise(() => page.getByText(/^(Not as|As) it should$/).count()), 0)
      }).pipe(Effect.scoped))

    it.effect("say of the newest secret that the receiver had it then, in both languages", () =>
      Effect.gen(function*() {
        const made = yield* receiving()
        const { club: { token }, path } = made
        isRight(made)
        yield* send("POST", `${path}/rotate-secret`, { token })
        const page = yield* visit(`${made.page}/gradings`, { token })
        yield* press(page, "Grade the receiver")
        yield* inDialog(page, "Send the probes")
        yield* sees(page, "It had the newest secret at that time.")
        const portuguese = yield* visit(new URL(page.url()).pathname, { token, locale: "pt-BR" })
        yield* sees(portuguese, "O receptor tinha o segredo mais novo nessa hora.")
      }).pipe(Effect.scoped))

    it.effect("are refused in words where the endpoint was paused meanwhile, and not offered from then on", () =>
      Effect.gen(function*() {
        const made = yield* receiving()
        const { club: { token }, path } = made
        const page = yield* visit(`${made.page}/gradings`, { token, expected: [/409/] })
        yield* press(page, "Grade the receiver")
        yield* send("PATCH", path, { token, body: { status: "paused" } })
        yield* inDialog(page, "Send the probes")
        yield* sees(page, /^The endpoint is not enabled/)
        yield* follow(page, `${made.page}/gradings`)
        yield* sees(page, "Paused")
        assert.strictEqual(yield* Effect.promise(() => page.getByText("Grade the receiver").count()), 0)
      }).pipe(Effect.scoped))

    it.effect("look well on a phone and at a desk, light and dark", () =>
      Effect.gen(function*() {
        const made = yield* receiving({ description: "Our CRM" })
        made.receiver.answerWith(({ body }) => ({
          status: body.includes("unsigned") || body.length > 100_000 ? 401 : 204
        }))
        const page = yield* visit(`${made.page}/gradings`, { token: made.club.token, locale: "pt-BR", width: 390 })
        yield* press(page, "Avaliar o receptor")
        yield* inDialog(page, "Enviar os testes")
        yield* sees(page, /^E: aceita eventos falsificados\./)
        yield* lookAll(page, "webhooks-grading")
        yield* follow(page, `${made.page}/gradings`)
        yield* sees(page, "Nota E")
        yield* lookAll(page, "webhooks-gradings")
      }).pipe(Effect.scoped))
  })
})
