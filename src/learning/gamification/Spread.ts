import { Array as Arr, Order, Result, Schema, SchemaTransformation } from "effect"
import { Count } from "../../platform/http/Count.ts"
import { field } from "../../platform/http/Field.ts"
import { Level, levelCount, LevelCountInvalid, LevelMinPointsDuplicated, LevelZeroMissing } from "./Ladder.ts"

const Points = Level.fields.min_points

const inLevel = field<typeof Count>("How many students have this level", 12)

/** Students over a ladder, as it is and as it might be. */
export const Spread = Schema.Struct({
  students: Count.pipe(field("How many students the club has, without those who were removed", 40)),
  histogram: Schema.Array(Schema.Struct({
    from: Count.pipe(field("From how many points on; the first counts fewer than 0 too", 100)),
    to: Schema.NullOr(Count).pipe(field("The number of points before which it ends; null for the last one", 120)),
    students: Count.pipe(field("How many students have so many points", 3))
  })).pipe(field("How many students have how many points, in at most 40 steps of the same width, 1, 2 or 5 and zeros")),
  levels: Schema.Array(Schema.Struct({
    min_points: Points.pipe(field("From how many points on a student has the level")),
    students_now: Count.pipe(inLevel)
  })).pipe(field("The ladder as it is, from the lowest level")),
  proposed: Schema.NullOr(Schema.Array(Schema.Struct({
    min_points: Points.pipe(field("From how many points on a student would have the level")),
    students: Count.pipe(field("How many students would have this level", 12))
  }))).pipe(field("The requested ladder, from the lowest level; null if the request had no ladder")),
  moved_up: Schema.NullOr(Count)
    .pipe(field("How many students would have a higher level, counted from the lowest; null without a proposal", 4)),
  moved_down: Schema.NullOr(Count)
    .pipe(field("How many students would have a lower level, counted from the lowest; null without a proposal", 2))
}).annotate({ identifier: "LevelSpread", description: "How students are spread over the levels of a ladder" })
export type Spread = typeof Spread.Type

/** Which ladder is asked about. */
export const SpreadQuery = {
  min_points: Schema.optionalKey(Schema.String
    .check(Schema.isPattern(/^\d{1,10}(,\d{1,10}){0,99}$/u, { expected: "whole numbers with commas between them" }))
    .pipe(
      Schema.decodeTo(
        Schema.Array(Points),
        SchemaTransformation.transform({
          decode: (text): ReadonlyArray<number> => text.split(",").map(Number),
          encode: (points) => points.join(",")
        })
      ),
      field(
        "The points of the 2 to 12 levels of another ladder, to see who would move; 0 is one of them",
        "0,100,500"
      )
    ))
}

/** Why a ladder that is asked about would be refused. */
export type ThresholdsError = LevelCountInvalid | LevelZeroMissing | LevelMinPointsDuplicated

/** The rules of `validateLevels` for points alone, in its order. Answers them from the lowest. */
export const validateThresholds = (
  sent: ReadonlyArray<number>
): Result.Result<ReadonlyArray<number>, ThresholdsError> => {
  const { maximum, minimum } = levelCount
  if (sent.length < minimum || sent.length > maximum) {
    const message = `min_points must have ${minimum} to ${maximum} numbers`
    return Result.fail(new LevelCountInvalid({ error: { message } }))
  }
  if (!sent.includes(0)) return Result.fail(new LevelZeroMissing({ error: { message: "min_points must have 0" } }))
  const again = sent.findIndex((points, index) => sent.indexOf(points) < index)
  if (again !== -1) {
    const message = `min_points[${again}] must not be that of min_points[${sent.indexOf(sent[again] ?? 0)}]`
    return Result.fail(new LevelMinPointsDuplicated({ error: { message } }))
  }
  return Result.succeed(Arr.sort(sent, Order.Number))
}

/** The most steps of a histogram. */
export const mostSteps = 40

/** The smallest width of 1, 2 or 5 and zeros with which as many steps reach these points; 1 for few points. */
const widthOf = (points: number): number => {
  const least = Math.max((points + 1) / mostSteps, 1)
  const magnitude = 10 ** Math.floor(Math.log10(least))
  return [1, 2, 5, 10].map((step) => step * magnitude).find((width) => width >= least) ?? 10 * magnitude
}

/** The points at which each step of a histogram begins, up to the step with the most points; at least one step. */
export const stepsUpTo = (most: number): ReadonlyArray<number> => {
  const width = widthOf(Math.max(most, 0))
  return Array.from({ length: Math.floor(Math.max(most, 0) / width) + 1 }, (_, step) => step * width)
}

/**
 * The number of students with at least `from` points and fewer than the next part has; in order, the first from 0 on.
 */
export interface Part {
  readonly from: number
  readonly students: number
}

/** The bounds that students are counted between, so that each step and each level is whole parts. */
export const boundsOf = (...ladders: ReadonlyArray<ReadonlyArray<number>>): ReadonlyArray<number> =>
  Arr.sort(new Set(ladders.flat()), Order.Number)

/** The place in a ladder that so many points have: the last that they reach, the first at least. */
const placeIn = (ladder: ReadonlyArray<number>, points: number) =>
  Math.max(ladder.findLastIndex((min_points) => min_points <= points), 0)

const sumOf = (parts: ReadonlyArray<Part>) => parts.reduce((sum, { students }) => sum + students, 0)

const over = (ladder: ReadonlyArray<number>, parts: ReadonlyArray<Part>) =>
  ladder.map((from, place) => ({
    from,
    to: ladder[place + 1] ?? null,
    students: sumOf(parts.filter((part) => placeIn(ladder, part.from) === place))
  }))

/** Puts together the counts between `boundsOf(steps, now, proposed)`. Ladders begin with 0 and are in order. */
export const spreadOf = (
  parts: ReadonlyArray<Part>,
  { now, proposed, steps }: {
    readonly steps: ReadonlyArray<number>
    readonly now: ReadonlyArray<number>
    readonly proposed: ReadonlyArray<number> | null
  }
): Spread => {
  const moved = (isMoved: (from: number, to: number) => boolean) =>
    proposed && sumOf(parts.filter(({ from }) => isMoved(placeIn(now, from), placeIn(proposed, from))))
  return {
    students: sumOf(parts),
    histogram: over(steps, parts),
    levels: over(now, parts).map(({ from, students }) => ({ min_points: from, students_now: students })),
    proposed: proposed && over(proposed, parts).map(({ from, students }) => ({ min_points: from, students })),
    moved_up: moved((from, to) => to > from),
    moved_down: moved((from, to) => to < from)
  }
}
