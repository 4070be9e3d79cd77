import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { AppLayer, at, send } from "../../harness/App.ts"
import { admins, registered } from "../accounts/People.ts"
import { submit } from "../pages/Visiting.ts"

layer(AppLayer)("What an administrator does on a page", (it) => {
  it.effect("is in the audit log of the club as if it were done by the API", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { email } = yield* registered(admins)
      const password = "correct horse"
      yield* submit("/account/club", { club_name: "Violão", email, password, locale: "en" })
      const begun = yield* send("POST", "/v1/auth/device", { body: { name: "A" } })
      const form = { user_code: String(at(begun.json, "data", "user_code")), email, password, role: "viewer" }
      const headers = { "x-request-id": "desk-7" }
      assert.strictEqual((yield* submit("/account/terminal", { ...form, user_code: "BBBB-BBBB" }, headers)).status, 422)
      assert.strictEqual((yield* submit("/account/terminal", form, headers)).status, 200)
      assert.strictEqual((yield* submit("/account/terminal", form, headers)).status, 422)
      const rows = yield* sql`
        select a.operation, a.outcome, a.key_id, a.request_id = 'desk-7' as asked from audit_log a
        join users u on u.id = a.user_id where u.email = ${email} order by a.id`
      assert.deepStrictEqual(rows, [
        { operation: "account.createClub", outcome: "done", key_id: null, asked: false },
        { operation: "keys.approveDevice", outcome: "done", key_id: null, asked: true }
      ])
    }))
})
