import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer, Logger, Stream } from "effect"
import { ask, citation, type Classroom, classroom, fails, Script, text, work, worldLayer } from "../assistant/World.ts"
import { at, send, tokenAs } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { consoleVariables, lookAll, visit } from "./Visit.ts"

const AssistantWorldLayer = worldLayer(consoleVariables).pipe(Layer.provide(Logger.layer([])))

const hostile = "<img src=x onerror=alert(1)> **Como?** [x](javascript:alert(2))"
const arabic = "كيف أعزف؟ 🎸"

const within = ({ club }: Classroom, ...parts: ReadonlyArray<string>) =>
  ["/console", club.organization_id, "assistant", ...parts].join("/")

/** A lesson with three questions: two have an answer, and one has failed. */
const asked = Effect.gen(function*() {
  const script = yield* Script
  const place = yield* classroom
  script.answers.set(
    hostile,
    Stream.make(text("Assim: <b>três</b> dedos."), {
      _tag: "Citation",
      citation: { ...citation, source_kind: "media", source_title: "Apostila <1>", page_from: 3, page_to: 5 }
    })
  )
  script.answers.set("Falha", fails("timeout"))
  for (const question of [hostile, arabic, "Falha"]) {
    yield* ask(place, question)
    yield* work
  }
  return place
})

describe.skipIf(withoutBrowser)("The console's assistant", () => {
  layer(AssistantWorldLayer, { excludeTestServices: true })("for who teaches", (it) => {
    it.effect("lists questions by what became of them, and shows one with what it quotes", () =>
      Effect.gen(function*() {
        const place = yield* asked
        const token = yield* tokenAs(place.club, "editor")
        const page = yield* visit(within(place), { token })
        yield* Effect.promise(async () => {
          await page.getByText("3 questions in 7 days, 1 of them without an answer.").waitFor()
          await page.getByRole("link", { name: arabic }).waitFor()
          await page.getByLabel("Answer").selectOption("failed")
          await page.getByRole("link", { name: arabic }).waitFor({ state: "detached" })
          await page.getByRole("link", { name: "Falha" }).click()
          await page.getByText("It took too long").waitFor()
          await page.goBack()
          await page.getByLabel("Answer").selectOption("")
          await page.getByRole("link", { name: hostile }).click()
          await page.getByText("Assim: <b>três</b> dedos.").waitFor()
          await page.getByText("Apostila <1>").waitFor()
          await page.getByText("pages 3 – 5").waitFor()
          await page.reload()
          await page.getByText(citation.cited_text).waitFor()
          await page.getByRole("link", { name: "Questions of this student" }).click()
          await page.getByRole("button", { name: /^Show all again/ }).click()
          await page.getByRole("link", { name: "Falha" }).waitFor()
          await page.getByRole("link", { name: arabic }).waitFor()
        })
        yield* lookAll(page, "assistant")
        yield* Effect.promise(async () => {
          await page.getByRole("link", { name: hostile }).click()
          await page.getByText("Apostila <1>").waitFor()
        })
        yield* lookAll(page, "assistant-question")
      }).pipe(Effect.scoped))

    it.effect("shows use by day and lets administrators alone set name and limits", () =>
      Effect.gen(function*() {
        const place = yield* asked
        const page = yield* visit(within(place, "settings"), { token: place.club.token })
        yield* Effect.promise(async () => {
          await page.getByLabel("Name", { exact: true }).fill("معلّم 🤖")
          await page.getByLabel("Answers and replies the club allows a month").fill("4")
          await page.getByRole("button", { name: "Save" }).click()
          await page.getByText("Saved; it applies from the next question on").waitFor()
        })
        yield* lookAll(page, "assistant-settings")
        yield* Effect.promise(async () => {
          await page.getByRole("link", { name: "Use and budget" }).click()
          await page.getByText("2 of 4 used this month").first().waitFor()
        })
        yield* lookAll(page, "assistant-usage")
        yield* Effect.promise(async () => {
          await page.getByText("The same as a table").click()
          await page.getByRole("row").last().getByRole("cell").nth(0).getByText("3", { exact: true }).waitFor()
        })
        const agents = yield* send("GET", `${place.club.path}/agents`, { token: place.club.token })
        assert.deepInclude(at(agents.json, "data", 0), { name: "معلّم 🤖", monthly_budget: 4, daily_limit: 10 })
        const editor = yield* tokenAs(place.club, "editor")
        const other = yield* visit(within(place, "settings"), { token: editor })
        yield* Effect.promise(async () => {
          await other.getByText("Only administrators change the assistant.").waitFor()
          assert.strictEqual(await other.getByRole("button", { name: "Save" }).count(), 0)
        })
      }).pipe(Effect.scoped))

    it.effect("is not for a viewer, who reads why", () =>
      Effect.gen(function*() {
        const place = yield* classroom
        const token = yield* tokenAs(place.club, "viewer")
        const page = yield* visit(within(place), { token, expected: [/403/] })
        yield* Effect.promise(() => page.getByText("Your role in this club does not allow you to see this").waitFor())
      }).pipe(Effect.scoped))

    it.effect("says that a question is not there", () =>
      Effect.gen(function*() {
        const place = yield* classroom
        for (const id of ["x", "0198a0c4-5b1e-7d62-8f3a-2c9e4b7d1a01"]) {
          const page = yield* visit(within(place, "questions", id), { token: place.club.token, expected: [/404/] })
          yield* Effect.promise(() => page.getByText("This question is not here").waitFor())
        }
      }).pipe(Effect.scoped))
  })
})
