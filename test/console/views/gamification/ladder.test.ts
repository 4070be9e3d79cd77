import { assert, describe, it } from "@effect/vitest"
import {
  draftsOf,
  isChanged,
  ladderFault,
  type LevelDraft,
  levelFaults,
  movesOf,
  payloadOf,
  thresholdsOf
} from "../../../../src/console/views/gamification/ladder.ts"

const bronze = { id: "b", name: "Bronze", min_points: 0 }
const prata = { id: "p", name: "Prata", min_points: 100 }
const ouro = { id: "o", name: "Ouro", min_points: 300 }
const levels = [bronze, prata, ouro]
const drafts = draftsOf(levels)

const draft = (name: string, points: string): LevelDraft => ({ key: `${name} ${points}`, id: undefined, name, points })
const many = (count: number) => Array.from({ length: count }, (_, index) => draft("x", String(index)))
const faultOf = (...sent: ReadonlyArray<LevelDraft>) => [...levelFaults(sent).values()]

describe("A ladder that is entered", () => {
  it("has 2 to 12 levels, one of them from 0 points on", () => {
    assert.deepStrictEqual([1, 2, 12, 13].map((count) => ladderFault(many(count))), [
      "few",
      undefined,
      undefined,
      "many"
    ])
    assert.strictEqual(ladderFault([draft("a", "1"), draft("b", "2")]), "zero")
  })

  it("has no two levels from the same points on, however they are written", () => {
    assert.deepStrictEqual(faultOf(draft("a", "0"), draft("b", "00"), draft("c", "1")), ["same"])
  })

  it("has names of 1 to 40 characters, which emoji are one of each", () => {
    assert.deepStrictEqual(faultOf(draft("", "0"), draft("x".repeat(41), "1")), ["name", "name"])
    assert.deepStrictEqual(faultOf(draft("🎸".repeat(40), "0"), draft("x", "1")), [])
  })

  it("has whole numbers of points that the API can keep", () => {
    assert.deepStrictEqual(faultOf(draft("a", "0"), draft("b", "2147483647")), [])
    for (const points of ["", "-1", "1.5", "1e3", "2147483648", "99999999999", "<b>"]) {
      assert.deepStrictEqual(faultOf(draft("a", "0"), draft("b", points)), ["points"], points)
    }
  })

  it("is asked about from the lowest level, whatever its names, and not while the API would refuse it", () => {
    assert.strictEqual(thresholdsOf([draft("a", "50"), draft("", "0")]), "0,50")
    assert.strictEqual(thresholdsOf([draft("a", "50"), draft("b", "x")]), undefined)
    assert.strictEqual(thresholdsOf([draft("a", "50"), draft("b", "20")]), undefined)
    assert.strictEqual(thresholdsOf([draft("a", "0"), draft("b", "0")]), undefined)
  })

  it("is changed by a name, by points, by a level more or less, and by nothing else", () => {
    assert.isFalse(isChanged(levels, drafts))
    assert.isFalse(isChanged(levels, drafts.toReversed()))
    assert.isTrue(isChanged(levels, drafts.slice(1)))
    assert.isTrue(isChanged(levels, [...drafts, draft("x", "900")]))
    assert.isTrue(isChanged(levels, drafts.map((one) => ({ ...one, name: `${one.name}!` }))))
    assert.isTrue(isChanged(levels, drafts.map((one) => one.id === "o" ? { ...one, points: "301" } : one)))
  })

  it("is sent with the ids of levels that stay", () => {
    assert.deepStrictEqual(payloadOf([...draftsOf([bronze]), draft("Novo", "10")]), [
      { id: "b", name: "Bronze", min_points: 0 },
      { name: "Novo", min_points: 10 }
    ])
  })

  it("tells of each level who has it and who would, of new ones and of those that would be gone", () => {
    const sent = [...draftsOf([bronze]), ...draftsOf([{ ...ouro, min_points: 200 }]), draft("Novo", "50")]
    const moves = movesOf(levels, sent, {
      levels: [
        { min_points: 0, students_now: 5 },
        { min_points: 100, students_now: 3 },
        { min_points: 300, students_now: 1 }
      ],
      proposed: [
        { min_points: 0, students: 4 },
        { min_points: 50, students: 2 },
        { min_points: 200, students: 3 }
      ]
    })
    assert.deepStrictEqual(moves.map(({ after, before, name }) => [name, before, after]), [
      ["Bronze", 5, 4],
      ["Novo", undefined, 2],
      ["Prata", 3, undefined],
      ["Ouro", 1, 3]
    ])
  })
})
