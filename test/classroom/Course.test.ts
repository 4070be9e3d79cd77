import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { send } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { makeLesson, makeMedia, makeModule } from "../harness/Makers.ts"
import { comeBack, describeCourse, endAccess, hostile, openSchool, rendered, withFiles } from "./Learning.ts"
import { addressOf, becomes, ClassroomAppLayer, follow, lookAll, visit } from "./Visit.ts"

const filled = {
  subtitle: "Do primeiro som à primeira música",
  description: `Em **quatro semanas** você toca a primeira música.\n\n- Sem partitura\n- Sem pressa\n\n${hostile}`,
  instructor_name: "Pixinguinha"
}

describe.skipIf(withoutBrowser)("A course in the classroom", () => {
  layer(ClassroomAppLayer, { excludeTestServices: true })("for its student", (it) => {
    it.effect("says what is in it, how far one is, and leads on, on a phone and at a desk", () =>
      Effect.gen(function*() {
        const { club, course, student } = yield* openSchool()
        yield* describeCourse(course, filled)
        const page = yield* visit(club, ["courses", "primeiro-sopro"], { ...student, width: 390 })
        yield* Effect.promise(async () => {
          await page.getByText("With Pixinguinha").waitFor()
          await page.getByText("quatro semanas", { exact: true }).waitFor()
          assert.strictEqual(await page.locator("main img").count(), 0)
          await page.getByRole("link", { name: "Start course" }).waitFor()
          assert.strictEqual(await page.getByRole("link", { name: /Tocar/ }).count(), 1)
        })
        yield* lookAll(page, "course-new")
        yield* send("PUT", `${club.path}/classroom/lessons/respirar/completion`, student)
        yield* follow(page, addressOf(club))
        yield* follow(page, addressOf(club, "courses", "primeiro-sopro"))
        yield* Effect.promise(async () => {
          await page.getByText("25% · 1 of 4 lessons").waitFor()
          await page.getByRole("link", { name: /Respirar.*completed/ }).waitFor()
          await page.getByRole("link", { name: "Continue" }).click()
          await page.getByRole("heading", { name: "Soprar", level: 1 }).waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("shows a new cover once it is read again", () =>
      Effect.gen(function*() {
        const { club, course, student } = yield* openSchool()
        const withCover = Effect.gen(function*() {
          const { id: cover_media_id } = yield* makeMedia(club, { kind: "image", title: "Capa.png" })
          yield* describeCourse(course, { cover_media_id })
        })
        yield* withCover
        const page = yield* visit(club, ["account"], student)
        yield* withFiles(page)
        yield* follow(page, addressOf(club, "courses", "primeiro-sopro"))
        const shown = () => page.locator("img.cover").getAttribute("src")
        const before = yield* Effect.promise(shown)
        // Another file with the same title and size.
        yield* withCover
        yield* Effect.promise(async () => {
          await comeBack(page)
          assert.isTrue(await becomes(async () => await shown() !== before))
        })
      }).pipe(Effect.scoped))

    it.effect("shows titles and the reason once the access has ended, and no way into its lessons", () =>
      Effect.gen(function*() {
        const { club, student } = yield* openSchool({ locale: "pt-BR" })
        yield* endAccess(student)
        const page = yield* visit(club, ["courses", "primeiro-sopro"], { ...student, width: 390, locale: "pt-BR" })
        yield* Effect.promise(async () => {
          await page.getByText("Seu acesso terminou em").waitFor()
          await page.getByText("Respirar").waitFor()
          assert.strictEqual(await page.locator("main a[href*='/lessons/']").count(), 0)
        })
        yield* lookAll(page, "course-ended")
      }).pipe(Effect.scoped))

    it.effect("of 1,000 lessons opens the module where one is, and its rows beyond the screen take no time", () =>
      Effect.gen(function*() {
        const { club, course, modules: [module], student } = yield* openSchool()
        yield* Effect.forEach(
          Array.from({ length: 1000 }, (_, n) => n),
          (n) => makeLesson(club, module, { title: `Estudo ${n + 1}`, position: n + 3 }),
          { discard: true }
        )
        const later = yield* makeModule(club, course, { title: "Depois", position: 3 })
        yield* makeLesson(club, later, { title: "Descansar", published_at: yield* DateTime.now })
        const page = yield* visit(club, ["courses", "primeiro-sopro"], { ...student, width: 390 })
        yield* Effect.promise(async () => {
          await page.getByText("Estudo 1000").waitFor({ state: "attached" })
          assert.strictEqual(await page.getByText("Descansar").count(), 0)
          assert.isAtMost(await rendered(page, ".lesson-list > li"), 60)
          await page.getByText("Depois").click()
          await page.getByText("Descansar").waitFor()
        })
      }).pipe(Effect.scoped))
  })
})
