import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { appLayer, codeOf, outcome, send, tokenOf } from "../../harness/App.ts"
import { makeUser } from "../../harness/Makers.ts"
import { warmPool } from "../../harness/Pool.ts"

const found = (token: string, body: object = { name: "Roda de Choro" }) => send("POST", "/v1/clubs", { token, body })

layer(appLayer({ CLUBS_PER_ACCOUNT: "3" }))("An account", (it) => {
  it.effect("founds as many clubs as it may, of many at once", () =>
    Effect.gen(function*() {
      yield* warmPool
      const token = yield* Effect.flatMap(makeUser(), tokenOf)
      const answers = yield* Effect.all(Array.from({ length: 8 }, () => found(token)), { concurrency: "unbounded" })
      assert.lengthOf(answers.filter(({ status }) => status === 201), 3)
      assert.lengthOf(answers.filter((answer) => codeOf(answer) === "club_limit_reached"), 5)
      assert.strictEqual((yield* found(yield* Effect.flatMap(makeUser(), tokenOf))).status, 201)
    }))

  it.effect("has founded the clubs that it gave away, and none that was refused", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const user = yield* makeUser()
      const token = yield* tokenOf(user)
      const slug = user.id
      assert.strictEqual((yield* found(token, { name: "Roda de Choro", slug })).status, 201)
      for (let n = 0; n < 3; n++) {
        assert.deepStrictEqual(outcome(yield* found(token, { name: "Roda de Choro", slug })), [409, "slug_taken"])
      }
      for (let n = 0; n < 2; n++) assert.strictEqual((yield* found(token)).status, 201)
      yield* sql`delete from members where user_id = ${user.id}`
      assert.deepStrictEqual(outcome(yield* found(token)), [409, "club_limit_reached"])
    }))
})
