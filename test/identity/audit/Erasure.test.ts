import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { AppLayer, at, enrolledStudent, foundClub, send, tokenAs } from "../../harness/App.ts"
import { makeCatalogDelivery } from "../../harness/Makers.ts"
import { untilBlocked, whileHeld } from "../../harness/Waiting.ts"

layer(AppLayer)("What was done about a student who is removed", (it) => {
  it.effect("is kept by ids alone, with the removal, and what was done about others as it is", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* foundClub()
      const delivery = yield* makeCatalogDelivery(club)
      const headers = { "x-request-id": "for-zulmira" }
      const ask = (method: "DELETE" | "PATCH" | "POST", path: string, body?: object) =>
        send(method, `${club.path}${path}`, { token: club.token, headers, ...(body === undefined ? {} : { body }) })
      const admitted = (email: string) =>
        Effect.map(ask("POST", "/students", { name: "Z", email }), ({ json }) => String(at(json, "data", "id")))
      const student = yield* admitted("z@people.example")
      const other = yield* admitted("y@people.example")
      const granted = yield* ask("POST", `/students/${student}/grants`, { delivery_id: delivery.id })
      const enrollment = `/enrollments/${at(granted.json, "data", "id")}`
      yield* ask("POST", `${enrollment}/revoke`)
      yield* ask("POST", `${enrollment}/restore`)
      yield* ask("PATCH", `/students/${student}`, { name: "Zulmira" })
      const asked = yield* sql`
        select operation, request_id from audit_log where club_id = ${club.id} and student_id = ${student} order by id`
      const operations = [
        "students.create",
        "enrollments.grant",
        "enrollments.revoke",
        "enrollments.restore",
        "students.update"
      ]
      assert.deepStrictEqual(asked, operations.map((operation) => ({ operation, request_id: "for-zulmira" })))
      assert.strictEqual((yield* ask("DELETE", `/students/${student}`)).status, 204)
      assert.deepStrictEqual(
        yield* sql`
          select operation, request_id from audit_log where club_id = ${club.id} and student_id = ${student} order by id`,
        [...operations, "students.remove"].map((operation) => ({ operation, request_id: null }))
      )
      assert.deepStrictEqual(
        yield* sql`select request_id from audit_log where club_id = ${club.id} and student_id = ${other}`,
        [{ request_id: "for-zulmira" }]
      )
      const receipt = yield* send("GET", `${club.path}/students/${student}/erasure`, club)
      assert.strictEqual(at(receipt.json, "data", "counts", "audit_entries"), operations.length + 1)
    }))

  it.effect("has no id of a request either where somebody tries again, may not, or removes them at the same moment", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* foundClub()
      const viewer = yield* tokenAs(club, "viewer")
      const headers = { "x-request-id": "for-zulmira" }
      const { id } = yield* enrolledStudent(club)
      const remove = (token: string) => send("DELETE", `${club.path}/students/${id}`, { token, headers })
      const first = yield* Effect.replicateEffect(remove(club.token), 4, { concurrency: "unbounded" })
      assert.deepStrictEqual(first.map(({ status }) => status), [204, 204, 204, 204])
      assert.strictEqual((yield* remove(club.token)).status, 204)
      assert.strictEqual((yield* remove(viewer)).status, 403)
      const rows = yield* sql`
        select outcome, request_id from audit_log where club_id = ${club.id} and student_id = ${id} order by id`
      const done = { outcome: "done", request_id: null }
      assert.deepStrictEqual(rows, [done, done, done, done, done, { outcome: "refused", request_id: null }])
    }))

  it.effect("has none where it is refused while the removal is under way", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* foundClub()
      const viewer = yield* tokenAs(club, "viewer")
      const { id } = yield* enrolledStudent(club)
      const removal = Effect.andThen(
        sql`select id from students where club_id = ${club.id} and id = ${id} for update`,
        sql`update students set removed_at = created_at where club_id = ${club.id} and id = ${id}`
      )
      const refused = yield* whileHeld(
        removal,
        Effect.tap(
          Effect.forkChild(send("DELETE", `${club.path}/students/${id}`, {
            token: viewer,
            headers: { "x-request-id": "for-zulmira" }
          })),
          () => untilBlocked()
        )
      )
      assert.strictEqual((yield* Fiber.join(refused)).status, 403)
      const rows = yield* sql`
        select outcome, request_id from audit_log where club_id = ${club.id} and student_id = ${id}`
      assert.deepStrictEqual(rows, [{ outcome: "refused", request_id: null }])
    }))
})
