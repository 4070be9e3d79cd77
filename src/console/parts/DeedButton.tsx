import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { attempt } from "./Toasts.tsx"

/** A button that does something at once: a second click while it is being done does nothing. */
export const DeedButton = ({ children, done, isQuiet = false, label, work }: {
  readonly children: ComponentChildren
  readonly work: () => Promise<unknown>
  /** What is said when it is done. */
  readonly done?: string
  readonly isQuiet?: boolean
  /** What the button is called, where its words alone do not say enough. */
  readonly label?: string
}) => {
  const isRunning = useSignal(false)
  const run = async () => {
    if (isRunning.peek()) return
    isRunning.value = true
    await attempt(work, done)
    isRunning.value = false
  }
  return (
    <button
      type="button"
      class={isQuiet ? "quiet" : ""}
      aria-label={label}
      aria-busy={isRunning.value}
      onClick={() => void run()}
    >
      {children}
    </button>
  )
}
