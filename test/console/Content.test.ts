import { assert, describe, layer } from "@effect/vitest"
import { Clock, DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Page } from "playwright-core"
import { at, foundClub, listAt, send, tokenAs } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { eventually } from "../harness/Eventually.ts"
import { makeBlock, makeCourse, makeLesson, makeMedia, makeModule } from "../harness/Makers.ts"
import { ConsoleAppLayer, follow, lookAll, open, visit } from "./Visit.ts"

// Takes long: a browser walks through the views of a course.

const hostile = "<img src=x onerror=alert(1)> مرحبا 🎻"

type Club = Effect.Success<ReturnType<typeof foundClub>>

/** A scanned PDF file in which the assistant found no text. */
const scanned = Effect.fnUntraced(function*(club: Club) {
  const sql = yield* SqlClient.SqlClient
  const { id } = yield* makeMedia(club)
  const row = { club_id: club.id, media_id: id, outcome: "read", without_text: "pictures" }
  yield* sql`insert into media_readings ${sql.insert({ ...row, started_at: DateTime.toDateUtc(yield* DateTime.now) })}`
  return id
})

/** A course of two modules and three lessons. The first lesson is live and has three blocks. */
const taught = Effect.fnUntraced(function*(club: Club) {
  const course = yield* makeCourse(club, { title: hostile })
  const [first, second] = [
    yield* makeModule(club, course, { title: "Antes", position: 1 }),
    yield* makeModule(club, course, { title: hostile, position: 2 })
  ]
  const lesson = yield* makeLesson(club, first, { title: "Respirar", position: 1 })
  yield* makeLesson(club, first, { title: "Soprar", position: 2, published_at: null })
  yield* makeLesson(club, second, { title: "Tocar", position: 1, published_at: null })
  yield* makeBlock(club, lesson, { kind: "text", body: hostile })
  yield* makeBlock(club, lesson, { kind: "assignment", body: "Grave-se." }, { title: "Respire", position: 2 })
  yield* makeBlock(club, lesson, { kind: "file", media_id: yield* scanned(club) }, { position: 3 })
  return { course, lesson }
})

const click = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click()
const titles = (page: Page, list: string) =>
  page.getByRole("list", { name: list, exact: true }).locator(":scope > li .line-words > :first-child")
    .allTextContents()

