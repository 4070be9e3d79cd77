import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Locator, Page, Route } from "playwright-core"
import { at, listAt, send } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { eventually } from "../harness/Eventually.ts"
import { type CommunityWorld, openCommunityWorld } from "./CommunityWorld.ts"
import { addressOf, becomes, ClassroomAppLayer, follow, lookAll, settled, visit } from "./Visit.ts"

// Takes long: a browser waits for what comes meanwhile.

const hostile = "<img src=x onerror=alert(1)> مرحبا 🎻"

const spaceOf = (space: string) => ["community", "spaces", space]

/** Fills a space with so many posts of a student. */
const fill = Effect.fnUntraced(function*({ ana, general, id }: CommunityWorld, count: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    insert into posts (club_id, id, space_id, student_id, title, body, created_at)
    select ${id}, uuidv7(make_interval(secs => n - ${count})), ${general}, ${ana.id}, 'Post ' || n,
      'Estudei ' || n || ' minutos hoje.', ${new Date("2026-01-01T00:00:00Z")}::timestamptz + make_interval(secs => n)
    from generate_series(1, ${count}::int) n`
})

const heightNow = (page: Page) => page.evaluate("document.documentElement.scrollHeight")

/** Scrolls to the end of what is there so often, and each time waits for more. */
const jump = async (page: Page, times: number): Promise<void> => {
  if (times === 0) return
  const before = await heightNow(page)
  await page.mouse.wheel(0, 100_000)
  await becomes(async () => await heightNow(page) !== before)
  await jump(page, times - 1)
}

describe.skipIf(withoutBrowser)("The community in the classroom", () => {
  layer(ClassroomAppLayer, { excludeTestServices: true })("for students", (it) => {
    it.effect("leads from its spaces to a post, and says where only the team posts", () =>
      Effect.gen(function*() {
        const world = yield* openCommunityWorld()
        yield* world.announce("Quinta às 20h, com dúvidas ao vivo.", "Live de quinta")
        yield* world.post(world.bia, world.general, hostile)
        const page = yield* visit(world, ["community"], { token: world.ana.token, width: 390 })
        yield* Effect.promise(async () => {
          await page.getByRole("heading", { name: "Roda de violão" }).waitFor()
          await page.getByRole("link", { name: /Avisos.*Só a equipe publica aqui/ }).click()
          await page.getByRole("link", { name: /Live de quinta/ }).waitFor()
          assert.strictEqual(await page.getByRole("link", { name: "Escrever um post" }).count(), 0)
          await page.getByRole("navigation", { name: "Onde você está" }).getByRole("link").click()
          await page.getByRole("link", { name: /Geral.*1 post novo/ }).click()
          await page.getByRole("link", { name: hostile }).click()
          await page.getByRole("heading", { name: "Post de Bia Lima" }).waitFor()
          await page.getByText(hostile).waitFor()
          await page.getByRole("link", { name: "Roda de violão" }).click()
          await page.getByRole("link", { name: /Geral/ }).waitFor()
          await page.getByText("1 post novo").waitFor({ state: "detached" })
        })
      }).pipe(Effect.scoped))

    it.effect("counts no post as new that came while its space was shown", () =>
      Effect.gen(function*() {
        const world = yield* openCommunityWorld()
        const isSeen = eventually(
          send("GET", `${world.path}/classroom/spaces`, { token: world.ana.token }),
          ({ json }) =>
            listAt(json, "data").some((one) => at(one, "id") === world.general && at(one, "unread_count") === 0)
        )
        yield* world.post(world.bia, world.general, "Um", "Primeiro")
        const page = yield* visit(world, spaceOf(world.general), { token: world.ana.token })
        yield* Effect.promise(() => page.getByRole("link", { name: /Primeiro/ }).waitFor())
        yield* isSeen
        yield* world.post(world.bia, world.general, "Dois", "Segundo")
        yield* Effect.promise(async () => {
          await page.evaluate("dispatchEvent(new Event('focus'))")
          await page.getByRole("link", { name: /Segundo/ }).waitFor()
        })
        yield* isSeen
      }).pipe(Effect.scoped))

    it.effect("says that it is not open, and that a space is not there", () =>
      Effect.gen(function*() {
        const world = yield* openCommunityWorld()
        const expected = [/404/]
        const page = yield* visit(world, spaceOf(world.ana.id), { token: world.ana.token, expected })
        yield* Effect.promise(() => page.getByText("Este espaço não está disponível").waitFor())
        yield* send("PATCH", `${world.path}/community`, { token: world.token, body: { published_at: null } })
        yield* follow(page, addressOf(world, "community"))
        yield* Effect.promise(() => page.getByText("A comunidade ainda não abriu").waitFor())
        yield* lookAll(page, "community-closed")
      }).pipe(Effect.scoped))

    it.effect("takes a post whose draft survives a reload and a failed request", () =>
      Effect.gen(function*() {
        const world = yield* openCommunityWorld()
        const page = yield* visit(world, spaceOf(world.general), {
          token: world.ana.token,
          expected: [/Failed to load/]
        })
        yield* Effect.promise(async () => {
          await page.getByRole("link", { name: "Escrever um post" }).first().click()
          await page.getByLabel("Título").fill("Minha primeira música")
          await page.getByLabel("Texto").fill("Toquei **sem parar**.")
          await page.reload()
          assert.strictEqual(await page.getByLabel("Texto").inputValue(), "Toquei **sem parar**.")
          await page.route("**/posts", (route) => route.abort())
          await page.getByRole("button", { name: "Publicar" }).click()
          await page.getByRole("alert").getByText("O serviço não respondeu").waitFor()
          await page.unroute("**/posts")
          await page.getByLabel("Texto").press("Control+Enter")
          await page.getByRole("button", { name: "Mais opções deste post" }).waitFor()
          await page.getByRole("heading", { name: "Minha primeira música" }).waitFor()
          await page.goBack()
          await page.getByRole("link", { name: "Escrever um post" }).first().waitFor()
        })
        yield* follow(page, addressOf(world, ...spaceOf(world.general), "write"))
        yield* Effect.promise(async () => assert.strictEqual(await page.getByLabel("Texto").inputValue(), ""))
      }).pipe(Effect.scoped))

    it.effect("shows a new post before the service has it, and gives its words back if it was not sent", () =>
      Effect.gen(function*() {
        const world = yield* openCommunityWorld()
        const page = yield* visit(world, [...spaceOf(world.general), "write"], {
          token: world.ana.token,
          expected: [/Failed to load/]
        })
        yield* Effect.promise(async () => {
          const held = Promise.withResolvers<void>()
          await page.route("**/posts", (route) => held.promise.then(() => route.abort()))
          await page.getByLabel("Título").fill("Minha primeira música")
          await page.getByLabel("Texto").fill("Toquei **sem parar**.")
          await page.getByRole("button", { name: "Publicar" }).click()
          await page.getByText("Enviando…").waitFor()
          await page.getByRole("heading", { name: "Minha primeira música" }).waitFor()
          await page.locator("strong", { hasText: "sem parar" }).waitFor()
          assert.isFalse(await page.locator("form").isVisible())
          held.resolve()
          await page.getByRole("alert").getByText("O serviço não respondeu").waitFor()
          await page.getByRole("heading", { name: "Escrever um post" }).waitFor()
          assert.strictEqual(await page.getByLabel("Texto").inputValue(), "Toquei **sem parar**.")
          assert.isTrue(await page.getByLabel("Texto").evaluate((field) => field.matches(":focus")))
        })
      }).pipe(Effect.scoped))

    it.effect("leads nobody to a new post who has left meanwhile, and says where they are that it was not sent", () =>
      Effect.gen(function*() {
        const world = yield* openCommunityWorld()
        const page = yield* visit(world, spaceOf(world.general), {
          token: world.ana.token,
          expected: [/Failed to load/]
        })
        const send = async (end: (route: Route) => Promise<void>, shown: Locator) => {
          const held = Promise.withResolvers<void>()
          await page.route(
            "**/posts",
            (route) => route.request().method() === "POST" ? held.promise.then(() => end(route)) : route.continue()
          )
          await page.getByRole("link", { name: "Escrever um post" }).first().click()
          await page.getByLabel("Texto").fill("Toquei")
          await page.getByRole("button", { name: "Publicar" }).click()
          await page.getByText("Enviando…").waitFor()
          await page.getByRole("link", { name: "Geral" }).click()
          await page.getByRole("link", { name: "Escrever um post" }).first().waitFor()
          held.resolve()
          await shown.waitFor()
          await page.getByRole("heading", { name: "Geral" }).waitFor()
          await page.unroute("**/posts")
        }
        yield* Effect.promise(async () => {
          await send(
            (route) => route.abort(),
            page.getByRole("region", { name: "Mensagens" }).getByText("não respondeu")
          )
          await send((route) => route.continue(), page.getByRole("link", { name: /Toquei/ }))
        })
      }).pipe(Effect.scoped))

    it.effect("lets authors change and delete their own posts", () =>
      Effect.gen(function*() {
        const world = yield* openCommunityWorld()
        const post = yield* world.post(world.ana, world.general, "Um texto", "Um título")
        const page = yield* visit(world, ["community", "posts", post], { token: world.ana.token })
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "Mais opções deste post" }).click()
          await page.getByRole("button", { name: "Editar" }).click()
          await page.getByLabel("Título").fill("")
          await page.getByLabel("Texto").fill("Outro texto")
          await page.getByRole("button", { name: "Salvar" }).click()
          await page.getByRole("heading", { name: "Post de Ana Souza" }).waitFor()
          await page.getByText("editado").waitFor()
          await page.getByText("Outro texto").waitFor()
          await page.getByRole("button", { name: "Mais opções deste post" }).click()
          await page.getByRole("button", { name: "Excluir" }).click()
          await page.getByRole("button", { name: "Excluir o post" }).click()
          await page.getByText("Ninguém publicou aqui ainda").waitFor()
        })
        const { json } = yield* send("GET", `${world.path}/community/posts/${post}`, { token: world.token })
        assert.strictEqual(at(json, "error", "code"), "not_found")
      }).pipe(Effect.scoped))

    it.effect("scrolls through thousands of posts with few of them on the page", () =>
      Effect.gen(function*() {
        const world = yield* openCommunityWorld()
        yield* fill(world, 3000)
        const page = yield* visit(world, spaceOf(world.general), { token: world.ana.token })
        const rows = page.getByRole("list", { name: "Posts" }).locator("li[data-row]")
        yield* Effect.promise(async () => {
          await page.getByText("Post 3000", { exact: true }).waitFor()
          await jump(page, 8)
          assert.isBelow(await rows.count(), 80)
          await page.getByRole("link", { name: /Post 2[0-4]\d\d/ }).last().click()
          await page.getByRole("heading", { name: /Post 2/ }).waitFor()
          await page.goBack()
        })
        yield* settled(page)
        yield* Effect.promise(() => page.getByRole("link", { name: /Post 2[0-4]\d\d/ }).first().waitFor())
      }).pipe(Effect.scoped))

    for (const locale of ["pt-BR", "en"] as const) {
      it.effect(`is shown on a phone and at a desk, light and dark, in ${locale}`, () =>
        Effect.gen(function*() {
          const world = yield* openCommunityWorld(locale)
          yield* world.announce("Quinta às 20h.", "Live de quinta")
          const first = yield* world.post(
            world.ana,
            world.general,
            "Demorei **duas semanas**, mas saiu. Obrigada a todo mundo que respondeu às minhas dúvidas aqui!",
            "Minha primeira música inteira"
          )
          yield* world.post(world.bia, world.general, hostile)
          yield* world.comment(world.bia, first, "Que orgulho!")
          yield* send("PATCH", `${world.path}/community/posts/${first}`, { token: world.token, body: { pinned: true } })
          const page = yield* visit(world, ["community"], { token: world.ana.token })
          yield* lookAll(page, `community-${locale}`)
          yield* follow(page, addressOf(world, ...spaceOf(world.general)))
          yield* lookAll(page, `community-space-${locale}`)
          yield* follow(page, addressOf(world, ...spaceOf(world.general), "write"))
          yield* lookAll(page, `community-write-${locale}`)
        }).pipe(Effect.scoped))
    }
  })
})
