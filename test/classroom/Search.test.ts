import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { enrolledStudent, foundClub } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { addressOf, ClassroomAppLayer, lookAll, visit } from "./Visit.ts"

const course = { public_id: "flauta-doce", title: "Flauta doce" }
const lesson = { public_id: "respirar", title: "Respirar" }
const nowhere = { block_id: null, media_id: null, page_from: null, seconds: null }

const hits = [
  { kind: "lesson", course, lesson, title: "Respirar", snippet: "Inspire fundo e solte o ar devagar.", ...nowhere },
  {
    ...nowhere,
    kind: "lesson",
    course,
    lesson: { public_id: "soprar", title: "Soprar" },
    title: "Soprar",
    snippet: "Antes de soprar, respire.",
    block_id: "antes"
  },
  {
    ...nowhere,
    kind: "transcript",
    course,
    lesson,
    title: "Vídeo da aula",
    snippet: "…agora vamos <b>respirar</b> juntos, sem levantar os ombros…",
    media_id: "video",
    seconds: 95
  },
  {
    ...nowhere,
    kind: "document",
    course,
    lesson: { public_id: "apostila", title: "A apostila" },
    title: "Apostila.pdf",
    snippet: "Para respirar bem, fique em pé.",
    media_id: "apostila",
    page_from: 3
  }
]

/** Answers searches in place of the service: the assistant reads lessons only with a model. */
const answer = (page: Page, asked: Array<string>) =>
  page.route("**/classroom/search?*", async (route) => {
    const wanted = new URL(route.request().url()).searchParams.get("q") ?? ""
    asked.push(wanted)
    const data = wanted.startsWith("resp") ? hits : []
    await route.fulfill({ json: { data, next_cursor: null } })
  })

describe.skipIf(withoutBrowser)("The classroom's search", () => {
  layer(ClassroomAppLayer, { excludeTestServices: true })("for a student", (it) => {
    it.effect("finds as they type, and leads to the page or the second", () =>
      Effect.gen(function*() {
        const club = yield* foundClub({ locale: "en" })
        const { token } = yield* enrolledStudent(club)
        const page = yield* visit(club, [], { token })
        const asked: Array<string> = []
        yield* Effect.promise(async () => {
          await answer(page, asked)
          await page.getByRole("link", { name: "Search" }).click()
          await page.locator("[type=search]:focus").waitFor()
          await page.keyboard.type("respirar")
          await page.getByText("4 places found").waitFor()
          assert.deepStrictEqual(asked, ["respirar"])
          const links = page.getByRole("main").getByRole("link")
          const addresses = await Promise.all((await links.all()).map((link) => link.getAttribute("href")))
          assert.deepStrictEqual(
            addresses,
            [
              "lessons/respirar",
              "lessons/soprar?block=antes",
              "lessons/respirar?media=video&t=95",
              "lessons/apostila?media=apostila&page=3"
            ].map((path) => addressOf(club, path))
          )
          assert.strictEqual(await page.getByText("<b>").count(), 1)
          assert.deepStrictEqual(await page.locator("mark").allTextContents(), ["Respirar", "respirar", "respirar"])
          await page.getByRole("searchbox").fill("xadrez")
          await page.getByRole("heading", { name: "Nothing found for “xadrez”" }).waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("on a phone and at a desk, light and dark", () =>
      Effect.gen(function*() {
        const club = yield* foundClub({ locale: "pt-BR" })
        const { token } = yield* enrolledStudent(club)
        const page = yield* visit(club, ["search"], { token, width: 390 })
        yield* Effect.promise(async () => {
          await answer(page, [])
          await page.getByRole("searchbox").fill("respirar")
          await page.getByText("4 resultados").waitFor()
        })
        yield* lookAll(page, "search")
      }).pipe(Effect.scoped))
  })
})
