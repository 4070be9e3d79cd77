import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { AppLayer, enrolledStudent, foundClub, keyOf, send, tokenAs, tokenOf } from "../../harness/App.ts"
import { makeMember } from "../../harness/Makers.ts"

const Row = Schema.Struct({
  operation: Schema.String,
  outcome: Schema.String,
  user_id: Schema.String,
  created_id: Schema.NullOr(Schema.String),
  targets: Schema.Record(Schema.String, Schema.String)
})
const decode = Schema.decodeUnknownEffect(Schema.Array(Row))

/** The club's refused operations, oldest first. */
const refusedIn = Effect.fnUntraced(function*({ id }: { readonly id: string }) {
  const sql = yield* SqlClient.SqlClient
  return yield* Effect.flatMap(
    sql`
      select operation, outcome, user_id, created_id, targets from audit_log
      where club_id = ${id} and outcome = 'refused' order by id`,
    decode
  )
})

layer(AppLayer)("What is refused", (it) => {
  it.effect("is written down too where it depends on what was asked for, such as a role above one's own", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* foundClub()
      const admin = yield* makeMember(club, "admin")
      const token = yield* tokenOf(admin)
      const owner = `${club.path}/members/${club.owner.id}`
      const tries = [
        yield* send("PATCH", `${club.path}/members/${admin.id}`, { token, body: { role: "owner" } }),
        yield* send("DELETE", owner, { token }),
        yield* send("POST", `${club.path}/members/invitations`, {
          token,
          body: { email: "eva@people.example", role: "owner" }
        })
      ]
      assert.deepStrictEqual(tries.map(({ status }) => status), [403, 403, 403])
      assert.deepStrictEqual(
        yield* refusedIn(club),
        [
          ["clubs.updateMember", { userId: admin.id }] as const,
          ["clubs.removeMember", { userId: club.owner.id }] as const,
          ["clubs.invite", {}] as const
        ].map(([operation, targets]) => ({
          operation,
          outcome: "refused",
          user_id: admin.id,
          created_id: null,
          targets
        }))
      )
      const all = yield* sql`select 1 from audit_log where club_id = ${club.id} and user_id = ${admin.id}`
      assert.strictEqual(all.length, 3)
    }))

  it.effect("has the ids of its path, and no word or secret that somebody sent in the place of one", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const key = yield* keyOf(club)
      const student = yield* enrolledStudent(club)
      const token = yield* tokenAs(club, "viewer")
      const sent = [key.token, token, "zulmira", "z".repeat(64), student.id]
      for (const one of sent) {
        assert.strictEqual((yield* send("DELETE", `${club.path}/students/${one}`, { token })).status, 403)
      }
      assert.deepStrictEqual(
        (yield* refusedIn(club)).map(({ targets }) => targets),
        [{}, {}, {}, {}, { studentId: student.id }]
      )
    }))
})

layer(AppLayer)("A key's token", (it) => {
  it.effect("is in no row of the audit log, wherever in a request somebody has put it", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* foundClub()
      const key = yield* keyOf(club)
      const secret = key.token.slice(15)
      const answer = yield* send("POST", `${club.path}/media-folders?key=${key.token}`, {
        token: key.token,
        headers: { "x-request-id": key.token, "user-agent": key.token, "x-forwarded-for": key.token },
        body: { name: key.token.slice(0, 60) }
      })
      assert.strictEqual(answer.status, 422)
      const made = yield* send("POST", `${club.path}/media-folders`, {
        token: key.token,
        headers: { "x-request-id": key.token, "user-agent": key.token, "x-forwarded-for": key.token },
        body: { name: "A" }
      })
      assert.strictEqual(made.status, 201)
      assert.notInclude(made.headers["x-request-id"], secret)
      const rows = yield* sql`select a::text as row from audit_log a where club_id = ${club.id}`
      assert.isAbove(rows.length, 1)
      assert.notInclude(JSON.stringify(rows), secret)
      assert.strictEqual((yield* send("GET", `${club.path}/students`, { token: key.token })).status, 200)
      assert.notInclude(JSON.stringify(yield* sql`select r::text as row from audit_reads r`), secret)
    }))
})
