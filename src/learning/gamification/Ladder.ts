import { Array as Arr, Order, Result, Schema } from "effect"
import { ApiError } from "../../platform/http/ApiError.ts"
import { field } from "../../platform/http/Field.ts"
import { anyText, sentId, text } from "../../platform/http/Text.ts"
import { brandedId } from "../../platform/schema/brandedId.ts"

/** Stable while the level exists. */
export const LevelId = brandedId("LevelId")
export type LevelId = typeof LevelId.Type

const nameIs = "The level's name for students"

const fields = {
  // At most the largest PostgreSQL integer.
  min_points: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2_147_483_647 }))
    .pipe(field("From how many points on a student has this level; no two levels of a ladder have the same", 0))
}

/** A level of a club's ladder (contract, Level). */
export const Level = Schema.Struct({
  id: LevelId.pipe(field("Stays while the level exists, whatever it is called")),
  // Names from before they had to be readable are answered as they are.
  name: anyText(1, 40).pipe(field(nameIs, "Bronze")),
  ...fields
}).annotate({ identifier: "Level", description: "A level of a club's ladder" })
export type Level = typeof Level.Type

/** The levels of the examples in the document. */
export const exampleLevels = {
  bronze: { id: "0198a0c4-5b1e-7d62-8f3a-2c9e4b7d1a01", name: "Bronze", min_points: 0 },
  prata: { id: "0198a0c4-5b1e-7d62-8f3a-2c9e4b7d1a02", name: "Prata", min_points: 100 },
  ouro: { id: "0198a0c4-5b1e-7d62-8f3a-2c9e4b7d1a03", name: "Ouro", min_points: 300 }
}

/** Contract, Endpoints, rule 1. */
export const LevelInput = Schema.Struct({
  id: Schema.optionalKey(sentId(LevelId))
    .pipe(field("That of a level of the ladder, to keep it; absent for a new one")),
  name: text(1, 40).pipe(field(nameIs, "Bronze")),
  ...fields
}).annotate({ identifier: "LevelInput", description: "A level of the ladder that replaces the one before" })
export type LevelInput = typeof LevelInput.Type

/** The fewest and most levels of a ladder (contract, Other constants). */
export const levelCount = { minimum: 2, maximum: 12 } as const

/**
 * The body of endpoint 1. The description says the contract's 2 to 12 levels, and `validateLevels` checks them, with a
 * code of its own.
 */
export const LadderPayload = Schema.Struct({
  levels: Schema.Array(LevelInput).check(Schema.makeFilter(() => true, {
    toJsonSchema: () => ({ minItems: levelCount.minimum, maxItems: levelCount.maximum })
  })).pipe(field(
    "The whole ladder, in any order. One level has `min_points` 0; those that are not sent are deleted",
    [{ name: "Bronze", min_points: 0 }, { name: "Prata", min_points: 100 }, { name: "Ouro", min_points: 300 }]
  ))
})

/** From lowest to highest `min_points`; the first level has 0. */
export type Ladder = Arr.NonEmptyReadonlyArray<Level>

/** Fewer than 2 or more than 12. */
export class LevelCountInvalid extends ApiError<LevelCountInvalid>()("LevelCountInvalid", {
  status: 422,
  code: "level_count_invalid",
  message: {
    en: `levels must have ${levelCount.minimum} to ${levelCount.maximum} items`,
    "pt-BR": "Há níveis demais ou de menos."
  }
}) {}

/** No level has 0 points, so a student without points would have no level. */
export class LevelZeroMissing extends ApiError<LevelZeroMissing>()("LevelZeroMissing", {
  status: 422,
  code: "level_zero_missing",
  message: {
    en: "levels must have one with min_points 0",
    "pt-BR": "Um dos níveis precisa começar com 0 pontos."
  }
}) {}

/** Two levels have the same `min_points`, so a student could have either. */
export class LevelMinPointsDuplicated extends ApiError<LevelMinPointsDuplicated>()("LevelMinPointsDuplicated", {
  status: 422,
  code: "level_min_points_duplicated",
  message: {
    en: "levels must not have the same min_points twice",
    "pt-BR": "Dois níveis começam com os mesmos pontos."
  }
}) {}

