import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { at, codeOf, enrolledStudent, listAt, outcome, send } from "../../harness/App.ts"
import { makeLesson, makeModule } from "../../harness/Makers.ts"
import { isAbout } from "../../harness/Refusals.ts"
import {
  ask,
  askPath,
  classroom,
  makeLearner,
  message,
  patchAgent,
  shownCitation,
  state,
  used,
  work,
  WorldLayer
} from "../World.ts"

const epoch = "1970-01-01T00:00:00.000Z"
const unknownId = "0190a000-0000-7000-8000-00000000000f"

layer(WorldLayer)("The ask state", (it) => {
  it.effect("without a conversation is the agent, the limits and nothing else", () =>
    Effect.gen(function*() {
      const answer = yield* state(yield* classroom)
      assert.strictEqual(answer.status, 200)
      assert.deepStrictEqual<unknown>(answer.json, {
        data: {
          agent_name: "Assistant",
          limits: {
            daily_limit: 10,
            used: 0,
            remaining: 10,
            club_budget_exhausted: false,
            resets_at: "1970-01-02T00:00:00.000Z"
          },
          messages: [],
          conversation: null
        }
      })
      assert.strictEqual(answer.headers["cache-control"], "no-store")
    }))

  it.effect("has the latest conversation of this person on this lesson, oldest message first", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const other = { ...place, student: yield* makeLearner(place.club, place.delivery) }
      yield* ask(place, "Primeira")
      yield* ask(other, "De outra pessoa")
      yield* TestClock.adjust("1 second")
      const later = yield* ask(place, "Segunda")
      yield* work
      const { json } = yield* state(place)
      assert.strictEqual(at(json, "data", "conversation", "id"), at(later.json, "data", "conversation", "id"))
      const messages = listAt(json, "data", "messages")
      assert.deepStrictEqual(messages.map((one) => [at(one, "role"), at(one, "content"), at(one, "status")]), [
        ["user", "Segunda", "completed"],
        ["assistant", "Com três dedos.", "completed"]
      ])
      assert.deepStrictEqual(listAt(messages[1], "citations"), [shownCitation])
      assert.strictEqual(at(messages[1], "reply_to"), at(messages[0], "id"))
    }))

  it.effect("shows the latest 50 messages", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      yield* patchAgent(place.club, { daily_limit: 1000 })
      const first = yield* ask(place, "0")
      const conversation_id = at(first.json, "data", "conversation", "id")
      for (let n = 1; n <= 25; n++) {
        yield* work
        yield* ask(place, String(n), { conversation_id })
      }
      const messages = listAt((yield* state(place)).json, "data", "messages")
      assert.lengthOf(messages, 50)
      assert.deepStrictEqual([at(messages[0], "content"), at(messages[48], "content")], ["1", "25"])
    }))

  it.effect("counts the day in the club's time zone", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const place = yield* classroom
      yield* sql`update clubs set time_zone = 'America/Sao_Paulo' where id = ${place.club.id}`
      const { json } = yield* state(place)
      assert.strictEqual(at(json, "data", "limits", "resets_at"), "1970-01-01T03:00:00.000Z")
    }))

  it.effect("begins no new day where the club chooses another time zone, however often", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const choose = (time_zone: string) =>
        send("PATCH", place.club.path, { token: place.club.token, body: { time_zone } })
      const limits = Effect.map(state(place), ({ json }) => at(json, "data", "limits"))
      yield* ask(place, "Uma")
      const before = yield* limits
      assert.deepInclude(before, { used: 1, resets_at: "1970-01-02T00:00:00.000Z" })
      for (const zone of ["Asia/Tokyo", "America/Sao_Paulo", "Pacific/Niue", "UTC", "Asia/Tokyo"]) {
        assert.strictEqual((yield* choose(zone)).status, 200)
        assert.deepStrictEqual(yield* limits, before, zone)
      }
      yield* TestClock.setTime(Date.parse("1970-01-02T00:00:00Z"))
      assert.deepInclude(yield* limits, { used: 0, resets_at: "1970-01-02T15:00:00.000Z" })
    }))

  it.effect("is not there for a lesson that the student does not have, or that is not live", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const stranger = { ...place, student: yield* enrolledStudent(place.club) }
      assert.deepStrictEqual(outcome(yield* state(stranger)), [404, "not_found"])
      assert.deepStrictEqual(outcome(yield* ask(stranger)), [404, "not_found"])
      const module = yield* makeModule(place.club, place.course)
      const draft = { ...place, lesson: yield* makeLesson(place.club, module, { published_at: null }) }
      assert.deepStrictEqual(outcome(yield* state(draft)), [404, "not_found"])
      for (const public_id of ["unknown", "%00", "a".repeat(33), "a'b"]) {
        assert.deepStrictEqual(outcome(yield* state({ ...place, lesson: { public_id } })), [404, "not_found"])
      }
    }))

  it.effect("is for students of the club alone", () =>
    Effect.gen(function*() {
      const [place, foreign] = [yield* classroom, yield* classroom]
      const theirs = { ...foreign, student: place.student }
      assert.deepStrictEqual(outcome(yield* state(theirs)), [403, "forbidden"])
      const member = yield* send("GET", askPath(place), { token: place.club.token })
      assert.deepStrictEqual(outcome(member), [401, "unauthenticated"])
    }))
})

