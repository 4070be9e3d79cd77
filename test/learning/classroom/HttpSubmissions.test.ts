import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { AppLayer, at, enrolledStudent, listAt, outcome, send, tokenAs } from "../../harness/App.ts"
import { makeAssignment, paidTo } from "./OpenClassroom.ts"
import { ask, makeVideo, openCourse } from "./OpenCourse.ts"

const unknownId = "0190a000-0000-7000-8000-000000000001"

const submitting = Effect.gen(function*() {
  const room = yield* openCourse(1)
  const { id } = yield* makeAssignment(room.club, room.lesson)
  return { ...room, path: `/assignments/${id}/submissions`, block_id: id }
})

layer(AppLayer)("A submission", (it) => {
  it.effect("answers 201 with what is attached, in its order", () =>
    Effect.gen(function*() {
      const room = yield* submitting
      const media_ids = [yield* makeVideo(room.club, room.student), yield* makeVideo(room.club, room.student)]
      const { json, status } = yield* ask(room, "POST", room.path, { body: "Pronto", media_ids })
      assert.strictEqual(status, 201)
      assert.deepInclude(at(json, "data"), {
        block_id: room.block_id,
        body: "Pronto",
        status: "pending",
        feedback: null
      })
      assert.deepStrictEqual(listAt(json, "data", "media").map((media) => at(media, "provider")), [
        "youtube",
        "youtube"
      ])
      const listed = yield* ask(room, "GET", room.path)
      assert.deepStrictEqual<unknown>(listed.json, { data: [at(json, "data")], next_cursor: null })
    }))

  it.effect("takes no media but the student's own, uploaded for it, and each once", () =>
    Effect.gen(function*() {
      const room = yield* submitting
      const other = yield* enrolledStudent(room.club)
      const own = yield* makeVideo(room.club, room.student)
      const foreign = [yield* makeVideo(room.club, other), yield* makeVideo(room.club), unknownId]
      for (const id of foreign) {
        const refused = yield* ask(room, "POST", room.path, { body: "Pronto", media_ids: [own, id] })
        assert.deepStrictEqual(outcome(refused), [422, "media_unknown"])
      }
      const eleven = Array.from({ length: 11 }, (_, n) => unknownId.slice(0, -2) + String(n + 10))
      for (const media_ids of [[own, own], eleven]) {
        const refused = yield* ask(room, "POST", room.path, { body: "Pronto", media_ids })
        assert.deepStrictEqual(outcome(refused), [422, "validation_failed"])
      }
      assert.deepStrictEqual((yield* ask(room, "GET", room.path)).json, { data: [], next_cursor: null })
    }))

  it.effect("has 1 to 20000 characters", () =>
    Effect.gen(function*() {
      const room = yield* submitting
      for (const body of ["", "a".repeat(20_001)]) {
        assert.deepStrictEqual(outcome(yield* ask(room, "POST", room.path, { body })), [422, "validation_failed"])
      }
      assert.strictEqual((yield* ask(room, "POST", room.path, { body: "é".repeat(20_000) })).status, 201)
    }))

  it.effect("is refused while another waits, and after one was approved", () =>
    Effect.gen(function*() {
      const room = yield* submitting
      const first = yield* ask(room, "POST", room.path, { body: "Um" })
      assert.deepStrictEqual(outcome(yield* ask(room, "POST", room.path, { body: "Dois" })), [
        409,
        "submission_pending"
      ])
      const approve = `${room.club.path}/assignments/submissions/${at(first.json, "data", "id")}/approve`
      yield* send("POST", approve, { token: room.club.token, body: {} })
      assert.deepStrictEqual(outcome(yield* ask(room, "POST", room.path, { body: "Dois" })), [
        409,
        "submission_approved"
      ])
    }))

  it.effect("and the list of them are not found in another club and without the course", () =>
    Effect.gen(function*() {
      const [room, other] = [yield* submitting, yield* openCourse(1)]
      const stranger = { ...room, student: yield* enrolledStudent(room.club) }
      for (const place of [other, stranger]) {
        assert.deepStrictEqual(outcome(yield* ask(place, "GET", room.path)), [404, "not_found"])
        assert.deepStrictEqual(outcome(yield* ask(place, "POST", room.path, { body: "x" })), [404, "not_found"])
      }
      assert.deepStrictEqual(outcome(yield* ask(room, "GET", `${room.path}?cursor=x`)), [400, "invalid_cursor"])
    }))

  it.effect("loses its words and files with the student", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const room = yield* submitting
      const media_ids = [yield* makeVideo(room.club, room.student)]
      const { json } = yield* ask(room, "POST", room.path, { body: "Pronto", media_ids })
      yield* send("DELETE", `${room.club.path}/students/${room.student.id}`, { token: room.club.token })
      const path = `${room.club.path}/assignments/submissions/${at(json, "data", "id")}`
      const read = yield* send("GET", path, { token: room.club.token })
      assert.deepInclude(at(read.json, "data"), { body: "", media: [], status: "pending" })
      assert.deepStrictEqual(yield* sql`select 1 from media where club_id = ${room.club.id}`, [])
      const refused = yield* send("POST", `${path}/reject`, { token: room.club.token, body: { feedback: "Não" } })
      assert.deepStrictEqual(outcome(refused), [409, "student_removed"])
    }))
})

