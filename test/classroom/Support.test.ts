import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { idOf, openSupportClub } from "../conversation/support/SupportClub.ts"
import { at, listAt } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { becomes, ClassroomAppLayer, lookAll, visit } from "./Visit.ts"

const hostile = "<script>alert(1)</script> javascript:alert(2) [x](http://a.example)"

describe.skipIf(withoutBrowser)("The classroom's help", () => {
  layer(ClassroomAppLayer, { excludeTestServices: true })("for a student", (it) => {
    it.effect("takes a question, keeps what was typed over a reload, and leads into the conversation", () =>
      Effect.gen(function*() {
        const club = yield* openSupportClub
        const page = yield* visit(club, ["support"], { token: club.ana.token, width: 390 })
        yield* Effect.promise(async () => {
          await page.getByRole("link", { name: "Ask for help" }).click()
          await page.getByLabel("What is it about?").fill("O vídeo não abre")
          await page.getByLabel("Your question").fill(hostile)
          await page.reload()
          assert.strictEqual(await page.getByLabel("What is it about?").inputValue(), "O vídeo não abre")
          await page.getByRole("button", { name: "Send" }).click()
          await page.getByRole("heading", { name: "O vídeo não abre" }).waitFor()
          const thread = page.getByRole("log")
          await thread.getByText(hostile).waitFor()
          assert.strictEqual(await thread.getByRole("link").count(), 0)
        })
        const { json } = yield* club.own(club.ana)
        assert.strictEqual(listAt(json, "data").length, 1)
      }).pipe(Effect.scoped))

    it.effect("shows a question before the service has it, and gives it back if it was not sent", () =>
      Effect.gen(function*() {
        const club = yield* openSupportClub
        const page = yield* visit(club, ["support", "new"], { token: club.ana.token, expected: [/Failed to load/] })
        yield* Effect.promise(async () => {
          const held = Promise.withResolvers<void>()
          await page.route(
            "**/conversations",
            (route) => route.request().method() === "POST" ? held.promise.then(() => route.abort()) : route.continue()
          )
          await page.getByLabel("What is it about?").fill("O vídeo não abre")
          await page.getByLabel("Your question").fill("Nem no celular")
          await page.getByRole("button", { name: "Send" }).click()
          await page.getByText("Sending…").waitFor()
          await page.getByRole("heading", { name: "O vídeo não abre" }).waitFor()
          await page.getByRole("listitem").getByText("Nem no celular").waitFor()
          assert.isFalse(await page.locator("form").isVisible())
          held.resolve()
          await page.getByRole("region", { name: "Messages" }).getByRole("button", { name: "Close" }).waitFor()
          const field = page.getByLabel("Your question")
          assert.strictEqual(await field.inputValue(), "Nem no celular")
          assert.isTrue(await field.evaluate((element) => element.matches(":focus")))
        })
      }).pipe(Effect.scoped))

    it.effect("shows what is new, marks it as read, and shows an answer that comes meanwhile", () =>
      Effect.gen(function*() {
        const club = yield* openSupportClub
        const id = idOf(yield* club.open(club.ana, "Boleto"))
        yield* club.reply(id, "Já vejo")
        const page = yield* visit(club, ["support"], { token: club.ana.token })
        yield* Effect.promise(async () => {
          await page.getByText("1 new").waitFor()
          await page.getByRole("link", { name: /Boleto/ }).click()
          await page.getByRole("log").getByText("Já vejo").waitFor()
          await page.getByLabel("Your message").fill("Obrigada")
          await page.getByLabel("Your message").press("Control+Enter")
          await page.getByRole("log").getByText("Obrigada").waitFor()
          await page.getByText("Sending…").waitFor({ state: "detached" })
        })
        assert.isTrue(yield* Effect.promise(() =>
          becomes(async () =>
            await page.getByLabel("Your message").inputValue() === ""
          )
        ))
        const { json } = yield* club.ownOne(club.ana, id)
        assert.deepStrictEqual([at(json, "data", "unread_count"), at(json, "data", "messages_count")], [0, 3])
        yield* club.reply(id, "De nada")
        yield* Effect.promise(async () => {
          await page.getByRole("log").getByText("De nada").waitFor()
          await page.getByRole("navigation", { name: "Where you are" }).getByRole("link", { name: "Help" }).click()
          await page.getByRole("link", { name: /De nada/ }).waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("gives a message back that could not be sent", () =>
      Effect.gen(function*() {
        const club = yield* openSupportClub
        const id = idOf(yield* club.open(club.ana, "Boleto"))
        const page = yield* visit(club, ["support", id], { token: club.ana.token, expected: [/503|ERR_FAILED/] })
        yield* Effect.promise(async () => {
          await page.getByRole("log").getByText("Não chegou").waitFor()
          await page.route("**/messages", (route) =>
            route.request().method() === "POST" ? route.abort() : route.continue())
          await page.getByLabel("Your message").fill("Vai chegar?")
          await page.getByRole("button", { name: "Send" }).click()
          await page.getByRole("region", { name: "Messages" }).getByRole("button", { name: "Close" }).waitFor()
          assert.strictEqual(await page.getByLabel("Your message").inputValue(), "Vai chegar?")
          await page.unroute("**/messages")
          await page.getByRole("button", { name: "Send" }).click()
          await page.getByRole("log").getByText("Vai chegar?").waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("keeps a message that is on its way over a reload, and takes no other one meanwhile", () =>
      Effect.gen(function*() {
        const club = yield* openSupportClub
        const id = idOf(yield* club.open(club.ana, "Boleto"))
        const page = yield* visit(club, ["support", id], { token: club.ana.token, expected: [/ERR_/] })
        yield* Effect.promise(async () => {
          const field = page.getByLabel("Your message")
          const held = Promise.withResolvers<void>()
          await page.route(
            "**/messages",
            (route) => route.request().method() === "POST" ? held.promise.then(() => route.abort()) : route.continue()
          )
          await field.fill("Vai chegar?")
          await page.getByRole("button", { name: "Send" }).click()
          await page.getByText("Sending…").waitFor()
          assert.deepStrictEqual([await field.inputValue(), await field.isEditable()], ["", false])
          await page.reload()
          held.resolve()
          assert.strictEqual(await field.inputValue(), "Vai chegar?")
        })
      }).pipe(Effect.scoped))

    it.effect("takes the focus back from nothing that was opened while a message was on its way", () =>
      Effect.gen(function*() {
        const club = yield* openSupportClub
        const id = idOf(yield* club.open(club.ana, "Boleto"))
        const page = yield* visit(club, ["support", id], { token: club.ana.token, width: 390 })
        yield* Effect.promise(async () => {
          const gate = Promise.withResolvers<void>()
          await page.route("**/messages", async (route) => {
            if (route.request().method() === "POST") await gate.promise
            await route.continue()
          })
          await page.getByLabel("Your message").fill("Obrigada")
          await page.getByRole("button", { name: "Send" }).click()
          await page.getByRole("button", { name: "More" }).click()
          gate.resolve()
          await page.getByText("Sending…").waitFor({ state: "detached" })
          await page.getByRole("link", { name: "Points" }).click()
          await page.getByRole("heading", { name: "Points", level: 1 }).waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("on a phone and at a desk, light and dark", () =>
      Effect.gen(function*() {
        const club = yield* openSupportClub
        const id = idOf(yield* club.open(club.ana, "O vídeo não abre", "O vídeo da aula fica parado no começo."))
        yield* club.reply(id, "Qual navegador você usa?\nE em qual aparelho?")
        yield* club.say(club.ana, id, `Firefox. ${"Muito texto sem fim. ".repeat(20)}`)
        yield* club.reply(id, "Obrigada! Corrigimos, tente de novo.")
        yield* club.open(club.ana, hostile, "Não chegou")
        const page = yield* visit(club, ["support"], { token: club.ana.token, width: 390 })
        yield* Effect.promise(async () => {
          await page.evaluate("localStorage.setItem('turma-language', 'pt-BR')")
          await page.reload()
        })
        yield* Effect.promise(() => page.getByRole("link", { name: /O vídeo/ }).waitFor())
        yield* lookAll(page, "support")
        yield* Effect.promise(async () => {
          await page.getByRole("link", { name: /O vídeo/ }).click()
          await page.getByRole("log").getByText("Obrigada!").waitFor()
        })
        yield* lookAll(page, "support-conversation")
        yield* Effect.promise(() => page.goto(page.url().replace(id, "new")))
        yield* lookAll(page, "support-new")
      }).pipe(Effect.scoped))
  })
})
