import { assert, layer } from "@effect/vitest"
import { Effect, Struct } from "effect"
import { TestClock } from "effect/testing"
import { at, foundClub, keyOf, listAt, outcome, send, tokenAs } from "../../harness/App.ts"
import { makeEnrollment, makeItem, makeLesson, makeModule } from "../../harness/Makers.ts"
import {
  ask,
  cancel,
  citation,
  type Classroom,
  classroom,
  fails,
  makeLearner,
  makeTaughtLesson,
  patchAgent,
  replyTo,
  say,
  work,
  WorldLayer
} from "../World.ts"

const list = ({ club }: Pick<Classroom, "club">, query = "", token = club.token) =>
  send("GET", `${club.path}/assistant/questions${query}`, { token })

/** The questions in an answer, in its order. */
const questionsIn = (answer: { readonly json: unknown }) =>
  listAt(answer.json, "data").map((one) => at(one, "question"))

const asked = (place: Pick<Classroom, "club">, query: string) => Effect.map(list(place, query), questionsIn)

layer(WorldLayer)("The questions to a club's assistant", (it) => {
  it.effect("are listed with lesson, student, answer, citations and cost, the newest first", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const before = yield* ask(place, "Primeira")
      yield* work
      yield* TestClock.adjust("1 minute")
      const { json } = yield* ask(place, "Segunda")
      const read = yield* list(place)
      assert.strictEqual(read.status, 200, read.text)
      assert.strictEqual(read.headers["cache-control"], "no-store")
      const lesson = { id: place.lesson.id, public_id: place.lesson.public_id, title: place.lesson.title }
      const student = { id: place.student.id, name: place.student.name }
      const first = listAt(read.json, "data")[1]
      assert.deepStrictEqual(listAt(read.json, "data"), [
        {
          id: at(json, "data", "message", "id"),
          lesson,
          student,
          question: "Segunda",
          answer: "",
          status: "generating",
          error_code: null,
          citations: [],
          cost: 1,
          created_at: at(json, "data", "message", "created_at"),
          completed_at: null
        },
        {
          id: at(before.json, "data", "message", "id"),
          lesson,
          student,
          question: "Primeira",
          answer: "Com três dedos.",
          status: "completed",
          error_code: null,
          citations: [Struct.omit(citation, ["seconds"])],
          cost: 1,
          created_at: at(before.json, "data", "message", "created_at"),
          completed_at: at(first, "completed_at")
        }
      ])
      assert.isString(at(first, "completed_at"))
    }))

  it.effect("are read one by one, as the list has them, and only in their own club", () =>
    Effect.gen(function*() {
      const [place, other] = [yield* classroom, yield* classroom]
      yield* ask(place, "Primeira")
      yield* ask(other, "De outros")
      const read = (id: unknown) => send("GET", `${place.club.path}/assistant/questions/${String(id)}`, place.club)
      const [own] = listAt((yield* list(place)).json, "data")
      const [foreign] = listAt((yield* list(other)).json, "data")
      const found = yield* read(at(own, "id"))
      assert.strictEqual(found.status, 200, found.text)
      assert.strictEqual(found.headers["cache-control"], "no-store")
      assert.deepStrictEqual(at(found.json, "data"), own)
      for (const id of [at(foreign, "id"), place.lesson.id, "x"]) {
        assert.deepStrictEqual(outcome(yield* read(id)), [404, "not_found"])
      }
    }))

  it.effect("cost nothing once their answer is given back", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      yield* say("falha", fails("provider_unavailable"))
      yield* ask(place, "falha")
      yield* work
      yield* cancel(place, yield* replyTo(place, "cancelada"))
      const shown = listAt((yield* list(place)).json, "data")
      assert.deepStrictEqual(
        shown.map((one) => ["question", "status", "error_code", "cost"].map((field) => at(one, field))),
        [["cancelada", "canceled", null, 0], ["falha", "failed", "provider_unavailable", 0]]
      )
    }))

  it.effect("are found by lesson, student, status and time, alone and together", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const module = yield* makeModule(place.club, place.course)
      const lesson = yield* makeLesson(place.club, module)
      const other = yield* makeLearner(place.club, place.delivery)
      yield* say("falha", fails("timeout"))
      yield* ask(place, "de um")
      yield* TestClock.adjust("1 minute")
      yield* ask({ ...place, lesson, student: other }, "falha")
      yield* work
      yield* TestClock.adjust("1 minute")
      const { json } = yield* ask({ ...place, lesson }, "de dois")
      const moment = String(at(json, "data", "message", "created_at"))
      assert.deepStrictEqual(yield* asked(place, `?lesson_id=${lesson.id}`), ["de dois", "falha"])
      assert.deepStrictEqual(yield* asked(place, `?student_id=${other.id}`), ["falha"])
      assert.deepStrictEqual(yield* asked(place, "?status=failed"), ["falha"])
      assert.deepStrictEqual(yield* asked(place, "?status=completed"), ["de um"])
      assert.deepStrictEqual(yield* asked(place, "?status=generating"), ["de dois"])
      assert.deepStrictEqual(yield* asked(place, "?status=canceled"), [])
      assert.deepStrictEqual(yield* asked(place, `?since=${moment}`), ["de dois"])
      assert.deepStrictEqual(yield* asked(place, `?until=${moment}`), ["falha", "de um"])
      assert.deepStrictEqual(yield* asked(place, `?lesson_id=${lesson.id}&student_id=${place.student.id}`), ["de dois"])
      assert.deepStrictEqual(yield* asked(place, `?lesson_id=${lesson.id}&until=${moment}&status=failed`), ["falha"])
    }))

  it.effect("keep their pages while more is asked", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      yield* Effect.forEach(
        ["1", "2", "3"],
        (content) => Effect.andThen(ask(place, content), TestClock.adjust("1 second"))
      )
      const first = yield* list(place, "?limit=2")
      yield* ask(place, "4")
      const next = yield* list(place, `?limit=2&cursor=${String(at(first.json, "next_cursor"))}`)
      assert.deepStrictEqual([questionsIn(first), questionsIn(next)], [["3", "2"], ["1"]])
      assert.strictEqual(at(next.json, "next_cursor"), null)
      assert.deepStrictEqual(outcome(yield* list(place, "?cursor=x")), [400, "invalid_cursor"])
      assert.deepStrictEqual(outcome(yield* list(place, "?status=lost")), [422, "validation_failed"])
    }))

  it.effect("are read by who teaches, and by keys that may, and by nobody else", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const { club, student } = place
      const keys = [yield* keyOf(club), yield* keyOf(club, { role: undefined, scopes: ["agents:read"] })] as const
      const others = [
        yield* keyOf(club, { role: "viewer" }),
        yield* keyOf(club, { role: undefined, scopes: ["students:write"] })
      ]
      const { json } = yield* ask(place, "Minha")
      for (const path of ["questions", `questions/${String(at(json, "data", "message", "id"))}`, "usage"]) {
        const statusFor = (token?: string) =>
          Effect.map(
            send("GET", `${club.path}/assistant/${path}`, token === undefined ? {} : { token }),
            ({ status }) => status
          )
        for (const role of ["editor", "admin", "owner"] as const) {
          assert.strictEqual(yield* statusFor(yield* tokenAs(club, role)), 200, role)
        }
        for (const role of ["viewer", "support"] as const) {
          assert.strictEqual(yield* statusFor(yield* tokenAs(club, role)), 403, role)
        }
        assert.strictEqual(yield* statusFor((yield* foundClub()).token), 403)
        for (const token of [student.token, undefined]) assert.strictEqual(yield* statusFor(token), 401)
        for (const { token } of keys) assert.strictEqual(yield* statusFor(token), 200)
        for (const { token } of others) assert.strictEqual(yield* statusFor(token), 403)
      }
      const reads = yield* send("GET", `${club.path}/audit-log/reads?key_id=${keys[0].id}`, club)
      assert.deepStrictEqual(listAt(reads.json, "data").map((one) => at(one, "operation")).toSorted(), [
        "assistantQuestions.get",
        "assistantQuestions.list"
      ])
    }))

  it.effect("are those of the club alone, whatever ids of another are asked for", () =>
    Effect.gen(function*() {
      const [place, other] = yield* Effect.all([classroom, classroom])
      yield* ask(place, "daqui")
      yield* ask(other, "de lá")
      assert.deepStrictEqual(yield* asked(place, ""), ["daqui"])
      assert.deepStrictEqual(yield* asked(place, `?lesson_id=${other.lesson.id}`), [])
      assert.deepStrictEqual(yield* asked(place, `?student_id=${other.student.id}`), [])
      const { json } = yield* list(other)
      const cursor = Buffer.from(JSON.stringify({ id: at(json, "data", 0, "id") })).toString("base64url")
      assert.notInclude((yield* list(place, `?cursor=${cursor}`)).text, "de lá")
    }))

  it.effect("are gone with a removed student, and no longer counted", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const stays = yield* makeLearner(place.club, place.delivery)
      yield* ask(place, "segredo de quem sai")
      yield* ask({ ...place, student: stays }, "de quem fica")
      const { club, student } = place
      const removed = yield* send("DELETE", `${club.path}/students/${student.id}`, { token: club.token })
      assert.strictEqual(removed.status, 204)
      assert.deepStrictEqual(yield* asked(place, ""), ["de quem fica"])
      assert.deepStrictEqual(yield* asked(place, `?student_id=${student.id}`), [])
      const usage = yield* send("GET", `${club.path}/assistant/usage`, { token: club.token })
      assert.strictEqual(at(usage.json, "data", "days", 6, "questions"), 1)
    }))

  it.effect("have what their lesson is called now, although it is in another course by now", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      yield* patchAgent(place.club, { daily_limit: 100 })
      const { delivery, lesson } = yield* makeTaughtLesson(place.club)
      yield* makeItem(place.club, delivery, { kind: "course", id: place.course.id })
      yield* makeEnrollment(place.club, place.student, delivery)
      yield* ask({ ...place, lesson }, "Outra aula")
      const renamed = yield* send("PATCH", `${place.club.path}/lessons/${lesson.id}`, {
        token: place.club.token,
        body: { title: "Novo título" }
      })
      assert.strictEqual(renamed.status, 200, renamed.text)
      assert.strictEqual(at((yield* list(place)).json, "data", 0, "lesson", "title"), "Novo título")
    }))
})
