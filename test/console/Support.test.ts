import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { idOf, openSupportClub, type SupportClub } from "../conversation/support/SupportClub.ts"
import { at } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { ConsoleAppLayer, lookAll, visit } from "./Visit.ts"

// Takes long: a browser waits for what comes meanwhile.

const hostile = "<script>alert(1)</script> javascript:alert(2) [x](http://a.example)"

const within = ({ organization_id }: SupportClub, ...parts: ReadonlyArray<string>) =>
  ["/console", organization_id, "support", ...parts].join("/")

describe.skipIf(withoutBrowser)("The console's support inbox", () => {
  layer(ConsoleAppLayer, { excludeTestServices: true })("for who answers", (it) => {
    it.effect("shows what is unread, marks it as read, answers, and shows what comes meanwhile", () =>
      Effect.gen(function*() {
        const club = yield* openSupportClub
        const rita = yield* club.member("support")
        const id = idOf(yield* club.open(club.ana, "O vídeo 🎬 não abre", hostile))
        const page = yield* visit(within(club), { token: rita.token })
        yield* Effect.promise(async () => {
          await page.getByText("Students have written messages that you have not read yet.").waitFor()
          await page.getByRole("table", { name: "Unread" }).getByRole("link", { name: /O vídeo/ }).click()
          const thread = page.getByRole("log")
          await thread.getByText(hostile).waitFor()
          assert.strictEqual(await thread.getByRole("link").count(), 0)
        })
        assert.strictEqual(yield* club.unread(id), 1)
        yield* Effect.promise(async () => {
          await page.getByLabel("Answer").fill("مرحبا 👋\nQual navegador?")
          await page.getByRole("button", { name: "Send" }).click()
          await page.getByRole("log").getByText("مرحبا 👋").waitFor()
          await page.getByText("2 messages").waitFor()
        })
        assert.strictEqual(yield* club.unread(id, rita), 0)
        yield* club.say(club.ana, id, "Firefox, e agora?")
        yield* Effect.promise(() => page.getByRole("log").getByText("Firefox, e agora?").waitFor())
        yield* Effect.promise(async () => {
          await page.getByText("3 messages").waitFor()
          await page.getByRole("link", { name: "Support" }).last().click()
          await page.getByText("You have read everything that students wrote.").waitFor()
          await page.getByRole("table", { name: "Read" }).getByRole("link", { name: /O vídeo/ }).waitFor()
        })
        assert.strictEqual(yield* club.unread(id, rita), 0)
        yield* club.open(club.bia, "Boleto", "Não chegou")
        yield* Effect.promise(() =>
          page.getByRole("table", { name: "Unread" }).getByRole("link", { name: /Boleto/ }).waitFor()
        )
      }).pipe(Effect.scoped))

    it.effect("gives a conversation to somebody, closes and opens it, and finds it by that", () =>
      Effect.gen(function*() {
        const club = yield* openSupportClub
        const rita = yield* club.member("support")
        yield* club.member("editor")
        const id = idOf(yield* club.open(club.ana, "Boleto"))
        yield* club.open(club.bia, "Outra coisa")
        const page = yield* visit(within(club, id), { token: rita.token })
        yield* Effect.promise(async () => {
          const staff = page.getByLabel("Looked after by")
          await staff.getByRole("option", { name: "Ana Souza" }).nth(1).waitFor({ state: "attached" })
          // The options are nobody, the owner and Rita. Editors do not look after students.
          assert.strictEqual(await staff.getByRole("option").count(), 3)
          const given = page.waitForResponse((response) => response.request().method() === "PATCH")
          await staff.selectOption(rita.id)
          await given
          await page.getByRole("button", { name: "Close the conversation" }).click()
          await page.getByRole("button", { name: "Open again" }).waitFor()
        })
        const { json } = yield* club.one(id)
        assert.deepStrictEqual([at(json, "data", "status"), at(json, "data", "assignee", "id")], ["closed", rita.id])
        yield* Effect.promise(async () => {
          await page.getByRole("link", { name: "Support" }).last().click()
          await page.getByLabel("Status").selectOption("closed")
          await page.getByRole("link", { name: /Boleto/ }).waitFor()
          await page.getByRole("link", { name: /Outra coisa/ }).waitFor({ state: "detached" })
          await page.getByLabel("Looked after by").selectOption("Me")
          await page.getByRole("link", { name: /Boleto/ }).waitFor()
          await page.reload()
          await page.getByRole("link", { name: /Boleto/ }).waitFor()
          assert.strictEqual(await page.getByLabel("Status").inputValue(), "closed")
        })
      }).pipe(Effect.scoped))

    it.effect("reads a long conversation from its end, and what is older when it is wanted", () =>
      Effect.gen(function*() {
        const club = yield* openSupportClub
        const id = idOf(yield* club.open(club.ana, "Longa", "Mensagem 1"))
        for (let number = 2; number <= 120; number++) yield* club.say(club.ana, id, `Mensagem ${number}`)
        const page = yield* visit(within(club, id), { token: club.token })
        yield* Effect.promise(async () => {
          const thread = page.getByRole("log")
          const one = (number: number) => thread.getByText(`Mensagem ${number}`, { exact: true })
          await one(120).waitFor()
          assert.strictEqual(await one(20).count(), 0)
          await thread.getByRole("button", { name: "Show older messages" }).click()
          await one(1).waitFor()
          assert.strictEqual(await thread.getByRole("listitem").count(), 120)
        })
      }).pipe(Effect.scoped))

    it.effect("is not for an editor, who reads why", () =>
      Effect.gen(function*() {
        const club = yield* openSupportClub
        const editor = yield* club.member("editor")
        const page = yield* visit(within(club), { token: editor.token, expected: [/403/] })
        yield* Effect.promise(() =>
          page.getByText("Your role in this club does not allow you to see this").first().waitFor()
        )
      }).pipe(Effect.scoped))

    it.effect("on a phone and at a desk, light and dark", () =>
      Effect.gen(function*() {
        const club = yield* openSupportClub
        const rita = yield* club.member("support")
        const id = idOf(yield* club.open(club.ana, "لا أستطيع فتح الفيديو 🎬", "O vídeo da aula fica parado no começo."))
        yield* club.reply(id, "Qual navegador você usa?\nE em qual aparelho?")
        yield* club.say(club.ana, id, `Firefox. ${"Muito texto sem fim. ".repeat(20)}`)
        idOf(yield* club.open(club.bia, hostile, "Não chegou"))
        const read = idOf(yield* club.open(club.bia, "Boleto", "Não chegou"))
        yield* club.read(read, rita)
        const page = yield* visit(within(club), { width: 390, token: rita.token })
        yield* Effect.promise(() => page.getByRole("link", { name: /Boleto/ }).waitFor())
        yield* lookAll(page, "support")
        yield* Effect.promise(async () => {
          await page.getByRole("link", { name: /لا أستطيع/ }).click()
          await page.getByRole("log").getByText("Firefox").waitFor()
        })
        yield* lookAll(page, "support-conversation")
      }).pipe(Effect.scoped))
  })
})
