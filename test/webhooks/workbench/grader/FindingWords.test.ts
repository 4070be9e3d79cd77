import { assert, describe, it } from "@effect/vitest"
import { findingWords, reportIn } from "../../../../src/webhooks/workbench/grader/FindingWords.ts"
import { judge } from "../../../../src/webhooks/workbench/grader/judge.ts"
import { probeNames } from "../../../../src/webhooks/workbench/grader/ProbeName.ts"
import { FindingCode, type Observation } from "../../../../src/webhooks/workbench/grader/Report.ts"

const unanswered = probeNames.map((probe): Observation => ({
  probe,
  status_code: null,
  error: "dns",
  duration_ms: 1,
  connection_reused: null,
  seen: null,
  response_body: null
}))

describe("What a grading finds", () => {
  it("has a sentence for every code, in both languages", () => {
    const sentences = FindingCode.literals.flatMap((code) => Object.values(findingWords[code]))
    assert.strictEqual(new Set(sentences).size, 2 * FindingCode.literals.length)
    for (const sentence of sentences) assert.match(sentence, /^\p{Lu}.+[^.]$/u)
  })

  it("is read in the language that is asked for, of a report that is kept in English", () => {
    const report = judge(unanswered)
    assert.deepStrictEqual(reportIn(report, "en"), report)
    const [english, portuguese] = [report, reportIn(report, "pt-BR")].map(({ findings }) => findings[0]?.message)
    assert.include(english, "It answered nothing (dns): Its name has no address. ")
    assert.include(portuguese, "Não respondeu nada (dns): O nome dele não tem endereço. ")
  })
})
