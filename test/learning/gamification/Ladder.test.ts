import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Array as Arr, Result, Schema } from "effect"
import {
  type Level,
  LevelId,
  type LevelInput,
  levelOf,
  planLadder,
  standingOf,
  validateLevels
} from "../../../src/learning/gamification/Ladder.ts"

const uuid = (kind: string, n: number) => LevelId.make(`0190a000-0000-7000-8000-${kind}${String(n).padStart(11, "0")}`)
const currentId = (n: number) => uuid("a", n)
const newId = (n: number) => uuid("b", n)
const foreignId = (n: number) => uuid("c", n)

const current: ReadonlyArray<Level> = [0, 100, 300, 700, 1500].map((min_points, n) => ({
  id: currentId(n),
  name: `Level ${n}`,
  min_points
}))

const plan = (sent: ReadonlyArray<LevelInput>, ladder = current, idAt = newId) =>
  Result.flatMap(validateLevels(sent), (judged) => planLadder(ladder, judged, Arr.map(judged, (_, n) => idAt(n))))

const codeOf = (sent: ReadonlyArray<LevelInput>) => Result.getOrThrow(Result.flip(plan(sent))).error.code
const messageOf = (sent: ReadonlyArray<LevelInput>) => Result.getOrThrow(Result.flip(plan(sent))).error.message

/** Levels without ids. */
const fresh = (...points: ReadonlyArray<number>): ReadonlyArray<LevelInput> =>
  points.map((min_points) => ({ name: `From ${min_points}`, min_points }))

/** The contract's rules for a request, each computed on its own. */
const rules: Record<string, (sent: ReadonlyArray<LevelInput>) => boolean> = {
  level_count_invalid: (sent) => sent.length > 1 && sent.length < 13,
  level_zero_missing: (sent) => sent.filter(({ min_points }) => min_points === 0).length > 0,
  level_min_points_duplicated: (sent) =>
    sent.every((one, n) => sent.every((other, m) => n === m || one.min_points !== other.min_points)),
  level_id_duplicated: (sent) =>
    sent.every((one, n) => sent.every((other, m) => n === m || one.id === undefined || one.id !== other.id)),
  level_unknown: (sent) => sent.every(({ id }) => id === undefined || current.some((level) => level.id === id))
}

const AnyLevel = Schema.Struct({
  id: Schema.optionalKey(Schema.Literals([0, 1, 2, 3, 4].flatMap((n) => [currentId(n), foreignId(n)]))),
  name: Schema.Literals(["Bronze", "Prata", "Ouro"]),
  min_points: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 8 }))
})

/** Any request. The rules refuse most of them. */
const AnySent = Arbitrary.array(Arbitrary.schema(AnyLevel), { maxLength: 15 })

const upTo = (maximum: number) => Array.from({ length: maximum + 1 }, (_, n) => n)

/** This many levels with different points, in any order. One has 0 points, and some have ids of the current ladder. */
const ladders = (...counts: ReadonlyArray<number>) =>
  Arbitrary.schema(Schema.Struct({
    // Uses a choice, because the length of a generated list stays near its minimum.
    count: Schema.Literals(counts),
    steps: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100_000 }))).check(
      Schema.isMinLength(13),
      Schema.isMaxLength(13)
    ),
    kept: Schema.Array(Schema.Boolean).check(Schema.isMinLength(5), Schema.isMaxLength(5)),
    turn: Schema.Literals(upTo(11))
  })).pipe(Arbitrary.map(({ count, kept, steps, turn }) => {
    const levels = upTo(count - 1).map((n): LevelInput => {
      const min_points = steps.slice(0, n).reduce((sum, step) => sum + step, 0)
      return kept[n] === true ? { id: currentId(n), name: `Kept ${n}`, min_points } : { name: `New ${n}`, min_points }
    })
    return [...levels.slice(turn), ...levels.slice(0, turn)]
  }))

const ValidSent = ladders(2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)

/** A ladder with one changed level, or with a level too few or too many. It may break a rule. */
const ChangedSent = Arbitrary.all({
  sent: ladders(1, 2, 3, 5, 12, 13, 14),
  place: Arbitrary.schema(Schema.Literals(upTo(14))),
  level: Arbitrary.schema(AnyLevel)
}).pipe(Arbitrary.map(({ level, place, sent }) => sent.map((old, n) => n === place ? level : old)))

const acceptedExactlyByTheRules = (sent: ReadonlyArray<LevelInput>) => {
  const broken = Object.keys(rules).filter((code) => rules[code]?.(sent) === false)
  const planned = plan(sent)
  if (Result.isSuccess(planned)) assert.deepStrictEqual(broken, [])
  else assert.include(broken, planned.failure.error.code)
}

