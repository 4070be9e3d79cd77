import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { at, send } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { type CommunityWorld, openCommunityWorld } from "./CommunityWorld.ts"
import { ClassroomAppLayer, follow, lookAll, visit } from "./Visit.ts"

// Takes long: a browser waits for what comes meanwhile.

const settingsOf = ({ ana, path }: CommunityWorld) =>
  Effect.map(
    send("GET", `${path}/classroom/notifications/settings`, { token: ana.token }),
    ({ json }) => at(json, "data")
  )

/** Ana's post and comment, and two who answered them. */
const answered = Effect.fnUntraced(function*(world: CommunityWorld) {
  const post = yield* world.post(world.ana, world.general, "Alguém quer estudar junto?", "Grupo de estudo")
  const first = yield* world.comment(world.ana, post, "Às terças?")
  yield* world.comment(world.bia, post, "Eu quero! Pode ser às quintas, depois das oito?")
  const reply = yield* world.answer(first, "Terça é ótimo. <b>Até lá</b>")
  return { post, first, reply }
})

describe.skipIf(withoutBrowser)("Notifications in the classroom", () => {
  layer(ClassroomAppLayer, { excludeTestServices: true })("for a student", (it) => {
    it.effect("are counted at the bell, lead to the comment and are read by that", () =>
      Effect.gen(function*() {
        const world = yield* openCommunityWorld()
        const page = yield* visit(world, [], { token: world.ana.token, width: 390 })
        yield* Effect.promise(async () => {
          await page.getByRole("link", { name: "Avisos", exact: true }).click()
          await page.getByText("Nada por aqui ainda").waitFor()
        })
        yield* answered(world)
        yield* Effect.promise(async () => {
          await page.reload()
          await page.getByRole("link", { name: "Avisos, 2 não lidos" }).waitFor()
          const fresh = page.getByRole("region", { name: "Novos" })
          await fresh.getByRole("link", { name: /Bia Lima respondeu a você em Grupo de estudo/ }).waitFor()
          const read = page.waitForResponse((response) => response.url().endsWith("/notifications/read"))
          await fresh.getByRole("link", { name: /<b>Até lá<\/b>/ }).click()
          await page.getByRole("article").filter({ hasText: "Terça é ótimo" }).and(page.locator(":focus")).waitFor()
          await read
          await page.getByRole("link", { name: "Avisos, 1 não lidos" })
            .or(page.getByRole("link", { name: "Avisos, 1 não lido" })).waitFor()
          await page.goBack()
          await page.getByRole("region", { name: "Hoje" }).getByText("Terça é ótimo").waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("are all marked as read at once, and are unread again if that fails", () =>
      Effect.gen(function*() {
        const world = yield* openCommunityWorld()
        yield* answered(world)
        const page = yield* visit(world, ["notifications"], { token: world.ana.token, expected: [/Failed to load/] })
        const all = page.getByRole("button", { name: "Marcar tudo como lido" })
        yield* Effect.promise(async () => {
          await page.route("**/notifications/read", (route) => route.abort())
          await all.click()
          await page.getByRole("region", { name: "Mensagens" }).getByText("O serviço não respondeu").waitFor()
          await page.getByRole("region", { name: "Novos" }).waitFor()
          await page.unroute("**/notifications/read")
          await all.click()
          await page.getByRole("region", { name: "Novos" }).waitFor({ state: "detached" })
          await page.getByRole("link", { name: "Avisos", exact: true }).waitFor()
        })
        assert.deepInclude(yield* settingsOf(world), { unread_count: 0 })
      }).pipe(Effect.scoped))

    it.effect("come by mail as often as the student chooses", () =>
      Effect.gen(function*() {
        const world = yield* openCommunityWorld()
        const page = yield* visit(world, ["notifications"], { token: world.ana.token })
        yield* Effect.promise(async () => {
          assert.strictEqual(await page.getByLabel("Avisar por e-mail").inputValue(), "daily")
          await page.getByLabel("Avisar por e-mail").selectOption("never")
          await page.getByText("Salvo").waitFor()
        })
        assert.deepInclude(yield* settingsOf(world), { mail: "never" })
      }).pipe(Effect.scoped))

    for (const locale of ["pt-BR", "en"] as const) {
      it.effect(`are shown on a phone and at a desk, light and dark, in ${locale}`, () =>
        Effect.gen(function*() {
          const world = yield* openCommunityWorld(locale)
          const { first } = yield* answered(world)
          yield* send("POST", `${world.path}/classroom/notifications/read`, { token: world.ana.token, body: {} })
          yield* world.answer(first, "E traga o violão!")
          const page = yield* visit(world, ["notifications"], { token: world.ana.token })
          yield* lookAll(page, `notifications-${locale}`)
          yield* follow(page, `/classroom/${world.organization_id}/community`)
        }).pipe(Effect.scoped))
    }
  })
})
