// Which rows of a long table are looked at. Pure.

interface Seen {
  readonly rows: number
  /** Of a row, in pixels. */
  readonly height: number
  /** The place of the first row from the top of the visible part. Negative after scrolling down. */
  readonly top: number
  /** The visible height of the page, in pixels. */
  readonly visible: number
}

/** Rows rendered beyond the visible ones, for scrolling to find. */
const beyond = 15

/** The rows that are looked at, and some around them; `to` is not one of them. */
export const windowOf = ({ height, rows, top, visible }: Seen): { readonly from: number; readonly to: number } => {
  const first = Math.floor(-top / height) - beyond
  const last = Math.ceil((visible - top) / height) + beyond
  const from = Math.min(Math.max(0, first), rows)
  return { from, to: Math.max(from, Math.min(rows, last)) }
}
