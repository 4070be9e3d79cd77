import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { at, enrolledStudent, foundClub, send } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { makeBlock, makeCourse, makeEnrollment, makeItem, makeLesson, makeModule } from "../harness/Makers.ts"
import { breathQuiz, describeCourse, openSchool } from "./Learning.ts"
import { addressOf, ClassroomAppLayer, follow, lookAll, visit } from "./Visit.ts"

const wrongAnswers = breathQuiz.questions.map(({ id, options }) => ({ question_id: id, option_id: options[1]?.id }))

describe.skipIf(withoutBrowser)("The first page of the classroom", () => {
  layer(ClassroomAppLayer, { excludeTestServices: true })("for a student", (it) => {
    it.effect("leads to the next lesson, and has the other courses, new lessons and what is due", () =>
      Effect.gen(function*() {
        const { club, course, delivery, lessons: [first, second], modules: [module], student } = yield* openSchool()
        yield* describeCourse(course, { subtitle: "Do primeiro som à primeira música" })
        const other = yield* makeCourse(club, { title: "Ler partituras", public_id: "ler", position: 2 })
        yield* makeItem(club, delivery, { kind: "course", id: other.id })
        yield* makeLesson(club, yield* makeModule(club, other), { title: "A pauta" })
        const video = yield* makeBlock(club, second)
        const quiz = yield* makeBlock(club, first, breathQuiz, { title: "Você respirou bem?", position: 2 })
        const path = `${club.path}/classroom`
        yield* send("PUT", `${path}/lessons/respirar/completion`, student)
        yield* send("PUT", `${path}/lessons/soprar/position`, {
          ...student,
          body: { seconds: 754, block_id: video.id }
        })
        yield* send("POST", `${path}/quizzes/${quiz.id}/attempts`, { ...student, body: { answers: wrongAnswers } })
        yield* makeLesson(club, module, {
          title: "Descansar",
          position: 9,
          published_at: yield* DateTime.now
        })
        const sql = yield* SqlClient.SqlClient
        const before = DateTime.toDateUtc(DateTime.subtract(yield* DateTime.now, { hours: 1 }))
        yield* sql`update lesson_completions set completed_at = ${before}, first_completed_at = ${before}
          where student_id = ${student.id}`
        yield* sql`update lesson_positions set updated_at = ${before} where student_id = ${student.id}`
        const listed = yield* makeCourse(club, { title: "Improvisar", public_id: "improvisar", position: 3 })
        yield* makeLesson(club, yield* makeModule(club, listed), { title: "Ouvir" })
        yield* sql`update courses set listed = true where club_id = ${club.id} and id = ${listed.id}`
        const classmate = yield* enrolledStudent(club)
        yield* makeEnrollment(club, classmate, delivery)
        const asked = yield* send("POST", `${path}/lessons/respirar/comments`, { ...student, body: { body: "Assim?" } })
        const reply = { body: "Isso mesmo, devagar.", parent_id: at(asked.json, "data", "id") }
        yield* send("POST", `${path}/lessons/respirar/comments`, { ...classmate, body: reply })
        const page = yield* visit(club, [], { ...student, width: 390 })
        yield* Effect.promise(async () => {
          await page.getByRole("heading", { name: "Hello, Bia!" }).waitFor()
          await page.getByText("You stopped at 12:34").waitFor()
          await page.getByRole("link", { name: /^Ler partituras/ }).waitFor()
          await page.getByRole("link", { name: /Descansar/ }).waitFor()
          await page.getByRole("link", { name: /^Improvisar.*Not part of your access/ }).waitFor()
        })
        yield* lookAll(page, "home")
        yield* Effect.promise(async () => {
          await page.getByRole("link", { name: /Você respirou bem/ }).click()
          await page.getByRole("heading", { name: "Respirar", level: 1 }).waitFor()
          await page.getByRole("button", { name: "Try again" }).waitFor()
        })
        yield* follow(page, addressOf(club))
        yield* Effect.promise(async () => {
          await page.getByRole("link", { name: /Isso mesmo, devagar/ }).click()
          await page.getByRole("article").filter({ hasText: "Isso mesmo, devagar." }).first().waitFor()
        })
        yield* follow(page, addressOf(club))
        yield* Effect.promise(async () => {
          await page.getByRole("link", { name: "Continue" }).click()
          await page.getByRole("heading", { name: "Soprar", level: 1 }).waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("says how to get help to somebody without a course", () =>
      Effect.gen(function*() {
        const club = yield* foundClub({ locale: "pt-BR" })
        const student = yield* enrolledStudent(club)
        const page = yield* visit(club, [], { ...student, width: 390, locale: "pt-BR" })
        yield* Effect.promise(() => page.getByRole("heading", { name: "Seus cursos aparecem aqui" }).waitFor())
        assert.strictEqual(
          yield* Effect.promise(() => page.getByRole("link", { name: "Pedir ajuda" }).getAttribute("href")),
          addressOf(club, "support")
        )
        yield* lookAll(page, "home-empty")
      }).pipe(Effect.scoped))

    it.effect("comes by itself once a busy service answers again, a list too", () =>
      Effect.gen(function*() {
        const { club, student } = yield* openSchool()
        const page = yield* visit(club, ["account"], { ...student, expected: [/503/] })
        let refused = 0
        yield* Effect.promise(() =>
          page.route("**/classroom/api/**", async (route) => {
            refused++
            if (refused > 4) return route.continue()
            return route.fulfill({ status: 503, json: { error: { code: "overloaded", message: "Too busy" } } })
          })
        )
        yield* follow(page, addressOf(club))
        yield* Effect.promise(() => page.getByText("Primeiro sopro").waitFor())
        refused = 0
        yield* follow(page, addressOf(club, "notifications"))
        yield* Effect.promise(() => page.getByText("Nothing has happened yet").waitFor())
        assert.isAbove(refused, 4)
      }).pipe(Effect.scoped))
  })
})
