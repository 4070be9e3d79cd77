import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { at, enrolledStudent, send } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { eventually } from "../harness/Eventually.ts"
import { makeBlock, makeEnrollment, makeMedia } from "../harness/Makers.ts"
import {
  breathQuiz,
  comeBack,
  endAccess,
  fillLesson,
  isPlaying,
  onVideo,
  openSchool,
  playAt,
  rendered,
  secondsOf,
  withFiles
} from "./Learning.ts"
import { addressOf, becomes, ClassroomAppLayer, follow, lookAll, open, visit } from "./Visit.ts"

// Takes long: a browser plays, answers and sends.

/** A provider's player is at another machine. */
const players = [/youtube-nocookie\.com/, /ERR_/]

const keptAt = (school: Effect.Success<ReturnType<typeof openSchool>>) =>
  Effect.map(
    send("GET", `${school.club.path}/classroom/lessons/respirar`, school.student),
    ({ json }) => at(json, "data", "position", "seconds")
  )

/** Keeps the place of a student in the first lesson, as another device does. */
const keepAt = (
  { club }: Pick<Effect.Success<ReturnType<typeof openSchool>>, "club">,
  { token }: { readonly token: string },
  body: { readonly seconds: number; readonly block_id: string }
) => send("PUT", `${club.path}/classroom/lessons/respirar/position`, { token, body })

/** Plays a moment at a second of the video, and stops. */
const stopAt = async (page: Page, seconds: number) => {
  await playAt(page, seconds)
  await onVideo(page, "shown.pause()")
}

