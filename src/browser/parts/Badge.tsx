import type { ComponentChildren } from "preact"

/** How a state is: its shape says it before its colour. */
export type Tone = "good" | "bad" | "waiting" | "quiet" | "warning"

const marks: Readonly<Record<Tone, string>> = { good: "●", bad: "▲", waiting: "◐", quiet: "○", warning: "◆" }

/** A state in a word. */
export const Badge = ({ children, tone }: { readonly tone: Tone; readonly children: ComponentChildren }) => (
  <span class={`badge ${tone}`}>
    <span class="mark" aria-hidden="true">{marks[tone]}</span>
    {children}
  </span>
)
