import { assert, describe, layer } from "@effect/vitest"
import { Deferred, Effect, Layer, Logger, Stream } from "effect"
import type { Page } from "playwright-core"
import { MediaId } from "../../src/learning/media/Media.ts"
import {
  ask,
  citation,
  type Classroom,
  classroom,
  fails,
  patchAgent,
  say,
  state,
  text,
  work,
  worldLayer
} from "../assistant/World.ts"
import { at } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { makeBlock, makeLesson, makeModule } from "../harness/Makers.ts"
import { pageVariables } from "../harness/Visiting.ts"
import { lookAll, settled, visit } from "./Visit.ts"

// Takes long: a browser waits for what comes meanwhile.

const AssistantWorldLayer = worldLayer(pageVariables).pipe(Layer.provide(Logger.layer([])))

const question = "Como toco dó maior?"
const hostile = "<img src=x onerror=alert(1)> [x](javascript:alert(2))"

const fromMedia = {
  ...citation,
  source_kind: "media" as const,
  media_id: MediaId.make(citation.source_id),
  source_title: "Apostila de acordes",
  page_from: 3,
  page_to: 3
}

/** A page at the conversation about the lesson, in Portuguese. */
const come = Effect.fnUntraced(function*(
  { club, lesson, student }: Classroom,
  options: Parameters<typeof visit>[2] = {},
  language = "pt-BR"
) {
  const page = yield* visit(club, ["lessons", lesson.public_id, "ask"], { token: student.token, ...options })
  yield* Effect.promise(async () => {
    await page.evaluate(`localStorage.setItem("turma-language", "${language}")`)
    await page.reload()
  })
  yield* settled(page)
  return page
})

const send = async (page: Page, content: string) => {
  await page.getByLabel("Sua pergunta").fill(content)
  await page.keyboard.press("Enter")
}

