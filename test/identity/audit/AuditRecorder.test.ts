import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { AppLayer, appLayer, at, enrolledStudent, foundClub, send, tokenAs, tokenOf } from "../../harness/App.ts"
import { Mailbox } from "../../harness/Mailbox.ts"
import { makeUser } from "../../harness/Makers.ts"

const Row = Schema.Struct({
  operation: Schema.String,
  outcome: Schema.String,
  user_id: Schema.String,
  student_id: Schema.NullOr(Schema.String),
  created_id: Schema.NullOr(Schema.String),
  request_id: Schema.NullOr(Schema.String),
  targets: Schema.Record(Schema.String, Schema.String)
})
const decode = Schema.decodeUnknownEffect(Schema.Array(Row))

/** The rows of the club's audit log, oldest first, without its founding. */
const rowsOf = Effect.fnUntraced(function*({ id }: { readonly id: string }) {
  const sql = yield* SqlClient.SqlClient
  return yield* Effect.flatMap(
    sql`
      select operation, outcome, user_id, student_id, created_id, request_id, targets from audit_log
      where club_id = ${id} and operation <> 'account.createClub' order by id`,
    decode
  )
})

const operationsOf = (club: { readonly id: string }) =>
  Effect.map(rowsOf(club), (rows) => rows.map(({ operation }) => operation))

const countOf = Effect.fnUntraced(function*(table: string, { id }: { readonly id: string }) {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql`select 1 from ${sql(table)} where club_id = ${id}`).length
})

const refusing = Effect.fnUntraced(function*<A, E, R>(table: string, work: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table ${sql(table)} add constraint refusing check (false) not valid`
  return yield* Effect.ensuring(work, Effect.orDie(sql`alter table ${sql(table)} drop constraint refusing`))
})

/** Makes every write to this table fail when its transaction commits. */
const failingAtCommit = Effect.fnUntraced(function*<A, E, R>(table: string, work: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create or replace function fail_late() returns trigger language plpgsql as $$ begin raise 'too late'; end $$`
  yield* sql`
    create constraint trigger fail_late after insert or update on ${sql(table)} deferrable initially deferred
    for each row execute function fail_late()`
  return yield* Effect.ensuring(work, Effect.orDie(sql`drop trigger fail_late on ${sql(table)}`))
})