/** Two levels have the same id. */
export class LevelIdDuplicated extends ApiError<LevelIdDuplicated>()("LevelIdDuplicated", {
  status: 422,
  code: "level_id_duplicated",
  message: {
    en: "levels must not have the same id twice",
    "pt-BR": "O mesmo nível aparece duas vezes."
  }
}) {}

/** A level has an id of another club or of a deleted level. */
export class LevelUnknown extends ApiError<LevelUnknown>()("LevelUnknown", {
  status: 422,
  code: "level_unknown",
  message: {
    en: "levels must have only ids of this ladder",
    "pt-BR": "Um dos níveis não existe mais: carregue os níveis de novo."
  }
}) {}

/** Why a ladder is refused. */
export type LadderError =
  | LevelCountInvalid
  | LevelZeroMissing
  | LevelMinPointsDuplicated
  | LevelIdDuplicated
  | LevelUnknown

/** Names the first level that has the same value as an earlier one. Absent ids are not the same. */
const repetitionOf = (field: "id" | "min_points", sent: ReadonlyArray<LevelInput>): string | undefined => {
  const values = sent.map((level) => level[field])
  const index = values.findIndex((value, index) => value !== undefined && values.indexOf(value) < index)
  return index === -1
    ? undefined
    : `levels[${index}].${field} must not be that of levels[${values.indexOf(values[index])}]`
}

/**
 * Checks the request alone, before any look-up, in this order: the count, the level with 0 points, equal `min_points`,
 * equal ids.
 */
export const validateLevels = (
  sent: ReadonlyArray<LevelInput>
): Result.Result<Arr.NonEmptyReadonlyArray<LevelInput>, LadderError> => {
  const isCounted = sent.length >= levelCount.minimum && sent.length <= levelCount.maximum
  if (!isCounted || !Arr.isReadonlyArrayNonEmpty(sent)) return Result.fail(new LevelCountInvalid())
  if (!sent.some(({ min_points }) => min_points === 0)) return Result.fail(new LevelZeroMissing())

  const samePoints = repetitionOf("min_points", sent)
  if (samePoints !== undefined) return Result.fail(new LevelMinPointsDuplicated({ error: { message: samePoints } }))

  const sameId = repetitionOf("id", sent)
  if (sameId !== undefined) return Result.fail(new LevelIdDuplicated({ error: { message: sameId } }))

  return Result.succeed(sent)
}

const byMinPoints = Order.mapInput(Order.Number, ({ min_points }: Level) => min_points)

/**
 * The ladder that replaces the current one (contract, Endpoints, rule 1):
 * - a level sent with an id of the current ladder keeps it
 * - a level sent without an id gets the new id of its place
 * - a level that is not sent is deleted
 *
 * The order of `sent` does not matter; `validateLevels` has passed it. `newIds` has one id for every level sent, used
 * or not.
 */
export const planLadder = (
  current: ReadonlyArray<Level>,
  sent: Arr.NonEmptyReadonlyArray<LevelInput>,
  newIds: Arr.NonEmptyReadonlyArray<LevelId>
): Result.Result<Ladder, LevelUnknown> => {
  const known = new Set(current.map(({ id }) => id))
  const unknown = sent.findIndex(({ id }) => id !== undefined && !known.has(id))
  if (unknown !== -1) {
    return Result.fail(new LevelUnknown({ error: { message: `levels[${unknown}].id must be a level of this ladder` } }))
  }
  const levels = Arr.zipWith(sent, newIds, ({ id, min_points, name }, newId): Level => ({
    id: id ?? newId,
    name,
    min_points
  }))
  return Result.succeed(Arr.sort(levels, byMinPoints))
}

/**
 * The level of a total, the last one whose `min_points` it reaches, and the next one, null at the top. Adjustments can
 * make a total negative; such a student has the first level.
 */
export const standingOf = (ladder: Ladder, points: number): { readonly level: Level; readonly next: Level | null } => {
  const reached = Math.max(ladder.findLastIndex(({ min_points }) => min_points <= points), 0)
  return { level: ladder[reached] ?? ladder[0], next: ladder[reached + 1] ?? null }
}

/** The level of a total; see `standingOf`. */
export const levelOf = (ladder: Ladder, points: number): Level => standingOf(ladder, points).level
