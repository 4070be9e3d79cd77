import type { ComponentChildren } from "preact"
import { useEffect } from "preact/hooks"
import { said, spoken } from "../client/Language.ts"

const words = spoken({ way: "Where you are" }, { way: "Onde você está" })

/** A page above this one. */
export interface Above {
  readonly label: string
  readonly to: string
}

interface PageHeadProps {
  readonly title: string
  /** Beside the title: a state. */
  readonly badge?: ComponentChildren
  readonly above?: ReadonlyArray<Above>
  /** Whether everything is all right, in a sentence. */
  readonly children?: ComponentChildren
  readonly actions?: ComponentChildren
}

/** How each view begins: where one is, whether everything is all right, and what can be done. */
export const PageHead = ({ above = [], actions, badge, children, title }: PageHeadProps) => {
  useEffect(() => {
    document.title = `${title} · Turma`
  }, [title])
  return (
    <header class="page-head">
      {above.length > 0 && (
        <nav aria-label={said(words).way}>
          <ol class="way">
            {above.map(({ label, to }) => (
              <li key={to}>
                <a href={to}>{label}</a>
              </li>
            ))}
          </ol>
        </nav>
      )}
      <div class="page-title">
        <h1 tabIndex={-1} dir="auto">{title}</h1>
        {badge}
        {actions !== undefined && <div class="actions">{actions}</div>}
      </div>
      {children !== undefined && <div class="lead">{children}</div>}
    </header>
  )
}