layer(WorldLayer)("A question", (it) => {
  it.effect("answers 202 with the conversation, the message, the reply to come and the limits", () =>
    Effect.gen(function*() {
      const answer = yield* ask(yield* classroom, "  Como toco\n dó maior?  ")
      assert.strictEqual(answer.status, 202, answer.text)
      const [conversation, question, reply] = ["conversation", "message", "reply"].map((of) =>
        at(answer.json, "data", of, "id")
      )
      assert.deepStrictEqual<unknown>(at(answer.json, "data"), {
        conversation: { id: conversation, title: "Como toco dó maior?", last_message_at: epoch, created_at: epoch },
        message: {
          id: question,
          role: "user",
          content: "  Como toco\n dó maior?  ",
          status: "completed",
          images: [],
          citations: [],
          created_at: epoch,
          error_code: null,
          reply_to: null,
          completed_at: epoch
        },
        reply: {
          id: reply,
          role: "assistant",
          content: "",
          status: "generating",
          images: [],
          citations: [],
          created_at: epoch,
          error_code: null,
          reply_to: question,
          completed_at: null
        },
        limits: {
          daily_limit: 10,
          used: 1,
          remaining: 9,
          club_budget_exhausted: false,
          resets_at: "1970-01-02T00:00:00.000Z"
        }
      })
    }))

  it.effect("continues the conversation that it names, one answer at a time", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const first = yield* ask(place, "Primeira")
      const conversation_id = at(first.json, "data", "conversation", "id")
      const during = yield* ask(place, "Segunda", { conversation_id })
      assert.deepStrictEqual(outcome(during), [409, "answer_in_progress"])
      assert.deepStrictEqual(yield* used(place), [1, 1])
      yield* work
      const after = yield* ask(place, "Segunda", { conversation_id })
      assert.deepStrictEqual([after.status, at(after.json, "data", "conversation", "id")], [202, conversation_id])
      assert.strictEqual(at(after.json, "data", "conversation", "title"), "Primeira")
    }))

  it.effect("of 20 at once in one conversation is one", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      yield* patchAgent(place.club, { daily_limit: 100 })
      const conversation_id = at((yield* ask(place)).json, "data", "conversation", "id")
      yield* work
      const answers = yield* Effect.all(Array.from({ length: 20 }, () => ask(place, "De novo", { conversation_id })), {
        concurrency: "unbounded"
      })
      assert.lengthOf(answers.filter(({ status }) => status === 202), 1)
      assert.lengthOf(answers.filter((answer) => codeOf(answer) === "answer_in_progress"), 19)
      assert.deepStrictEqual(yield* used(place), [2, 2])
    }))

  it.effect("finds no conversation of another person, lesson or club, and costs nothing then", () =>
    Effect.gen(function*() {
      const [place, foreign] = [yield* classroom, yield* classroom]
      const other = { ...place, student: yield* makeLearner(place.club, place.delivery) }
      const lesson = { ...place, lesson: yield* makeLesson(place.club, yield* makeModule(place.club, place.course)) }
      for (const theirs of [foreign, other, lesson]) {
        const conversation_id = at((yield* ask(theirs)).json, "data", "conversation", "id")
        const before = yield* used(place)
        assert.deepStrictEqual(outcome(yield* ask(place, "?", { conversation_id })), [404, "not_found"])
        assert.deepStrictEqual(yield* used(place), before)
      }
      assert.deepStrictEqual(outcome(yield* ask(place, "?", { conversation_id: unknownId })), [404, "not_found"])
    }))

  it.effect.each([
    ["content", {}],
    ["content", { content: "" }],
    ["content", { content: " \n " }],
    ["content", { content: "a".repeat(4001) }],
    ["conversation_id", { content: "a", conversation_id: "1" }],
    ["media_ids", { content: "a", media_ids: Array.from({ length: 5 }, (_, n) => unknownId.replace(/f$/, String(n))) }],
    ["media_ids", { content: "a", media_ids: [unknownId, unknownId] }],
    ["media_ids[0]", { content: "a", media_ids: ["1"] }],
    ["student_id", { content: "a", student_id: unknownId }]
  ])("is refused with a wrong %s: %#", ([field, body]) =>
    Effect.gen(function*() {
      const place = yield* classroom
      const answer = yield* send("POST", askPath(place), { token: place.student.token, body })
      assert.deepStrictEqual(outcome(answer), [422, "validation_failed"])
      assert.isTrue(isAbout(at(answer.json, "error", "message"), field), answer.text)
    }))

  it.effect("finds no such conversation before it hears of the day's limit or of an assistant that is off", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const conversation_id = "0190a000-0000-7000-8000-00000000000f"
      yield* patchAgent(place.club, { daily_limit: 0 })
      assert.deepStrictEqual(outcome(yield* ask(place, "?", { conversation_id })), [404, "not_found"])
      yield* patchAgent(place.club, { enabled: false })
      assert.deepStrictEqual(outcome(yield* ask(place, "?", { conversation_id })), [404, "not_found"])
      assert.deepStrictEqual(outcome(yield* ask(place)), [409, "assistant_disabled"])
    }))

  it.effect("has 4000 characters, and a title of the first 120 at most", () =>
    Effect.gen(function*() {
      const answer = yield* ask(yield* classroom, "🎸".repeat(4000))
      assert.strictEqual(answer.status, 202)
      assert.strictEqual(at(answer.json, "data", "conversation", "title"), "🎸".repeat(120))
    }))

  it.effect("is asked once for a request that is repeated with its Idempotency-Key", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const [first, second] = [
        yield* ask(place, "a", {}, { "idempotency-key": "k" }),
        yield* ask(place, "a", {}, { "idempotency-key": "k" })
      ]
      assert.deepStrictEqual([second.status, second.text], [202, first.text])
      assert.deepStrictEqual(yield* used(place), [1, 1])
    }))

  it.effect("is refused where the assistant is switched off, and the state is still read", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      yield* patchAgent(place.club, { enabled: false })
      assert.deepStrictEqual(outcome(yield* ask(place)), [409, "assistant_disabled"])
      assert.strictEqual((yield* state(place)).status, 200)
      assert.deepStrictEqual(yield* used(place), [0, 0])
    }))

  it.effect("may show images that the student uploaded for it, and no others", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const refused = yield* ask(place, "O que é isto?", { media_ids: [unknownId] })
      assert.deepStrictEqual(outcome(refused), [422, "media_unknown"])
      assert.deepStrictEqual(yield* used(place), [0, 0])
    }))
})

layer(WorldLayer)("A message", (it) => {
  it.effect("is read by the student who asked, and by nobody else", () =>
    Effect.gen(function*() {
      const [place, foreign] = [yield* classroom, yield* classroom]
      const asked = yield* ask(place)
      for (const  of of["message", "reply"]) {
        const id = at(asked.json, "data", of, "id")
        const own = yield* message(place, id)
        assert.deepStrictEqual(at(own.json, "data"), at(asked.json, "data", of))
        const other = { ...place, student: yield* makeLearner(place.club, place.delivery) }
        assert.deepStrictEqual(outcome(yield* message(other, id)), [404, "not_found"])
        assert.deepStrictEqual(outcome(yield* message(foreign, id)), [404, "not_found"])
      }
      assert.deepStrictEqual(outcome(yield* message(place, "1")), [404, "not_found"])
    }))
})
