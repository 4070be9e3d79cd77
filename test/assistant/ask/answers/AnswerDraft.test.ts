import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { makeAnswerDraft, storable } from "../../../../src/assistant/ask/answers/AnswerDraft.ts"
import { citation, text } from "../../World.ts"

describe("A draft", () => {
  it.prop("never takes back what was stored", [Schema.Array(Schema.String)], ([parts]) => {
    let before = ""
    let all = ""
    for (const part of parts) {
      all += part
      const now = storable(all)
      assert.isTrue(now.startsWith(before))
      assert.isTrue(now.isWellFormed() && !now.includes("\u0000"))
      before = now
    }
  }, { arbitrary: { runs: 300 } })

  it.effect("is what was added, in order", () =>
    Effect.gen(function*() {
      const draft = yield* makeAnswerDraft
      yield* draft.add(text("a"))
      yield* draft.add({ _tag: "Citation", citation })
      yield* draft.add(text("b"))
      yield* draft.changed
      assert.deepStrictEqual(draft.read(), { content: "ab", citations: [citation] })
    }))
})
