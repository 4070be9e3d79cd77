import { assert, describe, it } from "@effect/vitest"
import {
  type Grading,
  gradingSentence,
  isToBeRefused,
  probeName,
  shownBy
} from "../../../../../src/console/views/webhooks/model/GradingWords.ts"
import { AttemptError } from "../../../../../src/webhooks/model/AttemptError.ts"
import { judge } from "../../../../../src/webhooks/workbench/grader/judge.ts"
import { isBad, probeNames } from "../../../../../src/webhooks/workbench/grader/ProbeName.ts"

const grading = (more: Partial<Grading>): Grading => ({
  id: "0198a0c4-5b1e-7d62-8f3a-2c9e4b7d1a04",
  endpoint_id: "0198a0c4-5b1e-7d62-8f3a-2c9e4b7d1a05",
  status: "done",
  failure: null,
  grade: null,
  created_at: "2026-08-14T12:00:00.000Z",
  finished_at: null,
  ...more
})

describe("A grading", () => {
  it("has a sentence for each grade, for no grade yet, and for none at all", () => {
    assert.match(gradingSentence(grading({ status: "running" }), "en"), /^Probes go out one after the other\./)
    assert.strictEqual(gradingSentence(grading({ grade: "A" }), "en"), "A: nothing is wrong.")
    assert.strictEqual(gradingSentence(grading({ grade: "E" }), "pt-BR"), "E: aceita eventos falsificados.")
    assert.match(gradingSentence(grading({ status: "failed", failure: "interrupted" }), "en"), /Grade it again\.$/)
  })

  it("tells apart the probes that are to be refused", () => {
    for (const probe of probeNames) assert.strictEqual(isToBeRefused(probe), isBad(probe), probe)
    assert.lengthOf(new Set(probeNames.map((probe) => probeName(probe, "pt-BR"))), probeNames.length)
  })
  it("takes a probe that is to be refused for what the judge takes it", () => {
    const of = { connection_reused: null, duration_ms: 1, response_body: null, seen: null }
    const right = { ...of, probe: "right", error: null, status_code: 204 } as const
    const ends = [
      { error: null, status_code: 204 },
      ...[400, 429, 503].map((status_code) => ({ error: "http_status" as const, status_code })),
      ...AttemptError.literals.map((error) => ({ error, status_code: null }))
    ]
    const shown = ends.map((end) => {
      const one = { ...of, probe: "unsigned" as const, ...end }
      const codes = new Set(judge([right, one]).findings.map(({ code }) => code))
      assert.strictEqual(shownBy(one) === "nothing", codes.has("signatures_unknown"), JSON.stringify(end))
      assert.strictEqual(shownBy(one) === "wrong", codes.has("verifies_nothing"), JSON.stringify(end))
      return shownBy(one)
    })
    assert.sameMembers([...new Set(shown)], ["right", "wrong", "nothing"])
  })

  it("takes a right probe for right only where it was accepted", () => {
    const shown = (error: AttemptError | null, status_code: number | null) =>
      shownBy({ probe: "large", error, status_code })
    assert.strictEqual(shown(null, 204), "right")
    assert.strictEqual(shown("http_status", 400), "wrong")
    assert.strictEqual(shown("timeout", null), "wrong")
    assert.strictEqual(shown("connection", null), "wrong")
    assert.strictEqual(shown("http_status", 429), "nothing")
  })
})
