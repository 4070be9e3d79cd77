import { assert, describe, it } from "@effect/vitest"
import { exitCode, type Figure, figureTable, judge, ratios } from "./Figure.ts"

const ratio = (rounds: ReadonlyArray<number>): Figure => ({ name: "requests/s", is: "at least", aim: 1, rounds })
const cost = (rounds: ReadonlyArray<number>): Figure => ({ name: "CPU ms", is: "at most", aim: 0.03, rounds })

const verdictOf = (figure: Figure) => judge(figure).verdict

describe("A figure", () => {
  it("is the median of its rounds, with half of what they spread over as its noise", () => {
    const { measured, noise } = judge(ratio([1.1, 0.9, 1.4]))
    assert.strictEqual(measured, 1.1)
    assert.closeTo(noise, 0.25, 1e-9)
  })

  it("is met at its aim and on the right side of it, whatever the noise", () => {
    assert.strictEqual(verdictOf(ratio([1, 1, 1])), "met")
    assert.strictEqual(verdictOf(ratio([0.2, 1.2, 1.3])), "met")
    assert.strictEqual(verdictOf(cost([0.03])), "met")
    assert.strictEqual(verdictOf(cost([0.09, 0.01, 0.02])), "met")
  })

  it("is missed within noise up to half of what its rounds spread over", () => {
    assert.strictEqual(verdictOf(ratio([0.75, 0.875, 1])), "missed within noise")
    assert.strictEqual(verdictOf(cost([0.02, 0.035, 0.04])), "missed within noise")
  })

  it("is missed beyond that, on either side", () => {
    assert.strictEqual(verdictOf(ratio([0.8, 0.85, 0.9])), "missed")
    assert.strictEqual(verdictOf(cost([0.04, 0.041, 0.042])), "missed")
  })

  it("has no noise to excuse it where it is one value", () => {
    assert.strictEqual(verdictOf(ratio([0.999])), "missed")
  })

  it("is missed where nothing, or no number, was measured", () => {
    assert.strictEqual(verdictOf(ratio([])), "missed")
    assert.strictEqual(verdictOf(ratio([1.2, NaN, 1.3])), "missed")
    assert.strictEqual(verdictOf(ratio([1.2, Infinity])), "missed")
  })

  it("has no verdict where another one has the aim, and fails nothing", () => {
    const judged = judge({ ...cost([0.09, NaN]), aim: undefined })
    assert.strictEqual(judged.verdict, "no aim")
    assert.strictEqual(exitCode([judged]), 0)
  })

  it("compares the rounds that ran beside each other", () => {
    assert.deepStrictEqual(ratios([2, 9], [1, 3]), [2, 3])
    assert.deepStrictEqual(ratios([2, 9, 4], [1]), [2])
  })
})

describe("The exit code", () => {
  it("is 1 as soon as one aim is missed by more than its noise", () => {
    assert.strictEqual(exitCode([judge(ratio([1.2])), judge(cost([0.04]))]), 1)
  })

  it("is 0 while every miss is within noise", () => {
    assert.strictEqual(exitCode([judge(ratio([1.2])), judge(ratio([0.75, 0.875, 1]))]), 0)
    assert.strictEqual(exitCode([]), 0)
  })
})

describe("The table", () => {
  it("shows measured, noise, aim and verdict of each", () => {
    const beside: Figure = { name: "flat out", is: "at most", aim: undefined, rounds: [1.2, 1.3, 1.4] }
    const all = [ratio([0.8, 0.85, 0.9]), cost([0.0212]), beside].map((figure) => ["http", judge(figure)] as const)
    assert.deepStrictEqual(figureTable(all).split("\n").slice(2), [
      "| requests/s | http | 0.85 | 0.05 | ≥ 1 | missed |",
      "| CPU ms | http | 0.021 | one value | ≤ 0.03 | met |",
      "| flat out | http | 1.30 | 0.10 |  | no aim |"
    ])
  })
})
