import { assert, layer } from "@effect/vitest"
import { Effect, Schema, Stream } from "effect"
import { AskState } from "../../../src/assistant/ask/Ask.ts"
import { at, listAt, send } from "../../harness/App.ts"
import { makeLesson, makeModule } from "../../harness/Makers.ts"
import { ask, citation, type Classroom, classroom, message, Script, state, text, work, WorldLayer } from "../World.ts"

/** Text that JSON must escape, and text that only looks like an image. */
const odd = "\"\\\n\t\u0001\u007f\u2028 </script> 'é' \u{1F3B8} {\"images\":[{}]}"

const Contract = Schema.toCodecJson(AskState)
const decode = Schema.decodeUnknownEffect(Contract, { onExcessProperty: "error" })
const encode = Schema.encodeEffect(Contract)

/** The state, after a check that it has exactly the fields of the contract's schema. */
const sameByContract = Effect.fnUntraced(function*(place: Classroom) {
  const data = at((yield* state(place)).json, "data")
  assert.deepStrictEqual<unknown>(yield* encode(yield* decode(data)), data)
  return data
})

layer(WorldLayer)("The ask state, which PostgreSQL writes", (it) => {
  it.effect("is what the contract's schema encodes, whatever is said", () =>
    Effect.gen(function*() {
      const { answers } = yield* Script
      const place = yield* classroom
      assert.isNull(at(yield* sameByContract(place), "conversation"))
      const cited = { ...citation, cited_text: odd, page_from: 1, page_to: 2 }
      answers.set(odd, Stream.make(text(odd), { _tag: "Citation" as const, citation: cited }))
      yield* ask(place, odd)
      yield* sameByContract(place)
      yield* work
      const data = yield* sameByContract(place)
      assert.deepStrictEqual(listAt(data, "messages").map((said) => at(said, "content")), [odd, odd])
    }))

  it.effect("names a cited lesson as long as it is live", () =>
    Effect.gen(function*() {
      const { answers } = yield* Script
      const place = yield* classroom
      const { club, course } = place
      const lesson = yield* makeLesson(club, yield* makeModule(club, course))
      const cited = { ...citation, lesson_id: lesson.id, seconds: 95 }
      answers.set("Onde?", Stream.make(text("Ali."), { _tag: "Citation" as const, citation: cited }))
      yield* ask(place, "Onde?")
      yield* work
      const reply = listAt((yield* state(place)).json, "data", "messages")[1]
      assert.deepStrictEqual<unknown>(listAt(reply, "citations"), [{ ...cited, lesson_public_id: lesson.public_id }])
      const path = `${club.path}/lessons/${lesson.id}`
      assert.strictEqual((yield* send("DELETE", path, { token: club.token })).status, 204)
      const { json } = yield* message(place, at(reply, "id"))
      assert.deepStrictEqual<unknown>(listAt(json, "data", "citations"), [{ ...cited, lesson_public_id: null }])
    }))

  it.effect("names the lesson that was asked in by its present key", () =>
    Effect.gen(function*() {
      const { answers } = yield* Script
      const place = yield* classroom
      const { club, lesson } = place
      const cited = { ...citation, lesson_id: lesson.id }
      answers.set("Onde?", Stream.make(text("Aqui."), { _tag: "Citation" as const, citation: cited }))
      yield* ask(place, "Onde?")
      yield* work
      const shown = Effect.fnUntraced(function*(lesson_public_id: string) {
        const reply = listAt(
          (yield* state({ ...place, lesson: { ...lesson, public_id: lesson_public_id } })).json,
          "data",
          "messages"
        )[1]
        const alone = at((yield* message(place, at(reply, "id"))).json, "data")
        const expected = [{ ...cited, lesson_public_id }]
        assert.deepStrictEqual<unknown>([listAt(reply, "citations"), listAt(alone, "citations")], [expected, expected])
      })
      yield* shown(lesson.public_id)
      const renamed = yield* send("PATCH", `${club.path}/lessons/${lesson.id}`, {
        token: club.token,
        body: { public_id: "outro-nome" }
      })
      assert.strictEqual(renamed.status, 200)
      yield* shown("outro-nome")
    }))

  it.effect("has messages and conversation as each by itself is answered", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      yield* ask(place, odd)
      yield* work
      const data = at((yield* state(place)).json, "data")
      for (const said of listAt(data, "messages")) {
        assert.deepStrictEqual<unknown>(said, at((yield* message(place, String(at(said, "id")))).json, "data"))
      }
      const { club, student } = place
      const path = `${club.path}/classroom/ask/conversations/${String(at(data, "conversation", "id"))}`
      const { json } = yield* send("GET", path, { token: student.token })
      assert.deepStrictEqual<unknown>(at(data, "conversation"), at(json, "data"))
    }))
})
