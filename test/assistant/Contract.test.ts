import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { AskState, Comment, Conversation, Limits, Message } from "../contract/Records.ts"
import { boolean, integer, listOf, nullOr, oneOf, record, string, timestamp, uuid } from "../contract/Shape.ts"
import { at, listAt, send } from "../harness/App.ts"
import { SpansLayer, statements } from "../harness/Statements.ts"
import {
  ask,
  cancel,
  type Classroom,
  classroom,
  makeLearner,
  message,
  patchAgent,
  state,
  work,
  WorldLayer
} from "./World.ts"

// Contract, Ask state, Media, and Endpoints 5 and 6: each of a record's fields and no other.

/** An image that the student has uploaded for a question. */
const makeImage = Effect.fnUntraced(function*({ club, student }: Classroom, given: object = {}) {
  const sql = yield* SqlClient.SqlClient
  const random = yield* SecureRandom.SecureRandom
  const id = yield* random.uuidV7()
  const row = {
    club_id: club.id,
    id,
    kind: "image",
    purpose: "ask",
    title: "Acorde",
    provider: "storage",
    status: "ready",
    visibility: "private",
    file_name: "acorde.png",
    mime: "image/png",
    size_bytes: 100,
    storage_key: `media/${id}`,
    student_id: student.id,
    created_at: DateTime.toDateUtc(yield* DateTime.now),
    ...given
  }
  yield* sql`insert into media ${sql.insert(row)}`
  return id
}, Effect.provide(SecureRandom.layerWebCrypto))

layer(WorldLayer)("The fields of the contract", (it) => {
  it.effect("are those of the ask state, without and with a conversation, images and citations", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      assert.deepStrictEqual(AskState(at((yield* state(place)).json, "data")), [])
      const media_ids = [yield* makeImage(place), yield* makeImage(place)]
      const asked = yield* ask(place, "O que é isto?", { media_ids })
      assert.deepStrictEqual(
        record({
          conversation: Conversation,
          message: Message,
          reply: Message,
          limits: Limits
        })(at(asked.json, "data")),
        []
      )
      yield* work
      const { json } = yield* state(place)
      assert.deepStrictEqual(AskState(at(json, "data")), [])
      const [question, reply] = listAt(json, "data", "messages")
      assert.deepStrictEqual(listAt(question, "images").map((image) => at(image, "id")), media_ids)
      assert.lengthOf(listAt(reply, "citations"), 1)
    }))

  it.effect("are those of a message by itself, read and canceled", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const asked = yield* ask(place, "O que é isto?", { media_ids: [yield* makeImage(place)] })
      const id = at(asked.json, "data", "reply", "id")
      for (
        const answer of [
          yield* message(place, at(asked.json, "data", "message", "id")),
          yield* message(place, id),
          yield* cancel(place, id)
        ]
      ) assert.deepStrictEqual(record({ data: Message })(answer.json, "body"), [], answer.text)
    }))

  it.effect("are those of the comment that the assistant wrote, or of its reason for silence", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const { club, lesson, student } = place
      const said = yield* send("POST", `${club.path}/classroom/lessons/${lesson.public_id}/comments`, {
        token: student.token,
        body: { body: "Como toco dó maior?" }
      })
      const reply = `${club.path}/comments/${String(at(said.json, "data", "id"))}/assistant-reply`
      const written = yield* send("POST", reply, club)
      assert.deepStrictEqual([written.status, record({ data: Comment })(written.json, "body")], [201, []], written.text)
      const silent = yield* send("POST", reply, club)
      const Silence = record({ reason: oneOf("already_answered") })
      assert.deepStrictEqual([silent.status, record({ data: Silence })(silent.json, "body")], [200, []], silent.text)
    }))

  it.effect("are those of an agent", () =>
    Effect.gen(function*() {
      const { club } = yield* classroom
      const Agent = record({
        id: uuid,
        name: string,
        enabled: boolean,
        daily_limit: integer,
        monthly_budget: nullOr(integer),
        created_at: timestamp
      })
      assert.deepStrictEqual(Agent(at((yield* patchAgent(club, { monthly_budget: 5 })).json, "data")), [])
      const { json } = yield* send("GET", `${club.path}/agents`, club)
      assert.deepStrictEqual(listOf(Agent)(at(json, "data")), [])
    }))
})

layer(WorldLayer)("An image of a question", (it) => {
  it.effect("counts the messages that show it", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const media_ids = [yield* makeImage(place)]
      yield* ask(place, "Um", { media_ids })
      const { json } = yield* ask(place, "Dois", { media_ids })
      const image = at(json, "data", "message", "images", 0)
      assert.deepStrictEqual(["usage_count", "favorite", "type"].map((field) => at(image, field)), [2, false, "image"])
    }))

  it.effect("is the student's own, ready, an image, and for this", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const other = { ...place, student: yield* makeLearner(place.club, place.delivery) }
      const wrong = [
        yield* makeImage(other),
        yield* makeImage(place, { status: "uploading" }),
        yield* makeImage(place, { purpose: "comment" }),
        yield* makeImage(place, { kind: "document", mime: "application/pdf" }),
        yield* makeImage(yield* classroom)
      ]
      for (const id of wrong) {
        const answer = yield* ask(place, "?", { media_ids: [id] })
        assert.deepStrictEqual([answer.status, at(answer.json, "error", "code")], [422, "media_unknown"])
      }
    }))
})

layer(WorldLayer.pipe(Layer.provideMerge(SpansLayer)))("The ask state", (it) => {
  it.effect("is read in two statements, the session's included, and two more where there are images", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      yield* ask(place)
      yield* work
      assert.lengthOf(yield* statements(state(place)), 2)
      yield* ask(place, "E isto?", { media_ids: [yield* makeImage(place)] })
      assert.lengthOf(yield* statements(state(place)), 4)
    }))
})
