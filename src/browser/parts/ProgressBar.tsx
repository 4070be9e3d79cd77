import { percent } from "../client/Format.ts"
import { tenthOf } from "./tenths.ts"

/** How far something is: each step for those who look, each tenth of the way for those who listen. */
export const ProgressBar = ({ all, done, label, text }: {
  readonly done: number
  readonly all: number
  /** The name of the work. */
  readonly label: string
  readonly text: string
}) => (
  <>
    <progress max={Math.max(1, all)} value={all <= 0 ? 1 : done} aria-label={label} />
    <p class="soft number">{text}</p>
    <p class="visually-hidden" role="status">{percent(tenthOf(done, all))}</p>
  </>
)
