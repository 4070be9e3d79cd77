import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { CredentialRequests } from "../../../src/membership/accounts/CredentialRequests.ts"
import { openHook, post, sale } from "../../commerce/sales/inbound/Hooks.ts"
import { AppLayer, at, foundClub, outcome, send } from "../../harness/App.ts"
import { Mailbox } from "../../harness/Mailbox.ts"
import { makeStudent } from "../../harness/Makers.ts"
import { untilBlocked, whileHeld } from "../../harness/Waiting.ts"
import { access, confirm, forgot, newAddress, reset, signUp, studentsOf } from "../accounts/People.ts"

const document = "529.982.247-25"

/** A club, a call that writes to it, and a call that removes a student and answers the counts of the receipt. */
const open = Effect.gen(function*() {
  const club = yield* foundClub()
  const post = (path: string, body: unknown, key?: string) =>
    send("POST", `${club.path}${path}`, {
      token: club.token,
      body,
      headers: key === undefined ? {} : { "idempotency-key": key }
    })
  const remove = Effect.fnUntraced(function*(id: unknown) {
    const path = `${club.path}/students/${id}`
    assert.strictEqual((yield* send("DELETE", path, { token: club.token })).status, 204)
    return at((yield* send("GET", `${path}/erasure`, { token: club.token })).json, "data", "counts")
  })
  return { club, post, remove, email: yield* newAddress }
})

const worked = Effect.flatMap(
  CredentialRequests,
  ({ workOne }) => Effect.repeat(workOne, { while: (worked) => worked })
)

const waiting = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql`select 1 from mails`).length
})

layer(AppLayer)("Of a student who is removed, an answer that is kept for its key", (it) => {
  it.effect("is not given again, with their document, and makes nobody again", () =>
    Effect.gen(function*() {
      const { club, email, post, remove } = yield* open
      const create = post("/students", { name: "Zulmira", email, document }, "create")
      const created = yield* create
      assert.include(created.text, document)
      const id = at(created.json, "data", "id")
      const kept = { name: "Bia", email: yield* newAddress, document }
      yield* post("/students", kept, "other")
      assert.deepInclude(yield* remove(id), { kept_answers: 1 })
      const again = yield* create
      assert.deepStrictEqual(outcome(again), [409, "idempotency_answer_erased"])
      assert.notInclude(again.text, document)
      const found = yield* send("GET", `${club.path}/students?search=zulmira`, { token: club.token })
      assert.deepStrictEqual(at(found.json, "data"), [])
      assert.include((yield* post("/students", kept, "other")).text, document)
    }))

  it.effect("does not tell why they had points", () =>
    Effect.gen(function*() {
      const { club, post, remove } = yield* open
      const { id } = yield* makeStudent(club)
      const adjust = post(`/students/${id}/points`, { points: 7, reason: "Zulmira helped" }, "adjust")
      assert.include((yield* adjust).text, "Zulmira")
      assert.deepInclude(yield* remove(id), { kept_answers: 1 })
      assert.deepStrictEqual(outcome(yield* adjust), [409, "idempotency_answer_erased"])
    }))
})

layer(AppLayer)("Of a student who is removed, a mail that waits", (it) => {
  it.effect("is not sent: neither invitation nor access code, reset, notice or confirmation", () =>
    Effect.gen(function*() {
      const mailbox = yield* Mailbox
      const { club, email, post, remove } = yield* open
      const side = studentsOf(club)
      const before = yield* waiting
      yield* signUp(side, { email: "bystander@example.com" })
      yield* worked
      const created = yield* post("/students", { name: "Zulmira", email, send_invite: true })
      yield* access(side, email)
      yield* forgot(side, email)
      yield* signUp(side, { email })
      yield* worked
      assert.strictEqual(yield* waiting, before + 5)
      assert.deepInclude(yield* remove(at(created.json, "data", "id")), { mails: 4, sign_ups: 1 })
      assert.deepStrictEqual(yield* mailbox.to(email), [])
      assert.lengthOf(yield* mailbox.to("bystander@example.com"), 1)
    }))

  it.effect("is not even written by who worked on it at that moment", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const mailbox = yield* Mailbox
      const { club, email } = yield* open
      const { id } = yield* makeStudent(club, { email })
      yield* access(studentsOf(club), email)
      yield* signUp(studentsOf(club), { email })
      const removal = sql`
        update students set email = ${`${id}@anonymized.invalid`}, removed_at = ${new Date(0)} where id = ${id}`
      const working = yield* whileHeld(removal, Effect.tap(Effect.forkChild(worked), () => untilBlocked()))
      yield* Fiber.join(working)
      assert.deepStrictEqual(yield* sql`select 1 from one_time_tokens where student_id = ${id}`, [])
      assert.deepStrictEqual((yield* mailbox.to(email)).filter(({ text }) => text.includes("/access")), [])
    }))

  it.effect("is not sent to somebody with a password", () =>
    Effect.gen(function*() {
      const mailbox = yield* Mailbox
      const { club, email, remove } = yield* open
      const side = studentsOf(club)
      yield* signUp(side, { email })
      yield* confirm(side, yield* mailbox.secret(email))
      yield* forgot(side, email)
      const token = yield* mailbox.secret(email)
      const sent = yield* mailbox.to(email)
      assert.strictEqual((yield* reset(side, token)).status, 200)
      yield* signUp(side, { email })
      yield* worked
      const found = yield* send("GET", `${club.path}/students?search=${email}`, { token: club.token })
      // The mails say that the password was changed, and that the account exists.
      assert.deepInclude(yield* remove(at(found.json, "data", 0, "id")), { mails: 2 })
      assert.deepStrictEqual(yield* mailbox.to(email), sent)
    }))
})

