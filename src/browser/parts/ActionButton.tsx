import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { attempt } from "./Toasts.tsx"

/** A button that acts at once. It ignores a second click during the action. */
export const ActionButton = ({ children, done, isQuiet = false, label, work }: {
  readonly children: ComponentChildren
  readonly work: () => Promise<unknown>
  /** The message after the action. */
  readonly done?: string
  readonly isQuiet?: boolean
  /** The name of the button, if its text alone does not say enough. */
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
