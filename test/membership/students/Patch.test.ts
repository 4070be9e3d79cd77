import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { outboxOf, typesOf } from "../../events/EventsLayer.ts"
import { AppLayer, at, codeOf, foundClub, outcome, send, tokenAs } from "../../harness/App.ts"
import { Mailbox } from "../../harness/Mailbox.ts"
import { makeStudent } from "../../harness/Makers.ts"
import { access, exchange, forgot, reset, studentsOf } from "../accounts/People.ts"

/** A club with a student, and the calls that change and read the student. */
const withStudent = Effect.gen(function*() {
  const club = yield* foundClub()
  const student = yield* makeStudent(club)
  const path = `${club.path}/students/${student.id}`
  return {
    club,
    student,
    path,
    patch: (body: unknown) => send("PATCH", path, { token: club.token, body }),
    read: Effect.map(send("GET", path, { token: club.token }), ({ json }) => at(json, "data"))
  }
})

layer(AppLayer)("A student who is corrected", (it) => {
  it.effect("has what was sent, and is answered as they are read", () =>
    Effect.gen(function*() {
      const { patch, read } = yield* withStudent
      const answer = yield* patch({ name: "Bia Costa", email: "Bia.Costa@example.com", document: "52998224725" })
      assert.strictEqual(answer.status, 200)
      const changed = { name: "Bia Costa", email: "bia.costa@example.com", document: "52998224725", verified: false }
      assert.deepInclude(at(answer.json, "data"), changed)
      assert.deepStrictEqual(at(answer.json, "data"), yield* read)
    }))

  it.effect("keeps what is absent, and their confirmed address with it", () =>
    Effect.gen(function*() {
      const { patch, read, student } = yield* withStudent
      yield* patch({ document: "52998224725" })
      yield* patch({ name: "Bia Costa" })
      const kept = { name: "Bia Costa", email: student.email, verified: true, document: "52998224725" }
      assert.deepInclude(yield* read, kept)
      yield* patch({ document: null })
      assert.deepInclude(yield* read, { ...kept, document: null })
    }))

  it.effect.each([
    [{ name: "Bia Costa" }, ["name"]],
    [{ email: "new@example.com" }, ["email"]],
    [{ name: "Bia Costa", email: "new@example.com", document: "52998224725" }, ["name", "email"]]
  ] as const)("by %j is a student.updated that says what changed", ([body, changed]) =>
    Effect.gen(function*() {
      const { club, patch } = yield* withStudent
      yield* patch(body)
      const facts = yield* outboxOf(club)
      assert.deepStrictEqual(facts.map(({ subject, type }) => [type, subject]), [["student.updated", { changed }]])
    }))

  it.effect("is no student.updated where neither name nor address changed", () =>
    Effect.gen(function*() {
      const { club, patch, read, student } = yield* withStudent
      const before = yield* read
      assert.strictEqual((yield* patch({})).status, 200)
      yield* patch({ name: student.name, email: student.email.toUpperCase() })
      assert.deepStrictEqual(yield* read, before)
      yield* patch({ document: "52998224725" })
      assert.deepStrictEqual(yield* outboxOf(club), [])
    }))

  it.effect("is let in by no link that went to the address before", () =>
    Effect.gen(function*() {
      const mailbox = yield* Mailbox
      const { club, patch, student } = yield* withStudent
      const side = studentsOf(club)
      yield* access(side, student.email)
      const code = yield* mailbox.secret(student.email)
      yield* forgot(side, student.email)
      const token = yield* mailbox.secret(student.email)
      yield* patch({ email: "new-mailbox@example.com" })
      assert.deepStrictEqual(outcome(yield* exchange(side, code)), [422, "code_invalid"])
      assert.deepStrictEqual(outcome(yield* reset(side, token)), [422, "token_invalid"])
      yield* access(side, "new-mailbox@example.com")
      assert.strictEqual((yield* exchange(side, yield* mailbox.secret("new-mailbox@example.com"))).status, 200)
    }))

  it.effect("is let in by their links where only the name changed", () =>
    Effect.gen(function*() {
      const mailbox = yield* Mailbox
      const { club, patch, student } = yield* withStudent
      const side = studentsOf(club)
      yield* access(side, student.email)
      const code = yield* mailbox.secret(student.email)
      yield* patch({ name: "Bia Costa", email: student.email })
      assert.strictEqual((yield* exchange(side, code)).status, 200)
    }))

  it.effect("cannot have the address of another student of the club, but of another club's", () =>
    Effect.gen(function*() {
      const { club, patch, read } = yield* withStudent
      yield* makeStudent(club, { email: "taken@example.com" })
      yield* makeStudent(yield* foundClub(), { email: "elsewhere@example.com" })
      const before = yield* read
      assert.deepStrictEqual(outcome(yield* patch({ name: "Other", email: "taken@example.com" })), [
        409,
        "email_in_use"
      ])
      assert.deepStrictEqual(yield* read, before)
      assert.deepStrictEqual(yield* outboxOf(club), [])
      assert.strictEqual((yield* patch({ email: "elsewhere@example.com" })).status, 200)
    }))

  it.effect("gets an address that many are given at once, or not, and one of them has it", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const students = yield* Effect.replicateEffect(makeStudent(club), 8)
      const body = { email: "wanted@example.com" }
      const answers = yield* Effect.forEach(
        students,
        ({ id }) => send("PATCH", `${club.path}/students/${id}`, { token: club.token, body }),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(answers.filter(({ status }) => status === 200).length, 1)
      assert.strictEqual(answers.filter((answer) => codeOf(answer) === "email_in_use").length, 7)
      assert.deepStrictEqual(typesOf(yield* outboxOf(club)), ["student.updated"])
    }))

  it.effect("ends with one of many addresses that are given at once, with an event for each change", () =>
    Effect.gen(function*() {
      const { club, patch, read } = yield* withStudent
      const emails = Array.from({ length: 8 }, (_, n) => `n${n}@example.com`)
      const answers = yield* Effect.forEach(emails, (email) => patch({ email }), { concurrency: "unbounded" })
      assert.deepStrictEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
      assert.include(emails, at(yield* read, "email"))
      assert.strictEqual((yield* outboxOf(club)).length, 8)
    }))

  it.effect("is answered so that no document is kept on the way", () =>
    Effect.gen(function*() {
      const { club, patch, path } = yield* withStudent
      const answers = [yield* patch({ document: "52998224725" }), yield* send("GET", path, { token: club.token })]
      for (const { headers } of answers) assert.strictEqual(headers["cache-control"], "no-store")
    }))

  it.effect("is corrected by support too, who set a document and do not see it", () =>
    Effect.gen(function*() {
      const { club, path, read } = yield* withStudent
      const body = { document: "52998224725" }
      const answer = yield* send("PATCH", path, { token: yield* tokenAs(club, "support"), body })
      assert.deepStrictEqual([answer.status, at(answer.json, "data", "document")], [200, null])
      assert.strictEqual(at(yield* read, "document"), "52998224725")
      for (const role of ["editor", "viewer"] as const) {
        const refused = yield* send("PATCH", path, { token: yield* tokenAs(club, role), body })
        assert.deepStrictEqual(outcome(refused), [403, "forbidden"])
      }
    }))

  it.effect("is nobody where the club has no such student, or had removed them", () =>
    Effect.gen(function*() {
      const { club, patch, path, student } = yield* withStudent
      const other = yield* foundClub()
      const body = { name: "Bia Costa" }
      for (const missing of [`${other.path}/students/${student.id}`, `${other.path}/students/nobody`]) {
        assert.deepStrictEqual(outcome(yield* send("PATCH", missing, { token: other.token, body })), [404, "not_found"])
      }
      yield* send("DELETE", path, { token: club.token })
      assert.deepStrictEqual(outcome(yield* patch(body)), [409, "student_removed"])
    }))

  it.effect.each([[{ name: null }], [{ email: null }], [{ email: "x" }], [{ document: "" }], [{ verified: true }]])(
    "is not changed by %j",
    ([body]) =>
      Effect.gen(function*() {
        const { patch } = yield* withStudent
        assert.deepStrictEqual(outcome(yield* patch(body)), [422, "validation_failed"])
      })
  )
})