describe.skipIf(withoutBrowser)("Courses in the console", () => {
  layer(ConsoleAppLayer, { excludeTestServices: true })("for an editor", (it) => {
    it.effect("show what is taught on a phone and at a desk, light and dark", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const { course, lesson } = yield* taught(club)
        const token = yield* tokenAs(club, "editor")
        const made = yield* send("POST", `${club.path}/deliveries`, {
          token,
          body: { name: hostile, items: [{ kind: "course", id: course.id }] }
        })
        const repository = yield* send("POST", `${club.path}/repositories`, { token, body: { title: hostile } })
        const base = `/console/${club.organization_id}/content`
        const page = yield* visit(base, { width: 390, token })
        yield* lookAll(page, "content")
        yield* follow(page, `${base}/courses/${course.id}`)
        yield* Effect.promise(() => page.getByText("1 of 3 lessons is live").waitFor())
        yield* lookAll(page, "content-course")
        yield* follow(page, `${base}/lessons/${lesson.id}`)
        yield* Effect.promise(() => page.getByText("its pages are pictures, like those from a scanner").waitFor())
        yield* lookAll(page, "content-lesson")
        yield* Effect.promise(() => click(page, "Quiz"))
        yield* lookAll(page, "content-quiz")
        yield* follow(page, `${base}/deliveries`)
        yield* lookAll(page, "content-deliveries")
        yield* follow(page, `${base}/deliveries/${at(made.json, "data", "id")}`)
        yield* lookAll(page, "content-delivery")
        yield* follow(page, `${base}/repositories/${at(repository.json, "data", "id")}`)
        yield* lookAll(page, "content-repository")
        yield* follow(page, `${base}/media`)
        yield* lookAll(page, "content-media")
        yield* follow(page, `${base}/submissions`)
        yield* lookAll(page, "content-submissions")
      }).pipe(Effect.scoped))

    it.effect("are published by the club's clocks, and now by the service's, whatever the reader's show", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        yield* send("PATCH", club.path, { token: club.token, body: { time_zone: "America/Sao_Paulo" } })
        const { lesson } = yield* taught(club)
        const path = `/console/${club.organization_id}/content/lessons/${lesson.id}`
        const page = yield* visit("/console", { token: club.token, timeZone: "Asia/Tokyo", isAlone: true })
        const publish = (choice: string, when?: string) =>
          Effect.promise(async () => {
            const answered = page.waitForResponse((response) => response.url().endsWith("/publication"))
            await click(page, "Publication")
            await page.getByLabel("Students who have it see it").selectOption(choice)
            if (when !== undefined) {
              await page.getByText("In the club's time zone: America/Sao Paulo, GMT-3.").waitFor()
              await page.getByLabel("When").fill(when)
            }
            await click(page, "Save")
            return String(at(await (await answered).json(), "data", "published_at"))
          })
        yield* Effect.promise(() => page.addInitScript("{ const own = Date.now; Date.now = () => own() + 3600000 }"))
        yield* open(page, path)
        const later = yield* publish("later", "2099-01-01T09:00")
        assert.strictEqual(later, "2099-01-01T12:00:00.000Z")
        yield* Effect.promise(() => page.getByText("Jan 1, 2099, 9:00 AM (GMT-3)").first().waitFor())
        const now = yield* publish("now")
        assert.isAtMost(Date.parse(now), yield* Clock.currentTimeMillis)
        yield* Effect.promise(() => page.getByText("Visible since").waitFor())
      }).pipe(Effect.scoped))

    it.effect("open after some days or at a moment of the club's clocks, and their lists say so", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        yield* send("PATCH", club.path, { token: club.token, body: { time_zone: "America/Sao_Paulo" } })
        const course = yield* makeCourse(club)
        const part = yield* makeModule(club, course, { title: "Antes" })
        const lesson = yield* makeLesson(club, part, { title: "Respirar" })
        yield* send("PATCH", `${club.path}/lessons/${lesson.id}`, { token: club.token, body: { opens_after_days: 3 } })
        const base = `/console/${club.organization_id}/content`
        const page = yield* visit(`${base}/courses/${course.id}`, { token: club.token, timeZone: "Asia/Tokyo" })
        yield* Effect.promise(async () => {
          await page.getByText("opens 3 days after the start").waitFor()
          await click(page, "Edit Antes")
          await page.getByLabel("Opens").selectOption("days")
          await page.getByLabel("Days", { exact: true }).fill("7")
          await click(page, "Save")
          await page.getByText("opens 7 days after the start").waitFor()
        })
        yield* follow(page, `${base}/lessons/${lesson.id}`)
        const sent = page.waitForRequest((request) => request.method() === "PATCH")
        yield* Effect.promise(async () => {
          await click(page, "Edit")
          await page.getByLabel("Opens").selectOption("date")
          await page.getByText("In the club's time zone: America/Sao Paulo, GMT-3.").waitFor()
          await page.getByLabel("Day and time").fill("2099-01-01T22:00")
          await click(page, "Save")
          await page.getByText("opens on 01/01/99").waitFor()
          assert.deepStrictEqual((await sent).postDataJSON(), {
            opens_after_days: null,
            opens_at: "2099-01-02T01:00:00.000Z"
          })
        })
      }).pipe(Effect.scoped))

    it.effect("are looked at as students read them, drafts too, and nothing is sent from there", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const part = yield* makeModule(club, yield* makeCourse(club), { title: "Antes" })
        const lesson = yield* makeLesson(club, part, { title: "Respirar", published_at: null })
        yield* makeBlock(club, lesson, { kind: "text", body: `Respire **fundo**. ${hostile}` })
        yield* makeBlock(club, lesson, { kind: "assignment", body: "Grave-se." }, { title: "Tarefa", position: 2 })
        yield* makeBlock(club, lesson, { kind: "file", media_id: yield* scanned(club) }, { position: 3 })
        const options = [{ text: "O diafragma", correct: true }, { text: "Os ombros", correct: false }]
        const body = { kind: "quiz", pass_percent: 70, questions: [{ text: "O que trabalha?", options }] }
        yield* send("POST", `${club.path}/lessons/${lesson.id}/blocks`, { token: club.token, body })
        const token = yield* tokenAs(club, "viewer")
        const page = yield* visit(`/console/${club.organization_id}/content/lessons/${lesson.id}`, { token })
        const written: Array<string> = []
        page.on("request", (request) => request.method() !== "GET" && written.push(request.url()))
        yield* Effect.promise(async () => {
          await page.getByRole("link", { name: "Preview as a student" }).click()
          await page.locator(".as-student strong", { hasText: "fundo" }).waitFor()
          await page.getByText("O diafragma").click()
          assert.isTrue(await page.getByRole("button", { name: "Send answers" }).isDisabled())
          assert.isTrue(await page.getByLabel("Your work").isDisabled())
          await page.getByRole("button", { name: "Phone" }).click()
          assert.isBelow((await page.locator(".as-student").boundingBox())?.width ?? 0, 400)
        })
        yield* lookAll(page, "content-preview")
        assert.deepStrictEqual(written, [])
      }).pipe(Effect.scoped))

    it.effect("have cohorts whose times stand in their fields by the club's clocks, once these are known", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const { path, token } = club
        yield* send("PATCH", path, { token, body: { time_zone: "America/Sao_Paulo" } })
        const made = yield* send("POST", `${path}/deliveries`, { token, body: { name: "Tudo" } })
        const delivery = String(at(made.json, "data", "id"))
        yield* send("POST", `${path}/deliveries/${delivery}/cohorts`, {
          token,
          body: { name: "Março", starts_at: "2099-01-01T12:00:00Z", ends_at: null }
        })
        const page = yield* visit("/console", { token, timeZone: "Asia/Tokyo" })
        let tell = () => {}
        const isToBeTold = new Promise<void>((resolve) => {
          tell = resolve
        })
        yield* Effect.promise(() =>
          page.route(({ pathname }) => pathname.endsWith(path), async (route) => {
            await isToBeTold
            await route.continue()
          })
        )
        yield* open(page, `/console/${club.organization_id}/content/deliveries/${delivery}`)
        yield* Effect.promise(async () => {
          await click(page, "Edit Março")
          const start = page.getByLabel("Access begins")
          assert.strictEqual(await start.inputValue(), "")
          tell()
          await page.getByRole("dialog").getByText("In the club's time zone: America/Sao Paulo, GMT-3.").first()
            .waitFor()
          assert.strictEqual(await start.inputValue(), "2099-01-01T09:00")
          assert.isTrue(await page.getByRole("button", { name: "Save", exact: true }).last().isDisabled())
        })
      }).pipe(Effect.scoped))

    it.effect("keep a public id, and say of an emptied one what the API says", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        yield* makeCourse(club, { title: "Flauta" })
        const page = yield* visit(`/console/${club.organization_id}/content`, { token: club.token, expected: [/422/] })
        yield* Effect.promise(async () => {
          await click(page, "More for Flauta")
          await click(page, "Rename Flauta")
          const key = page.getByLabel("Public id")
          await key.fill("")
          await click(page, "Save")
          assert.isTrue(await key.evaluate((field) => field.matches(":invalid")))
          await key.fill("  ")
          await click(page, "Save")
          await page.getByRole("dialog").locator(".wrong").waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("say at a lesson's text that it has too many images, and keep what was written", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const { lesson } = yield* taught(club)
        const images = yield* Effect.replicateEffect(makeMedia(club, { kind: "image" }), 101)
        const written = images.map(({ id }) => `![](media:${id})`).join("\n")
        const path = `/console/${club.organization_id}/content/lessons/${lesson.id}`
        const page = yield* visit(path, { token: club.token, expected: [/422/] })
        yield* Effect.promise(async () => {
          await click(page, "Text")
          const text = page.getByRole("textbox", { name: "Text" })
          await text.fill(written)
          await click(page, "Save")
          await page.getByRole("dialog").locator(".wrong", { hasText: "at most 100 different images" }).waitFor()
          assert.strictEqual(await text.inputValue(), written)
        })
      }).pipe(Effect.scoped))

    it.effect("are created, put in order by keys and by dragging, and published", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const page = yield* visit(`/console/${club.organization_id}/content`, { token: club.token })
        yield* Effect.promise(async () => {
          await click(page, "New course")
          await page.getByLabel("Title").fill(hostile)
          await click(page, "Save")
          await page.getByRole("heading", { name: hostile }).waitFor()
        })
        yield* Effect.forEach(["Um", "Dois", "Três"], (title) =>
          Effect.promise(async () => {
            await page.getByLabel("New module", { exact: true }).fill(title)
            await page.getByLabel("New module", { exact: true }).press("Enter")
            await page.getByRole("heading", { name: title, exact: true }).waitFor()
          }))
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "Move Um", exact: true }).focus()
          await page.keyboard.press("Alt+ArrowDown")
          await page.getByText("Um is now 2 of 3").waitFor({ state: "attached" })
          await page.keyboard.press("Alt+ArrowDown")
          await page.getByText("Um is now 3 of 3").waitFor({ state: "attached" })
          assert.deepStrictEqual(await titles(page, "Modules"), ["Dois", "Três", "Um"])
        })
        const ordered = Effect.gen(function*() {
          const courses = yield* send("GET", `${club.path}/courses`, { token: club.token })
          const id = String(at(courses.json, "data", 0, "id"))
          const modules = yield* send("GET", `${club.path}/courses/${id}/modules`, { token: club.token })
          return listAt(modules.json, "data").map((module) => at(module, "title"))
        })
        // The page announces a move before it sends the new order.
        yield* eventually(ordered, (order) => order.join() === "Dois,Três,Um")
        yield* Effect.promise(async () => {
          const [from, to] = [
            await page.getByRole("button", { name: "Move Um", exact: true }).boundingBox(),
            await page.getByRole("button", { name: "Move Dois", exact: true }).boundingBox()
          ]
          await page.mouse.move((from?.x ?? 0) + 10, (from?.y ?? 0) + 10)
          await page.mouse.down()
          await page.mouse.move((to?.x ?? 0) + 10, (to?.y ?? 0) + 20, { steps: 4 })
          await page.mouse.move((to?.x ?? 0) + 10, (to?.y ?? 0) - 5)
          await page.mouse.up()
          await page.getByText("Um is now 1 of 3").waitFor({ state: "attached" })
        })
        yield* eventually(ordered, (order) => order.join() === "Um,Dois,Três")
        yield* Effect.promise(async () => {
          const step = page.getByRole("button", { name: "Put Um lower" })
          await step.click()
          await page.getByText("Um is now 2 of 3").waitFor({ state: "attached" })
          await step.and(page.locator(":focus")).waitFor()
          await page.keyboard.press("Enter")
          await page.getByText("Um is now 3 of 3").waitFor({ state: "attached" })
          // The module is already the last.
          await page.getByRole("button", { name: "Move Um", exact: true }).and(page.locator(":focus")).waitFor()
          assert.isTrue(await step.isDisabled())
          await page.getByRole("button", { name: "Put Um higher" }).click()
          await page.getByText("Um is now 2 of 3").waitFor({ state: "attached" })
          await page.getByRole("button", { name: "Put Um higher" }).click()
          await page.getByText("Um is now 1 of 3").waitFor({ state: "attached" })
        })
        yield* Effect.promise(async () => {
          await page.getByLabel("New lesson in Um").fill("Respirar")
          await page.getByLabel("New lesson in Um").press("Enter")
          await page.getByRole("link", { name: "Respirar" }).click()
          await page.getByText("Students do not see it: it is a draft.").waitFor()
          await click(page, "Publication")
          await click(page, "Save")
          await page.getByText("Visible since").waitFor()
          await click(page, "Text")
          await page.getByRole("textbox", { name: "Text" }).fill(hostile)
          await click(page, "Save")
          await page.getByRole("list", { name: "The lesson's blocks" }).getByText(hostile).waitFor()
          await click(page, "Quiz")
          await click(page, "Save")
          await page.getByText("Question 1 or one of its answers is empty.").waitFor()
          await page.getByLabel("What is asked").fill("Com o que se respira?")
          await page.getByLabel("Answer 1", { exact: true }).fill("Com o diafragma")
          await page.getByLabel("Answer 2", { exact: true }).fill("Com os ombros")
          await click(page, "Save")
          await page.getByText("Questions: 1; passed with 70%").waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("are as before where an order is refused", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        yield* makeCourse(club, { title: "Primeiro", position: 1 })
        yield* makeCourse(club, { title: "Segundo", position: 2 })
        const page = yield* visit(`/console/${club.organization_id}/content`, {
          token: club.token,
          expected: [/422/]
        })
        // Another person adds a course meanwhile.
        yield* makeCourse(club, { title: "Terceiro", position: 3 })
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "Move Primeiro" }).focus()
          await page.keyboard.press("Alt+ArrowDown")
          await page.getByText("Primeiro is back where it was").waitFor({ state: "attached" })
          const [first] = await titles(page, "Courses")
          assert.strictEqual(first, "Primeiro")
          // The page shows the course that made the API refuse the order, and its next order contains all courses.
          await page.getByRole("button", { name: "Move Terceiro" }).waitFor()
          const answered = page.waitForResponse((response) => response.request().method() === "PUT")
          await page.getByRole("button", { name: "Move Primeiro" }).focus()
          await page.keyboard.press("Alt+ArrowDown")
          assert.strictEqual((await answered).status(), 200)
          await page.getByText("Primeiro is now 2 of 3").waitFor({ state: "attached" })
        })
      }).pipe(Effect.scoped))

    it.effect("are deleted by whoever has read what goes", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const course = yield* makeCourse(club, { title: "Some" })
        yield* makeModule(club, course)
        const page = yield* visit(`/console/${club.organization_id}/content/courses/${course.id}`, {
          token: club.token
        })
        yield* Effect.promise(async () => {
          await click(page, "More actions")
          await click(page, "Delete the course")
          await page.getByText("Its 1 module, all their lessons").waitFor()
          const remove = page.getByRole("dialog").getByRole("button", { name: "Delete the course" })
          assert.isTrue(await remove.isDisabled())
          await page.getByLabel("Type its title").fill("Some")
          const asked: Array<string> = []
          page.on("request", (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`))
          await remove.click()
          await page.getByText("There are no courses yet").waitFor()
          // The page does not read the course that it has deleted.
          assert.deepStrictEqual(asked.filter((one) => one.includes(course.id)), [
            `DELETE /console/api/v1/clubs/${club.organization_id}/courses/${course.id}`
          ])
        })
      }).pipe(Effect.scoped))
  })
})