layer(AppLayer)("What a member does", (it) => {
  it.effect("is written down with who did it, to what, and by which request", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const student = yield* enrolledStudent(club)
      const token = yield* tokenAs(club, "support")
      const { json } = yield* send("GET", "/v1/me", { token })
      const post = yield* send("POST", `${club.path}/students/${student.id.toUpperCase()}/points`, {
        token: club.token,
        headers: { "x-request-id": "desk-7" },
        body: { points: 3, reason: "Ajudou" }
      })
      yield* send("PATCH", `${club.path}/students/${student.id}`, { token, body: { name: "Bia" } })
      const rows = yield* rowsOf(club)
      assert.deepStrictEqual(rows.map(({ operation, outcome, student_id }) => [operation, outcome, student_id]), [
        ["gamification.adjust", "done", student.id],
        ["students.update", "done", student.id]
      ])
      assert.deepStrictEqual(rows[0], {
        operation: "gamification.adjust",
        outcome: "done",
        user_id: club.owner.id,
        student_id: student.id,
        created_id: String(at(post.json, "data", "id")),
        request_id: "desk-7",
        targets: { studentId: student.id.toUpperCase() }
      })
      assert.strictEqual(rows[1]?.user_id, String(at(json, "data", "id")))
    }))

  it.effect("has a row of the request's own id where none was sent", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { headers } = yield* send("POST", `${club.path}/media-folders`, { token: club.token, body: { name: "A" } })
      assert.deepStrictEqual((yield* rowsOf(club)).map(({ request_id }) => request_id), [headers["x-request-id"] ?? ""])
    }))

  it.effect("is there with its row or not at all", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { token } = club
      // The first request is one statement, the second a transaction of several.
      const asked = [
        ["media_folders", "/media-folders", { name: "A" }],
        ["deliveries", "/deliveries", { name: "A" }]
      ] as const
      for (const [table, path, body] of asked) {
        const ask = send("POST", `${club.path}${path}`, { token, body })
        assert.strictEqual((yield* failingAtCommit(table, ask)).status, 500)
        assert.deepStrictEqual([yield* countOf(table, club), yield* operationsOf(club)], [0, []], table)
        assert.strictEqual((yield* refusing("audit_log", ask)).status, 500)
        assert.deepStrictEqual([yield* countOf(table, club), yield* operationsOf(club)], [0, []], table)
      }
      yield* send("POST", `${club.path}/media-folders`, { token, body: { name: "A" } })
      assert.deepStrictEqual(yield* operationsOf(club), ["mediaFolders.create"])
    }))

  it.effect("has a row if nothing had to be changed, and none if it failed", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const patch = (path: string, body: object) => send("PATCH", `${club.path}${path}`, { token: club.token, body })
      assert.strictEqual((yield* patch("", {})).status, 200)
      const gone = `/media-folders/${club.owner.id}`
      assert.strictEqual((yield* patch(gone, { name: "B" })).status, 404)
      assert.deepStrictEqual(yield* operationsOf(club), ["clubs.update"])
    }))

  it.effect("has one row however often it is sent with one Idempotency-Key", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const headers = { "idempotency-key": "one" }
      const ask = send("POST", `${club.path}/deliveries`, { token: club.token, headers, body: { name: "A" } })
      const answers = yield* Effect.replicateEffect(ask, 3)
      assert.deepStrictEqual(answers.map(({ status }) => status), [201, 201, 201])
      assert.strictEqual(answers[2]?.headers["idempotency-replayed"], "true")
      const rows = yield* rowsOf(club)
      assert.deepStrictEqual(rows.map(({ created_id }) => created_id), [String(at(answers[0]?.json, "data", "id"))])
    }))

  it.effect("has one row where the transaction of its key is begun again", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const made = yield* send("POST", `${club.path}/webhook-endpoints`, {
        token: club.token,
        headers: { "idempotency-key": "two" },
        body: { url: "https://93.184.215.14/", event_types: ["student.created"] }
      })
      assert.strictEqual(made.status, 201)
      const rows = yield* rowsOf(club)
      assert.deepStrictEqual(rows.map(({ created_id }) => created_id), [String(at(made.json, "data", "id"))])
    }))

  it.effect("has a row each, of many at once", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const ask = (n: number) =>
        send("POST", `${club.path}/media-folders`, { token: club.token, body: { name: `Folder ${n}` } })
      const answers = yield* Effect.forEach(Array.from({ length: 30 }, (_, n) => n), ask, { concurrency: "unbounded" })
      const made = answers.map(({ json }) => String(at(json, "data", "id"))).toSorted()
      const rows = yield* rowsOf(club)
      assert.deepStrictEqual(rows.map(({ created_id }) => created_id ?? "").toSorted(), made)
    }))

  it.effect("is not what they read, what students do, or what strangers try", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const other = yield* foundClub()
      const student = yield* enrolledStudent(club)
      yield* send("GET", `${club.path}/students`, club)
      yield* send("POST", `${club.path}/classroom/support/conversations`, {
        token: student.token,
        body: { subject: "A", body: "B" }
      })
      for (const token of [other.token, yield* tokenOf(yield* makeUser()), student.token, "nobody"]) {
        const tried = yield* send("POST", `${club.path}/media-folders`, { token, body: { name: "A" } })
        assert.include([401, 403], tried.status)
      }
      assert.deepStrictEqual([yield* rowsOf(club), yield* rowsOf(other)], [[], []])
    }))

  it.effect("begins with founding the club or joining it", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { secret } = yield* Mailbox
      const club = yield* foundClub()
      const guest = yield* makeUser()
      const token = yield* tokenOf(guest)
      const invitation = { email: guest.email, role: "editor" }
      yield* send("POST", `${club.path}/members/invitations`, { token: club.token, body: invitation })
      const invited = yield* secret(guest.email)
      const accept = send("POST", "/v1/invitations/accept", { token, body: { token: invited } })
      assert.strictEqual((yield* refusing("members", accept)).status, 500)
      assert.deepStrictEqual(yield* operationsOf(club), ["clubs.invite"])
      assert.strictEqual((yield* accept).status, 200)
      // The link works once.
      assert.strictEqual((yield* accept).status, 422)
      const rows = yield* sql`
        select operation, user_id, request_id is not null as asked from audit_log where club_id = ${club.id} order by id`
      assert.deepStrictEqual(rows, [
        { operation: "account.createClub", user_id: club.owner.id, asked: false },
        { operation: "clubs.invite", user_id: club.owner.id, asked: true },
        { operation: "account.acceptInvitation", user_id: guest.id, asked: true }
      ])
    }))
})

layer(appLayer({ RATE_LIMIT_WRITES: "5" }))("What a role does not allow", (it) => {
  it.effect("is written down where it would write, and as often a minute as it is counted", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const token = yield* tokenAs(club, "viewer")
      const read = yield* send("GET", `${club.path}/members/invitations`, { token })
      assert.strictEqual(read.status, 403)
      const path = `${club.path}/media-folders/${club.owner.id}%00`
      const tries = yield* Effect.replicateEffect(send("DELETE", path, { token }), 8)
      assert.deepStrictEqual(tries.map(({ status }) => status), [403, 403, 403, 403, 403, 429, 429, 429])
      const rows = yield* rowsOf(club)
      assert.strictEqual(rows.length, 5)
      assert.isTrue(rows.every((row) => row.operation === "mediaFolders.remove" && row.outcome === "refused"))
      // Text that is not an id is not recorded, whatever the caller sends.
      assert.deepStrictEqual(rows[0]?.targets, {})
    }))
})