layer(AppLayer)("Of a student whose address was changed", (it) => {
  it.effect("what platforms wrote about the address before is forgotten with them", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const hook = yield* openHook()
      const { id } = yield* makeStudent(hook, { email: "before@buyer.example" })
      const path = `${hook.path}/students/${id}`
      yield* post(hook.post, sale({ email: "before@buyer.example" }))
      yield* post(hook.post, sale({ email: "other@buyer.example" }))
      const kept = sql`select raw is not null as raw, person_key is not null as person_key from inbound_events
        where club_id = ${hook.id} order by id`
      assert.deepStrictEqual(yield* kept, [{ raw: true, person_key: true }, { raw: true, person_key: true }])
      for (const email of ["between@buyer.example", "after@buyer.example"]) {
        assert.strictEqual((yield* send("PATCH", path, { token: hook.token, body: { email } })).status, 200)
      }
      assert.strictEqual((yield* send("DELETE", path, { token: hook.token })).status, 204)
      assert.deepStrictEqual(yield* kept, [{ raw: false, person_key: false }, { raw: true, person_key: true }])
    }))

  it.effect("what is being processed is waited for, while the student is still free for it", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const hook = yield* openHook()
      const { email, id } = yield* makeStudent(hook)
      yield* post(hook.post, sale({ email }))
      const patching = yield* whileHeld(
        sql`select 1 from inbound_events where club_id = ${hook.id} for update`,
        Effect.gen(function*() {
          const request = { token: hook.token, body: { email: yield* newAddress } }
          const patching = yield* Effect.forkChild(send("PATCH", `${hook.path}/students/${id}`, request))
          yield* untilBlocked()
          yield* sql.withTransaction(sql`select 1 from students where id = ${id} for update nowait`)
          return patching
        })
      )
      assert.strictEqual((yield* Fiber.join(patching)).status, 200)
      const rows = yield* sql`select student_id from inbound_events where club_id = ${hook.id}`
      assert.deepStrictEqual(rows, [{ student_id: id }])
    }))

  it.effect("no sign-up and no request of the address before is left, and no mail to it but the one that says so", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const mailbox = yield* Mailbox
      const { club, email } = yield* open
      const side = studentsOf(club)
      const { id } = yield* makeStudent(club, { email })
      yield* sql`update students set password_hash = null where id = ${id}`
      yield* signUp(side, { email })
      yield* worked
      yield* access(side, email)
      const left = Effect.all([
        sql`select 1 from sign_ups where email = ${email}`,
        sql`select 1 from credential_requests where email = ${email}`
      ])
      assert.deepStrictEqual((yield* left).map(({ length }) => length), [1, 1])
      const path = `${club.path}/students/${id}`
      yield* send("PATCH", path, { token: club.token, body: { name: "Bia", email } })
      assert.deepStrictEqual((yield* left).map(({ length }) => length), [1, 1])
      yield* send("PATCH", path, { token: club.token, body: { email: yield* newAddress } })
      assert.deepStrictEqual((yield* left).map(({ length }) => length), [0, 0])
      assert.deepStrictEqual((yield* mailbox.to(email)).map(({ subject }) => subject), [
        "Your e-mail address in the club Violão Fácil was changed"
      ])
    }))
})
