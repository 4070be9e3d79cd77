import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { boundsFor, missingBounds, startupBounds } from "../../../src/platform/sql/Bounds.ts"

const found = { lock_timeout: Schema.Int, idle_in_transaction_session_timeout: Schema.Int }

describe("Bounds of waits", () => {
  it.prop(
    "hold where each is some time and no longer than ours, and nowhere else",
    [Schema.Struct(found)],
    ([given]) => {
      const holds = (value: number, most: number) => value > 0 && value <= most
      assert.deepStrictEqual(missingBounds(given), [
        ...holds(given.lock_timeout, 10_000) ? [] : ["lock_timeout" as const],
        ...holds(given.idle_in_transaction_session_timeout, 30_000)
          ? []
          : ["idle_in_transaction_session_timeout" as const]
      ])
    }
  )

  it("hold exactly where they are those that a connection says at its start", () => {
    assert.deepStrictEqual(startupBounds, { lock_timeout: "10000ms", idle_in_transaction_session_timeout: "30000ms" })
    assert.deepStrictEqual(missingBounds({ lock_timeout: 10_000, idle_in_transaction_session_timeout: 30_000 }), [])
    assert.deepStrictEqual(missingBounds({ lock_timeout: 0, idle_in_transaction_session_timeout: 30_001 }), [
      "lock_timeout",
      "idle_in_transaction_session_timeout"
    ])
  })

  it("are given to a role by statements that quote its name", () => {
    assert.strictEqual(
      boundsFor(`a"b`, "turma", ["lock_timeout"]),
      `alter role "a""b" in database "turma" set lock_timeout = '10s'`
    )
  })
})
