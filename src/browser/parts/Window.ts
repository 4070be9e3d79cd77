// Which rows of a long table are looked at. Pure.

interface Seen {
  readonly rows: number
  /** The place of a row below the first one, in pixels. The place of the row after the last is the height of all. */
  readonly placeOf: (row: number) => number
  /** The place of the first row from the top of the visible part. Negative after scrolling down. */
  readonly top: number
  /** The visible height of the page, in pixels. */
  readonly visible: number
}

/** Rows rendered beyond the visible ones, for scrolling to find. */
const beyond = 15

/** How many rows begin before this place. */
const before = ({ placeOf, rows }: Seen, place: number): number => {
  let [least, most] = [0, rows]
  while (least < most) {
    const middle = Math.floor((least + most) / 2)
    if (placeOf(middle) < place) least = middle + 1
    else most = middle
  }
  return least
}

/** The rows that are looked at, and some around them; `to` is not one of them. */
export const windowOf = (seen: Seen): { readonly from: number; readonly to: number } => {
  const { rows, top, visible } = seen
  const from = Math.max(0, before(seen, -top) - 1 - beyond)
  return { from, to: Math.max(from, Math.min(rows, before(seen, visible - top) + beyond)) }
}
