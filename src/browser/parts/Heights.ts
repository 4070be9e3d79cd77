// How high the rows of a table are, though few are there to be measured. Pure.

/** The heights of the rows of a table, in pixels. */
export interface Heights {
  /** The width of the page that they were measured at; null before the first. */
  readonly width: number | null
  /** Of a row that was not measured. It stays, so that rows that come into sight move no others. */
  readonly usual: number
  /** Of rows that are higher or lower, by their number. */
  readonly others: ReadonlyMap<number, number>
}

/** Heights that are all guesses. */
export const unmeasured = (usual: number): Heights => ({ width: null, usual, others: new Map() })

/** The place of a row below the first one. */
export const placeIn = ({ others, usual }: Heights) => (row: number): number => {
  let place = row * usual
  for (const [other, height] of others) if (other < row) place += height - usual
  return place
}

/** A difference that nobody sees, in pixels. */
const same = 0.5

/**
 * The heights after these rows were measured at this width of the page. The same object if they were known, so that a
 * table that draws itself anew for each change comes to rest.
 */
export const measured = (
  heights: Heights,
  width: number,
  rows: ReadonlyArray<readonly [row: number, height: number]>
): Heights => {
  if (rows.length === 0) return heights
  const isNew = heights.width !== width
  const usual = isNew ? rows.reduce((sum, [, height]) => sum + height, 0) / rows.length : heights.usual
  const known: ReadonlyMap<number, number> = isNew ? new Map() : heights.others
  const changed = rows.filter(([row, height]) => Math.abs((known.get(row) ?? usual) - height) > same)
  return changed.length === 0 && !isNew ? heights : { width, usual, others: new Map([...known, ...changed]) }
}
