import { assert, describe, it } from "@effect/vitest"
import {
  type Finding,
  findingSentence,
  type Grading,
  gradingSentence,
  isToBeRefused,
  probeName
} from "../../../../../src/console/views/webhooks/model/GradingWords.ts"
import { isBad, probeNames } from "../../../../../src/webhooks/grader/ProbeName.ts"
import { FindingCode } from "../../../../../src/webhooks/grader/Report.ts"

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

const finding = (code: Finding["code"]): Finding => ({ code, severity: "error", message: "In English", probes: [] })

describe("A grading", () => {
  it("has a sentence for each grade, for no grade yet, and for none at all", () => {
    assert.match(gradingSentence(grading({ status: "running" }), "en"), /^Probes are on their way/)
    assert.strictEqual(gradingSentence(grading({ grade: "A" }), "en"), "A: nothing is wrong.")
    assert.strictEqual(gradingSentence(grading({ grade: "E" }), "pt-BR"), "E: aceita eventos forjados.")
    assert.match(gradingSentence(grading({ status: "failed", failure: "interrupted" }), "en"), /Grade it once more\.$/)
  })

  it("says what is wrong in the reader's language: in English as the API does", () => {
    assert.strictEqual(findingSentence(finding("slow"), "en"), "In English")
    const sentences = FindingCode.literals.map((code) => findingSentence(finding(code), "pt-BR"))
    assert.lengthOf(new Set(sentences), FindingCode.literals.length)
  })

  it("tells apart the probes that are to be refused", () => {
    for (const probe of probeNames) assert.strictEqual(isToBeRefused(probe), isBad(probe), probe)
    assert.lengthOf(new Set(probeNames.map((probe) => probeName(probe, "pt-BR"))), probeNames.length)
  })
})
