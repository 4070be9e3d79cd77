import { Component, type ComponentChildren } from "preact"
import { said, spoken } from "../client/Language.ts"
import { forgetAll } from "../client/ReadCache.ts"
import { PageHead } from "./PageHead.tsx"

const words = spoken(
  {
    again: "Load the page again",
    failed: "This page could not be shown",
    why: "The page made a mistake, not you. Everything that was saved is safe."
  },
  {
    again: "Carregar a página de novo",
    failed: "Não foi possível mostrar esta página",
    why: "O erro é nosso, não seu. O que você salvou continua salvo."
  }
)

interface BoundaryProps {
  /** The address of the page. A page that fails at one address may work at the next. */
  readonly at: string
  readonly children: ComponentChildren
}

interface BoundaryState {
  readonly failedAt: string | undefined
}

/**
 * Surrounds a page. If the page fails to show, a message takes its place, and everything around it keeps working.
 */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { failedAt: undefined }

  override componentDidCatch(error: unknown) {
    this.setState({ failedAt: this.props.at })
    // The next page must not show the faulty data again from memory.
    forgetAll()
    reportError(error)
  }

  override componentDidUpdate() {
    const { failedAt } = this.state
    if (failedAt !== undefined && failedAt !== this.props.at) this.setState({ failedAt: undefined })
  }

  override render({ at, children }: BoundaryProps, { failedAt }: BoundaryState) {
    if (failedAt !== at) return children
    return (
      <div role="alert">
        <PageHead title={said(words).failed}>{said(words).why}</PageHead>
        <div class="actions">
          <button type="button" onClick={() => location.reload()}>{said(words).again}</button>
        </div>
      </div>
    )
  }
}