describe.skipIf(withoutBrowser)("The assistant in the classroom", () => {
  layer(AssistantWorldLayer, { excludeTestServices: true })("for a student", (it) => {
    it.effect("shows an answer as it comes, then its sources, and all of it after a reload", () =>
      Effect.gen(function*() {
        const place = yield* classroom
        const goOn = yield* Deferred.make<void>()
        yield* say(
          question,
          Stream.concat(
            Stream.make(text("Com **três** dedos")),
            Stream.unwrap(Effect.as(
              Deferred.await(goOn),
              Stream.make(text(`, assim. ${hostile}`), { _tag: "Citation" as const, citation: fromMedia })
            ))
          )
        )
        const page = yield* come(place, { width: 390 })
        const log = page.getByRole("log")
        yield* Effect.promise(async () => {
          await page.getByText("Restam 10 de 10 perguntas hoje").waitFor()
          const accepted = page.waitForResponse((response) => response.status() === 202)
          await send(page, question)
          await log.getByText(question).waitFor()
          await accepted
        })
        yield* Effect.forkChild(work)
        yield* Effect.promise(async () => {
          await log.locator("strong", { hasText: "três" }).waitFor()
          assert.strictEqual(await page.getByRole("button", { name: "Parar" }).count(), 1)
        })
        yield* Deferred.succeed(goOn, undefined)
        yield* Effect.promise(async () => {
          await log.getByText("Com três dedos, assim. <img src=x").waitFor()
          await log.getByRole("button", { name: "Apostila de acordes página 3" }).waitFor()
          await page.getByText("Restam 9 de 10 perguntas hoje").waitFor()
          await page.reload()
          await log.getByText("Com três dedos, assim.").waitFor()
          await log.getByText("Trechos citados").click()
          await log.getByText(citation.cited_text).waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("leads to the place in another lesson that an answer quotes", () =>
      Effect.gen(function*() {
        const place = yield* classroom
        const { club, course } = place
        const other = yield* makeLesson(club, yield* makeModule(club, course))
        const { id: source_id } = yield* makeBlock(club, other, { kind: "text", body: "O acorde de dó maior." })
        const elsewhere = { ...citation, lesson_id: other.id, source_id }
        const spoken = { ...fromMedia, lesson_id: other.id, source_title: "Vídeo", page_from: null, seconds: 95 }
        yield* say(
          question,
          Stream.make(
            text("Ali."),
            { _tag: "Citation", citation: elsewhere },
            { _tag: "Citation", citation: { ...spoken, page_to: null } }
          )
        )
        yield* ask(place, question)
        yield* work
        const page = yield* come(place)
        yield* Effect.promise(async () => {
          const video = await page.getByRole("link", { name: "Vídeo 1:35" }).getAttribute("href")
          assert.isTrue(video?.endsWith(`/lessons/${other.public_id}?media=${spoken.media_id}&t=95`), video ?? "")
          await page.getByRole("link", { name: citation.source_title }).click()
          await page.getByText("O acorde de dó maior.").waitFor()
          await page.locator(`#block-${source_id}[aria-current=location]`).waitFor()
          assert.isTrue(page.url().endsWith(`/lessons/${other.public_id}?block=${source_id}`), page.url())
        })
      }).pipe(Effect.scoped))

    it.effect("goes on with an answer after a reload in the middle, and stops it", () =>
      Effect.gen(function*() {
        const place = yield* classroom
        yield* say(question, Stream.concat(Stream.make(text("Com três")), Stream.never))
        yield* ask(place, question)
        yield* Effect.forkChild(work)
        const page = yield* come(place)
        yield* Effect.promise(async () => {
          await page.getByText("Com três").waitFor()
          await page.reload()
          await page.getByText("Com três").waitFor()
          await page.getByRole("button", { name: "Parar" }).click()
          await page.getByText("Você parou esta resposta.").waitFor()
        })
        assert.strictEqual(at((yield* state(place)).json, "data", "messages", 1, "status"), "canceled")
      }).pipe(Effect.scoped))

    it.effect("says why an answer failed, and asks again", () =>
      Effect.gen(function*() {
        const place = yield* classroom
        yield* say(question, fails("provider_rate_limited"))
        yield* ask(place, question)
        yield* work
        yield* say(question, Stream.make(text("Agora sim.")))
        const page = yield* come(place)
        yield* Effect.promise(async () => {
          await page.getByText("O assistente está com muitas perguntas agora.").waitFor()
          const accepted = page.waitForResponse((response) => response.status() === 202)
          await page.getByRole("button", { name: "Perguntar de novo" }).click()
          await accepted
        })
        yield* work
        yield* Effect.promise(() => page.getByText("Agora sim.").waitFor())
      }).pipe(Effect.scoped))

    it.effect("keeps a question that was not sent, and says when the day has no questions left", () =>
      Effect.gen(function*() {
        const place = yield* classroom
        const page = yield* come(place, { expected: [/Failed to load/] })
        yield* Effect.promise(async () => {
          await page.route("**/ask", (route) => route.request().method() === "POST" ? route.abort() : route.continue())
          await send(page, question)
          await page.getByRole("alert").getByText("Não foi enviada. Sua pergunta continua aqui.").waitFor()
          await page.unroute("**/ask")
          await page.reload()
          assert.strictEqual(await page.getByLabel("Sua pergunta").inputValue(), question)
        })
        yield* patchAgent(place.club, { daily_limit: 1 })
        yield* Effect.promise(async () => {
          const accepted = page.waitForResponse((response) => response.status() === 202)
          await page.getByLabel("Sua pergunta").press("Enter")
          await accepted
          await page.getByText("Você já usou as perguntas de hoje.").waitFor()
          assert.isTrue(await page.getByLabel("Sua pergunta").inputValue() === "")
        })
      }).pipe(Effect.scoped))

    it.effect("begins a new conversation and opens an earlier one", () =>
      Effect.gen(function*() {
        const place = yield* classroom
        yield* ask(place, "Como toco ré?")
        yield* work
        const page = yield* come(place)
        yield* Effect.promise(async () => {
          await page.getByText("Com três dedos.").waitFor()
          await page.getByRole("button", { name: "Nova conversa" }).click()
          await page.getByText("O que ainda não ficou claro?").waitFor()
          await page.getByRole("button", { name: "Conversas anteriores" }).click()
          await page.getByRole("button", { name: "Como toco ré?" }).click()
          await page.getByText("Com três dedos.").waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("shows an answer in no other conversation than its own", () =>
      Effect.gen(function*() {
        const place = yield* classroom
        yield* ask(place, "Como toco ré?")
        yield* work
        const page = yield* come(place)
        const log = page.getByRole("log")
        yield* Effect.promise(async () => {
          await page.getByText("Com três dedos.").waitFor()
          const gate = Promise.withResolvers<void>()
          await page.route("**/ask", async (route) => {
            if (route.request().method() === "POST") await gate.promise
            await route.continue()
          })
          const accepted = page.waitForResponse((response) => response.status() === 202)
          await send(page, question)
          await log.getByText(question).waitFor()
          await page.getByRole("button", { name: "Nova conversa" }).click()
          await page.getByText("O que ainda não ficou claro?").waitFor()
          gate.resolve()
          await accepted
          // The page shows this only after the answer.
          await page.getByText("Restam 8 de 10 perguntas hoje").waitFor()
          assert.strictEqual(await log.getByText(question).count(), 0)
        })
      }).pipe(Effect.scoped))

    it.effect("reads the conversation by itself once the service is back", () =>
      Effect.gen(function*() {
        const page = yield* come(yield* classroom, { expected: [/503/] })
        yield* Effect.promise(async () => {
          await page.route("**/api/**/ask", (route) => route.fulfill({ status: 503, body: "{}" }))
          await page.reload()
          await page.getByRole("button", { name: "Tentar de novo" }).waitFor()
          await page.unroute("**/api/**/ask")
          await page.getByLabel("Sua pergunta").waitFor()
        })
      }).pipe(Effect.scoped))

    for (const language of ["pt-BR", "en"] as const) {
      it.effect(`is shown on a phone and at a desk, light and dark, in ${language}`, () =>
        Effect.gen(function*() {
          const place = yield* classroom
          yield* say(
            question,
            Stream.make(
              text("O dó maior usa **três** dedos:\n\n1. indicador na 1ª casa\n2. médio na 2ª\n3. anelar na 3ª"),
              { _tag: "Citation", citation: fromMedia },
              { _tag: "Citation", citation }
            )
          )
          const first = yield* ask(place, question)
          yield* work
          yield* say("E o ré?", fails("timeout"))
          yield* ask(place, "E o ré?", { conversation_id: at(first.json, "data", "conversation", "id") })
          yield* work
          const page = yield* come(place, {}, language)
          yield* Effect.promise(() => page.getByRole("log").getByText(question).waitFor())
          yield* lookAll(page, `ask-${language}`)
        }).pipe(Effect.scoped))
    }
  })
})
