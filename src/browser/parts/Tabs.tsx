import { useEffect, useRef } from "preact/hooks"
import { place } from "../client/Location.ts"

/** One of several pages about the same thing. */
export interface Tab {
  readonly label: string
  readonly to: string
}

/**
 * Links between pages about the same thing. The current one is marked, and stays visible if the tabs are wider than the
 * page.
 */
export const Tabs = ({ label, tabs }: { readonly label: string; readonly tabs: ReadonlyArray<Tab> }) => {
  const links = useRef<HTMLElement>(null)
  const { path } = place.value
  useEffect(() => {
    links.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" })
  }, [path])
  return (
    <nav class="tabs" aria-label={label} ref={links}>
      {tabs.map(({ label, to }) => <a key={to} href={to} aria-current={path === to ? "page" : undefined}>{label}</a>)}
    </nav>
  )
}
