import { place } from "../client/Location.ts"

/** One of several pages about the same thing. */
export interface Tab {
  readonly label: string
  readonly to: string
}

/** Links between pages about the same thing; that of now is marked. */
export const Tabs = ({ label, tabs }: { readonly label: string; readonly tabs: ReadonlyArray<Tab> }) => (
  <nav class="tabs" aria-label={label}>
    {tabs.map(({ label, to }) => (
      <a key={to} href={to} aria-current={place.value.path === to ? "page" : undefined}>{label}</a>
    ))}
  </nav>
)
