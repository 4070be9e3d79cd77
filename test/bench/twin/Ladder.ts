import { Refusal } from "./Refusal.ts"

export interface Level {
  readonly id: string
  readonly name: string
  readonly min_points: number
}

export interface SentLevel {
  readonly id?: string
  readonly name: string
  readonly min_points: number
}

const refuse = (code: string, message: string) => new Refusal(422, code, `levels${message}`)

/** The first place with the value of an earlier place. */
const firstRepetition = (values: ReadonlyArray<unknown>) => {
  const seen = new Map<unknown, number>()
  for (const [index, value] of values.entries()) {
    const earlier = seen.get(value)
    if (earlier !== undefined) return { index, earlier }
    if (value !== undefined) seen.set(value, index)
  }
  return undefined
}

/** Plans the ladder that replaces the current one, with Turma's rules, in the same order and with the same words. */
export const planLadder = (
  current: ReadonlyArray<Level>,
  sent: ReadonlyArray<SentLevel>,
  newId: () => string
): ReadonlyArray<Level> => {
  if (sent.length < 2 || sent.length > 12) throw refuse("level_count_invalid", ": a ladder has 2 to 12 levels")
  const levels = sent.map(({ id, min_points, name }) => ({ id: id?.toLowerCase(), name, min_points }))
  if (levels.every(({ min_points }) => min_points !== 0)) {
    throw refuse("level_zero_missing", ": one of them must have min_points 0")
  }
  const samePoints = firstRepetition(levels.map(({ min_points }) => min_points))
  if (samePoints !== undefined) {
    const { earlier, index } = samePoints
    throw refuse("level_min_points_duplicated", `[${index}].min_points: levels[${earlier}] has the same`)
  }
  const sameId = firstRepetition(levels.map(({ id }) => id))
  if (sameId !== undefined) {
    throw refuse("level_id_duplicated", `[${sameId.index}].id: levels[${sameId.earlier}] has the same`)
  }
  const known = new Set(current.map(({ id }) => id))
  const unknown = levels.findIndex(({ id }) => id !== undefined && !known.has(id))
  if (unknown !== -1) throw refuse("level_unknown", `[${unknown}].id: not a level of this ladder`)
  return levels
    .map(({ id, min_points, name }) => ({ id: id ?? newId(), name, min_points }))
    .toSorted((a, b) => a.min_points - b.min_points)
}
