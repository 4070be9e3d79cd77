import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"
import { shareOf } from "./Bars.ts"

/** The used part of something, as a bar that fills up. `text` says it in words. */
export const Meter = ({ badge, isBad = false, label, text, used, whole }: {
  readonly label: string
  readonly text: string
  readonly used: number
  readonly whole: number
  /** True if that much is too much. */
  readonly isBad?: boolean
  readonly badge?: ComponentChildren
}) => {
  const id = useId()
  const share = shareOf(used, whole)
  return (
    <div class="meter">
      <div class="row">
        <strong id={id} dir="auto">{label}</strong>
        {badge}
        <span class="soft number">{text}</span>
      </div>
      <div
        class={isBad ? "track bad" : "track"}
        role="meter"
        aria-labelledby={id}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
        aria-valuetext={text}
      >
        <div class="fill" style={{ inlineSize: `${share * 100}%` }} />
      </div>
    </div>
  )
}