layer(AppLayer)("A decision on a submission", (it) => {
  const decided = Effect.gen(function*() {
    const room = yield* submitting
    const { json } = yield* ask(room, "POST", room.path, { body: "Pronto" })
    const path = `${room.club.path}/assignments/submissions/${at(json, "data", "id")}`
    const post = (decision: string, body: unknown, token = room.club.token) =>
      send("POST", `${path}/${decision}`, { token, body })
    return { room, path, post }
  })

  it.effect("pays once, repeats itself, and does not turn", () =>
    Effect.gen(function*() {
      const { post, room } = yield* decided
      const first = yield* post("approve", { feedback: "Ótimo" })
      assert.strictEqual(first.status, 200)
      assert.deepInclude(at(first.json, "data"), {
        status: "approved",
        feedback: "Ótimo",
        reviewer_user_id: room.club.owner.id
      })
      assert.strictEqual((yield* post("approve", {})).text, first.text)
      assert.deepStrictEqual(outcome(yield* post("reject", { feedback: "Não" })), [409, "submission_already_reviewed"])
      assert.deepStrictEqual<unknown>(yield* paidTo(room.club, room.student), [[
        "assignment_approved",
        room.block_id,
        30
      ]])
    }))

  it.effect("is a rejection only with words", () =>
    Effect.gen(function*() {
      const { post } = yield* decided
      for (const body of [{}, { feedback: "" }, { feedback: "a".repeat(5001) }]) {
        assert.deepStrictEqual(outcome(yield* post("reject", body)), [422, "validation_failed"])
      }
      assert.strictEqual((yield* post("reject", { feedback: "Falta o dedo 2" })).status, 200)
    }))

  it.effect("and the submissions are for those who look after the content", () =>
    Effect.gen(function*() {
      const { path, post, room } = yield* decided
      for (const role of ["support", "viewer"] as const) {
        const token = yield* tokenAs(room.club, role)
        assert.deepStrictEqual(outcome(yield* post("approve", {}, token)), [403, "forbidden"])
        for (const read of [path, `${room.club.path}/assignments/submissions`]) {
          assert.deepStrictEqual(outcome(yield* send("GET", read, { token })), [403, "forbidden"])
        }
      }
      assert.strictEqual((yield* post("approve", {}, yield* tokenAs(room.club, "editor"))).status, 200)
    }))

  it.effect("and the list of them take filters that are right", () =>
    Effect.gen(function*() {
      const { room } = yield* decided
      const list = (query: string) =>
        send("GET", `${room.club.path}/assignments/submissions?${query}`, { token: room.club.token })
      assert.strictEqual(listAt((yield* list(`student_id=${room.student.id}&status=pending`)).json, "data").length, 1)
      assert.strictEqual(listAt((yield* list(`lesson_id=${room.lesson.id}`)).json, "data").length, 1)
      assert.strictEqual(listAt((yield* list(`block_id=${unknownId}`)).json, "data").length, 0)
      assert.deepStrictEqual(outcome(yield* list("status=lost")), [422, "validation_failed"])
      assert.deepStrictEqual(outcome(yield* list("cursor=x")), [400, "invalid_cursor"])
    }))
})
