import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Result, Schema } from "effect"
import { type Level, LevelId, standingOf, validateLevels } from "../../../src/learning/gamification/Ladder.ts"
import {
  boundsOf,
  mostSteps,
  Spread,
  spreadOf,
  stepsUpTo,
  validateThresholds
} from "../../../src/learning/gamification/Spread.ts"

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

/** Points of students. Some are below 0, as adjustments can make them. */
const Totals = Arbitrary.array(Arbitrary.schema(between(-50, 900)), { maxLength: 60 })

/** The points of a valid ladder, from the lowest level. */
const Points = Arbitrary.map(
  Arbitrary.array(Arbitrary.schema(between(1, 900)), { minLength: 1, maxLength: 11 }),
  (points) => [...new Set([0, ...points])].toSorted((one, other) => one - other)
)

const ladderOf = (points: ReadonlyArray<number>): ReadonlyArray<Level> =>
  points.map((min_points, n) => ({
    id: LevelId.make(`0190a000-0000-7000-8000-${String(n).padStart(12, "0")}`),
    name: "A",
    min_points
  }))

/** The place of a student's level, as students see it. */
const placeOf = (points: ReadonlyArray<number>, total: number) => {
  const [first, ...rest] = ladderOf(points)
  return first === undefined ? -1 : points.indexOf(standingOf([first, ...rest], total).level.min_points)
}

/** The counts of the database: it counts fewer than 0 points as 0 points. */
const counted = (totals: ReadonlyArray<number>, bounds: ReadonlyArray<number>) =>
  bounds.map((from, n) => ({
    from,
    students:
      totals.map((total) => Math.max(total, 0)).filter((total) => total >= from && total < (bounds[n + 1] ?? Infinity))
        .length
  }))

const spread = (totals: ReadonlyArray<number>, now: ReadonlyArray<number>, proposed: ReadonlyArray<number> | null) => {
  const steps = stepsUpTo(Math.max(0, ...totals))
  return spreadOf(counted(totals, boundsOf(steps, now, proposed ?? [])), { steps, now, proposed })
}

describe("A spread", () => {
  it("hears of more points than a level can ask for", () => {
    const most = 9_000_000_000
    const { histogram } = Schema.encodeSync(Spread)(spread([1, most], [0, 100], null))
    assert.deepStrictEqual(histogram.at(-1), { from: most, to: null, students: 1 })
  })

  it.prop("has every student on the level that they are shown", [Totals, Points], ([totals, now]) => {
    const { levels, moved_down, moved_up, proposed, students } = spread(totals, now, null)
    assert.strictEqual(students, totals.length)
    assert.deepStrictEqual(
      levels,
      now.map((min_points, place) => ({
        min_points,
        students_now: totals.filter((total) => placeOf(now, total) === place).length
      }))
    )
    assert.deepStrictEqual([proposed, moved_up, moved_down], [null, null, null])
  })

  it.prop("tells who would be where, and who would move", [Totals, Points, Points], ([totals, now, next]) => {
    const { moved_down, moved_up, proposed } = spread(totals, now, next)
    assert.deepStrictEqual(
      proposed,
      next.map((min_points, place) => ({
        min_points,
        students: totals.filter((total) => placeOf(next, total) === place).length
      }))
    )
    const moves = totals.map((total) => placeOf(next, total) - placeOf(now, total))
    assert.deepStrictEqual([moved_up, moved_down], [
      moves.filter((move) => move > 0).length,
      moves.filter((move) => move < 0).length
    ])
  })

  it.prop("moves nobody with the ladder as it is", [Totals, Points], ([totals, now]) => {
    const { moved_down, moved_up } = spread(totals, now, now)
    assert.deepStrictEqual([moved_up, moved_down], [0, 0])
  })

  it.prop("has a histogram of all students, without a gap", [Totals, Points], ([totals, now]) => {
    const { histogram } = spread(totals, now, null)
    assert.strictEqual(histogram[0]?.from, 0)
    assert.deepStrictEqual(histogram.map(({ to }) => to), [...histogram.slice(1).map(({ from }) => from), null])
    for (const [n, { from, students, to }] of histogram.entries()) {
      const within = totals.filter((total) => (n === 0 || total >= from) && total < (to ?? Infinity))
      assert.strictEqual(students, within.length)
    }
  })
})

describe("The steps of a histogram", () => {
  it.prop("are even, round, and about 20 to 40", [between(0, 2_147_483_647)], ([most]) => {
    const steps = stepsUpTo(most)
    const width = steps[1] ?? 1
    assert.isAtMost(steps.length, mostSteps)
    if (most >= mostSteps) assert.isAtLeast(steps.length, 16)
    assert.deepStrictEqual(steps, steps.map((_, n) => n * width))
    assert.match(String(width), /^[125]0*$/)
    const last = steps.at(-1) ?? -1
    assert.isTrue(last <= most && most < last + width, `${last} ${most} ${width}`)
  })

  it.each([[0, [0]], [1, [0, 1]], [-3, [0]]])("up to %i points are %j", (most, steps) => {
    assert.deepStrictEqual(stepsUpTo(most), steps)
  })

  it.each([[39, 1], [40, 2], [79, 2], [80, 5], [199, 5], [200, 10], [399, 10], [400, 20]])(
    "up to %i points are %i wide",
    (most, width) => {
      assert.strictEqual(stepsUpTo(most)[1], width)
    }
  )
})

describe("A ladder that is asked about", () => {
  const codeOf = (result: Result.Result<unknown, { readonly error: { readonly code: string } }>) =>
    Result.match(result, { onSuccess: () => null, onFailure: ({ error }) => error.code })

  it.prop(
    "is refused as it would be if it were saved",
    [Arbitrary.array(Arbitrary.schema(between(0, 12)), { maxLength: 15 })],
    ([points]) => {
      const saved = validateLevels(points.map((min_points) => ({ name: "A", min_points })))
      assert.strictEqual(codeOf(validateThresholds(points)), codeOf(saved))
    }
  )

  it("is in any order", () => {
    assert.deepStrictEqual(Result.getOrThrow(validateThresholds([500, 0, 100])), [0, 100, 500])
  })

  it("is refused with the numbers that are the same", () => {
    const { error } = Result.getOrThrow(Result.flip(validateThresholds([0, 7, 9, 7])))
    assert.strictEqual(error.message, "min_points[3] must not be that of min_points[1]")
  })
})
