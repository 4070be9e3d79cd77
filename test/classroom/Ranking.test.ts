import { assert, describe, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SessionStore } from "../../src/identity/sessions/SessionStore.ts"
import { foundClub, send } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { makeStudent } from "../harness/Makers.ts"
import { ClassroomAppLayer, lookAll, visit } from "./Visit.ts"

const names = ["Noel Rosa", "Cartola", "Dona Ivone Lara", "Adoniran Barbosa"]

/** A club with a student and others, each with points that the staff gave. */
const openRanking = Effect.fnUntraced(function*(locale: "en" | "pt-BR" = "en") {
  const club = yield* foundClub({ locale })
  const sessions = yield* SessionStore
  const give = (student: { readonly id: string }, points: number) =>
    send("POST", `${club.path}/students/${student.id}/points`, {
      token: club.token,
      body: { points, reason: "Tocou na apresentação" }
    })
  const own = yield* makeStudent(club, { name: "Bia Lima" })
  const { access_token } = yield* sessions.issue({ kind: "student", club_id: club.id, student_id: own.id })
  for (const [index, name] of names.entries()) yield* give(yield* makeStudent(club, { name }), 400 - index * 100)
  const change = (body: object) => send("PATCH", `${club.path}/gamification`, { token: club.token, body })
  yield* change({ enabled: true, ranking_visible: true })
  return { club, own, give, change, token: Redacted.value(access_token) }
})

describe.skipIf(withoutBrowser)("The classroom's points", () => {
  layer(ClassroomAppLayer, { excludeTestServices: true })("for a student", (it) => {
    it.effect("say the level, how far the next one is, and the own place among the others", () =>
      Effect.gen(function*() {
        const { club, give, own, token } = yield* openRanking()
        yield* give(own, 250)
        const page = yield* visit(club, ["ranking"], { token })
        yield* Effect.promise(async () => {
          await page.getByText("250 points").first().waitFor()
          await page.getByRole("meter").waitFor()
          const rows = page.getByRole("list", { name: /^Ranking/ }).getByRole("listitem")
          await rows.nth(4).waitFor()
          assert.deepStrictEqual(
            await rows.locator("strong").allTextContents(),
            ["Noel Rosa", "Cartola", "Bia Lima", "Dona Ivone Lara", "Adoniran Barbosa"]
          )
          assert.match(await page.locator(".rank.own").innerText(), /Bia Lima/)
          await page.getByRole("button", { name: "7 days" }).click()
          await page.getByRole("list", { name: "Ranking: 7 days" }).waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("list what made them, without what the staff wrote", () =>
      Effect.gen(function*() {
        const { club, give, own, token } = yield* openRanking()
        yield* give(own, 50)
        yield* give(own, -20)
        const page = yield* visit(club, ["ranking"], { token })
        yield* Effect.promise(async () => {
          await page.getByRole("link", { name: "Where my points come from" }).click()
          await page.getByText("+50").waitFor()
          await page.getByText("-20").waitFor()
          assert.strictEqual(await page.getByText("Tocou na apresentação").count(), 0)
        })
      }).pipe(Effect.scoped))

    it.effect("stay one's own where the club hides the ranking, and say so", () =>
      Effect.gen(function*() {
        const { change, club, token } = yield* openRanking()
        yield* change({ ranking_visible: false })
        const page = yield* visit(club, ["ranking"], { token, expected: [/404/] })
        yield* Effect.promise(() => page.getByText("The ranking is not public here.").waitFor())
      }).pipe(Effect.scoped))

    it.effect("on a phone and at a desk, light and dark", () =>
      Effect.gen(function*() {
        const { club, give, own, token } = yield* openRanking("pt-BR")
        yield* give(own, 250)
        const page = yield* visit(club, ["ranking"], { token, width: 390 })
        yield* Effect.promise(() => page.getByText("Noel Rosa").waitFor())
        yield* lookAll(page, "ranking")
        yield* Effect.promise(async () => {
          await page.getByRole("link", { name: "De onde vêm meus pontos" }).click()
          await page.getByText("+250").waitFor()
        })
        yield* lookAll(page, "ranking-points")
      }).pipe(Effect.scoped))
  })
})
