// The rules of a ladder before it is sent, and what it would change. Pure; the API decides.

/** A level as it is entered. */
export interface LevelDraft {
  /** Tells the rows of the editor apart. */
  readonly key: string
  /** Of a level that is kept; undefined for a new one. */
  readonly id: string | undefined
  readonly name: string
  readonly points: string
}

/** A level as it is. */
export interface KnownLevel {
  readonly id: string
  readonly name: string
  readonly min_points: number
}

/** The fault of a level. */
export type LevelFault = "name" | "points" | "same"

/** The fault of the whole ladder. */
export type LadderFault = "few" | "many" | "zero"

/** The bounds of a ladder: its levels, the length of their names, and the points they may begin at. */
export const limits = { levels: { least: 2, most: 12 }, name: 40, points: 2_147_483_647 } as const

/** The ladder as it is, to be changed. */
export const draftsOf = (levels: ReadonlyArray<KnownLevel>): ReadonlyArray<LevelDraft> =>
  levels.map(({ id, min_points, name }) => ({ key: id, id, name, points: String(min_points) }))

/** The entered points. Undefined if the text is not a valid count. */
export const pointsOf = ({ points }: Pick<LevelDraft, "points">): number | undefined => {
  const text = points.trim()
  if (!/^\d{1,10}$/.test(text)) return undefined
  const value = Number(text)
  return value > limits.points ? undefined : value
}

/** True if a name is 1 to 40 characters, counted as the API counts them. */
const isName = (name: string) => name !== "" && [...name].length <= limits.name

/** The faults of levels, by the key of the level. */
export const levelFaults = (drafts: ReadonlyArray<LevelDraft>): ReadonlyMap<string, LevelFault> => {
  const seen = new Set<number>()
  const faults = new Map<string, LevelFault>()
  for (const draft of drafts) {
    const points = pointsOf(draft)
    if (points === undefined) faults.set(draft.key, "points")
    else if (seen.has(points)) faults.set(draft.key, "same")
    else if (!isName(draft.name)) faults.set(draft.key, "name")
    if (points !== undefined) seen.add(points)
  }
  return faults
}

/** The fault of the whole ladder. Undefined without one. */
export const ladderFault = (drafts: ReadonlyArray<LevelDraft>): LadderFault | undefined => {
  if (drafts.length < limits.levels.least) return "few"
  if (drafts.length > limits.levels.most) return "many"
  return drafts.some((draft) => pointsOf(draft) === 0) ? undefined : "zero"
}

/** The points to ask about, as the route takes them. Undefined if the API would refuse them. */
export const thresholdsOf = (drafts: ReadonlyArray<LevelDraft>): string | undefined => {
  const isWrong = ladderFault(drafts) !== undefined
    || [...levelFaults(drafts).values()].some((fault) => fault !== "name")
  if (isWrong) return undefined
  return drafts.map((draft) => pointsOf(draft) ?? 0).toSorted((one, other) => one - other).join(",")
}

/** True if the draft differs from the ladder. */
export const isChanged = (levels: ReadonlyArray<KnownLevel>, drafts: ReadonlyArray<LevelDraft>): boolean =>
  levels.length !== drafts.length
  || levels.some(({ id, min_points, name }) =>
    !drafts.some((draft) => draft.id === id && draft.name === name && pointsOf(draft) === min_points)
  )

/** The body that replaces the ladder. */
export const payloadOf = (drafts: ReadonlyArray<LevelDraft>) =>
  drafts.map((draft) => ({
    ...(draft.id === undefined ? {} : { id: draft.id }),
    name: draft.name,
    min_points: pointsOf(draft) ?? 0
  }))

/** Number of students that each level has, and would have. */
export interface Counted {
  readonly levels: ReadonlyArray<{ readonly min_points: number; readonly students_now: number }>
  readonly proposed: ReadonlyArray<{ readonly min_points: number; readonly students: number }> | null
}

/** One level before and after. A new level has no `before`, and a removed one has no `after`. */
export interface LevelMove {
  readonly key: string
  readonly name: string
  readonly min_points: number
  readonly before: number | undefined
  readonly after: number | undefined
}

/** Each level before and after a change, the lowest first. Removed levels stand at their old place. */
export const movesOf = (
  levels: ReadonlyArray<KnownLevel>,
  drafts: ReadonlyArray<LevelDraft>,
  { levels: now, proposed }: Counted
): ReadonlyArray<LevelMove> => {
  const studentsNow = (id: string | undefined) => {
    const known = levels.find((level) => level.id === id)
    return known && now.find(({ min_points }) => min_points === known.min_points)?.students_now
  }
  const kept = drafts.map((draft): LevelMove => {
    const min_points = pointsOf(draft) ?? 0
    return {
      key: draft.key,
      name: draft.name,
      min_points,
      before: studentsNow(draft.id),
      after: proposed?.find((level) => level.min_points === min_points)?.students ?? 0
    }
  })
  const gone = levels.filter(({ id }) => !drafts.some((draft) => draft.id === id)).map((
    { id, min_points, name }
  ): LevelMove => ({ key: id, name, min_points, before: studentsNow(id), after: undefined }))
  return [...kept, ...gone].toSorted((one, other) => one.min_points - other.min_points)
}
