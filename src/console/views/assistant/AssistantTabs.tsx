import { said } from "../../client/Language.ts"
import { clubPage } from "../../client/View.ts"
import { Tabs } from "../../parts/Tabs.tsx"
import { words } from "./words.ts"

/** The pages of the assistant. */
export const AssistantTabs = ({ club }: { readonly club: { readonly organization_id: string } }) => (
  <Tabs
    label={said(words).label}
    tabs={[
      { label: said(words).questions, to: clubPage(club, "assistant") },
      { label: said(words).usage, to: clubPage(club, "assistant", "usage") },
      { label: said(words).settings, to: clubPage(club, "assistant", "settings") }
    ]}
  />
)
