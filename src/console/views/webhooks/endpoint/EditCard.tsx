import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"
import { said, spoken } from "../../../../browser/client/Language.ts"

const words = spoken(
  { change: "Change", changeOf: (title: string) => `Change: ${title}` },
  { change: "Mudar", changeOf: (title: string) => `Mudar: ${title}` }
)

interface EditCardProps {
  readonly title: string
  /** Beside changing it. */
  readonly actions?: ComponentChildren
  /** The saved values, until somebody changes them. */
  readonly children: ComponentChildren
  readonly edit: (onDone: () => void) => ComponentChildren
  /** The part below, with or without a change. */
  readonly below?: ComponentChildren
}

/** A part of an endpoint: what is there, and changing it. */
export const EditCard = ({ actions, below, children, edit, title }: EditCardProps) => {
  const isEdited = useSignal(false)
  const id = useId()
  const { change, changeOf } = said(words)
  return (
    <section class="card stack" aria-labelledby={id}>
      <div class="row headed">
        <h2 id={id}>{title}</h2>
        <div class="actions">
          {actions}
          {!isEdited.value && (
            <button type="button" class="quiet" aria-label={changeOf(title)} onClick={() => (isEdited.value = true)}>
              {change}
            </button>
          )}
        </div>
      </div>
      {isEdited.value ? edit(() => (isEdited.value = false)) : children}
      {below}
    </section>
  )
}