describe.skipIf(withoutBrowser)("A lesson in the classroom", () => {
  layer(ClassroomAppLayer, { excludeTestServices: true })("for its student", (it) => {
    it.effect("shows blocks of every kind, on a phone and at a desk", () =>
      Effect.gen(function*() {
        const { club, lessons: [lesson], student } = yield* openSchool()
        yield* fillLesson(club, lesson)
        const page = yield* visit(club, [], { ...student, width: 390, expected: players })
        yield* withFiles(page)
        yield* follow(page, addressOf(club, "lessons", "respirar"))
        yield* Effect.promise(async () => {
          await page.getByRole("heading", { name: "Três coisas para notar", level: 3 }).waitFor()
          await page.getByText("<img src=x").waitFor()
          assert.notStrictEqual(await page.title(), "owned")
          const frame = page.locator("iframe")
          assert.match(await frame.getAttribute("src") ?? "", /^https:\/\/www\.youtube-nocookie\.com\/embed\//)
          assert.strictEqual(await frame.getAttribute("title"), "Uma aula aberta")
          const pdf = page.getByRole("link", { name: /Exercícios.pdf/ })
          assert.strictEqual(await pdf.getAttribute("target"), "_blank")
          await page.getByText("PDF · 1 kB").waitFor()
        })
        yield* lookAll(page, "lesson")
      }).pipe(Effect.scoped))

    it.effect("asks the API for each thing once, before its scripts are there", () =>
      Effect.gen(function*() {
        const { club, student } = yield* openSchool()
        const page = yield* visit(club, ["account"], student)
        const asked: Array<string> = []
        page.on("request", (request) => {
          const [, path] = /\/classroom\/api\/v1\/(.*)/.exec(request.url()) ?? []
          if (path !== undefined) asked.push(path)
          else if (request.url().includes("Lesson-")) asked.push("script")
        })
        // The scripts wait for the reads, so these did not wait for the scripts.
        yield* Effect.promise(() =>
          page.route("**/assets/{classroom,shared,Lesson}-*.js", async (route) => {
            await becomes(() => Promise.resolve(asked.filter((one) => one.endsWith("respirar")).length > 0))
            await route.continue()
          })
        )
        yield* open(page, addressOf(club, "lessons", "respirar"))
        yield* Effect.promise(() => page.getByRole("heading", { name: "Respirar", level: 1 }).waitFor())
        const lesson = `clubs/${club.organization_id}/classroom/lessons/respirar`
        for (const path of ["auth/session", lesson]) assert.lengthOf(asked.filter((one) => one === path), 1, path)
      }).pipe(Effect.scoped))

    it.effect("goes on with a video where one was, after a reload and on another device", () =>
      Effect.gen(function*() {
        const school = yield* openSchool()
        const { club, lessons: [lesson], student } = school
        yield* fillLesson(club, lesson)
        const page = yield* visit(club, [], { ...student, width: 390, expected: players })
        yield* withFiles(page)
        yield* follow(page, addressOf(club, "lessons", "respirar"))
        yield* Effect.promise(async () => {
          await playAt(page, 40)
          assert.isTrue(await becomes(() => isPlaying(page)))
          await onVideo(page, "shown.pause()")
        })
        yield* eventually(keptAt(school), (seconds) => seconds === 40)
        yield* open(page, addressOf(club, "lessons", "respirar"))
        yield* Effect.promise(async () => {
          await page.getByText("You go on from 0:40.").waitFor()
          assert.strictEqual(await secondsOf(page), 40)
          await playAt(page, 70)
        })
        // Leaving the page keeps the place of a video that plays.
        yield* Effect.promise(() => page.goto("about:blank"))
        yield* eventually(keptAt(school), (seconds) => Number(seconds) >= 70)
        const other = yield* visit(club, [], { ...student, expected: players })
        yield* withFiles(other)
        yield* follow(other, addressOf(club, "lessons", "respirar"))
        yield* Effect.promise(async () => {
          await other.getByText(/You go on from 1:1\d/).waitFor()
          assert.isAtLeast(Number(await secondsOf(other)), 70)
          await other.getByRole("button", { name: "From the beginning" }).click()
          assert.isTrue(await becomes(async () => Number(await secondsOf(other)) < 30))
        })
      }).pipe(Effect.scoped))

    it.effect("goes on where another device was later, in a page that stayed open", () =>
      Effect.gen(function*() {
        const school = yield* openSchool()
        const { club, lessons: [lesson], student } = school
        const media = yield* makeMedia(club, { kind: "video" })
        const { id: block_id } = yield* makeBlock(club, lesson, { kind: "video", media_id: media.id })
        const page = yield* visit(club, [], student)
        yield* withFiles(page)
        yield* follow(page, addressOf(club, "lessons", "respirar"))
        yield* Effect.promise(() => stopAt(page, 40))
        yield* eventually(keptAt(school), (seconds) => seconds === 40)
        yield* keepAt(school, student, { seconds: 70, block_id })
        yield* Effect.promise(async () => {
          await comeBack(page)
          await page.getByText("You go on from 1:10.").waitFor()
          assert.strictEqual(await secondsOf(page), 70)
        })
      }).pipe(Effect.scoped))

    it.effect("goes on where its student was, not where the one before them in the tab was", () =>
      Effect.gen(function*() {
        const school = yield* openSchool()
        const { club, delivery, lessons: [lesson], student } = school
        const media = yield* makeMedia(club, { kind: "video" })
        const { id: block_id } = yield* makeBlock(club, lesson, { kind: "video", media_id: media.id })
        const next = yield* enrolledStudent(club)
        yield* makeEnrollment(club, next, delivery)
        yield* keepAt(school, next, { seconds: 90, block_id })
        const page = yield* visit(club, [], student)
        yield* withFiles(page)
        yield* follow(page, addressOf(club, "lessons", "respirar"))
        yield* Effect.promise(() => stopAt(page, 40))
        yield* eventually(keptAt(school), (seconds) => seconds === 40)
        yield* Effect.promise(async () => {
          const cookies = await page.context().cookies()
          await page.context().addCookies(cookies.map((cookie) => ({ ...cookie, value: next.token })))
          await comeBack(page)
          await page.getByText("You go on from 1:30.").waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("goes on at the same second once the address of its video has ended", () =>
      Effect.gen(function*() {
        const school = yield* openSchool()
        const { club, lessons: [lesson], student } = school
        const media = yield* makeMedia(club, { kind: "video" })
        const { id: block_id } = yield* makeBlock(club, lesson, { kind: "video", media_id: media.id })
        yield* keepAt(school, student, { seconds: 40, block_id })
        const page = yield* visit(club, ["account"], { ...student, expected: [/403/] })
        let ended = true
        yield* withFiles(page, (answer) =>
          ended ? answer.replaceAll(/"expires_at":"\d{4}/g, "\"expires_at\":\"2001") : answer)
        let refused = 0
        const source = () =>
          page.locator("video").getAttribute("src")
        yield* Effect.promise(() =>
          page.route("**/storage/files/**", (route) =>
            refused++ === 0 ? route.fulfill({ status: 403 }) : route.fallback())
        )
        yield* follow(page, addressOf(club, "lessons", "respirar"))
        yield* Effect.promise(async () => {
          // The first address fails before the file is known, so the second one goes on at the kept place.
          await page.getByText("You go on from 0:40.").waitFor()
          assert.isAbove(refused, 1)
          await playAt(page, 60)
          // A later answer has an address that lasts; the one that plays has ended.
          ended = false
          const answered = page.waitForResponse(/lessons\/respirar$/)
          await comeBack(page)
          await answered
          const before = await source()
          await onVideo(page, "shown.dispatchEvent(new Event('error'))")
          assert.isTrue(await becomes(async () =>
            await source() !== before
          ))
          assert.isTrue(await becomes(async () => await onVideo(page, "!shown.paused && shown.currentTime >= 60")))
          assert.strictEqual(await page.getByRole("alert").count(), 0)
        })
      }).pipe(Effect.scoped))

    it.effect("opens at the second of a link once, and goes on where one was after a reload", () =>
      Effect.gen(function*() {
        const school = yield* openSchool()
        const { club, lessons: [lesson], student } = school
        const media = yield* makeMedia(club, { kind: "video" })
        yield* makeBlock(club, lesson, { kind: "video", media_id: media.id })
        const page = yield* visit(club, ["account"], student)
        yield* withFiles(page)
        yield* open(page, `${addressOf(club, "lessons", "respirar")}?media=${media.id}&t=90`)
        yield* Effect.promise(async () => {
          assert.isTrue(await becomes(async () => Number(await secondsOf(page)) >= 90))
          await stopAt(page, 30)
        })
        yield* eventually(keptAt(school), (seconds) => seconds === 30)
        yield* Effect.promise(async () => {
          await page.reload()
          await page.getByText("You go on from 0:30.").waitFor()
          assert.strictEqual(new URL(page.url()).search, "")
        })
      }).pipe(Effect.scoped))

    it.effect("opens at the text of a link, which is marked, and reads on from there", () =>
      Effect.gen(function*() {
        const { club, lessons: [lesson], student } = yield* openSchool({ locale: "pt-BR" })
        const long = "Inspire pelo nariz e conte até quatro. Solte o ar sem pressa.\n\n".repeat(12)
        const blocks = yield* Effect.forEach(
          ["Antes", "Deitado", "Sentado", "De pé", "Andando", "Depois"],
          (title) => makeBlock(club, lesson, { kind: "text", body: `${title}: ${long}` }, { title })
        )
        const led = blocks[4]?.id ?? ""
        const page = yield* visit(club, ["search"], { ...student, width: 390 })
        yield* Effect.promise(async () => {
          const hit = {
            kind: "lesson",
            course: { public_id: "primeiro-sopro", title: "Primeiro sopro" },
            lesson: { public_id: "respirar", title: "Respirar" },
            title: "Andando",
            snippet: "Andando: Inspire pelo nariz",
            block_id: led,
            media_id: null,
            page_from: null,
            seconds: null
          }
          await page.route("**/classroom/search?*", (route) =>
            route.fulfill({ json: { data: [hit], next_cursor: null } }))
          await page.getByRole("searchbox").fill("andando")
          await page.getByRole("link", { name: /Andando/ }).click()
          const marked = page.locator("[aria-current=location]")
          await marked.waitFor()
          assert.strictEqual(await marked.getAttribute("id"), `block-${led}`)
          const top = async () =>
            (await marked.boundingBox())?.y ?? -1
          assert.isTrue(await becomes(async () => await top() > 0 && await top() < 200))
          assert.strictEqual(await page.evaluate("document.activeElement.id"), `block-${led}`)
        })
        yield* lookAll(page, "lesson-led")
        yield* open(page, addressOf(club, "lessons", "respirar"))
        yield* Effect.promise(async () => {
          await page.getByRole("heading", { name: "Andando" }).waitFor()
          assert.strictEqual(await page.locator("[aria-current=location]").count(), 0)
        })
        // A link from elsewhere, at a desk.
        yield* open(page, `${addressOf(club, "lessons", "respirar")}?block=${led}`)
        yield* Effect.promise(() => page.locator(`#block-${led}[aria-current=location]`).waitFor())
      }).pipe(Effect.scoped))

    it.effect("shows the video that replaces another once it is read again", () =>
      Effect.gen(function*() {
        const { club, lessons: [lesson], student } = yield* openSchool()
        const [first, second] = [yield* makeMedia(club, { kind: "video" }), yield* makeMedia(club, { kind: "video" })]
        const block = yield* makeBlock(club, lesson, { kind: "video", media_id: first.id })
        const page = yield* visit(club, [], student)
        yield* withFiles(page)
        yield* follow(page, addressOf(club, "lessons", "respirar"))
        const before = yield* Effect.promise(() => page.locator("video").getAttribute("src"))
        const readAgain = Effect.promise(async () => {
          const answered = page.waitForResponse(/lessons\/respirar$/)
          await comeBack(page)
          await answered
        })
        yield* readAgain
        assert.strictEqual(yield* Effect.promise(() => page.locator("video").getAttribute("src")), before)
        yield* send("PATCH", `${club.path}/blocks/${block.id}`, {
          token: club.token,
          body: { media_id: second.id }
        })
        yield* readAgain
        const now = () => page.locator("video").getAttribute("src")
        assert.isTrue(yield* Effect.promise(() => becomes(async () => await now() !== before)))
      }).pipe(Effect.scoped))

    it.effect("asks a quiz question by question, keeps answers over a reload, says the result, and may be tried again", () =>
      Effect.gen(function*() {
        const { club, lessons: [lesson], student } = yield* openSchool()
        yield* makeBlock(club, lesson, breathQuiz)
        const page = yield* visit(club, ["lessons", "respirar"], { ...student, width: 390 })
        const choose = (name: string) => page.getByRole("radio", { name }).check()
        const press = (name: string) => page.getByRole("button", { name, exact: true }).click()
        yield* Effect.promise(async () => {
          await press("Next")
          await page.getByText("Choose an answer first.").waitFor()
          await choose("Com os ombros")
          await press("Next")
        })
        yield* Effect.promise(() => page.getByText("Question 2 of 2").waitFor())
        yield* open(page, addressOf(club, "lessons", "respirar"))
        yield* Effect.promise(async () => {
          await page.getByText("Question 2 of 2").waitFor()
          await choose("Quando o ar já corre")
          await press("Send answers")
          await page.getByText("50%: 1 of 2 right").waitFor()
          await page.getByText("Not passed yet").waitFor()
          await page.locator(".quiz-result:focus").waitFor()
        })
        yield* lookAll(page, "lesson-quiz-failed")
        yield* Effect.promise(async () => {
          await press("Try again")
          await page.locator("legend:focus").waitFor()
          await choose("Com o diafragma")
          await press("Next")
          await choose("Quando o ar já corre")
          await press("Send answers")
          await page.getByText("You passed").waitFor()
          await page.getByText("+20 points").waitFor()
        })
        yield* lookAll(page, "lesson-quiz-passed")
      }).pipe(Effect.scoped))

    it.effect("keeps the draft of an assignment, sends it, and shows what the staff says", () =>
      Effect.gen(function*() {
        const { club, lessons: [lesson], student } = yield* openSchool()
        yield* makeBlock(club, lesson, { kind: "assignment", body: "Grave uma nota longa." }, { title: "Sua nota" })
        const page = yield* visit(club, ["lessons", "respirar"], { ...student, width: 390, expected: [/503/] })
        const field = page.getByLabel("Your work")
        yield* Effect.promise(() => field.fill("Gravei dez segundos."))
        yield* open(page, addressOf(club, "lessons", "respirar"))
        yield* Effect.promise(async () => {
          assert.strictEqual(await field.inputValue(), "Gravei dez segundos.")
          await page.route("**/submissions", (route) => route.fulfill({ status: 503, body: "{}" }), { times: 2 })
          await page.getByRole("button", { name: "Send", exact: true }).click()
          await page.getByRole("region", { name: "Messages" }).getByRole("button", { name: "Close" }).click()
          assert.strictEqual(await field.inputValue(), "Gravei dez segundos.")
          await page.unroute("**/submissions")
          await page.getByRole("button", { name: "Send", exact: true }).click()
          await page.getByText("Waiting for feedback").waitFor()
        })
        const listed = yield* eventually(
          send("GET", `${club.path}/assignments/submissions`, club),
          ({ json }) => at(json, "data", 0, "body") === "Gravei dez segundos."
        )
        yield* send("POST", `${club.path}/assignments/submissions/${at(listed.json, "data", 0, "id")}/reject`, {
          token: club.token,
          body: { feedback: "Solte o ar **mais devagar**." }
        })
        yield* Effect.promise(async () => {
          // The student looks at the page again, which was there all the time.
          await page.evaluate(`dispatchEvent(new Event("focus"))`)
          await page.getByText("Please send it again").waitFor()
          assert.strictEqual(await page.locator(".notice strong", { hasText: "mais devagar" }).count(), 1)
          await field.waitFor()
        })
        yield* lookAll(page, "lesson-assignment")
      }).pipe(Effect.scoped))

    it.effect("is completed and undone at once, pays its points, and leads to the next one by keys", () =>
      Effect.gen(function*() {
        const { club, lessons: [lesson], student } = yield* openSchool({ locale: "pt-BR" })
        yield* makeBlock(club, lesson)
        const page = yield* visit(club, ["lessons", "respirar"], {
          ...student,
          width: 390,
          locale: "pt-BR",
          expected: [/503/]
        })
        const complete = page.getByRole("button", { name: "Concluir aula" })
        yield* Effect.promise(async () => {
          await page.route("**/completion", (route) => route.fulfill({ status: 503, body: "{}" }), { times: 2 })
          await complete.click()
          // Taken back, with a sentence.
          await page.getByRole("region", { name: "Mensagens" }).getByRole("button", { name: "Fechar" }).click()
          await complete.waitFor()
          await page.unroute("**/completion")
          await complete.click()
          await page.getByText("+10 pontos").waitFor()
          await page.locator(".finished:focus").waitFor()
        })
        yield* lookAll(page, "lesson-completed")
        yield* Effect.promise(async () => {
          await page.getByRole("link", { name: /nível/i }).click()
          await page.getByRole("heading", { name: "Pontos", level: 1 }).waitFor()
          await page.goBack()
          await page.getByRole("button", { name: "Desfazer" }).click()
          await complete.waitFor()
          await page.keyboard.press("Shift+N")
          await page.getByRole("heading", { name: "Soprar", level: 1 }).waitFor()
          await page.keyboard.press("Shift+P")
          await page.getByRole("heading", { name: "Respirar", level: 1 }).waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("stays as it was if it is completed and undone before the service answers", () =>
      Effect.gen(function*() {
        const { club, student } = yield* openSchool()
        const page = yield* visit(club, ["lessons", "respirar"], student)
        const complete = page.getByRole("button", { name: "Complete lesson" })
        yield* Effect.promise(async () => {
          const gate = Promise.withResolvers<void>()
          const sent: Array<string> = []
          await page.route("**/completion", async (route) => {
            sent.push(route.request().method())
            if (sent.length === 1) await gate.promise
            await route.continue()
          })
          const first = page.waitForRequest("**/completion")
          await complete.click()
          await page.getByRole("button", { name: "Undo" }).click()
          await complete.waitFor()
          await first
          assert.lengthOf(sent, 1)
          const undone = page.waitForResponse((response) => response.request().method() === "DELETE")
          gate.resolve()
          await undone
          await complete.waitFor()
        })
        const { json } = yield* send("GET", `${club.path}/classroom/lessons/respirar`, student)
        assert.isFalse(at(json, "data", "completed"))
      }).pipe(Effect.scoped))

    it.effect("says when it opens, as its course does, and shows nothing of it before", () =>
      Effect.gen(function*() {
        const { club, lessons: [lesson, later], student } = yield* openSchool({ locale: "pt-BR" })
        yield* makeBlock(club, later, { kind: "text", body: "Segredo" })
        yield* send("PATCH", club.path, { token: club.token, body: { time_zone: "UTC" } })
        yield* send("PATCH", `${club.path}/lessons/${later.id}`, {
          token: club.token,
          body: { opens_at: "2099-01-02T00:00:00Z" }
        })
        yield* makeBlock(club, lesson)
        const page = yield* visit(club, ["courses", "primeiro-sopro"], {
          ...student,
          width: 390,
          locale: "pt-BR",
          expected: [/403/]
        })
        yield* Effect.promise(async () => {
          await page.getByText("Abre em 2 de jan. de 2099").waitFor()
          assert.strictEqual(await page.locator("main a[href$='/lessons/soprar']").count(), 0)
        })
        yield* lookAll(page, "course-later")
        yield* follow(page, addressOf(club, "lessons", "respirar"))
        yield* Effect.promise(() => page.getByText("Abre em 2 de jan. de 2099").waitFor())
        yield* follow(page, addressOf(club, "lessons", "soprar"))
        yield* Effect.promise(async () => {
          await page.getByRole("heading", { name: "Esta aula ainda não abriu" }).waitFor()
          await page.getByText("2 de janeiro de 2099").waitFor()
          assert.strictEqual(await page.getByText("Segredo").count(), 0)
        })
        yield* lookAll(page, "lesson-later")
      }).pipe(Effect.scoped))

    it.effect("says so without access to it, and shows nothing of it", () =>
      Effect.gen(function*() {
        const { club, lessons: [lesson], student } = yield* openSchool()
        yield* makeBlock(club, lesson, { kind: "text", body: "Segredo" })
        yield* endAccess(student)
        const page = yield* visit(club, ["lessons", "respirar"], { ...student, width: 390, expected: [/404/] })
        yield* Effect.promise(() => page.getByRole("heading", { name: "You do not have this lesson" }).waitFor())
        assert.strictEqual(yield* Effect.promise(() => page.getByText("Segredo").count()), 0)
        yield* lookAll(page, "lesson-refused")
      }).pipe(Effect.scoped))

    it.effect("of 200 blocks renders those near the screen alone", () =>
      Effect.gen(function*() {
        const { club, lessons: [lesson], student } = yield* openSchool()
        const body = "Respire **fundo** e solte o ar _devagar_.\n\n- Um\n- Dois\n\n> Primeiro o ar, depois o som.\n\n"
          .repeat(4)
        yield* Effect.forEach(
          Array.from({ length: 200 }, (_, n) => n),
          (n) => makeBlock(club, lesson, { kind: "text", body }, { title: `Parte ${n + 1}`, position: n + 1 }),
          { discard: true }
        )
        const page = yield* visit(club, ["lessons", "respirar"], { ...student, width: 390 })
        yield* Effect.promise(async () => {
          await page.getByText("Parte 200").waitFor({ state: "attached" })
          assert.isAtMost(await rendered(page, ".block"), 30)
        })
      }).pipe(Effect.scoped))
  })
})
