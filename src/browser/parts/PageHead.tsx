import { signal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useLayoutEffect } from "preact/hooks"
import { said, spoken } from "../client/Language.ts"
import { site } from "../client/Site.ts"

const words = spoken({ way: "Where you are" }, { way: "Onde você está" })

/** A page above this one. */
interface Above {
  readonly label: string
  readonly to: string
}

interface PageHeadProps {
  readonly title: string
  /** Beside the title: a state. */
  readonly badge?: ComponentChildren
  readonly above?: ReadonlyArray<Above>
  /** The state of the page's subject, in a sentence. */
  readonly children?: ComponentChildren
  readonly actions?: ComponentChildren
}

const Head = ({ above = [], actions, badge, children, title }: PageHeadProps) => {
  useLayoutEffect(() => {
    document.title = `${title} · ${site.name}`
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
        <div class="row">
          <h1 tabIndex={-1} dir="auto">{title}</h1>
          {badge}
        </div>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </div>
      {children !== undefined && <div class="lead">{children}</div>}
    </header>
  )
}

/** Number of views with a heading. It is zero while the view loads, and if it shows only that it failed. */
const heads = signal(0)

/** The head of every view: its place, its state and its actions. */
export const PageHead = (props: PageHeadProps) => {
  useLayoutEffect(() => {
    heads.value++
    return () => {
      heads.value--
    }
  }, [])
  return <Head {...props} />
}

/** Around a view: until it has a heading of its own, the page is called as what is known of it. */
export const Headed = ({ children, title }: { readonly title: string; readonly children: ComponentChildren }) => (
  <>
    {heads.value === 0 && <Head title={title} />}
    {children}
  </>
)
