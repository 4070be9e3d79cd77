import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { at, listAt, send } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { type CommunityWorld, openCommunityWorld } from "./CommunityWorld.ts"
import { ClassroomAppLayer, lookAll, visit } from "./Visit.ts"

// Takes long: a browser waits for what comes meanwhile.

const question = "Como faço a pestana sem doer?\n\nTentei **tudo** e [este vídeo](https://example.com/pestana)."

const talked = Effect.fnUntraced(function*(world: CommunityWorld) {
  const post = yield* world.post(world.bia, world.general, "Alguém quer estudar junto?", "Grupo de estudo")
  const first = yield* world.comment(world.ana, post, question)
  yield* world.react(world.bia, first, "👏")
  yield* world.comment(world.bia, post, "Eu também quero saber!", first)
  yield* world.answer(first, "Polegar no meio do braço, e pouca força. Quer que eu mostre na live de quinta?")
  return { post, first }
})

const atPost = (post: string) => ["community", "posts", post]

const one = (page: Page, text: string) => page.getByRole("article").filter({ hasText: text })

describe.skipIf(withoutBrowser)("A discussion in the classroom", () => {
  layer(ClassroomAppLayer, { excludeTestServices: true })("of students", (it) => {
    it.effect("shows a comment at once, a reply below it, and keeps both after a reload", () =>
      Effect.gen(function*() {
        const world = yield* openCommunityWorld()
        const { post } = yield* talked(world)
        const page = yield* visit(world, atPost(post), { token: world.ana.token, width: 390 })
        yield* Effect.promise(async () => {
          await page.getByLabel("Seu comentário").fill("Toquei **hoje**! <b>Mesmo</b>")
          await page.keyboard.press("Control+Enter")
          await one(page, "Toquei hoje! <b>Mesmo</b>").locator("strong", { hasText: "hoje" }).waitFor()
          await page.getByText("Seu comentário foi publicado.").waitFor({ state: "attached" })
          await one(page, "Toquei hoje!").getByRole("button", { name: "Responder" }).click()
          await page.getByLabel("Sua resposta a Ana Souza").fill("E amanhã de novo.")
          await page.getByRole("button", { name: "Responder" }).and(page.locator("[type=submit]")).click()
          await page.getByLabel("Sua resposta a Ana Souza").waitFor({ state: "detached" })
          await page.locator(":focus", { hasText: "Responder" }).waitFor()
          await page.reload()
          await page.getByRole("list", { name: "Respostas a Ana Souza" }).getByText("E amanhã de novo.").waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("takes back a comment that is not sent, with its text, and keeps the text over a reload", () =>
      Effect.gen(function*() {
        const world = yield* openCommunityWorld()
        const { post } = yield* talked(world)
        const page = yield* visit(world, atPost(post), { token: world.ana.token, expected: [/Failed to load/] })
        yield* Effect.promise(async () => {
          await page.route(
            "**/comments",
            (route) => route.request().method() === "POST" ? route.abort() : route.continue()
          )
          await page.getByLabel("Seu comentário").fill("Não se perde")
          await page.keyboard.press("Control+Enter")
          await page.getByText("Não foi enviado. Seu texto continua aqui.").waitFor()
          assert.strictEqual(await one(page, "Não se perde").count(), 0)
          await page.reload()
          assert.strictEqual(await page.getByLabel("Seu comentário").inputValue(), "Não se perde")
          await page.unroute("**/comments")
          await page.getByRole("button", { name: "Comentar", exact: true }).click()
          await page.getByText("Seu comentário foi publicado.").waitFor({ state: "attached" })
          await page.reload()
          await one(page, "Não se perde").waitFor()
          assert.strictEqual(await page.getByLabel("Seu comentário").inputValue(), "")
        })
      }).pipe(Effect.scoped))

    it.effect("gives a reaction and takes it back by keyboard, and a refused one goes again", () =>
      Effect.gen(function*() {
        const world = yield* openCommunityWorld()
        const { post } = yield* talked(world)
        const page = yield* visit(world, atPost(post), { token: world.ana.token, expected: [/Failed to load/] })
        const comment = one(page, "Como faço a pestana")
        yield* Effect.promise(async () => {
          await comment.getByRole("button", { name: "👏 1" }).focus()
          await page.keyboard.press("Space")
          await comment.getByRole("button", { name: "👏 2", pressed: true }).waitFor()
          await comment.getByRole("button", { name: "Adicionar reação" }).click()
          await page.keyboard.press("Escape")
          await page.keyboard.press("Enter")
          const given = page.waitForResponse((response) => response.request().method() === "PUT")
          await comment.getByRole("button", { name: "Reagir com 🎉" }).click()
          await given
          await page.reload()
          await comment.getByRole("button", { name: "🎉 1", pressed: true }).waitFor()
          await page.route("**/reactions/**", (route) => route.abort())
          await comment.getByRole("button", { name: "🎉 1" }).click()
          await page.getByRole("region", { name: "Mensagens" }).getByText("O serviço não respondeu").waitFor()
          await comment.getByRole("button", { name: "🎉 1", pressed: true }).waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("sends a reaction and its taking back one after the other", () =>
      Effect.gen(function*() {
        const world = yield* openCommunityWorld()
        const { post } = yield* talked(world)
        const page = yield* visit(world, atPost(post), { token: world.ana.token })
        const comment = one(page, "Como faço a pestana")
        yield* Effect.promise(async () => {
          const gate = Promise.withResolvers<void>()
          const sent: Array<string> = []
          await page.route("**/reactions/**", async (route) => {
            sent.push(route.request().method())
            if (sent.length === 1) await gate.promise
            await route.continue()
          })
          const given = page.waitForRequest((request) => request.method() === "PUT")
          await comment.getByRole("button", { name: "👏 1" }).click()
          await comment.getByRole("button", { name: "👏 2", pressed: true }).click()
          await comment.getByRole("button", { name: "👏 1", pressed: false }).waitFor()
          await given
          assert.deepStrictEqual(sent, ["PUT"])
          const takenBack = page.waitForResponse((response) => response.request().method() === "DELETE")
          gate.resolve()
          await takenBack
          await comment.getByRole("button", { name: "👏 1", pressed: false }).waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("lets authors edit and delete their own words, and others save and report them", () =>
      Effect.gen(function*() {
        const world = yield* openCommunityWorld()
        const { first, post } = yield* talked(world)
        const page = yield* visit(world, atPost(post), { token: world.bia.token })
        const own = one(page, "Eu também")
        const act = async (whose: ReturnType<typeof one>, name: string) => {
          await whose.getByRole("button", { name: /^Mais opções/ }).click()
          await whose.getByRole("button", { name, exact: true }).click()
        }
        yield* Effect.promise(async () => {
          await act(own, "Editar")
          await page.getByLabel("Seu texto").fill("Eu também quero, e logo!")
          await page.getByRole("button", { name: "Salvar", exact: true }).click()
          await one(page, "e logo!").getByText("editado").waitFor()
          await act(one(page, "pestana"), "Salvar")
          await one(page, "pestana").getByText("Salvo").waitFor()
          await act(one(page, "pestana"), "Denunciar")
          await page.getByLabel("Qual é o problema?").fill("Propaganda")
          await page.getByRole("dialog").getByRole("button", { name: "Denunciar" }).click()
          await page.getByText("A equipe vai dar uma olhada").waitFor()
          await act(one(page, "e logo!"), "Excluir")
          await page.getByRole("dialog").waitFor()
          await page.keyboard.press("Escape")
          await one(page, "e logo!").getByRole("button", { name: /^Mais opções/ }).and(page.locator(":focus")).waitFor()
          await act(one(page, "e logo!"), "Excluir")
          const gone = page.waitForResponse((response) => response.request().method() === "DELETE")
          await page.getByRole("button", { name: "Excluir o comentário" }).click()
          await one(page, "e logo!").waitFor({ state: "detached" })
          await gone
        })
        const { json } = yield* world.comments(world.bia, post)
        assert.deepStrictEqual(
          [at(json, "data", 0, "id"), at(json, "data", 0, "saved"), listAt(json, "data", 0, "replies").length],
          [first, true, 1]
        )
      }).pipe(Effect.scoped))

    it.effect("says why others do not see a comment, and that one was hidden or deleted", () =>
      Effect.gen(function*() {
        const world = yield* openCommunityWorld()
        const { first, post } = yield* talked(world)
        const links = [1, 2, 3, 4].map((number) => `https://example.com/${number}`).join(" ")
        yield* world.comment(world.ana, post, links)
        const bad = yield* world.comment(world.ana, post, "Compre já")
        yield* world.moderate(bad, { spam: true })
        yield* world.moderate(first, { hidden: true, pinned: true })
        const page = yield* visit(world, atPost(post), { token: world.ana.token })
        yield* Effect.promise(async () => {
          await one(page, "https://example.com/4").getByText("Aguardando a equipe").waitFor()
          await one(page, "Compre já").getByText("Marcado como spam").waitFor()
          await page.getByText("A equipe ocultou este comentário.").waitFor()
          // The pinned comment stands above the newer ones.
          await page.getByRole("article").first().getByText("Fixado").waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("leads to the comment that the address names, among many replies and older than a page too", () =>
      Effect.gen(function*() {
        const world = yield* openCommunityWorld()
        const { first, post } = yield* talked(world)
        for (const number of [1, 2, 3]) yield* world.comment(world.bia, post, `Resposta ${number}`, first)
        const last = yield* world.comment(world.bia, post, "A última resposta", first)
        yield* Effect.replicateEffect(world.comment(world.bia, post, "Outra conversa"), 55, { discard: true })
        const page = yield* visit(world, atPost(post), { token: world.ana.token })
        yield* Effect.promise(async () => {
          await one(page, "Outra conversa").first().waitFor()
          await page.goto(`${page.url()}?comment=${last}`)
          await one(page, "A última resposta").and(page.locator(":focus")).waitFor()
          const ids = await page.getByRole("article").evaluateAll((shown) => shown.map(({ id }) => id))
          assert.strictEqual(ids.indexOf(`comment-${first}`), 0)
          assert.strictEqual(new Set(ids).size, ids.length)
        })
      }).pipe(Effect.scoped))

    it.effect("offers people after an @, takes one by keyboard, and mentions them", () =>
      Effect.gen(function*() {
        const world = yield* openCommunityWorld()
        const { post } = yield* talked(world)
        const page = yield* visit(world, atPost(post), { token: world.ana.token })
        const field = page.getByLabel("Seu comentário")
        yield* Effect.promise(async () => {
          await field.pressSequentially("Oi @bi")
          await page.getByRole("option", { name: "Bia Lima", selected: true }).waitFor()
          await page.keyboard.press("Enter")
          assert.strictEqual(await field.inputValue(), "Oi @Bia Lima ")
          await page.keyboard.type("tudo bem?")
          const sent = page.waitForResponse((response) => response.request().method() === "POST")
          await page.keyboard.press("Control+Enter")
          await sent
          await one(page, "tudo bem?").locator("strong", { hasText: "@Bia Lima" }).waitFor()
        })
        const { json } = yield* world.comments(world.ana, post)
        assert.deepStrictEqual(listAt(json, "data", 0, "mentions").map((one) => at(one, "id")), [world.bia.id])
      }).pipe(Effect.scoped))

    it.effect("keeps what somebody writes while their session ends elsewhere", () =>
      Effect.gen(function*() {
        const world = yield* openCommunityWorld()
        const { post } = yield* talked(world)
        const page = yield* visit(world, atPost(post), { token: world.ana.token, expected: [/401/] })
        yield* Effect.promise(() => page.getByLabel("Seu comentário").fill("Espera por mim"))
        yield* send("DELETE", "/v1/auth/session", { token: world.ana.token })
        yield* Effect.promise(async () => {
          await page.keyboard.press("Control+Enter")
          await page.getByRole("dialog", { name: "Sua sessão terminou" }).waitFor()
          assert.strictEqual(await page.locator("textarea").first().inputValue(), "Espera por mim")
        })
      }).pipe(Effect.scoped))

    for (const locale of ["pt-BR", "en"] as const) {
      it.effect(`is shown on a phone and at a desk, light and dark, in ${locale}`, () =>
        Effect.gen(function*() {
          const world = yield* openCommunityWorld(locale)
          const { first, post } = yield* talked(world)
          for (const number of [1, 2, 3]) yield* world.comment(world.bia, post, `Resposta ${number}`, first)
          yield* world.comment(world.ana, post, [1, 2, 3, 4].map((n) => `https://example.com/${n}`).join(" "))
          yield* world.moderate(first, { pinned: true })
          const page = yield* visit(world, atPost(post), { token: world.ana.token })
          yield* Effect.promise(() => page.getByRole("textbox").first().fill("Olá"))
          yield* lookAll(page, `discussion-${locale}`)
        }).pipe(Effect.scoped))
    }
  })
})
