import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { OneTimeTokens } from "../../../src/identity/tokens/OneTimeTokens.ts"
import { sweepErasures } from "../../../src/membership/students/Removal.ts"
import { outboxOf, typesOf } from "../../events/EventsLayer.ts"
import { AppLayer, at, enrolledStudent, foundClub, outcome, send, tokenAs } from "../../harness/App.ts"
import { Mailbox } from "../../harness/Mailbox.ts"
import { makeCatalogDelivery, makeEnrollment } from "../../harness/Makers.ts"
import { access, exchange, forgot, reset, signIn, signUp, studentsOf, subjects } from "../accounts/People.ts"

/** A club with a student who has a session. */
const withStudent = Effect.gen(function*() {
  const club = yield* foundClub()
  const student = yield* enrolledStudent(club)
  const path = `${club.path}/students/${student.id}`
  return { club, student, path, remove: send("DELETE", path, { token: club.token }) }
})

const rowsOf = Effect.fnUntraced(function*(table: string, club: { readonly id: string }) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql`select * from ${sql(table)} where club_id = ${club.id}`
})

layer(AppLayer)("A student who is removed", (it) => {
  it.effect("is read as anonymized, with nothing about the person", () =>
    Effect.gen(function*() {
      const { club, path, remove, student } = yield* withStudent
      yield* send("PATCH", path, { token: club.token, body: { document: "52998224725" } })
      assert.strictEqual((yield* remove).status, 204)
      const read = yield* send("GET", path, { token: club.token })
      assert.strictEqual(read.status, 200)
      assert.deepInclude(at(read.json, "data"), {
        id: student.id,
        name: "Anonymized",
        email: `${student.id}@anonymized.invalid`,
        verified: false,
        has_password: false,
        anonymized: true,
        document: null
      })
    }))

  it.effect("is removed once: again changes nothing", () =>
    Effect.gen(function*() {
      const { club, path, remove } = yield* withStudent
      yield* remove
      const [before, receipt] = [yield* outboxOf(club), yield* send("GET", `${path}/erasure`, { token: club.token })]
      assert.strictEqual((yield* remove).status, 204)
      assert.deepStrictEqual(yield* outboxOf(club), before)
      assert.deepStrictEqual((yield* send("GET", `${path}/erasure`, { token: club.token })).json, receipt.json)
    }))

  it.effect("is a student.removed, and no other event is left, of lost access neither", () =>
    Effect.gen(function*() {
      const { club, path, remove } = yield* withStudent
      const delivery = yield* makeCatalogDelivery(club)
      yield* send("POST", `${path}/grants`, { token: club.token, body: { delivery_id: delivery.id } })
      yield* send("PATCH", path, { token: club.token, body: { name: "Bia Costa" } })
      assert.deepStrictEqual(typesOf(yield* outboxOf(club)), ["access.granted", "student.updated"])
      yield* remove
      const facts = yield* outboxOf(club)
      assert.deepStrictEqual(facts.map(({ subject, type }) => [type, subject]), [["student.removed", {}]])
    }))

  it.effect("has no access any more, and a history that says why", () =>
    Effect.gen(function*() {
      const { club, path, remove, student } = yield* withStudent
      yield* makeEnrollment(club, student, yield* makeCatalogDelivery(club))
      yield* remove
      const { json } = yield* send("GET", path, { token: club.token })
      assert.deepInclude(at(json, "data", "enrollments", 0), { active: false, revoke_reason: "student_removed" })
      assert.deepInclude(at(json, "data", "access_events", 0), { kind: "revoked", reason: null })
    }))

  it.effect("has no session any more", () =>
    Effect.gen(function*() {
      const { remove, student } = yield* withStudent
      assert.strictEqual((yield* send("GET", "/v1/auth/session", { token: student.token })).status, 200)
      yield* remove
      const answer = yield* send("GET", "/v1/auth/session", { token: student.token })
      assert.deepStrictEqual(outcome(answer), [401, "unauthenticated"])
    }))

  it.effect("is let in by no link, code or password, and mailed nothing", () =>
    Effect.gen(function*() {
      const mailbox = yield* Mailbox
      const { club, remove, student } = yield* withStudent
      const side = studentsOf(club)
      yield* forgot(side, student.email)
      yield* reset(side, yield* mailbox.secret(student.email), "correct horse")
      assert.strictEqual((yield* signIn(side, student.email)).status, 200)
      yield* access(side, student.email)
      const code = yield* mailbox.secret(student.email)
      yield* forgot(side, student.email)
      const token = yield* mailbox.secret(student.email)
      const mails = yield* subjects(student.email)
      yield* remove
      assert.deepStrictEqual(outcome(yield* signIn(side, student.email)), [401, "invalid_credentials"])
      assert.deepStrictEqual(outcome(yield* exchange(side, code)), [422, "code_invalid"])
      assert.deepStrictEqual(outcome(yield* reset(side, token)), [422, "token_invalid"])
      for (const email of [student.email, `${student.id}@anonymized.invalid`]) {
        yield* access(side, email)
        yield* forgot(side, email)
      }
      assert.deepStrictEqual(yield* subjects(student.email), mails)
      assert.deepStrictEqual(yield* subjects(`${student.id}@anonymized.invalid`), [])
    }))

  it.effect("is let in by no link that was being made meanwhile either", () =>
    Effect.gen(function*() {
      const tokens = yield* OneTimeTokens
      const { club, remove, student } = yield* withStudent
      yield* remove
      const holder = { kind: "student", club_id: club.id, student_id: student.id } as const
      const code = Redacted.value(yield* tokens.forHolder("access", holder))
      assert.deepStrictEqual(outcome(yield* exchange(studentsOf(club), code)), [422, "code_invalid"])
    }))

  it.effect("leaves no sign-up and no request of theirs, and those of others alone", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { club, remove, student } = yield* withStudent
      const elsewhere = yield* foundClub()
      for (const one of [club, elsewhere]) yield* signUp(studentsOf(one), { email: student.email })
      yield* signUp(studentsOf(club), { email: "other@example.com" })
      yield* access(studentsOf(club), student.email)
      yield* remove
      for (const table of ["sign_ups", "credential_requests"]) {
        const left = yield* sql<{ organization_id: string; email: string }>`
          select organization_id, email from ${sql(table)}
          where organization_id in ${sql.in([club.organization_id, elsewhere.organization_id])}`
        assert.sameDeepMembers([...left], [
          { organization_id: elsewhere.organization_id, email: student.email },
          { organization_id: club.organization_id, email: "other@example.com" }
        ])
      }
    }))

  it.effect("keeps their points, without what was written about them", () =>
    Effect.gen(function*() {
      const { club, path, remove } = yield* withStudent
      const body = { points: 7, reason: "Helped Bia" }
      yield* send("POST", `${path}/points`, { token: club.token, body })
      yield* remove
      const { json } = yield* send("GET", `${path}/points`, { token: club.token })
      assert.strictEqual(at(json, "data", "total"), 7)
      assert.strictEqual(at(json, "data", "entries", 0, "reason"), null)
      const more = yield* send("POST", `${path}/points`, { token: club.token, body })
      assert.deepStrictEqual(outcome(more), [409, "student_removed"])
    }))

  it.effect("is counted in a receipt, for 90 days", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { club, path, remove, student } = yield* withStudent
      const receipt = send("GET", `${path}/erasure`, { token: club.token })
      assert.deepStrictEqual(outcome(yield* receipt), [404, "not_found"])
      yield* makeEnrollment(club, student, yield* makeCatalogDelivery(club))
      yield* send("POST", `${path}/points`, { token: club.token, body: { points: 7, reason: "Helped Bia" } })
      yield* send("PATCH", path, { token: club.token, body: { name: "Bia Costa" } })
      yield* remove
      const { json, status, text } = yield* receipt
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(Object.keys(Object(at(json, "data"))), ["student_id", "erased_at", "counts"])
      assert.strictEqual(at(json, "data", "student_id"), student.id)
      assert.deepInclude(at(json, "data", "counts"), { sessions: 1, point_reasons: 1, enrollments: 1, facts: 1 })
      assert.notInclude(text, student.email)
      assert.deepStrictEqual((yield* rowsOf("student_erasures", club)).map(({ actor_user_id }) => actor_user_id), [
        club.owner.id
      ])
      const erased = DateTime.toEpochMillis(yield* DateTime.now)
      const aged = (days: number) =>
        sql`
          update student_erasures set erased_at = ${new Date(erased - days * 86_400_000)} where club_id = ${club.id}`
      yield* aged(89.9)
      yield* sweepErasures
      assert.strictEqual((yield* receipt).status, 200)
      yield* aged(90)
      assert.deepStrictEqual(outcome(yield* receipt), [404, "not_found"])
      yield* sweepErasures
      assert.deepStrictEqual(yield* rowsOf("student_erasures", club), [])
    }))

  it.effect("is somebody else when they come again", () =>
    Effect.gen(function*() {
      const { club, remove, student } = yield* withStudent
      yield* remove
      const body = { name: "Bia", email: student.email }
      const again = yield* send("POST", `${club.path}/students`, { token: club.token, body })
      assert.strictEqual(again.status, 201)
      assert.notStrictEqual(at(again.json, "data", "id"), student.id)
    }))

  it.effect("is removed by the administration alone, who alone read the receipt", () =>
    Effect.gen(function*() {
      const { club, path, remove } = yield* withStudent
      for (const role of ["editor", "support", "viewer"] as const) {
        const token = yield* tokenAs(club, role)
        assert.deepStrictEqual(outcome(yield* send("DELETE", path, { token })), [403, "forbidden"])
        assert.deepStrictEqual(outcome(yield* send("GET", `${path}/erasure`, { token })), [403, "forbidden"])
      }
      yield* remove
      const receipt = yield* send("GET", `${path}/erasure`, { token: yield* tokenAs(club, "admin") })
      assert.strictEqual(receipt.status, 200)
    }))

  it.effect("is nobody of another club", () =>
    Effect.gen(function*() {
      const { path, remove, student } = yield* withStudent
      const other = yield* foundClub()
      for (const id of [student.id, "0190a000-0000-7000-8000-000000000001", "nobody"]) {
        const foreign = `${other.path}/students/${id}`
        assert.deepStrictEqual(outcome(yield* send("DELETE", foreign, { token: other.token })), [404, "not_found"])
      }
      assert.strictEqual((yield* remove).status, 204)
      const receipt = `${other.path}/students/${student.id}/erasure`
      assert.deepStrictEqual(outcome(yield* send("GET", receipt, { token: other.token })), [404, "not_found"])
      assert.notStrictEqual(path, receipt)
    }))

  it.effect("is removed once by many at once", () =>
    Effect.gen(function*() {
      const { club, remove } = yield* withStudent
      const answers = yield* Effect.all(Array.from({ length: 8 }, () => remove), { concurrency: "unbounded" })
      assert.deepStrictEqual(new Set(answers.map(({ status }) => status)), new Set([204]))
      assert.deepStrictEqual(typesOf(yield* outboxOf(club)), ["student.removed"])
      assert.strictEqual((yield* rowsOf("student_erasures", club)).length, 1)
    }))
})
