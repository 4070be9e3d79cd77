import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { appLayer, at, foundClub, listAt, send, tokenAs } from "../../harness/App.ts"
import { makeBlock, makeCourse, makeLesson, makeModule } from "../../harness/Makers.ts"

layer(appLayer())("A preview", (it) => {
  it.effect("shows the staff a draft as students would read it, without the answers of its quizzes", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const part = yield* makeModule(club, yield* makeCourse(club, { title: "Flauta" }), { title: "Antes" })
      const lesson = yield* makeLesson(club, part, { title: "Respirar", published_at: null })
      yield* makeBlock(club, lesson, { kind: "text", body: "Respire **fundo**." })
      const token = yield* tokenAs(club, "editor")
      const url = "https://youtu.be/dQw4w9WgXcQ"
      const video = yield* send("POST", `${club.path}/media`, { token, body: { kind: "video", url, title: "Ar" } })
      const media_id = at(video.json, "data", "media", "id")
      const options = [{ text: "Com o diafragma", correct: true }, { text: "Com os ombros", correct: false }]
      const quiz = { kind: "quiz", pass_percent: 70, questions: [{ text: "Com o que se respira?", options }] }
      yield* send("POST", `${club.path}/lessons/${lesson.id}/blocks`, { token, body: { kind: "video", media_id } })
      yield* send("POST", `${club.path}/lessons/${lesson.id}/blocks`, { token, body: quiz })
      const { json, status, text } = yield* send("GET", `${club.path}/lessons/${lesson.id}/preview`, {
        token: yield* tokenAs(club, "viewer")
      })
      assert.strictEqual(status, 200, text)
      assert.deepStrictEqual(
        [at(json, "data", "title"), at(json, "data", "module", "title"), at(json, "data", "course", "title")],
        ["Respirar", "Antes", "Flauta"]
      )
      assert.deepStrictEqual(listAt(json, "data", "blocks").map((block) => at(block, "kind")), [
        "text",
        "video",
        "quiz"
      ])
      assert.strictEqual(
        at(json, "data", "blocks", 1, "embed_url"),
        "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ"
      )
      assert.notInclude(text, "correct")
    }))
})