describe("a ladder", () => {
  it.prop("is accepted exactly if it keeps the contract's rules", [AnySent], ([sent]) => {
    acceptedExactlyByTheRules(sent)
  })

  it.prop("is accepted exactly if one change still keeps them", [ChangedSent], ([sent]) => {
    acceptedExactlyByTheRules(sent)
  })

  it.prop("that keeps the rules is accepted, with the levels as sent, lowest first", [ValidSent], ([sent]) => {
    const ladder = Result.getOrThrow(plan(sent))
    assert.deepStrictEqual(
      ladder.map(({ min_points, name }) => ({ min_points, name })),
      sent.map(({ min_points, name }) => ({ min_points, name })).toSorted((a, b) => a.min_points - b.min_points)
    )
  })

  it.prop("keeps the ids that were sent and gives the others new ones of their own", [ValidSent], ([sent]) => {
    const ladder = Result.getOrThrow(plan(sent))
    const kept = new Map(sent.flatMap(({ id, name }) => id === undefined ? [] : [[name, id]]))
    for (const { id, name } of ladder) {
      if (kept.has(name)) assert.strictEqual(id, kept.get(name))
      else assert.include(sent.map((_, n) => newId(n)), id)
    }
    assert.strictEqual(new Set(ladder.map(({ id }) => id)).size, ladder.length)
  })

  it.prop("sent again as it was answered changes nothing", [ValidSent], ([sent]) => {
    const ladder = Result.getOrThrow(plan(sent))
    assert.deepStrictEqual(Result.getOrThrow(plan(ladder, [...ladder])), ladder)
  })

  it.prop(
    "does not depend on the order in which it was sent",
    [ValidSent, Schema.Array(Schema.Finite).check(Schema.isMinLength(12), Schema.isMaxLength(12))],
    ([sent, keys]) => {
      const numbered = sent.map((level, n) => ({ level, id: newId(n) }))
      const shuffled = numbered
        .map((one, n) => ({ one, key: keys[n] ?? 0 }))
        .toSorted((a, b) => a.key - b.key)
        .map(({ one }) => one)
      const planned = (levels: typeof numbered) =>
        plan(levels.map(({ level }) => level), current, (n) => levels[n]?.id ?? foreignId(n))
      assert.deepStrictEqual(planned(shuffled), planned(numbered))
    }
  )

  it("has 2 to 12 levels", () => {
    const of = (count: number) => fresh(...upTo(13).slice(0, count))
    assert.deepStrictEqual([0, 1, 13].map((count) => codeOf(of(count))), Array(3).fill("level_count_invalid"))
    assert.deepStrictEqual(
      [2, 12].map((count) => Result.getOrThrow(plan(of(count))).length),
      [2, 12]
    )
  })

  it("has a level with 0 points", () => {
    assert.strictEqual(codeOf(fresh(1, 100)), "level_zero_missing")
  })

  it("has no two levels with the same min_points", () => {
    assert.strictEqual(codeOf(fresh(0, 100, 50, 100)), "level_min_points_duplicated")
    assert.strictEqual(messageOf(fresh(0, 100, 50, 100)), "levels[3].min_points must not be that of levels[1]")
  })

  it("has no two levels with the same id", () => {
    const sent = fresh(0, 100, 50).map((level, n) => n === 1 ? level : { ...level, id: currentId(2) })
    assert.strictEqual(codeOf(sent), "level_id_duplicated")
    assert.strictEqual(messageOf(sent), "levels[2].id must not be that of levels[0]")
  })

  it("keeps no id that is not its own", () => {
    const sent = fresh(0, 100).map((level, n) => n === 0 ? level : { ...level, id: foreignId(1) })
    assert.strictEqual(codeOf(sent), "level_unknown")
    assert.strictEqual(messageOf(sent), "levels[1].id must be a level of this ladder")
  })

  it("is judged by what was sent before it is compared with the ladder there is", () => {
    const unknown = (...points: ReadonlyArray<number>) =>
      fresh(...points).map((level) => ({ ...level, id: foreignId(1) }))
    assert.strictEqual(codeOf(unknown(5)), "level_count_invalid")
    assert.strictEqual(codeOf(unknown(5, 5)), "level_zero_missing")
    assert.strictEqual(codeOf(unknown(0, 0)), "level_min_points_duplicated")
    assert.strictEqual(codeOf(unknown(0, 5)), "level_id_duplicated")
  })
})

const Total = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_500_000 }))

describe("the level of a total", () => {
  it.prop("is the one with the greatest min_points that is not above it", [ValidSent, Total], ([sent, total]) => {
    const ladder = Result.getOrThrow(plan(sent))
    const reached = Math.max(...ladder.map(({ min_points }) => min_points).filter((points) => points <= total))
    assert.strictEqual(levelOf(ladder, total).min_points, reached)
  })

  it.prop("is reached exactly at its min_points", [ValidSent], ([sent]) => {
    const ladder = Result.getOrThrow(plan(sent))
    for (const [n, level] of ladder.entries()) {
      assert.deepStrictEqual(levelOf(ladder, level.min_points), level)
      if (n > 0) assert.deepStrictEqual(levelOf(ladder, level.min_points - 1), ladder[n - 1])
    }
  })

  it.prop("is followed by the one next above, and by none at the top", [ValidSent, Total], ([sent, total]) => {
    const ladder = Result.getOrThrow(plan(sent))
    const above = ladder.find(({ min_points }) => min_points > total)
    assert.deepStrictEqual(standingOf(ladder, total).next, above ?? null)
  })

  it("is the first one below 0, with the second as the next", () => {
    const ladder = Result.getOrThrow(plan(fresh(100, 0)))
    assert.deepStrictEqual(standingOf(ladder, -1_000_000), { level: ladder[0], next: ladder[1] ?? null })
  })
})
