import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AppLayer, at, codeOf, foundClub, send } from "./harness/App.ts"

layer(AppLayer)("App", (it) => {
  it.effect("turns a stranger away before reading the body", () =>
    Effect.gen(function*() {
      const answer = yield* send("POST", "/v1/clubs", { body: "{" })
      assert.deepStrictEqual([answer.status, codeOf(answer)], [401, "unauthenticated"])
    }))

  it.effect("lets an owner from the account to the club and its parts", () =>
    Effect.gen(function*() {
      const { organization_id, path, token } = yield* foundClub()
      const me = yield* send("GET", "/v1/me", { token })
      assert.deepStrictEqual(at(me.json, "data", "organizations", 0, "organization_id"), organization_id)
      for (const part of ["", "/members", "/gamification", "/community"]) {
        assert.strictEqual((yield* send("GET", `${path}${part}`, { token })).status, 200)
      }
    }))
})
